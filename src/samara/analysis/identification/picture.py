"""The figure of an identification."""

from __future__ import annotations

from typing import TYPE_CHECKING

from samara.results.plotting import COLOURS, PALE, canvas, draw_notes

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from samara.analysis.identification.identified import Identified

MOST_PANELS = 8


def draw_identified(found: Identified, title: str | None) -> Figure:
    """Samples and fit of each channel, at most of the first eight."""
    shown = min(len(found.channels), MOST_PANELS)
    figure = canvas(7.5, 1.0 + 1.9 * shown)
    for k, axes in enumerate(figure.subplots(shown, 1, sharex=True, squeeze=False)[:, 0]):
        axes.plot(found.time, found.values[:, k], ".", color=PALE, markersize=3, label="samples")
        axes.plot(found.time, found.fitted[:, k], color=COLOURS[0], linewidth=1.2, label="identified")
        axes.set_title(f"{found.channels[k]}, quality of fit {found.quality[k]:.5g}", loc="left", fontsize=9)
        axes.spines[["top", "right"]].set_visible(False)
        axes.margins(x=0)
    axes.set_xlabel("time [s]")
    figure.axes[0].legend(fontsize=8, frameon=False, loc="upper right")
    figure.suptitle(found.method.replace("_", " ") if title is None else title, fontsize=12, parse_math=False)
    draw_notes(figure, [f"stand-in data: {found.stand_in}"] if found.stand_in else [])
    return figure
