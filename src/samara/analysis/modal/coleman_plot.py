"""Coleman plot: frequencies and damping against the speed of a rotor, theory as lines and simulation as points."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from samara.analysis.modal.campbell import Campbell
from samara.analysis.modal.campbell_plot import draw_multiples
from samara.analysis.modal.tracking import Branches
from samara.arguments import whole
from samara.model import ArgumentError
from samara.results.plotting import COLOURS, PALE, canvas, draw_notes

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

#: Speeds [rad/s] with eigenvalues [rad/s] at each, shape (n,) or (n, modes), and, if known, their standard errors.
Curve: TypeAlias = tuple[np.ndarray, np.ndarray] | tuple[np.ndarray, np.ndarray, np.ndarray]
Curves: TypeAlias = "Branches | Campbell | Mapping[str, Curve]"


def coleman_plot(
    lines: Curves | None = None,
    points: Curves | None = None,
    *,
    per_rev: int = 0,
    title: str | None = None,
    stand_in: str = "",
) -> Figure:
    """Coleman plot over the rotor speed [rpm]: frequencies [Hz] above, real parts [1/s] below, unstable above zero.

    lines:    drawn as lines, such as the modes of an undamped model; points: as circles, such as modes identified from
              runs, with bars of twice their standard errors where they are given. Each is what `track` or `campbell`
              returns, its parameter the speed [rad/s], or a mapping from a name to (speeds, eigenvalues) or (speeds,
              eigenvalues, errors), of shapes (n,) and (n,) or (n, modes). nan leaves a gap.
    per_rev:  draw the lines of 1 to this number per revolution.
    stand_in: note on stand-in data, shown below the plot.
    """
    drawn, dotted = _curves("lines", lines), _curves("points", points)
    every = list(drawn.values()) + list(dotted.values())
    if not every:
        raise ArgumentError("coleman_plot: nothing to draw: give lines or points")
    figure = canvas(7.5, 6.5)
    above, below = figure.subplots(2, 1, sharex=True)
    for k, (name, (speeds, values, _)) in enumerate(drawn.items()):
        for axes, part in ((above, np.abs(values.imag) / (2.0 * np.pi)), (below, values.real)):
            axes.plot(_rpm(speeds), part, color=COLOURS[k % len(COLOURS)], linewidth=1.2, label=_once(name, part))
    for k, (name, (speeds, values, errors)) in enumerate(dotted.items()):
        colour = COLOURS[(list(drawn).index(name) if name in drawn else len(drawn) + k) % len(COLOURS)]
        parts = (
            (above, np.abs(values.imag) / (2.0 * np.pi), errors.imag / np.pi),
            (below, values.real, 2 * errors.real),
        )
        for axes, part, bar in parts:
            _circles(axes, _rpm(speeds), part, bar, colour, name)
    last = max(float(_rpm(speeds).max(initial=0.0)) for speeds, _, _ in every) or 1.0
    top = 1.08 * max(float(np.nanmax(np.abs(values.imag), initial=0.0)) for _, values, _ in every) / (2.0 * np.pi)
    above.set(ylabel="frequency [Hz]", ylim=(0.0, top or 1.0), xlim=(0.0, last))
    draw_multiples(above, whole("coleman_plot: per_rev", per_rev, 0), last, top or 1.0)
    below.axhline(0.0, color="#222222", linewidth=0.8)
    below.annotate("unstable", (last, 0.0), (0, 3), textcoords="offset points", ha="right", fontsize=8, color=PALE)
    below.set(xlabel="speed [rpm]", ylabel="real part [1/s]")
    for axes in (above, below):
        axes.spines[["top", "right"]].set_visible(False)
    handles, labels = above.get_legend_handles_labels()
    figure.legend(handles, labels, fontsize=8, loc="outside right upper", frameon=False)
    if title:
        figure.suptitle(title, fontsize=12, parse_math=False)
    draw_notes(figure, [f"stand-in data: {stand_in}"] if stand_in else [])
    return figure


def _curves(what: str, given: Curves | None) -> dict[str, tuple[np.ndarray, np.ndarray, np.ndarray]]:
    """Names with speeds (n,), eigenvalues (n, modes) and errors of the same shape, nan where there are none."""
    if given is None:
        return {}
    if isinstance(given, (Branches, Campbell)):
        along = given.parameter if isinstance(given, Branches) else given.speeds
        given = {f"mode {k + 1}": (along, column) for k, column in enumerate(given.eigenvalues.T)}
    if not isinstance(given, Mapping):
        raise ArgumentError(f"coleman_plot: {what} must be what track or campbell returns, or a mapping, got {given!r}")
    found = {}
    for name, curve in given.items():
        try:
            speeds, values, *errors = (np.asarray(part) for part in curve)
            speeds, values = speeds.astype(float), values.astype(complex).reshape(len(speeds), -1)
            bars = (
                errors[0].astype(complex).reshape(values.shape)
                if errors
                else np.full(values.shape, complex(np.nan, np.nan))
            )
        except (TypeError, ValueError):
            raise ArgumentError(
                f"coleman_plot: {what}[{name!r}] must be speeds (n,) and eigenvalues (n,) or (n, modes), and errors of "
                "the same shape"
            ) from None
        found[str(name)] = (speeds, values, bars)
    return found


def _circles(axes: Axes, rpm: np.ndarray, part: np.ndarray, bar: np.ndarray, colour: str, name: str) -> None:
    for values, bars, label in zip(part.T, bar.T, _once(f"{name}, simulated", part), strict=True):
        style: dict[str, Any] = {
            "color": colour,
            "fillstyle": "none",
            "markersize": 5,
            "linewidth": 0.8,
            "clip_on": False,
            "label": label,
        }
        if np.isfinite(bars).any():
            axes.errorbar(rpm, values, yerr=np.nan_to_num(bars), fmt="o", **style)
        else:
            axes.plot(rpm, values, "o", **style)


def _rpm(speeds: np.ndarray) -> np.ndarray:
    return np.abs(speeds) * 30.0 / np.pi


def _once(name: str, part: np.ndarray) -> list[str]:
    """The name for the first of several curves, none for the others."""
    return [name] + ["_"] * (part.shape[1] - 1)
