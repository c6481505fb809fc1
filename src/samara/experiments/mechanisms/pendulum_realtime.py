"""The pendulum swung up from hanging and held inverted by a controller in another process."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import numpy as np

from samara.experiments.real_time import (
    LABELS,
    ReadyController,
    Taken,
    aligned,
    delays,
    in_real_time,
    off_line,
)
from samara.experiments.registry import Experiment, Finding, Outcome
from samara.model import ModelError
from samara.models.mechanisms.driven_joint import BEARING, ELECTRIC, FRICTION
from samara.models.registry import Quantity
from samara.realtime.controllers.ready import PendulumLift
from samara.realtime.loop import Job, Options
from samara.results import Results
from samara.results.plotting import canvas

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SOURCE = "Attolico and Masarati, Fifth Real-Time Linux Workshop, Valencia, 2003, section 5.1"
STAND_IN = "mass, length and gains, of which the source has none; friction and motor, which it left for later"
RATE = 1000.0  # Hz, of the source
NEAR = 0.01  # rad from the top that count as upright
MASS, LENGTH, GRAVITY = 1.0, 1.0, 9.81  # of the ready model
MEMORY = 1 / 3  # second root of the two-step scheme with radius 0.6: the fraction of a jump remaining after one step
SENSORS = ("hinge.*", "motor.*", "model.*")
LAWS = ("swing", "lift")


def run(
    law: Annotated[str, Quantity("", "swing: by a weak torque and energy; lift: by angle and rate, as the source")] = (
        "swing"
    ),
    electric: Annotated[bool, Quantity("", "whether a direct-current motor drives it, by its voltage")] = False,
    friction: Annotated[float, Quantity("N m", "dry friction of the hinge")] = 0.0,
    duration: Annotated[float, Quantity("s", "of the run", positive=True)] = 10.0,
    policy: Annotated[str, Quantity("", "what to do about late steps")] = "skip",
) -> Outcome:
    """At 1 kHz, with simulator and controller as processes, and the same off-line in one process."""
    job, ready = setup(law, electric, friction, policy)
    taken = in_real_time(job, ready, duration)
    twin = off_line(job, ready, taken.begin + duration, taken.begin)
    results, old = taken.results, delays(ready, taken.results, RATE)
    there = since(results, NEAR)
    findings = [
        Finding("upright_since", there - taken.begin, "s", f"{since(twin, NEAR) - taken.begin:.3f} s off-line"),
        Finding("largest_angle_in_the_end", largest(results, 0.5 * duration), "rad", "below 0.01: the second half"),
        Finding("difference_from_off_line", difference(results, twin), "rad", "0 if every answer came at once"),
        Finding("energy_error", energy_error(results, friction), "J", f"0; {2 * MASS * GRAVITY * LENGTH:.2f} on top"),
        Finding("answers_at_once", 100.0 * float((old == 0).mean()), "%", "100"),
        Finding("oldest_answer", float(old.max()), "1", "0 samples"),
    ]
    if friction and law == "lift":
        findings.append(Finding("stuck_at", largest(results, 0.1), "rad", f"{stuck(friction):.6f} at most"))
    if not electric and not friction:
        errors, bounds = step_errors(results)
        findings.append(
            Finding("step_error", float((errors - bounds).max()), "rad/s", "below 0: less than a jump asks")
        )
    held = largest(results, 0.5 * duration) < NEAR
    problem = "" if held else f"the pendulum was not held upright for {0.5 * duration:g} s: give it more time"
    title = f"Pendulum at 1 kHz, {ready.name}" + f", friction of {friction:g} N m" * bool(friction)
    return Outcome(results, (*findings, *taken.findings()), lambda: draw(taken, twin, old, title), problem=problem)


def setup(law: str, electric: bool, friction: float, policy: str) -> tuple[Job, ReadyController]:
    """The simulator and the controller."""
    if law not in LAWS:
        raise ModelError(f"law must be one of {', '.join(LAWS)}, got {law!r}")
    settings: dict[str, Any] = {"motor": True, "angle": 0.0, "electric": electric, "friction": friction}
    job = Job("pendulum", settings, Options(RATE, policy, sensors=SENSORS, session="pendulum-experiment"))
    return job, ReadyController(f"pendulum-{law}" + "-voltage" * electric)


def away(results: Results) -> np.ndarray:
    """Angle from the top, within half a turn [rad]."""
    return np.remainder(results["hinge.angle"], 2 * np.pi) - np.pi


def largest(results: Results, last: float) -> float:
    """Largest angle from the top in the last seconds of the run [rad]."""
    return float(np.abs(away(results))[results.time > results.time[-1] - last].max())


def since(results: Results, near: float) -> float:
    """Time from which it stays this close to the top [s]; nan if it does not."""
    off = np.flatnonzero(np.abs(away(results)) > near)
    return float(results.time[off[-1] + 1]) if off[-1] + 1 < len(results) else float("nan")


def difference(results: Results, twin: Results) -> float:
    """Largest difference of the angles, ignoring their jumps [rad]."""
    angles = (np.unwrap(r["hinge.angle"]) for r in (results, aligned(twin, results)))
    return float(np.abs(np.subtract(*angles)).max())


def torque(results: Results) -> np.ndarray:
    """Torque of the motor on the bob, in the preceding step [N m]."""
    return results["torque"] if "torque" in results else results["motor.torque"]


def energy_error(results: Results, friction: float = 0.0) -> float:
    """Largest difference between the pendulum's energy and the energy supplied [J].

        m l^2 rate^2 / 2 + m g l (1 - cos q) - sum T (q_k - q_{k-1})

    T: mean torque of the step, less that of friction. An imposed torque is held over the step. That of a direct-
    current motor goes from T_{k-1} to T_k as exp(-t R / L), towards the value set by the held voltage:

        T = (1 - f) (T_k - E T_{k-1}) / (1 - E) + f T_{k-1},   E = exp(-h R / L),   f = (1 - E) L / (R h)
    """
    q, rate = np.unwrap(results["hinge.angle"]), results["hinge.angle_rate"]
    has = 0.5 * MASS * (LENGTH * rate) ** 2 + MASS * GRAVITY * LENGTH * (1.0 - np.cos(q))
    T, rubbing = torque(results), BEARING * results["hinge.friction"] if friction else np.zeros(len(results))
    mean = T[1:]
    if "torque" not in results:
        lag = ELECTRIC["inductance"] / ELECTRIC["resistance"] * RATE
        E = np.exp(-1.0 / lag)
        f = (1.0 - E) * lag
        mean = (1.0 - f) * (T[1:] - E * T[:-1]) / (1.0 - E) + f * T[:-1]
    given = np.concatenate([[0.0], np.cumsum((mean - 0.5 * (rubbing[1:] + rubbing[:-1])) * np.diff(q))])
    return float(np.abs(has - has[0] - given).max())


def step_errors(results: Results, rate: float = RATE) -> tuple[np.ndarray, np.ndarray]:
    """Compares every step of a record with the equation of the pendulum; returns errors and the scheme's bound [rad/s].

        m l^2 q'' = T_k - m g l sin q,  integrated by the Runge-Kutta method from sample k - 1 to sample k

    The samples of a run must satisfy it whatever the clock did. The scheme treats a jump of the torque as a ramp
    over a step, h / (2 m l^2) times it, and remembers it (`MEMORY`): twice that is allowed. The second-order error is
    h^3 / 3 of the third derivative of the rate, which is below 500 rad/s^4 in turns at 2 sqrt(g / l). Newton's method
    stops at 1e-6 of the speed.
    """
    h, q, w, T = 1.0 / rate, results["hinge.angle"], results["hinge.angle_rate"], results["torque"]
    inertia = MASS * LENGTH**2

    def slope(angle, torque):
        return torque / inertia - GRAVITY / LENGTH * np.sin(angle)

    q0, w0, held = q[:-1], w[:-1], T[1:]
    k1 = slope(q0, held)
    k2 = slope(q0 + 0.5 * h * w0, held)
    k3 = slope(q0 + 0.5 * h * w0 + 0.25 * h * h * k1, held)
    k4 = slope(q0 + h * w0 + 0.5 * h * h * k2, held)
    errors = np.abs(w[1:] - (w0 + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)))[1:]
    jumps = np.abs(np.diff(T))
    for k in range(1, len(jumps)):
        jumps[k] += MEMORY * jumps[k - 1]
    bounds = h / inertia * jumps[1:] + 500.0 * h**3 / 3 + 1e-6
    return errors, bounds


def stuck(friction: float) -> float:
    """Largest angle from the top at which the lift sticks [rad]: friction / (stiffness - m g l), with the weight's."""
    law = PendulumLift()
    weight = MASS * GRAVITY
    return (friction + FRICTION * BEARING * weight) / (law.stiffness - weight * LENGTH)


def draw(taken: Taken, twin: Results, old: np.ndarray, title: str) -> Figure:
    """Angle and angular rate, as figures 1 and 2 of the source; distance from the top; torque; age of responses."""
    figure = canvas(10.0, 7.0)
    grid = figure.subplots(3, 2)
    panels = list(grid.flat)
    for results, label, style in zip((taken.results, twin), LABELS, ("-", "k--"), strict=True):
        t, line = results.time, {"label": label, "linewidth": 1.2 if style == "-" else 0.8}
        panels[0].plot(t, np.degrees(np.unwrap(results["hinge.angle"])), style, **line)
        panels[1].plot(t, results["hinge.angle_rate"], style, **line)
        panels[2].semilogy(t, np.maximum(np.abs(away(results)), 1e-9), style, **line)
    panels[3].plot(taken.results.time, torque(taken.results), linewidth=0.8)
    panels[2].axhline(NEAR, color="0.5", linestyle=":", linewidth=0.9)
    panels[4].plot(taken.results.time[1:], np.where(old < 0, np.nan, old), ".", markersize=2, rasterized=True)
    panels[4].set_yscale("symlog", linthresh=1.0)
    late = np.diff(taken.stamps)[1:] * 1e-6  # the first sample waits for the controller
    panels[5].semilogy(taken.results.time[2:], late, ".", markersize=2, rasterized=True)
    panels[5].axhline(1e3 / RATE, color="0.5", linestyle=":", linewidth=0.9)
    names = (
        "angle [deg]", "angular rate [rad/s]", "angle from the top [rad]", "torque [N m]",
        "age of the answer [samples]", "time between samples [ms]",
    )  # fmt: skip
    for axes, name in zip(panels, names, strict=True):
        axes.set_ylabel(name)
        axes.grid(alpha=0.3)
        if "killed" in taken.marks:
            axes.axvspan(taken.marks["killed"], taken.marks.get("heard", np.nan), color="#D55E00", alpha=0.15)
    panels[0].legend(fontsize="x-small")
    for axes in grid[-1]:
        axes.set_xlabel("simulated time [s]")
    figure.suptitle(f"{title}\nstand-in: numbers of pendulum and controller")
    return figure


EXPERIMENT = Experiment(
    "pendulum-realtime",
    "a pendulum from hanging to inverted, and held, at 1 kHz in real time by a controller in another process",
    SOURCE,
    run,
    STAND_IN,
)
