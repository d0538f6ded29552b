"""Figures that notebooks show once."""

from __future__ import annotations

import sys
from io import BytesIO
from typing import Any

import matplotlib.pyplot as plt
from matplotlib.figure import Figure


class ResultFigure(Figure):
    """A figure of matplotlib. Where pyplot shows it after its cell, as notebooks have it, it is
    not shown a second time as the value of the cell."""

    def _ipython_display_(self) -> None:
        number: Any = getattr(self, "number", None)
        if plt.isinteractive() and number is not None and plt.fignum_exists(number):
            return
        image = BytesIO()
        self.savefig(image, format="png", bbox_inches="tight")
        display: Any = sys.modules["IPython"].display
        display.display(display.Image(image.getvalue()))
