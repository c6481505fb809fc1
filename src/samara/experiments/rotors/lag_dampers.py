"""Hydraulic lag dampers with relief valves on the Puma's rotor, compared with linear ones."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import numpy as np

from samara.analysis import floquet, periodic
from samara.experiments.registry import Experiment, Finding, Outcome, Sheet
from samara.model import Constant, Cosine, Sine
from samara.models.articulated_rotors import puma
from samara.models.articulated_rotors.lag_damper import KINDS, STAND_IN, HydraulicLagDamper
from samara.models.articulated_rotors.puma_rotor import LAG_DAMPER
from samara.models.quantity import Quantity
from samara.results import Results
from samara.results.plotting import canvas
from samara.solve import Simulation, assemble, transient

if TYPE_CHECKING:
    from matplotlib.figure import Figure

STEP, TOLERANCE = 1.0 / 400.0, 1e-6
#: Duration and start of the change in cyclic pitch [s]; end of the run.
DURATION, START, END = 0.3, 1.5, 2.5
#: Hover, with blade motion excited only by the hub's speed; steps per revolution, and revolutions until it is periodic.
HOVER: dict[str, Any] = {
    "airspeed": 0.0,
    "shaft_deg": 0.0,
    "collective_deg": 8.0,
    "theta1c_deg": 0.0,
    "theta1s_deg": 0.0,
}
STEPS, TURNS = 90, 16
#: Amplitude of the hub's once-per-revolution oscillation [deg]; the blades lag by about as much.
AMPLITUDES = (0.05, 0.2, 0.4, 0.7, 1.0, 1.5, 2.0, 3.0, 4.0)


def run(
    cyclic: Annotated[float, Quantity("deg", "by which theta1s moves in flight 123")] = -6.0,
) -> Outcome:
    """Damping of small and large motions in hover, and flight 123 with a rapid change of the cyclic pitch."""
    damper = HydraulicLagDamper(LAG_DAMPER)
    rates = {kind: decay(kind) for kind in KINDS}
    rows = tuple(_row(damper, degrees) for degrees in AMPLITUDES)
    flights = {kind: flight(kind, cyclic) for kind in KINDS}
    after = flights["linear"].time > START
    largest = {kind: max(np.abs(one[f"blade_{k}.lag.damper.effort"][after]).max() for k in (1, 2, 3, 4))
               for kind, one in flights.items()}  # fmt: skip
    hydraulic = flights["hydraulic"]
    findings = (
        Finding("decay_linear", -rates["linear"].real, "1/s", "of small lag motion in hover, by eigenvalues"),
        Finding("decay_hydraulic", -rates["hydraulic"].real, "1/s", "the same but for the spring of the oil"),
        Finding("small_over_linear", rows[0][1] / LAG_DAMPER, "1", f"1, at {rows[0][0]:.2g} deg"),
        Finding("large_over_coulomb", rows[-1][1] / rows[-1][3], "1", f"1, at {rows[-1][0]:.2g} deg"),
        Finding("moment_linear", float(largest["linear"]), "N m", "largest of all blades"),
        Finding("moment_hydraulic", float(largest["hydraulic"]), "N m", f"little above {damper.limit:g}"),
        Finding("energy_unaccounted", unaccounted(hydraulic), "1", "0: work in the hinge, less heat and oil's energy"),
        Finding("steps_divided", float(hydraulic.attrs.counters["divided"]), "1", "0 at 400 Hz"),
    )
    head = ("amplitude [deg]", "damping [N m s/rad]", "steady law", "4 M / (pi omega X)")
    return Outcome(hydraulic, findings, lambda: _draw(flights, rows, damper, cyclic), Sheet(head, rows))


def decay(kind: str) -> complex:
    """Eigenvalue of the blades' common lag motion in hover [1/s]."""
    simulation = Simulation(puma.build(lag_damper=kind, **HOVER), tolerance=1e-10)
    assemble(simulation)
    motion = periodic(simulation, puma.TURN, puma.TURN / STEPS, tolerance=1e-7, periods=400, outputs="model.violation")
    modes = floquet(motion, count=20)
    named = zip(modes.names, modes.eigenvalues, strict=True)
    return next(complex(s) for name, s in named if name.startswith("lag collective") and s.imag > 0.1)


def forced(kind: str, degrees: float, turns: int = TURNS) -> Results:
    """Hover with a hub that oscillates by an angle [deg] once per revolution."""
    speed = Constant(puma.SPEED) + Sine(np.radians(degrees) * puma.SPEED, puma.SPEED)
    model = puma.build(lag_damper=kind, speed=speed, **HOVER)
    return transient(model, turns * puma.TURN, puma.TURN / STEPS, tolerance=1e-8, progress=False)


def measured(results: Results) -> tuple[float, float]:
    """Lag amplitude [rad] and equivalent damping by dissipated energy [N m s/rad], in the last revolution of a run."""
    last = slice(-STEPS, None)
    angle, rate, moment = (results[f"blade_1.lag.damper.{name}"][last] for name in ("angle", "angle_rate", "effort"))
    wave = np.exp(-1j * puma.SPEED * results.time[last])
    amplitude = 2.0 * float(np.abs(np.mean(angle * wave)))
    lost = float(np.mean(moment * rate)) * puma.TURN
    return amplitude, lost / (np.pi * puma.SPEED * amplitude**2)


def flight(kind: str, cyclic: float, step: float = STEP) -> Results:
    """Flight 123; theta1s changes by this angle [deg]."""
    asked = Cosine(cyclic, DURATION, start=START, initial=puma.CONTROLS_DEG[2])
    return transient(puma.build(lag_damper=kind, theta1s_deg=asked), END, step, tolerance=TOLERANCE, progress=False)


def unaccounted(results: Results, name: str = "blade_1.lag.damper") -> float:
    """Fraction of a hinge's work on its damper that is neither heat nor stored in the oil at the end."""
    rate, moment, heat, oil = (
        results[f"{name}.{what}"] for what in ("angle_rate", "effort", "dissipated", "potential")
    )
    work = float(np.trapezoid(moment * rate, results.time))
    return (work - float(np.trapezoid(heat, results.time)) - float(oil[-1] - oil[0])) / work


def _row(damper: HydraulicLagDamper, degrees: float) -> tuple[float, float, float, float]:
    """Amplitude [deg], damping on the rotor, by the steady law and of a constant moment [N m s/rad]."""
    amplitude, damping = measured(forced("hydraulic", degrees))
    expected = damper.equivalent(amplitude, puma.SPEED), damper.coulomb(amplitude, puma.SPEED)
    return float(np.degrees(amplitude)), damping, *expected


def _draw(flights: dict[str, Results], rows: tuple, damper: HydraulicLagDamper, cyclic: float) -> Figure:
    """Damping over amplitude; moment over time, and over hinge speed."""
    figure = canvas(9.0, 6.0)
    (amplitude, law), (moment, lag) = figure.subplots(2, 2)
    size = np.array([row[0] for row in rows])
    amplitude.loglog(size, [row[1] for row in rows], "o", label="rotor, hydraulic")
    amplitude.loglog(size, [row[2] for row in rows], "-", linewidth=0.9, label="steady law")
    large = size[size > 0.4]
    amplitude.loglog(large, damper.coulomb(np.radians(large), puma.SPEED), "k--", label=r"$4M/(\pi\Omega X)$")
    amplitude.axhline(LAG_DAMPER, color="0.6", linewidth=0.8, label="linear")
    for kind, style in zip(KINDS, ("k--", "C0-"), strict=True):
        run_ = flights[kind]
        t, after = run_.time, run_.time > START
        rate, effort = run_["blade_2.lag.damper.angle_rate"], 1e-3 * run_["blade_2.lag.damper.effort"]
        law.plot(rate[after], effort[after], style, linewidth=0.8, label=kind)
        moment.plot(t, effort, style, linewidth=0.8, label=kind)
        lag.plot(t, np.degrees(run_["blade_2.lag.angle"]), style, linewidth=0.8, label=kind)
    labels = {
        amplitude: ("amplitude at 1/rev [deg]", "damping [N m s/rad]"), law: ("lag speed [rad/s]", "moment [kN m]"),
        moment: ("time [s]", "moment [kN m]"), lag: ("time [s]", "lag [deg]"),
    }  # fmt: skip
    for axes, (x, y) in labels.items():
        axes.set_xlabel(x)
        axes.set_ylabel(y)
        axes.grid(alpha=0.3)
        axes.legend(fontsize="x-small")
    for axes in (moment, lag):
        axes.set_xlim(START - 0.2, END)
    figure.suptitle(
        f"Lag dampers of the Puma, hover and flight 123 with theta1s by {cyclic:g} deg "
        "(sizes of the hydraulic damper are stand-ins)",
        size=9,
    )
    return figure


EXPERIMENT = Experiment(
    "lag-dampers",
    "hydraulic lag dampers with relief valves on the Puma's rotor, beside linear ones",
    "rotor as puma-flight-123; equivalent damping of a limited moment, 4 M / (pi omega X)",
    run,
    STAND_IN,
)
