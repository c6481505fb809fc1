"""The robot with two flexible links following its path, with one PID per joint in another process, at two rates."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import numpy as np

from samara.blocks.trajectories.point_to_point import TwoParabolas
from samara.experiments.real_time import ReadyController, Taken, aligned, in_real_time, off_line
from samara.experiments.registry import Experiment, Finding, Outcome, Sheet
from samara.models.registry import Quantity
from samara.realtime.controllers.ready import RobotPath
from samara.realtime.loop import Job, Options
from samara.results import Results
from samara.results.plotting import canvas

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SOURCE = "Attolico and Masarati, Fifth Real-Time Linux Workshop, Valencia, 2003, section 5.2"
STAND_IN = (
    "gains and structural damping (1e-3 s), of which the source has none; friction and motors, which it left for later"
)
SENSORS = ("joint_*.angle", "joint_*.angle_rate", "link_1.n2.position", "link_2.n2.position", "model.*")
DAMPING = 1e-3  # s, proportional to stiffness
COLOURS = ("#0072B2", "#D55E00")
HEAD = (
    "rate Hz", "joint 1 deg", "joint 2 deg", "end 1 deg", "end 2 deg", "off-line 1 deg", "off-line 2 deg",
    "stretch mm", "node 1 mm", "node 2 mm",
)  # fmt: skip


class TwinRuns(NamedTuple):
    """A real-time run, and the same off-line from its first sample on."""

    rate: float
    taken: Taken
    twin: Results


def run(
    motor: Annotated[
        str, Quantity("", "torque; voltage of direct-current motors; current loops of such: current")
    ] = "torque",
    friction: Annotated[float, Quantity("N m", "dry friction of the first joint; the second has a fifth of it")] = 0.0,
    slow: Annotated[float, Quantity("Hz", "first rate, that of the source", positive=True)] = 330.0,
    fast: Annotated[float, Quantity("Hz", "second rate; 0: only the first")] = 3300.0,
    duration: Annotated[float, Quantity("s", "of a run; the path takes 0.5 to 5.5 s", positive=True)] = 7.0,
    policy: Annotated[str, Quantity("", "what to do about late steps")] = "skip",
) -> Outcome:
    """Each joint moves from 0 to 90 degrees along two parabolas in 5 s; simulator and controller are two processes."""
    runs = []
    for rate in (slow, fast) if fast else (slow,):
        job, law = setup(motor, friction, rate, policy)
        taken = in_real_time(job, law, duration)
        twin = off_line(job, law, taken.begin + duration, taken.begin)
        runs.append(TwinRuns(rate, taken, aligned(twin, taken.results)))
    rows = tuple(_row(pair) for pair in runs)
    sheet = Sheet(HEAD, rows)
    findings: list[Finding] = []
    for pair, row in zip(runs, rows, strict=True):
        at = f"{pair.rate:g}_hz"
        findings += [
            Finding(f"largest_error_1_{at}", row[1], "deg", f"{_largest(pair.twin, pair)[0]:.3f} off-line"),
            Finding(f"largest_error_2_{at}", row[2], "deg", f"{_largest(pair.twin, pair)[1]:.3f} off-line"),
            Finding(f"difference_from_off_line_{at}", max(row[5:7]), "deg", "0 if every answer came at once"),
            Finding(f"stretch_of_link_1_{at}", row[7], "mm", f"none; error of its end {row[8]:.1f} mm, along the path"),
            *(Finding(f"{f.name}_{at}", f.value, f.unit, f.expected) for f in pair.taken.findings()),
        ]
    return Outcome(runs[-1].taken.results, tuple(findings), lambda: draw(runs, motor, friction), sheet)


def setup(motor: str, friction: float, rate: float, policy: str) -> tuple[Job, ReadyController]:
    """The simulator and the controller."""
    settings: dict[str, Any] = {"motor": motor, "friction": friction, "damping": DAMPING}
    if motor != "voltage":
        settings |= {"pulse_1": 0.0, "pulse_2": 0.0}
    job = Job("robot", settings, Options(rate, policy, sensors=SENSORS, session="robot-experiment"))
    return job, ReadyController("robot-voltage" if motor == "voltage" else "robot")


def wanted(times: np.ndarray, begin: float) -> np.ndarray:
    """Reference angle of both joints on the path [rad]."""
    law = RobotPath()
    path = TwoParabolas(0.0, law.target, law.duration, begin=begin + law.begin)
    return np.array([path(float(t)).position for t in times])


def errors(results: Results, begin: float) -> np.ndarray:
    """Errors of the joints, (2, samples) [rad]."""
    path = wanted(results.time, begin)
    return np.array([results[f"joint_{k}.angle"] - path for k in (1, 2)])


def ends(angles: np.ndarray) -> np.ndarray:
    """Positions of the link ends if the links are rigid and both joints have this angle, (2, samples, 2) [m]."""
    first = np.stack([np.cos(angles), np.sin(angles)], axis=-1)
    return np.stack([first, first + np.stack([np.cos(2 * angles), np.sin(2 * angles)], axis=-1)])


def _largest(results: Results, pair: TwinRuns) -> np.ndarray:
    return np.degrees(np.abs(errors(results, pair.taken.begin)).max(axis=1))


def _row(pair: TwinRuns) -> tuple[float, ...]:
    results, begin = pair.taken.results, pair.taken.begin
    error = np.degrees(errors(results, begin))
    apart = np.degrees(np.abs(errors(results, begin) - errors(pair.twin, begin)).max(axis=1))
    rigid = ends(wanted(results.time, begin))
    places = [results[f"link_{k}.n2.position"][:, :2] for k in (1, 2)]
    stretch = np.abs(np.linalg.norm(places[0], axis=1) - 1.0).max()
    off = [np.linalg.norm(place - ideal, axis=1).max() for place, ideal in zip(places, rigid, strict=True)]
    millimetres = [1e3 * float(value) for value in (stretch, *off)]
    return (pair.rate, *np.abs(error).max(axis=1).tolist(), *error[:, -1].tolist(), *apart.tolist(), *millimetres)


def draw(runs: list[TwinRuns], motor: str, friction: float) -> Figure:
    """Figures 4 to 8 of the source, and the difference from the off-line runs."""
    figure = canvas(12.0, 7.4)
    panels = figure.subplots(2, 3)
    position, error, path, detail_1, detail_2, apart = panels.flat
    for pair, style in zip(runs, ("-", ":"), strict=False):
        results, begin = pair.taken.results, pair.taken.begin
        found, alone = np.degrees(errors(results, begin)), np.degrees(errors(pair.twin, begin))
        for k, colour in zip((1, 2), COLOURS, strict=True):
            label = f"joint {k}, {pair.rate:g} Hz"
            position.plot(results.time, np.degrees(results[f"joint_{k}.angle"]), style, color=colour, label=label)
            error.plot(results.time, found[k - 1], style, color=colour, label=label)
            apart.plot(results.time, found[k - 1] - alone[k - 1], style, color=colour, linewidth=0.8, label=label)
            place = results[f"link_{k}.n2.position"]
            for axes in (path, (detail_1, detail_2)[k - 1]):
                axes.plot(place[:, 0], place[:, 1], style, color=colour, label=f"node {k}, {pair.rate:g} Hz")
    pair = runs[0]
    alone = np.degrees(errors(pair.twin, pair.taken.begin))
    q = wanted(pair.taken.results.time, pair.taken.begin)
    position.plot(pair.taken.results.time, np.degrees(q), "k--", linewidth=0.8, label="set point")
    for k in (0, 1):
        error.plot(pair.twin.time, alone[k], "k--", linewidth=0.6, label="off-line" if k else None)
        for axes in (path, (detail_1, detail_2)[k]):
            axes.plot(*ends(q)[k].T, "k--", linewidth=0.8, label=None if k else "rigid, no error")
    _mark_times(detail_1, detail_2, pair)
    titles = (
        "joint angles [deg] (figure 4)", "errors [deg] (figure 5)", "paths of the ends of the links (figure 6)",
        "detail, node 1 (figure 7)", "detail, node 2 (figure 8)", "real time less off-line [deg]",
    )  # fmt: skip
    for axes, title in zip(panels.flat, titles, strict=True):
        over = axes in (position, error, apart)
        axes.set(title=title, xlabel="simulated time [s]" if over else "x [m]", ylabel="" if over else "y [m]")
        if not over:
            axes.set_aspect("equal")
        axes.grid(alpha=0.3)
    position.legend(fontsize="x-small")
    error.legend(fontsize="x-small")
    path.legend(fontsize="x-small")
    kinds = {"voltage": "voltages of direct-current motors", "current": "motors with gears and current loops"}
    kind = kinds.get(motor, "torques")
    rub = f", friction of {friction:g} N m" if friction else ""
    figure.suptitle(f"Robot in real time, two processes, by {kind}{rub}; stand-in: gains, damping")
    return figure


def _mark_times(first: Any, second: Any, pair: TwinRuns) -> None:
    """Details at the largest errors; lines connect the reference and the actual position at the same time."""
    results, begin = pair.taken.results, pair.taken.begin
    for k, axes in ((0, first), (1, second)):
        ideal, place = ends(wanted(results.time, begin))[k], results[f"link_{k + 1}.n2.position"][:, :2]
        worst = int(np.argmax(np.linalg.norm(place - ideal, axis=1)))
        every = np.arange(worst % 33, len(results), max(1, round(0.1 * pair.rate)))
        for a, b in zip(ideal[every], place[every], strict=True):
            axes.plot([a[0], b[0]], [a[1], b[1]], ".-", color="0.4", linewidth=0.6, markersize=3)
        half = (0.08, 0.2)[k]
        axes.set(xlim=(ideal[worst, 0] - half, ideal[worst, 0] + half))
        axes.set(ylim=(ideal[worst, 1] - half, ideal[worst, 1] + half))


EXPERIMENT = Experiment(
    "robot-realtime",
    "a robot with two flexible links along 90 degrees in 5 s in real time, by one PID per joint in another process",
    f"{SOURCE}, figures 4 to 8",
    run,
    STAND_IN,
)
