"""Figures that notebooks show once."""

from __future__ import annotations

import sys
from io import BytesIO
from typing import Any

import matplotlib.pyplot as plt
from matplotlib.figure import Figure


class ResultFigure(Figure):
    """A figure of matplotlib that a notebook shows once.

    It shows the value of a cell, and then all figures that pyplot has made in it.
    """

    _is_shown = False

    def _ipython_display_(self) -> None:
        number: Any = getattr(self, "number", None)
        is_open = number is not None and plt.fignum_exists(number)
        if self._is_shown and is_open:
            self._is_shown = False
            return
        self._is_shown = is_open
        image = BytesIO()
        self.savefig(image, format="png", bbox_inches="tight")
        display: Any = sys.modules["IPython"].display
        display.display(display.Image(image.getvalue()))
