"""Linear models of the helicopter about a trim: stability and control derivatives of its six degrees of freedom."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from samara.analysis import LinearModel
from samara.model import Constant, Drive, Expression, Parameter
from samara.models.helicopters.helicopter import (
    ATTITUDE,
    CONTROLS,
    GRAVITY,
    PERIOD,
    STEP,
    degrees,
    helicopter,
    through_air,
)
from samara.models.helicopters.helicopter_parts import (
    CALM,
    FORWARD,
    I_XX,
    I_XZ,
    I_YY,
    I_ZZ,
    USUAL,
    Loading,
    Surroundings,
    reworded,
)
from samara.rotations import exp_so3, rotation_from_euler, skew
from samara.solve import Simulation, transient
from samara.system import System
from samara.tracing import fmax, fmin

STATES = ("u", "v", "w", "p", "q", "r", "roll", "pitch")
INPUTS = CONTROLS[:4]
LOADS = ("X", "Y", "Z", "L", "M", "N")
#: When the turning begins, how long it takes to come, and when the loads are looked at: five turns from then on [s].
BEGIN, RISE, LOOK = 2.0, 1.0, 6.0
#: Disturbances: speed [m/s], rate [rad/s], control [rad].
NUDGES: dict[str, float] = {
    "u": 0.5, "v": 0.5, "w": 0.5, "p": 0.02, "q": 0.02, "r": 0.02,
    **{name: float(np.radians(0.2)) for name in INPUTS},
}  # fmt: skip


@dataclass(frozen=True)
class FlightModel:
    """Small motions about a trim, with quasi-steady rotors.

        dx/dt = A x + B c,   x = (u, v, w, p, q, r, roll, pitch),   c = (collective, theta1c, theta1s, pedal)

    u, v, w: velocity of the centre of mass, p, q, r: angular velocity, in axes forward, right, down of the trimmed
    machine [m/s, rad/s]; angles and controls in rad; all are deviations. derivatives: {"M_q": ...}, each load
    divided by mass (X, Y, Z) or by its own moment of inertia (L, M, N), as in G. D. Padfield, Helicopter Flight
    Dynamics, except that the product of inertia of L and N is in A and B only.
    """

    A: np.ndarray
    B: np.ndarray
    derivatives: dict[str, float]
    inputs: tuple[str, ...] = INPUTS

    @property
    def eigenvalues(self) -> np.ndarray:
        """Eigenvalues of A [1/s], slowest first."""
        values = np.linalg.eigvals(self.A)
        return values[np.argsort(np.abs(values))]

    def linear(self) -> LinearModel:
        """As a linear system whose outputs are its states."""
        outputs = np.eye(len(STATES))
        return LinearModel(self.A, self.B, outputs, np.zeros(self.B.shape), self.inputs, STATES)


def flight_model(
    controls: Mapping[str, float],
    airspeed: float = 0.0,
    *,
    climb: float = 0.0,
    sideslip: float = 0.0,
    step: float = STEP,
    loading: Loading = USUAL,
    surroundings: Surroundings = CALM,
    **options: Any,
) -> FlightModel:
    """The linear model about a trim: controls and attitude [rad] as `Trim.controls` has them, airspeed [m/s].

    The autopilot is off and a joint holds the machine, with a changed airflow (u, v, w), turning at a constant rate in
    air that turns with it (p, q, r), or with changed blade pitch. Each load is the mean over five turns after four
    seconds, and its derivative a central difference: blades and wakes have settled, so the model holds for motions
    that are slow compared with theirs. climb, sideslip [rad] and options: those of the trim.
    """
    given = {"climb": climb, "sideslip": sideslip, "loading": loading, "surroundings": surroundings, **options}
    options = reworded("helicopter_linear.flight_model", given, helicopter)
    climb, sideslip, loading = (options.pop(name) for name in ("climb", "sideslip", "loading"))
    surroundings = options.pop("surroundings")
    wind = -through_air(airspeed, climb, sideslip)
    R = rotation_from_euler("ZYX", [0.0 if n == "heading" else float(controls[n]) for n in ATTITUDE])
    R_WB = FORWARD.rotation @ R  # from forward, right, down
    path = {"airspeed": airspeed, "climb": climb, "sideslip": sideslip}
    model = _held(controls, wind, R_WB, loading=loading, surroundings=surroundings, **path, **options)
    probe = Probe(model, loading.mass, loading.com, R_WB, step)
    inertia = np.array([[I_XX, 0.0, -I_XZ], [0.0, I_YY, 0.0], [-I_XZ, 0.0, I_ZZ]])
    return small_motions(probe, controls, wind, NUDGES, loading.mass, inertia)


def small_motions(
    probe: Probe,
    controls: Mapping[str, float],
    wind: np.ndarray,
    nudges: Mapping[str, float],
    mass: float,
    inertia: np.ndarray,
) -> FlightModel:
    """The linear model of a held machine by central differences of its mean loads.

    controls: trim [rad]; wind: at the stand, world axes [m/s]; nudges: of u, v, w, p, q, r and of the controls.
    inertia: about the centre of mass, in axes forward, right, down [kg m^2].
    """
    slopes = {}
    for name, nudge in nudges.items():
        ahead, back = (probe.loads(_moved(name, sign * nudge, controls, wind, probe.R_WB)) for sign in (1.0, -1.0))
        slopes[name] = (ahead - back) / (2.0 * nudge)
    return _assembled(slopes, probe.R_WB.T @ -wind, controls, mass, inertia)


def turning(wind: np.ndarray, R_WB: np.ndarray) -> tuple[tuple[Drive, ...], list[Drive]]:
    """Wind that turns with a machine on a stand, to first order, and the stand's rotation in axes aft, right, up [rad].

    The rates are the parameters p, q, r [rad/s], about axes forward, right, down; the wind's air_x, air_y, air_z.
    """
    angle = Expression(_turn)
    rates = [Constant(Parameter(name, 0.0, "rad/s")) * angle for name in "pqr"]
    blown: list[Drive] = [Constant(Parameter(f"air_{axis}", float(w), "m/s")) for axis, w in zip("xyz", wind)]
    for rate, axis in zip(rates, R_WB.T, strict=True):
        blown = [b + Constant(float(c)) * rate for b, c in zip(blown, np.cross(axis, wind), strict=True)]
    return tuple(blown), [-rates[0], rates[1], -rates[2]]


def _turn(t: Any) -> Any:
    """Angle turned at a rate of 1 rad/s after a smooth start [rad]."""
    s = fmin(fmax((t - BEGIN) / RISE, 0.0), 1.0)
    return RISE * (0.5 * s - np.sin(np.pi * s) / (2.0 * np.pi)) + fmax(t - BEGIN - RISE, 0.0)


def _held(controls: Mapping[str, float], wind: np.ndarray, R_WB: np.ndarray, **options: Any) -> Any:
    """The machine on a stand with the rates p, q, r, in a wind that turns with it to first order."""
    blown, turned = turning(wind, R_WB)
    around = replace(options.pop("surroundings"), wind=blown)
    return helicopter(degrees(controls), surroundings=around, turned=turned, augmented=False, **options)


def _moved(name: str, change: float, controls: Mapping[str, float], wind: np.ndarray, R_WB: np.ndarray) -> dict:
    """Parameters of the held machine with one disturbance."""
    if name not in STATES:
        return {name: float(controls[name]) + change}
    if name in "pqr":
        return {name: change}
    air = wind - change * R_WB[:, "uvw".index(name)]
    return {f"air_{axis}": float(w) for axis, w in zip("xyz", air, strict=True)}


class Probe:
    """Mean loads on a held machine, at its centre of mass, in axes forward, right, down.

    com: centre of mass in axes aft, right, up of the held node [m]. R_WB: from axes forward, right, down to the world.
    period: over which loads are averaged [s].
    """

    def __init__(
        self, model: Any, mass: float, com: Sequence[float], R_WB: np.ndarray, step: float, period: float = PERIOD
    ) -> None:
        self.system, self.R_WB, self.step, self.period = System(model), R_WB, step, period
        self.weight, self.com = mass * GRAVITY, np.asarray(com, float)
        self.start = {name: float(parameter) for name, parameter in model.parameters.items()}

    def loads(self, parameters: Mapping[str, float]) -> np.ndarray:
        """Force and moment of the air and of the spinning parts [N, N m], without the weight."""
        for name, value in (self.start | dict(parameters)).items():
            self.system.set_parameter(name, value)
        sim = Simulation(self.system, tolerance=1e-7)
        end = LOOK + self.period
        run = transient(sim, round(end / self.step) * self.step, self.step, outputs=("hold.*",), progress=False)
        last = slice(-round(self.period / self.step), None)
        force, couple = (-FORWARD.rotation @ run[f"hold.{n}"][last].mean(axis=0) for n in ("force", "couple"))
        weight = np.mean([self._weight(parameters, t) for t in run.time[last]], axis=0)
        com = FORWARD.rotation @ self.com
        return np.concatenate([force - weight, couple - np.cross(com, force)])

    def _weight(self, parameters: Mapping[str, float], t: float) -> np.ndarray:
        """Weight in the axes of the machine in its present attitude."""
        turned = exp_so3(np.array([parameters.get(name, 0.0) for name in "pqr"]) * float(_turn(t)))
        return turned.T @ self.R_WB.T @ np.array([0.0, 0.0, -self.weight])


def _assembled(
    slopes: Mapping[str, np.ndarray], U: np.ndarray, controls: Mapping, mass: float, inertia: np.ndarray
) -> FlightModel:
    """A and B from the slopes of the loads, the velocity U in axes of the machine, and its attitude."""
    inputs = tuple(name for name in slopes if name not in STATES)
    own = np.array([mass] * 3 + list(np.diag(inertia)))
    named = {f"{load}_{by}": float(v / m) for by, s in slopes.items() for load, v, m in zip(LOADS, s, own, strict=True)}
    roll, pitch = float(controls["roll"]), float(controls["pitch"])
    A, B = np.zeros((8, 8)), np.zeros((8, len(inputs)))
    for matrix, names in ((A, STATES[:6]), (B, inputs)):
        for k, name in enumerate(names):
            matrix[:3, k] = slopes[name][:3] / mass
            matrix[3:6, k] = np.linalg.solve(inertia, slopes[name][3:])
    A[:3, 3:6] += skew(U)  # -(p, q, r) x U
    sr, cr, sp, cp = np.sin(roll), np.cos(roll), np.sin(pitch), np.cos(pitch)
    A[:3, 6] = GRAVITY * np.array([0.0, cp * cr, -cp * sr])
    A[:3, 7] = -GRAVITY * np.array([cp, sp * sr, sp * cr])
    A[6, 3:6] = 1.0, sr * np.tan(pitch), cr * np.tan(pitch)
    A[7, 4:6] = cr, -sr
    return FlightModel(A, B, named, inputs)


def along(airspeeds: Sequence[float], found: Sequence[Any], **options: Any) -> list[FlightModel]:
    """Linear models of trims over the speed."""
    return [flight_model(one.controls, v, **options) for v, one in zip(airspeeds, found, strict=True)]
