"""The review: a prompt, the answer, the points, a rating, the next prompt."""

from __future__ import annotations

import time
from collections.abc import Callable, Coroutine, Sequence
from typing import Any, ClassVar

from textual import work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.events import Click

from quizapp.cards.model import PromptKind
from quizapp.memory.model import Rating
from quizapp.services.review import Answer, Asked, Revealed, Reviewing
from quizapp.store.values import ConflictError, Mode, StoreError
from quizapp.text.markdown import render
from quizapp.text.spans import Line, Role, Span
from quizapp.tui.actions import Place
from quizapp.tui.appraisal import Appraisal, Ticks, rating_at, rating_lines, rows, toggled
from quizapp.tui.bindings import bindings
from quizapp.tui.screens.dictating import DictatingScreen
from quizapp.tui.widgets.document import Document
from quizapp.tui.widgets.editor import AnswerEditor
from quizapp.tui.widgets.keybar import KeyBar
from quizapp.tui.widgets.rows import Rows
from quizapp.tui.widgets.topbar import TopBar

PREPARE_AFTER = 0.3
"""Seconds after which the wordings of a prompt are made ready for its answer."""
WIDE = 110
"""Columns from which the model answer stands beside the points and not below them."""


class ReviewScreen(DictatingScreen):
    """Asks until nothing is left."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *bindings(Place.ASK, Place.TICK),
        *(Binding(str(n), f"tick({n})", show=False) for n in range(1, 10)),
        Binding("up,k", "move(-1)", show=False),
        Binding("down,j", "move(1)", show=False),
        Binding("pageup", "page(-1)", show=False),
        Binding("pagedown", "page(1)", show=False),
    ]
    AUTO_FOCUS = ""

    def __init__(self, card: str = "", more: bool = False, only: Sequence[str] = ()) -> None:
        super().__init__()
        self._card = card
        self._only = only
        self._more = more
        self._reviewing: Reviewing | None = None
        self._asked: Asked | None = None
        self._shown: Appraisal | None = None
        self._owners: dict[int, int] = {}
        self._busy = True
        self._over = False
        self._ready = False
        """Whether the first prompt's wordings, and all that comes with them, are loaded."""
        self._sure = False
        self._began = 0.0

    @property
    def place(self) -> Place:
        """Giving the answer, or ticking the points."""
        return Place.TICK if self._shown is not None else Place.ASK

    def compose(self) -> ComposeResult:
        """Lay out question, editor, appraisal and ratings; the stage says which are seen."""
        yield TopBar()
        yield Rows(id="question")
        yield AnswerEditor(id="editor")
        with Horizontal(id="reveal"):
            yield Document(id="appraisal")
            yield Document(id="reference")
        yield Rows(id="ratings")
        yield Rows(id="state")
        yield KeyBar()

    def on_mount(self) -> None:
        """Plan the session."""
        for name in ("#reveal", "#ratings"):
            self.query_one(name).display = False
        self.set_interval(1.0, self._tell_time)
        self._begin()

    def on_resize(self) -> None:
        """Fit the question into the new width."""
        self.retell_text()

    @work(exclusive=True, group="review")
    async def _begin(self) -> None:
        self._reviewing = Reviewing(self.workspace)
        await self._guarded(self._start)

    async def _start(self) -> None:
        assert self._reviewing is not None
        await self._reviewing.start(self._card, self._only)
        if self._more and not await self._reviewing.more():
            self.quiz.tell(self.words.no_more)
        await self._next()

    async def _next(self) -> None:
        assert self._reviewing is not None
        told = set(self._reviewing.left_out)
        step = await self._reviewing.next()
        for key, reason in self._reviewing.left_out.items():
            if key not in told:
                self.quiz.tell(self.words.left_out.format(prompt=key, reason=reason), "warning")
        match step:
            case None:
                self._end()
            case Asked():
                self._ask(step)
            case Revealed():
                self._asked = step.asked
                self._reveal(step)

    def _ask(self, asked: Asked) -> None:
        self._asked, self._shown, self._sure = asked, None, False
        self._began = time.monotonic()
        editor = self.query_one(AnswerEditor)
        number = asked.prompt.kind is PromptKind.CALCULATION
        hint = self.words.answer_number if number else self.words.answer_here
        editor.begin(asked.unfinished, hint)
        self._stage()
        editor.focus()
        # Not at once: the prompt is to be seen first.
        self.set_timer(PREPARE_AFTER, lambda: self._prepare(asked))

    def _prepare(self, asked: Asked) -> None:
        if self._reviewing is not None and self._asked is asked and self._shown is None:
            self.run_worker(self._make_ready(self._reviewing, asked), group="prepare")

    async def _make_ready(self, reviewing: Reviewing, asked: Asked) -> None:
        await reviewing.prepare(asked)
        if not self._ready:
            self._ready = True
            self.quiz.spare_the_collector()

    def _reveal(self, revealed: Revealed, ticks: Ticks | None = None) -> None:
        assert self._reviewing is not None
        chosen = ticks or Ticks(revealed.ticked)
        outcome = self._reviewing.outcome(revealed, chosen.parts, chosen.false)
        self._shown = Appraisal(revealed, chosen, outcome)
        self.set_focus(None)
        self._stage()
        self.query_one("#appraisal", Document).scroll_home(animate=False)

    def _end(self) -> None:
        assert self._reviewing is not None
        self._asked = self._shown = None
        self._over = True
        self._stage()

    def _stage(self) -> None:
        """Show what belongs to the stage, and say it."""
        revealed = self._shown is not None
        # Not by a class: the styles of everything below would be worked out again.
        for name in ("#editor", "#state"):
            self.query_one(name).display = not (revealed or self._over)
        for name in ("#reveal", "#ratings"):
            self.query_one(name).display = revealed
        self._busy = False
        self.retell_text()

    def retell(self) -> None:
        """Switch the prompt and everything around it to the present language."""
        self._translate()

    @work(exclusive=True, group="retell")
    async def _translate(self) -> None:
        reviewing = self._reviewing
        if reviewing is None or self._asked is None:
            self.retell_text()
            return
        self._asked = reviewing.translated(self._asked)
        if self._shown is not None:
            revealed = await reviewing.retold(self._shown.revealed)
            self._reveal(revealed, self._shown.ticks)
        else:
            number = self._asked.prompt.kind is PromptKind.CALCULATION
            hint = self.words.answer_number if number else self.words.answer_here
            self.query_one(AnswerEditor).placeholder = hint
            self.retell_text()

    def retell_text(self) -> None:
        """Say everything again that is on the screen."""
        if self._reviewing is None:
            return
        self.offer_keys()
        self._tell_where()
        self._tell_time()
        if self._over:
            self._tell_summary()
        if self._asked is not None:
            self.query_one("#question", Rows).show(self._question(self._asked))
        if self._shown is not None:
            self._tell_appraisal(self._shown)

    def _question(self, asked: Asked) -> list[Line]:
        width = max(20, self.size.width - 4)
        lines = list(render(asked.question, width).lines)
        room = max(3, self.size.height // 3)
        if self._shown is None:
            room = max(3, self.size.height - 12)
        return [
            tuple(Span(s.text, Role.STRONG if s.role is Role.TEXT else s.role) for s in line)
            for line in lines[:room]
        ]

    def _tell_where(self) -> None:
        words = self.words
        asked = self._asked
        left = words.places[Place.TODAY]
        if asked is not None:
            reason = getattr(words, f"why_{asked.reason.value.replace('-', '_')}")
            kind = words.kinds[asked.prompt.kind]
            left = f"{asked.card.id} · {kind}"
            if reason.casefold() != kind.casefold():
                left += f" · {reason}"
        assert self._reviewing is not None
        right = words.left.format(n=self._reviewing.counts.total)
        self.query_one(TopBar).say(left, right)

    def _tell_time(self) -> None:
        asked, words = self._asked, self.words
        if asked is None or self._shown is not None:
            self.query_one("#state", Rows).show([])
            return
        spent = int(time.monotonic() - self._began)
        over = spent > asked.target_seconds
        sure = words.sure_on if self._sure else words.sure_off
        self.query_one("#state", Rows).show(
            [
                (
                    Span(f"{spent} s", Role.WARN if over else Role.TEXT),
                    Span(f" · {words.target.format(seconds=round(asked.target_seconds))}"),
                    Span(f" · {sure}", Role.GOOD if self._sure else Role.MUTED),
                    self._hint(),
                )
            ]
        )

    def _hint(self) -> Span:
        if self.recording:
            return Span(f" · {self.words.recording}", Role.BAD)
        return Span(f" · {self.words.say_aloud}", Role.MUTED)

    def _tell_appraisal(self, shown: Appraisal) -> None:
        words = self.words
        wide = self.size.width >= WIDE
        self.query_one("#reference").display = wide
        asked = shown.revealed.asked
        heading = words.solution if asked.exercise else words.model_answer

        def reference(width: int) -> list[Line]:
            return [(Span(heading, Role.SUBHEADING),), *render(asked.reference, width).lines]

        def layout(width: int) -> Sequence[Line]:
            lines, self._owners = shown.lines(words, width)
            return lines if wide else [*lines, (), *reference(width)]

        self.query_one("#appraisal", Document).show_layout(layout, home=False)
        if wide:
            self.query_one("#reference", Document).show_layout(reference, home=False)
        width = self.size.width - 4
        self.query_one("#ratings", Rows).show(rating_lines(shown, words, width))

    def _tell_summary(self) -> None:
        assert self._reviewing is not None
        words, summary = self.words, self._reviewing.summary
        lines: list[Line] = [(), (Span(words.session_over, Role.HEADING),), ()]
        if summary.answers:
            score = f"{summary.mean_score or 0:.0%}"
            minutes = f"{summary.seconds / 60:.1f}"
            text = words.session_summary.format(n=summary.answers, score=score, minutes=minutes)
            lines.append((Span(text),))
        self.query_one("#question", Rows).show(lines)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer nothing while an answer is being written, and little at the end."""
        if action in ("tick", "move", "page"):
            return self._shown is not None
        if self._over and action not in ("back", "undo", "more"):
            return action in ("quit", "help", "language", "theme", "interrupt")
        if action == "record" and not self.workspace.settings.speech_command:
            return False
        if action == "demo" and self._asked is not None:
            return self.place is Place.TICK and any(c.demo for c in self._asked.card.claims)
        return super().check_action(action, parameters)

    # Giving the answer.

    def action_reveal(self) -> None:
        """Keep the answer and show the model answer; an empty one was said aloud."""
        text = self.query_one(AnswerEditor).text
        self._give(text, Mode.TYPED if text.strip() else Mode.SPOKEN)

    def action_give_up(self) -> None:
        """Keep what there is and show the model answer."""
        self._give(self.query_one(AnswerEditor).text, Mode.GAVE_UP)

    def action_sure(self) -> None:
        """Say, or take back, that one is sure."""
        self._sure = not self._sure
        self._tell_time()

    def action_skip(self) -> None:
        """Leave the prompt for the next session."""
        if self._asked is not None and self._reviewing is not None and not self._busy:
            self._reviewing.skip(self._asked)
            self._do(self._next)

    def _give(self, text: str, mode: Mode) -> None:
        asked = self._asked
        if asked is None or self._busy:
            return
        answer = Answer(text, mode, max(0.0, time.monotonic() - self._began), self._sure)

        async def give() -> None:
            assert self._reviewing is not None
            self._reveal(await self._reviewing.answer(asked, answer))

        self._do(give)

    async def keep(self) -> None:
        """Keep what is typed and not given yet."""
        text = self.query_one(AnswerEditor).text
        if self._reviewing and self._asked and self._shown is None and text.strip():
            await self._reviewing.keep(self._asked, text, time.monotonic() - self._began)

    # Ticking the points.

    def action_tick(self, number: int) -> None:
        """Tick or untick a row by its number."""
        self._toggle(number - 1)

    def action_tick_chosen(self) -> None:
        """Tick or untick the chosen row."""
        if self._shown is not None:
            self._toggle(self._shown.ticks.cursor)

    def action_move(self, step: int) -> None:
        """Choose another row."""
        if self._shown is not None:
            last = len(rows(self._shown.revealed)) - 1
            cursor = min(max(0, self._shown.ticks.cursor + step), last)
            self._retick(Ticks(self._shown.ticks.parts, self._shown.ticks.false, cursor))

    def action_page(self, step: int) -> None:
        """Scroll the appraisal by a page."""
        document = self.query_one("#appraisal", Document)
        height = max(1, document.size.height - 2)
        document.scroll_to(y=document.scroll_offset.y + step * height, animate=False)

    def on_click(self, event: Click) -> None:
        """Tick the row, or give the rating, that is under the mouse."""
        ratings = self.query_one("#ratings", Rows)
        if self._shown is not None and event.widget is ratings:
            where = event.get_content_offset(ratings)
            rating = rating_at(ratings.lines, where.y, where.x) if where else None
            if rating is not None:
                self._rate(rating)
            return
        document = self.query_one("#appraisal", Document)
        if self._shown is None or event.widget is not document:
            return
        offset = event.get_content_offset(document)
        if offset is None:
            return
        owner = self._owners.get(offset.y + document.scroll_offset.y)
        if owner is not None:
            self._toggle(owner)

    def _toggle(self, number: int) -> None:
        if self._shown is None or self._busy:
            return
        found = rows(self._shown.revealed)
        if number < len(found):
            ticks = toggled(self._shown.ticks, found[number])
            self._retick(Ticks(ticks.parts, ticks.false, number))

    def _retick(self, ticks: Ticks) -> None:
        assert self._shown is not None
        assert self._reviewing is not None
        outcome = self._reviewing.outcome(self._shown.revealed, ticks.parts, ticks.false)
        self._shown = Appraisal(self._shown.revealed, ticks, outcome)
        self._tell_appraisal(self._shown)

    # Rating.

    def action_accept(self) -> None:
        """Take the proposed rating."""
        if self._shown is not None:
            self._rate(self._shown.outcome.proposal.rating)

    def action_rate_again(self) -> None:
        """Rate Again."""
        self._rate(Rating.AGAIN)

    def action_rate_hard(self) -> None:
        """Rate Hard."""
        self._rate(Rating.HARD)

    def action_rate_good(self) -> None:
        """Rate Good."""
        self._rate(Rating.GOOD)

    def action_rate_easy(self) -> None:
        """Rate Easy."""
        self._rate(Rating.EASY)

    def action_follow_up(self) -> None:
        """Take the proposed rating, then the card's follow-up questions."""
        if self._shown is not None:
            self._rate(self._shown.outcome.proposal.rating, follow_up=True)

    def _rate(self, rating: Rating, follow_up: bool = False) -> None:
        shown = self._shown
        if shown is None or self._busy:
            return
        if rating not in shown.outcome.allowed:
            names = self.words.ratings
            proposed = names[shown.outcome.proposal.rating]
            message = self.words.not_allowed.format(rating=names[rating], proposed=proposed)
            self.quiz.tell(message, "warning")
            return

        async def rate() -> None:
            reviewing = self._reviewing
            assert reviewing is not None
            words, ticks = self.words, shown.ticks
            rated = await reviewing.rate(shown.revealed, rating, ticks.parts, ticks.false)
            if follow_up:
                taken = await reviewing.take_follow_ups(shown.revealed.asked.card.id)
                text = words.follow_ups_taken if taken else words.no_follow_ups
                when = words.interval_of(rated.days)
                said = words.rated.format(rating=words.ratings[rating], when=when)
                self.quiz.tell(f"{said}\n{text.format(n=taken)}")
            await self._next()

        self._do(rate)

    def action_undo(self) -> None:
        """Take the last rating back and ask the prompt again."""

        async def undo() -> None:
            assert self._reviewing is not None
            undone = await self._reviewing.undo()
            if undone is None or undone.rating is None:
                self.quiz.tell(self.words.nothing_to_undo)
                return
            self._over = False
            rating = self.words.ratings[undone.rating]
            self.quiz.tell(self.words.undone.format(rating=rating, prompt=undone.prompt))
            await self._next()

        if not self._busy:
            self._do(undo)

    def action_suspend(self) -> None:
        """Take the prompt out of the reviews."""
        asked = self._asked
        if asked is None or self._busy:
            return

        async def suspend() -> None:
            assert self._reviewing is not None
            out = await self._reviewing.suspend(asked)
            text = self.words.suspended if out else self.words.resumed
            self.quiz.tell(text.format(prompt=asked.prompt.key))
            await self._next()

        self._do(suspend)

    # Elsewhere.

    def action_card(self) -> None:
        """Show the whole card."""
        if self._asked is not None:
            self.quiz.open_card(self._asked.card.id)

    def action_demo(self) -> None:
        """Prove the card's claims."""
        if self._asked is not None:
            self.quiz.open_demo(self._asked.card.id)

    async def action_back(self) -> None:
        """Leave the session; what is typed is kept."""
        await self.keep()
        self.app.pop_screen()

    def _do(self, step: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Do one step of the session at a time; keys in between find nothing to do."""
        self._busy = True
        self.run_worker(self._guarded(step), exclusive=False, group="review")

    async def _guarded(self, step: Callable[[], Coroutine[Any, Any, None]]) -> None:
        try:
            await step()
        except ConflictError:
            assert self._reviewing is not None
            self.quiz.tell(self.words.conflict, "warning")
            if self._shown is not None:
                self._reveal(await self._reviewing.renewed(self._shown.revealed), self._shown.ticks)
        except StoreError as error:
            self.quiz.tell(str(error), "error")
        finally:
            self._busy = False
