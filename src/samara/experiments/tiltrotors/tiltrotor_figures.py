"""Figures of the study of the soft-in-plane tiltrotor, numbered as in the source; the last is Samara's own."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from samara.analysis import coleman_plot
from samara.experiments.tiltrotors.tiltrotor_runs import (
    CONVERT_AT,
    chord_bending,
    converted,
    flexbeam,
    tip_path,
    wing_root,
)
from samara.experiments.tiltrotors.tiltrotor_study import TiltrotorStudy
from samara.models.tiltrotors.soft_in_plane import COUPLE_AT, RELEASE, SPEED_RPM
from samara.results.plotting import COLOURS, PALE, canvas, draw_notes

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

STAND_IN_SHORT = "invented surrogate: the source prints no data of blade, hinge, wing"
LOWEST_DECAY = 3.0  # 1/s, in the flutter figure


def figures(study: TiltrotorStudy) -> dict[str, Callable[[], Figure]]:
    """Name of each file, with the function that draws it."""
    return {name: lambda draw=draw: draw(study) for name, draw in DRAWN.items()}  # type: ignore[misc]


def _figure(
    study: TiltrotorStudy, title: str, rows: int = 1, columns: int = 1, size=(7.5, 3.8)
) -> tuple[Figure, list[Axes]]:
    figure = canvas(*size)
    panels = list(figure.subplots(rows, columns, squeeze=False).flat)
    for axes in panels:
        axes.grid(alpha=0.3)
        axes.spines[["top", "right"]].set_visible(False)
    figure.suptitle(f"{title}\n{study.machine.kind}", fontsize=11)
    draw_notes(figure, [f"stand-in data: {STAND_IN_SHORT}"])
    return figure, panels


def _bending(axes: Axes, study: TiltrotorStudy, ratio: float, start: float, end: float) -> None:
    run = study.wind_ups[ratio]
    inside = (run.time >= start) & (run.time <= end)
    axes.plot(run.time[inside], chord_bending(run)[inside], linewidth=0.7, rasterized=True, label=f"{100 * ratio:g} %")
    axes.set(xlabel="time [s]", ylabel="wing chord bending [mm]")


def _wind_up(study: TiltrotorStudy) -> Figure:
    figure, (axes,) = _figure(study, "3: wind-up, 20 % of lag damping")
    _bending(axes, study, 0.2, 0.0, COUPLE_AT)
    for t, what in ((RELEASE, "lock released"), (8.5, "growth appears, in the source")):
        axes.axvline(t, color=PALE, linewidth=0.8)
        axes.annotate(what, (t, axes.get_ylim()[1]), (2, -8), textcoords="offset points", fontsize=7)
    return figure


def _release(study: TiltrotorStudy) -> Figure:
    figure, (axes,) = _figure(study, "4: after the release of the lag lock at 3 s")
    for ratio in study.wind_ups:
        _bending(axes, study, ratio, RELEASE - 0.2, RELEASE + 2.5)
    axes.legend(fontsize=8)
    return figure


def _couples(study: TiltrotorStudy) -> Figure:
    figure, panels = _figure(study, "5: after opposite couples on two blades, 888 rpm", 3, 1, (7.5, 6.5))
    for axes, ratio in zip(panels, study.wind_ups, strict=True):
        _bending(axes, study, ratio, COUPLE_AT - 0.5, float(study.wind_ups[ratio].time[-1]))
        axes.set_title(f"{100 * ratio:g} %: {study.rate(ratio).real:+.3f} 1/s by eigenvalues", fontsize=9, loc="left")
        axes.set_ylim(-2.1, 2.1)
    return figure


def _tip(study: TiltrotorStudy) -> Figure:
    figure, (axes,) = _figure(study, "6: path of a blade tip in the conversion", size=(5.5, 5.5))
    run, path = study.conversion, tip_path(study.conversion, study.machine.beams)
    inside = (run.time > CONVERT_AT - 0.2) & (run.time < converted(study.smoothing) + 0.2)
    axes.plot(-path[inside, 0], path[inside, 2], linewidth=0.3, rasterized=True)
    axes.plot(-run["hub.position"][inside, 0], run["hub.position"][inside, 2], "k", linewidth=1.2, label="hub")
    axes.set(xlabel="forward [m]", ylabel="up [m]", aspect="equal")
    axes.legend(fontsize=8)
    return figure


def _conversion(study: TiltrotorStudy, title: str, labels: tuple[str, str], values) -> Figure:
    figure, panels = _figure(study, title, 2, 1, (7.5, 5.5))
    for axes, label, moment in zip(panels, labels, values, strict=True):
        axes.plot(study.conversion.time, moment, linewidth=0.5, rasterized=True)
        for t in (CONVERT_AT, converted(study.smoothing)):
            axes.axvline(t, color=PALE, linewidth=0.8)
        axes.set_ylabel(f"{label} [N m]")
    panels[-1].set_xlabel("time [s]")
    return figure


def _flexbeam(study: TiltrotorStudy) -> Figure:
    figure = _conversion(
        study,
        "7: moments at a blade's root, conversion",
        ("in the plane", "out of the plane"),
        flexbeam(study.conversion),
    )
    inside = study.conversion.time > CONVERT_AT - 1.0
    for axes, moment in zip(figure.axes, flexbeam(study.conversion), strict=True):
        low, high = moment[inside].min(), moment[inside].max()
        axes.set(xlim=(CONVERT_AT - 1.0, float(study.conversion.time[-1])), ylim=(low - 0.2, high + 0.2))
    return figure


def _root(study: TiltrotorStudy) -> Figure:
    up, forward = wing_root(study.conversion, study.machine.wing_stiffness)
    return _conversion(study, "8: bending of the wing's root, conversion", ("up", "forward"), (up, forward))


def _lift(study: TiltrotorStudy) -> Figure:
    figure, (left, right) = _figure(study, "9: couples with 30 %, over the collective pitch, in air", 1, 2, (9.5, 3.8))
    for lift in study.lifts:
        left.plot(
            lift.run.time,
            chord_bending(lift.run) - chord_bending(lift.run)[0],
            linewidth=0.6,
            label=f"{lift.pitch:.3g}°",
        )
    left.set(xlabel="time [s]", ylabel="wing chord bending [mm]")
    left.legend(fontsize=7)
    pitch = [lift.pitch for lift in study.lifts]
    right.plot(pitch, [-lift.exponent.real for lift in study.lifts], "-", label="eigenvalues")
    right.plot(
        pitch, [-lift.identified.eigenvalues[0].real for lift in study.lifts], "o", fillstyle="none", label="identified"
    )
    right.set(xlabel="collective pitch [deg]", ylabel="decay of the wing mode [1/s]", ylim=(0.0, None))
    right.legend(fontsize=8)
    return figure


def _coleman(study: TiltrotorStudy) -> Figure:
    c = study.coleman
    lines = {"without dampers": (c.speeds, c.undamped)}
    lines |= {f"{100 * ratio:g} %": (c.speeds, found) for ratio, found in c.damped.items()}
    points = {}
    for ratio, found in study.circles.items():
        speeds = np.array(list(found)) * SPEED_RPM * np.pi / 30
        values, errors = (
            np.array([getattr(one, part)[0] for one in found.values()]) for part in ("eigenvalues", "errors")
        )
        points[f"{100 * ratio:g} %"] = (speeds, values, errors)
    title = f"10: wing and cyclic lag over the speed, {study.machine.kind}"
    figure = coleman_plot(lines, points, per_rev=1, title=title, stand_in=STAND_IN_SHORT)
    for line in figure.axes[1].lines[: c.undamped.shape[1]]:  # zero except where lag crosses the wing mode
        line.remove()
    figure.axes[1].set_ylim(-0.8, 0.8)
    figure.axes[0].set_xlim(250.0, 1.2 * SPEED_RPM)
    return figure


def _flutter(study: TiltrotorStudy) -> Figure:
    figure, panels = _figure(study, "11 (ours): as an aeroplane, 742 rpm, 40 %", 2, 1, (7.5, 5.5))
    for colour, (stiffness, found) in zip(COLOURS, study.flutters.items(), strict=False):
        style: dict[str, Any] = {"color": colour, "linestyle": "none", "marker": "."}
        every = [(wind, s) for wind, one in zip(found.winds, found.sets, strict=True) for s in one.eigenvalues]
        wind, s = (np.array(part) for part in zip(*every, strict=True))
        shown = (s.real > -LOWEST_DECAY) & (s.imag > 2 * np.pi)
        panels[0].plot(wind[shown], s.real[shown], **style, label=f"wing stiffness {stiffness:g}")
        panels[1].plot(wind[shown], s.imag[shown] / (2 * np.pi), **style)
        if np.isfinite(found.speed):
            panels[0].plot(found.speed, 0.0, "*", color=colour, markersize=11, label=f"{found.speed:.1f} m/s")
            panels[1].plot(found.speed, found.frequency, "*", color=colour, markersize=11)
    panels[0].axhline(0.0, color="k", linewidth=0.8)
    panels[0].set(ylabel="real part [1/s]", ylim=(-LOWEST_DECAY, 1.0))
    panels[1].set(xlabel="airstream [m/s]", ylabel="frequency [Hz]")
    panels[0].legend(fontsize=8)
    return figure


#: In drawing order: figures that need transients only come first, since eigenvalues cost more.
DRAWN: dict[str, Callable[[TiltrotorStudy], Figure]] = {
    "03_wind_up": _wind_up,
    "04_release": _release,
    "06_tip_path": _tip,
    "07_flexbeam": _flexbeam,
    "08_wing_root": _root,
    "05_couples": _couples,
    "09_collective": _lift,
    "10_coleman": _coleman,
    "11_flutter": _flutter,
}
