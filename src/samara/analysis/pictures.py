"""Figures of modes and fan diagrams, on a canvas of their own."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from samara.analysis.fan import Campbell
    from samara.analysis.modal import Modes

_COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9")
_GREY = "#999999"


def _figure(width: float, height: float) -> Figure:
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout="constrained")
    FigureCanvasAgg(figure)
    return figure


def draw_campbell(fan: Campbell, per_rev: int, title: str | None) -> Figure:
    """Frequencies [Hz] against speed [rpm], with the lines of whole multiples of the speed."""
    figure = _figure(7.0, 4.5)
    axes = figure.subplots()
    rpm = fan.speeds * 30.0 / np.pi
    top = 1.05 * float(fan.frequencies_hz.max(initial=1e-9))
    for k in range(1, per_rev + 1):
        axes.plot(rpm, k * rpm / 60.0, color=_GREY, linewidth=0.7, linestyle="--")
        if 0.0 < k * rpm[-1] / 60.0 < top:
            axes.annotate(f"{k}/rev", (rpm[-1], k * rpm[-1] / 60.0), color=_GREY, fontsize=8)
    for k, line in enumerate(fan.frequencies_hz.T):
        axes.plot(rpm, line, color=_COLOURS[k % len(_COLOURS)], marker=".", label=f"mode {k + 1}")
    heading = fan.model if title is None else title
    axes.set(xlabel="speed [rpm]", ylabel="frequency [Hz]", ylim=(0.0, top), title=heading)
    axes.legend(fontsize=8, loc="upper left")
    return figure


def draw_mode(modes: Modes, mode: int, title: str | None) -> Figure:
    """Nodes at rest and displaced by the real part of the shape, a tenth of the mechanism's size at most."""
    figure = _figure(6.0, 5.0)
    axes = figure.add_subplot(projection="3d")
    moved = modes.displacements(mode).real
    moved *= 0.1 * modes.length / max(float(np.abs(moved).max(initial=0.0)), 1e-300)
    axes.plot(*modes.p.T, color=_GREY, marker="o", markersize=3, label="reference")
    for sign, colour in ((1.0, _COLOURS[0]), (-1.0, _COLOURS[1])):
        axes.plot(*(modes.p + sign * moved).T, color=colour, marker="o", markersize=3)
    heading = f"mode {mode + 1}: {modes.frequencies_hz[mode]:.4g} Hz" if title is None else title
    axes.set(xlabel="x [m]", ylabel="y [m]", zlabel="z [m]", title=heading)
    return figure
