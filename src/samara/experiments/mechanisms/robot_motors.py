"""The two-link robot following its path with motors in its joints, compared with ideal torques."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
from scipy.integrate import trapezoid

from samara.blocks.trajectories.point_to_point import TwoParabolas
from samara.experiments.registry import Experiment, Finding, Outcome, Sheet
from samara.models.registry import Quantity
from samara.models.robots import robot
from samara.realtime.controllers import SimulatedLink
from samara.realtime.controllers import run as run_controller
from samara.realtime.controllers.ready import RobotPath
from samara.results import Results
from samara.results.plotting import canvas

if TYPE_CHECKING:
    from matplotlib.figure import Figure

BEGIN, DURATION = 0.5, 5.0  # s, of the path
JOINTS = (1, 2)
#: structural damping required by the controller [s]: see `RobotPath`
DAMPING = 1e-3
KINDS = ("ideal torque", "motors without friction", "motors")
HEAD = (
    "drives", "error 1 deg", "error 2 deg", "rest 1 deg", "rest 2 deg", "energy in J", "copper J", "gear J", "budget",
)  # fmt: skip
LINES: tuple[dict[str, Any], ...] = (
    {"color": "0.7", "linewidth": 3.0},
    {"color": "C0", "linewidth": 0.9},
    {"color": "C1", "linewidth": 0.9},
)
STAND_IN = "motors, gears, friction, amplifiers and gains: the source has ideal torques and prints no gains"


def run(
    rate: Annotated[float, Quantity("Hz", "of the controller and the simulator", True)] = 330.0,
    friction: Annotated[float, Quantity("N m", "of the first gear; the second has a fifth of it")] = 0.3,
    end: Annotated[float, Quantity("s", "how long each run is", True)] = 9.0,
) -> Outcome:
    """Both joints move from 0 to 90 degrees in 5 s under the same controller, which commands torques."""
    options: tuple[dict[str, Any], ...] = (
        {"motor": "torque"},
        {"motor": "current", "gear_friction": 0.0},
        {"motor": "current", "gear_friction": friction},
    )
    runs = {kind: _follow(rate, end, **chosen) for kind, chosen in zip(KINDS, options, strict=True)}
    path = TwoParabolas(0.0, np.pi / 2, DURATION, begin=BEGIN)
    sheet = Sheet(HEAD, tuple(_row(kind, found, path) for kind, found in runs.items()))
    last, findings = runs[KINDS[-1]], []
    for k in JOINTS:
        drive = robot.DRIVES[k - 1]
        current = np.abs(last[f"motor_{k}.current.value"]).max()
        findings += [
            Finding(
                f"largest_error_{k}", sheet[f"error {k} deg"][-1], "deg", f"{sheet[f'error {k} deg'][0]:.3g} ideal"
            ),
            Finding(f"largest_current_{k}", float(current), "A"),
            Finding(
                f"largest_voltage_{k}", float(np.abs(last[f"feed_{k}.value"]).max()), "V", f"{drive.supply:g} at most"
            ),
            Finding(f"loop_error_{k}", float(np.abs(last[f"loop_{k}.error"]).max() / current), "1", "of the current"),
        ]
    findings.append(
        Finding("budget", max(sheet["budget"][1:]), "1", "energy that is not accounted for, of that fed in")
    )
    return Outcome(last, tuple(findings), lambda: _draw(runs, path), sheet)


def _follow(rate: float, end: float, **options: Any) -> Results:
    model = robot.build(pulse_1=0.0, pulse_2=0.0, damping=DAMPING, **options)
    link = SimulatedLink(model, rate, end)
    run_controller(RobotPath(duration=DURATION, begin=BEGIN), link, report=lambda line: None)
    return link.results()


def error(found: Results, k: int, path: TwoParabolas) -> np.ndarray:
    """How far a joint leads its path [deg]."""
    wanted = np.array([path(t).position for t in found.time])
    return np.degrees(found[f"joint_{k}.angle"] - wanted)


def energies(found: Results) -> dict[str, float]:
    """Energy supplied, turned into heat in windings and amplifiers, and elsewhere; and the residual of the budget [J].

    Sums over the samples: the controller's torque jumps between them, so the residual is about 1e-3 at 330 Hz.
    """

    def summed(power: np.ndarray) -> float:
        return float(trapezoid(power, found.time))

    stored = found["model.kinetic"] + found["model.potential"]
    fed, heat = summed(found["model.supplied"]), summed(found["model.dissipated"])
    copper = 0.0
    if "motor_1.current.value" in found:
        for k, drive in zip(JOINTS, robot.DRIVES, strict=True):
            copper += summed((drive.resistance + drive.output) * found[f"motor_{k}.current.value"] ** 2)
    return {"fed": fed, "copper": copper, "gear": heat - copper, "rest": fed - heat - float(stored[-1] - stored[0])}


def _row(kind: str, found: Results, path: TwoParabolas) -> tuple:
    errors = [error(found, k, path) for k in JOINTS]
    energy = energies(found)
    turned = sum(trapezoid(np.abs(_power(found, k)), found.time) for k in JOINTS)
    return (
        kind,
        *(float(np.abs(e).max()) for e in errors),
        *(float(e[-1]) for e in errors),
        energy["fed"],
        energy["copper"],
        energy["gear"],
        abs(energy["rest"]) / float(max(abs(energy["fed"]), turned)),
    )


def _torque(found: Results, k: int) -> np.ndarray:
    """Torque on the joint [N m]."""
    return found[f"motor_{k}.torque"] if f"motor_{k}.torque" in found else -found[f"motor_{k}.effort"]


def _power(found: Results, k: int) -> np.ndarray:
    return _torque(found, k) * found[f"joint_{k}.angle_rate"]


def _draw(runs: dict[str, Results], path: TwoParabolas) -> Figure:
    """Joint errors, torques, currents, voltages and energy flow."""
    figure = canvas(11.0, 7.0)
    panels = figure.subplots(2, 3)
    last = runs[KINDS[-1]]
    for column, k in enumerate(JOINTS):
        top, bottom = panels[:, column]
        for (kind, found), line in zip(runs.items(), LINES, strict=True):
            top.plot(found.time, error(found, k, path), **line, label=kind)
            bottom.plot(found.time, _torque(found, k), **line, label=kind)
        top.set(title=f"joint {k}", ylabel="ahead of the path [deg]")
        bottom.set(xlabel="time [s]", ylabel="torque on the joint [N m]")
    panels[0, 0].legend(fontsize="x-small")
    electric, budget = panels[:, 2]
    for k in JOINTS:
        electric.plot(last.time, last[f"motor_{k}.current.value"], linewidth=0.8, label=f"current {k} [A]")
        electric.plot(last.time, last[f"feed_{k}.value"], linewidth=0.8, label=f"voltage {k} [V]")
    electric.set(title="motors with friction")
    electric.legend(fontsize="x-small")
    for kind, found in list(runs.items())[1:]:
        step = np.diff(found.time, prepend=found.time[0])
        budget.plot(found.time, np.cumsum(found["model.supplied"] * step), linewidth=0.9, label=f"fed in, {kind}")
        budget.plot(found.time, np.cumsum(found["model.dissipated"] * step), "--", linewidth=0.9, label=f"heat, {kind}")
    budget.set(xlabel="time [s]", ylabel="energy [J]")
    budget.legend(fontsize="x-small")
    for axes in panels.ravel():
        axes.grid(alpha=0.3)
    figure.suptitle("The robot on its path: ideal torques, and motors with gears and current loops (stand-in data)")
    return figure


EXPERIMENT = Experiment(
    "robot-motors",
    "a planar robot on its path, with direct-current motors, gear friction and current loops in its joints",
    "Attolico and Masarati 2003, section 5.2: the links and the path",
    run,
    STAND_IN,
)
