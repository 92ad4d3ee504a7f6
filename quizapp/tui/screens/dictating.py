"""A screen with an editor that can be spoken into."""

from __future__ import annotations

from quizapp.services.errors import UserError
from quizapp.services.speech import Recording
from quizapp.tui.screens.base import QuizScreen
from quizapp.tui.widgets.editor import AnswerEditor


class DictatingScreen(QuizScreen):
    """Records by the user's own command, and writes what it understood where the cursor is."""

    def __init__(self) -> None:
        super().__init__()
        self._recording: Recording | None = None
        self.spoken = False
        """Whether some of what is in the editor was spoken."""

    @property
    def recording(self) -> bool:
        """Whether the command is listening."""
        return self._recording is not None

    def action_record(self) -> None:
        """Begin to record, or end it and transcribe."""
        self.run_worker(self._record(), group="record", exclusive=False)

    async def _record(self) -> None:
        recording, self._recording = self._recording, None
        try:
            if recording is None:
                self._recording = await Recording.begin(self.workspace.settings.speech_command)
            else:
                self.quiz.tell(self.words.transcribing)
                text = await recording.finish()
                self.query_one(AnswerEditor).insert(text)
                self.spoken = True
        except UserError as error:
            self.quiz.tell(str(error), "error")
        self.retell()

    async def on_unmount(self) -> None:
        """Leave no recorder behind."""
        if self._recording is not None:
            await self._recording.drop()
