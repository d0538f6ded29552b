"""Plots with matplotlib, in the style of ``pliant plot``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import matplotlib.figure

    from pliant.result import Result

COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000"]
"""Okabe and Ito's colours without their yellow; beyond the last they begin again, dashed."""

DASHES = ["-", (0, (4, 2)), (0, (1.2, 1.8)), (0, (6, 2, 1.2, 2))]

STYLE: dict[str, Any] = {
    "font.family": "sans-serif",
    "font.sans-serif": ["Arimo", "Arial", "Liberation Sans", "Helvetica", "DejaVu Sans"],
    "font.size": 10.0,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "axes.edgecolor": "#555555",
    "axes.labelcolor": "#222222",
    "text.color": "#222222",
    "xtick.color": "#555555",
    "ytick.color": "#555555",
    "axes.linewidth": 0.8,
    "axes.titlesize": 10.0,
    "grid.color": "#e4e4e4",
    "grid.linewidth": 0.6,
    "lines.linewidth": 1.4,
    "legend.frameon": False,
    "figure.dpi": 100.0,
}
"""What matplotlib is told; use it for your own plots with ``matplotlib.rc_context(STYLE)``."""


def plot(
    result: Result, *names: str, title: str | None = None, size: tuple[float, float] | None = None
) -> matplotlib.figure.Figure:
    """Draws channels over time, one panel for each unit; size in inches."""
    import matplotlib
    import matplotlib.pyplot as plt
    from cycler import cycler

    from pliant.figure import ResultFigure

    chosen = result.select(*names) if names else _coordinates(result)
    if not chosen:
        raise KeyError(f"no channel fits {', '.join(names)}; there are {', '.join(result.names)}")
    panels: dict[str, list[str]] = {}
    for name in chosen:
        panels.setdefault(result.units[name], []).append(name)
    style: Any = {**STYLE, "axes.prop_cycle": cycler(linestyle=DASHES) * cycler(color=COLOURS)}
    with matplotlib.rc_context(style):
        height = 1.0 + 2.2 * len(panels)
        figure, axes = plt.subplots(
            len(panels),
            1,
            sharex=True,
            squeeze=False,
            figsize=size or (7.5, height),
            FigureClass=ResultFigure,
        )
        is_interactive = matplotlib.is_interactive()
        for axis, (unit, inside) in zip(axes[:, 0], panels.items(), strict=True):
            for name in inside:
                axis.plot(result.time, result[name], label=name)
            label = inside[0] if len(inside) == 1 else ""
            axis.set_ylabel(f"{label} [{unit}]".strip() if unit else label)
            if len(inside) > 1:
                axis.legend(loc="best")
        axes[-1, 0].set_xlabel("time [s]")
        if len(result.time):
            axes[-1, 0].set_xlim(result.time[0], max(result.time[-1], result.time[0] + 1e-9))
        if title is not None:
            axes[0, 0].set_title(title, loc="left")
        figure.tight_layout()
    # the first figure of a notebook turns it on, and the context above would turn it off again
    matplotlib.interactive(is_interactive)
    return figure


def _coordinates(result: Result) -> list[str]:
    positions = [one.name for one in result.channels if one.role == "position"]
    return positions or result.names[:6]
