"""Figures of sweeps: lines over one parameter, a map over two, dots for lists."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from samara.model import ArgumentError
from samara.model.quantities.units import spaced
from samara.results.plotting import COLOURS, PALE, canvas

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from xarray import DataArray

    from samara.sweep.results import SweepResults

#: Values of a second parameter up to which they are lines rather than a map.
FEW = 6
#: Pictures in a figure.
LARGEST_FIGURE = 12


def draw(found: SweepResults, measures: tuple[str, ...], title: str | None) -> Figure:
    """A figure with an axes for each measure that is a number; of a list, one for each parameter too."""
    chosen = _chosen(found, measures)
    panels = [(name, None) for name in chosen]
    if found.dimensions == ("variant",) and len(found.parameters) != 2:
        panels = [(name, parameter) for name in chosen for parameter in found.parameters]  # type: ignore[misc]
    if len(panels) > LARGEST_FIGURE:
        raise ArgumentError(f"{len(panels)} pictures, but a figure holds at most {LARGEST_FIGURE}: name fewer measures")
    columns = 1 if len(panels) == 1 else 2 if len(panels) <= 8 else 3
    rows = math.ceil(len(panels) / columns)
    figure = canvas(6.4 if columns == 1 else 5.2 * columns, 0.5 + 3.8 * rows)
    grid = figure.subplots(rows, columns, squeeze=False)
    for axes, (name, parameter) in zip(grid.flat, panels, strict=False):
        if found.dimensions == ("variant",):
            _draw_dots(axes, found, name, parameter)
        else:
            _draw_grid(axes, found, name)
        axes.set_title(_label(found.dataset[name]), loc="left", fontsize=9, parse_math=False)
        axes.spines[["top", "right"]].set_visible(False)
        axes.tick_params(labelsize=8)
    for axes in grid.flat[len(panels) :]:
        axes.set_visible(False)
    heading = title if title is not None else found.dataset.attrs.get("name", "")
    if heading:
        figure.suptitle(heading, fontsize=12, fontweight="bold", parse_math=False)
    if count := len(found.failures):
        words = "1 variant failed" if count == 1 else f"{count} variants failed"
        figure.supxlabel(words, x=0.99, ha="right", fontsize=7, color=PALE)
    return figure


def _chosen(found: SweepResults, measures: tuple[str, ...]) -> tuple[str, ...]:
    scalar = tuple(name for name in found.measures if found.dataset[name].dims == found.dimensions)
    for name in measures:
        if name not in scalar:
            raise ArgumentError(f"plot: no number is called {name!r}; there are {', '.join(scalar) or 'none'}")
    if not (measures or scalar):
        raise ArgumentError("plot: there is nothing to plot: no variant returned a number")
    return measures or scalar


def _draw_grid(axes: Axes, found: SweepResults, name: str) -> None:
    """Over the parameters that have several values."""
    array = found.dataset[name].squeeze(drop=True)
    dims = [str(d) for d in array.dims]
    if len(dims) > 2:
        raise ArgumentError(
            f"plot: {', '.join(dims)} vary, a picture takes two: choose, as in "
            f"SweepResults(found.dataset.sel({dims[-1]}=[...])).plot()"
        )
    if not dims:  # a single variant
        array, dims = found.dataset[name].isel(dict.fromkeys(found.dimensions[1:], 0)), [found.dimensions[0]]
    if len(dims) == 1:
        _draw_lines(axes, [("", array)], dims[0])
        return
    along = sorted(dims, key=lambda d: (_is_number(array[d]), array.sizes[d]))  # the longest numbers last
    if not all(_is_number(array[d]) for d in dims) or array.sizes[along[0]] <= FEW:
        other, along_x = along
        lines = [(f"{other} = {_word(v)}{_unit(array[other])}", array.isel({other: k}))
                 for k, v in enumerate(array[other].values)]  # fmt: skip
        _draw_lines(axes, lines, along_x)
    else:
        _draw_map(axes, array, *dims)


def _draw_lines(axes: Axes, lines: list[tuple[str, DataArray]], along: str) -> None:
    from matplotlib import colormaps

    colours = COLOURS if len(lines) <= len(COLOURS) else colormaps["viridis"](np.linspace(0.0, 0.92, len(lines)))
    for (label, line), colour in zip(lines, colours, strict=False):
        x = line[along].values if _is_number(line[along]) else [_word(v) for v in line[along].values]
        axes.plot(x, line.values, ".-", color=colour, linewidth=1.2, markersize=5, label=label or None)
    axes.set_xlabel(_label(lines[0][1][along]), fontsize=9, parse_math=False)
    axes.grid(color="#dddddd", linewidth=0.6)
    if lines[0][0]:
        axes.legend(frameon=False, fontsize=8)


def _draw_map(axes: Axes, array: DataArray, first: str, second: str) -> None:
    """The last parameter along x; variants that failed stay grey. A line is where the measure changes its sign."""
    ordered = array.transpose(first, second).sortby([first, second])
    axes.set_facecolor(PALE)
    mesh = axes.pcolormesh(ordered[second].values, ordered[first].values, ordered.values, shading="nearest")
    axes.figure.colorbar(mesh, ax=axes).ax.tick_params(labelsize=8)
    if np.nanmin(ordered.values) < 0.0 < np.nanmax(ordered.values):
        axes.contour(ordered[second].values, ordered[first].values, ordered.values, levels=[0.0], colors="white")
    axes.set_xlabel(_label(array[second]), fontsize=9, parse_math=False)
    axes.set_ylabel(_label(array[first]), fontsize=9, parse_math=False)


def _draw_dots(axes: Axes, found: SweepResults, name: str, parameter: str | None) -> None:
    """Over one parameter; over both of two, with the measure as colour."""
    values = found.dataset[name].values
    shown = (parameter,) if parameter is not None else found.parameters
    places = [_places(found.dataset[p]) for p in shown]
    if parameter is not None:
        axes.plot(places[0], values, ".", color=COLOURS[0])
        axes.grid(color="#dddddd", linewidth=0.6)
    else:
        failed = ~np.isfinite(values)
        dots = axes.scatter(places[0], places[1], c=values, s=24)
        axes.figure.colorbar(dots, ax=axes).ax.tick_params(labelsize=8)
        axes.plot(*(np.asarray(p)[failed] for p in places), "x", color=PALE, markersize=4)
        axes.set_ylabel(_label(found.dataset[shown[1]]), fontsize=9, parse_math=False)
    axes.set_xlabel(_label(found.dataset[shown[0]]), fontsize=9, parse_math=False)


def _places(array: DataArray) -> Any:
    return array.values if _is_number(array) else [_word(v) for v in array.values]


def _is_number(array: DataArray) -> bool:
    return array.dtype.kind in "iuf"


def _word(value: Any) -> str:
    return f"{value:g}" if isinstance(value, float | np.floating) else str(value)


def _unit(array: DataArray) -> str:
    return spaced(str(array.attrs.get("units", "")))


def _label(array: DataArray) -> str:
    unit = _unit(array).strip()
    return f"{array.name} [{unit}]" if unit else str(array.name)
