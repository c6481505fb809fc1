"""Figures of results. Drawn on a canvas of their own: no display, no global plotting state."""

from __future__ import annotations

import io
import math
import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from samara.results.channels import Channel
from samara.results.netcdf import ResultsFileError

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.text import Text

    from samara.results.results import Results

MOST_AXES = 40

# Okabe and Ito's palette, told apart with any colour vision; beyond six components a continuous map.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9")
#: Of what stands beside the curves.
PALE = "#999999"
_INK, _GREY, _GRID = "#222222", "#666666", "#dddddd"


def canvas(width: float, height: float) -> Figure:
    """An empty figure of that size [inch]."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    class Wrapping(Figure):
        """A title that is longer than the figure is wide goes on below; a notebook shows the picture."""

        def _repr_png_(self) -> bytes:
            picture = io.BytesIO()
            self.savefig(picture, format="png")
            return picture.getvalue()

        def suptitle(self, t: str, **options: Any) -> Text:
            return super().suptitle(t, **{"wrap": True} | options)

    figure = Wrapping(figsize=(width, height), layout="constrained")
    FigureCanvasAgg(figure)
    return figure


def draw(results: Results, patterns: tuple[str, ...], title: str | None) -> Figure:
    """A figure of the channels that match; the title is the model's name unless given."""
    channels = list(results.channels.select(*patterns))
    if not channels:
        raise ValueError("nothing to plot: the results have no channels")
    if len(channels) > MOST_AXES:
        raise ValueError(
            f"{len(channels)} channels match, but a figure holds at most {MOST_AXES}: give narrower patterns"
        )

    columns = 1 if len(channels) <= 4 else 2 if len(channels) <= 16 else 3
    rows = math.ceil(len(channels) / columns)
    figure = canvas(7.5 if columns == 1 else 5.0 * columns, 0.9 + 2.1 * rows)
    grid = figure.subplots(rows, columns, sharex=True, squeeze=False)
    for axes, channel in zip(grid.flat, channels, strict=False):
        _draw_channel(axes, results, channel)
    for axes in grid.flat[len(channels) :]:
        axes.set_visible(False)
    for column in range(columns):
        bottom = grid[(len(channels) - 1 - column) // columns, column]
        along, unit = results.attrs.abscissa
        bottom.set_xlabel(f"{along} [{unit}]" if along == "time" else along, color=_INK)
        bottom.tick_params(labelbottom=True)

    heading = title if title is not None else results.attrs.model
    if heading:
        figure.suptitle(heading, fontsize=12, fontweight="bold", color=_INK, parse_math=False)
    _draw_notes(figure, results)
    return figure


def formats() -> tuple[str, ...]:
    """Suffixes of the files that a figure can be written as."""
    from matplotlib.backend_bases import FigureCanvasBase

    return tuple(FigureCanvasBase.get_supported_filetypes())


def require_format(path: Path) -> None:
    """Refuse a file whose suffix names no format of figures; none is a png."""
    if path.suffix and path.suffix[1:].lower() not in formats():
        raise ResultsFileError(f"{path}: unsupported figure format {path.suffix}: use .png, .pdf or .svg")


def write(figure: Figure, path: str | os.PathLike[str]) -> None:
    """Write the figure; the suffix chooses the format."""
    import matplotlib

    with matplotlib.rc_context({"agg.path.chunksize": 20_000}):  # or long curves overflow it
        figure.savefig(path, dpi=150)


def _draw_channel(axes: Axes, results: Results, channel: Channel) -> None:
    values = results[channel.name].reshape(len(results), channel.width)
    single = "." if len(results) == 1 else ""
    labels = channel.components or ("",)
    for curve, colour, label in zip(values.T, _colours(channel.width), labels, strict=True):
        axes.plot(results.time, curve, color=colour, linewidth=1.2, marker=single, label=label or None)
    _widen_if_flat(axes, values)

    frame = f", in {channel.frame}" if channel.frame else ""
    axes.set_title(f"{channel.name}{frame}", loc="left", fontsize=9, color=_INK, parse_math=False)
    quantity, unit = channel.name.rsplit(".", 1)[-1], "-" if channel.unit == "1" else channel.unit
    axes.set_ylabel(f"{quantity} [{unit}]", fontsize=9, color=_INK, parse_math=False)
    axes.margins(x=0)
    axes.grid(color=_GRID, linewidth=0.6)
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)
    axes.spines[["left", "bottom"]].set_color(_GREY)
    axes.tick_params(colors=_GREY, labelcolor=_INK, labelsize=8)
    if channel.components:
        axes.legend(
            loc="center left", bbox_to_anchor=(1.0, 0.5), frameon=False, fontsize=8, handlelength=1.2,
            ncols=math.ceil(channel.width / 8),
        )  # fmt: skip


def _colours(count: int) -> list[object]:
    if count <= len(COLOURS):
        return list(COLOURS[:count])
    from matplotlib import colormaps

    return list(colormaps["viridis"](np.linspace(0.0, 0.92, count)))


def _widen_if_flat(axes: Axes, values: np.ndarray) -> None:
    """Keep round-off from filling the axes of a quantity that does not vary."""
    finite = values[np.isfinite(values)]
    if not finite.size:
        return
    low, high = float(finite.min()), float(finite.max())
    size = max(abs(low), abs(high))
    if high - low <= 1e-9 * size:
        axes.set_ylim(low - 0.05 * size, high + 0.05 * size) if size else axes.set_ylim(-1.0, 1.0)


def _draw_notes(figure: Figure, results: Results) -> None:
    attrs = results.attrs
    notes = []
    if attrs.stand_in:
        notes.append(f"stand-in data: {attrs.stand_in}")
    if attrs.status != "completed":
        notes.append(f"run {attrs.status}" + (f": {attrs.message}" if attrs.message else ""))
    draw_notes(figure, notes)


def draw_notes(figure: Figure, notes: Sequence[str]) -> None:
    """Small lines below a figure, such as whose data stand in."""
    if notes:
        figure.supxlabel("\n".join(notes), x=0.99, ha="right", fontsize=7, color=_GREY, parse_math=False)
