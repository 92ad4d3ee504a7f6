"""The page shows the whole card and nothing that only a machine needs."""

from __future__ import annotations

from pathlib import Path

from markdown_it import MarkdownIt

from quizapp.cards.model import Lang
from quizapp.cards.page import headings, page
from quizapp.cards.reader import read


def documented():
    text = (Path(__file__).parents[2] / "docs" / "card-format.md").read_text("utf-8")
    draft = read(text.split("````markdown\n")[1].split("````")[0], "x.en.md").draft
    assert draft is not None
    return draft.card


def test_the_page_has_everything_that_people_read():
    shown = page(documented())
    for part in (
        "# Kernel fusion: why is it fast, and when does it backfire?\n",
        "### Kernel fusion\n",
        "```text\nbox characters\n```",
        "| Situation | Result | Why |\n| --- | --- | --- |\n",
        "| A chain of element-wise kernels | faster | ... |\n",
        "- Intermediates never go out to HBM.\n",
        "### How do you find a chain worth fusing?\n\nProfile first ...\n\n- Profile before",
        "## Sources\n",
    ):
        assert part in shown


def test_the_page_has_no_ids_and_no_front_matter():
    shown = page(documented())
    assert "{#" not in shown
    assert not shown.startswith("---")
    assert "weight" not in shown


def test_headings_are_those_of_the_page_in_the_language_asked_for():
    card = documented()
    tokens = MarkdownIt("commonmark").parse(page(card, Lang.ZH))
    parsed = [
        (int(token.tag[1]), tokens[i + 1].content)
        for i, token in enumerate(tokens)
        if token.type == "heading_open"
    ]
    assert list(headings(card, Lang.ZH)) == parsed
    assert [text for level, text in parsed if level == 2] == [
        "概念", "图解", "30 秒回答", "手算", "情况", "必答点", "追问", "来源",
    ]  # fmt: skip
