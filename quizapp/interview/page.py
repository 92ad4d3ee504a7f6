"""A report as one HTML file that needs nothing else and prints well."""

from __future__ import annotations

from datetime import tzinfo
from html import escape

from markdown_it import MarkdownIt

from quizapp.interview.markdown import markdown
from quizapp.interview.report import Report
from quizapp.interview.wording import wording

STYLE = """
:root { color-scheme: light dark; --ink: #1c2024; --paper: #fff; --faint: #667; --line: #d5d9de;
  --shade: #f4f6f8; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e8eb; --paper: #16181b; --faint: #9aa3ad;
  --line: #3a4048; --shade: #1f2327; } }
body { color: var(--ink); background: var(--paper); max-width: 52rem; margin: 2rem auto;
  padding: 0 1rem; font: 16px/1.55 system-ui, "Noto Sans CJK SC", "PingFang SC", sans-serif; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.15rem; margin-top: 2.2rem; padding-top: .8rem;
  border-top: 1px solid var(--line); }
table { border-collapse: collapse; width: 100%; margin: .8rem 0; font-size: .92rem; }
th, td { text-align: left; vertical-align: top; padding: .35rem .6rem;
  border-bottom: 1px solid var(--line); }
td:first-child { white-space: nowrap; } th { color: var(--faint); font-weight: 500; }
blockquote { margin: .6rem 0; padding: .2rem .9rem; border-left: 3px solid var(--line);
  background: var(--shade); }
code, pre { font: .88em ui-monospace, monospace; background: var(--shade); }
pre { padding: .6rem .8rem; overflow-x: auto; } em { color: var(--faint); }
@media print { body { margin: 0; max-width: none; font-size: 11pt; }
  h2 { break-after: avoid; } tr, blockquote { break-inside: avoid; } }
"""


def page(made: Report, zone: tzinfo | None = None) -> str:
    """Return a whole report; what stands in it is text, never markup of its own."""
    texts = wording(made.options.languages.answers)
    body = MarkdownIt("commonmark", {"html": False}).enable("table")
    # Links and pictures would reach out of the file, or wait to be pressed.
    body.disable(["link", "autolink", "image", "html_inline", "html_block"])
    title = f"{texts.title} {made.at.astimezone(zone):%Y-%m-%d}"
    return (
        f'<!doctype html>\n<html lang="{texts.lang.value}">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n"
        f"{body.render(markdown(made, zone))}</body>\n</html>\n"
    )
