"""The floor for a key: header, list, a card of 150 lines and a footer; a key changes one line."""

from __future__ import annotations

from textual.app import App, ComposeResult
from textual.containers import Horizontal, VerticalScroll
from textual.widgets import Footer, Header, Markdown, OptionList, Static

SECTION = """
## Memory and 带宽

Shared memory is 228 KB per SM, HBM3 delivers 3.35 TB/s; 因此 arithmetic intensity 要超过 295。

- load a tile / 读取一块
- update the running maximum / 更新最大值
- write it back / 写回

| quantity | formula | unit |
|---|---|---|
| row max 行最大值 | m' = max(m, rowmax(S)) | – |
| bytes 字节 | 2·B·H·N·d | B |

```python
offs = pid * BLOCK + tl.arange(0, BLOCK)
q = tl.load(Q + offs)
```
"""
CARD = "# Why is online softmax stable?\n" + SECTION * 8


class Bare(App[None]):
    """Counts its keys."""

    BINDINGS = [("q", "quit", "Quit"), ("3", "count", "Good")]  # noqa: RUF012
    CSS = "OptionList { width: 30; } Markdown { height: auto; } #n { height: 1; }"
    keys = 0

    def compose(self) -> ComposeResult:
        """Lay out a typical screen."""
        yield Header()
        with Horizontal():
            yield OptionList(*[f"Deck {n} 内核" for n in range(30)])
            with VerticalScroll():
                yield Markdown(CARD)
        yield Static("", id="n")
        yield Footer()

    def on_mount(self) -> None:
        """Say when it can be seen."""
        self.call_after_refresh(lambda: self.query_one("#n", Static).update("READY"))

    def action_count(self) -> None:
        """Change one line."""
        self.keys += 1
        self.query_one("#n", Static).update(f"count={self.keys:05d}")


if __name__ == "__main__":
    Bare().run()
