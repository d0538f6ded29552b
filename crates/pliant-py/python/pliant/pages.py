"""Pages in notebooks and browsers."""

from __future__ import annotations

import html
import sys
import tempfile
import webbrowser
from pathlib import Path
from typing import Any


def in_notebook() -> bool:
    """Whether IPython runs this."""
    return "IPython" in sys.modules and sys.modules["IPython"].get_ipython() is not None


def frame(page: str, title: str) -> str:
    """A page inside of another."""
    inside = html.escape(page, quote=True)
    return (
        f'<iframe srcdoc="{inside}" style="width: 100%; height: 640px; border: 0" '
        f'title="{html.escape(title)}" sandbox="allow-scripts allow-downloads"></iframe>'
    )


class _Frame:
    """A page that a notebook shows."""

    def __init__(self, page: str, title: str) -> None:
        self.html = frame(page, title)

    def _repr_html_(self) -> str:
        return self.html


def show(page: str, title: str = "page of pliant") -> None:
    """Shows a page: in a notebook below the cell, elsewhere in the browser."""
    if in_notebook():
        display: Any = sys.modules["IPython"].display
        display.display(_Frame(page, title))
        return
    with tempfile.NamedTemporaryFile(
        "w", suffix=".html", prefix="pliant-", delete=False, encoding="utf-8"
    ) as file:
        file.write(page)
    webbrowser.open(Path(file.name).as_uri())
