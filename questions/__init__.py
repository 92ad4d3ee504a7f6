"""The deck: cards in Markdown, one file a language."""
