"""The figure of a fan diagram."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from samara.results.plotting import COLOURS, PALE, canvas

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from samara.analysis.modal.campbell import Campbell

_STYLES = ("-", "--", ":", "-.")


def draw_campbell(fan: Campbell, per_rev: int, title: str | None) -> Figure:
    """Frequencies [Hz] against speed [rpm], with the lines of whole multiples of the speed, named where they end."""
    figure = canvas(7.5, 4.5)
    axes = figure.subplots()
    rpm = fan.speeds * 30.0 / np.pi
    top = 1.08 * float(fan.frequencies_hz.max(initial=1e-9))
    last = float(np.abs(rpm).max(initial=0.0))
    draw_multiples(axes, per_rev, last, top)
    for k, line in enumerate(fan.frequencies_hz.T):
        style = _STYLES[k // len(COLOURS) % len(_STYLES)]
        axes.plot(
            np.abs(rpm), line, color=COLOURS[k % len(COLOURS)], linestyle=style, marker=".", label=f"mode {k + 1}"
        )
    heading = fan.model if title is None else title
    axes.set(xlabel="speed [rpm]", ylabel="frequency [Hz]", ylim=(0.0, top), xlim=(0.0, last or 1.0))
    axes.set_title(heading, pad=14)
    axes.spines[["top", "right"]].set_visible(False)
    figure.legend(fontsize=8, loc="outside right upper", frameon=False)
    return figure


def draw_multiples(axes: Axes, per_rev: int, last: float, top: float) -> None:
    """Dashed lines of 1 to `per_rev` times the speed, named where they end: at a speed [rpm] or a frequency [Hz]."""
    for k in range(1, per_rev + 1):
        end = min(last, 60.0 * top / k)
        if end <= 0.0:
            continue
        axes.plot((0.0, end), (0.0, k * end / 60.0), color=PALE, linewidth=0.7, linestyle="--")
        shift, side = ((3, -3), "left") if end == last else ((0, 3), "center")
        axes.annotate(
            f"{k}/rev", (end, k * end / 60.0), shift, textcoords="offset points", ha=side, color=PALE, fontsize=8
        )
