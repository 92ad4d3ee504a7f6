"""From a study page, as people keep them, to a card: its wording kept, nothing dropped unsaid."""

from __future__ import annotations

from quizapp.cards.importing.notes import Note
from quizapp.cards.importing.page import Imported, import_page

__all__ = ["Imported", "Note", "import_page"]
