"""Inflow models: the velocity induced by a rotor's wake at its disk, opposite to the thrust, along the shaft.

An inflow model has scalar states of the rotor, "flows" [m/s], of which the first is u, the mean over the disk. It says
which of them a blade feels and how (`felt`), and gives their equations (`balances`). Those of this file are uniform or
linear across the disk,

    v_i(x, y) = -z (u + (g_x x + g_y y) / R)

x, y: position in the disk [m], z: the shaft's axis, along which thrust is positive. Vector form: wind from anywhere,
either sense of rotation. `annular` and `peters_he` have shapes along the radius.
Sources: Glauert 1926; Coleman, Feingold, Stempin 1945; Drees 1949; Payne 1959; White and Blake 1979; Pitt and Peters
1981; Leishman, Principles of Helicopter Aerodynamics, 2nd edition, sections 3.5 and 10.7.
"""

from __future__ import annotations

import copy
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar, NamedTuple

import numpy as np

from samara.elements.aero.inflow.descent import DESCENTS, axial_flow
from samara.elements.aero.inflow.inflow_at_blade import BladeStation, Felt, FeltLinear
from samara.model import Output, Record, State, StateMotion, number, option
from samara.model.sampled import SampledLaw
from samara.tracing import fmax, fmin

#: Apparent mass of the disk, in units of density times area times radius: uniform, and of a linear gradient.
MASS, MASS_GRADIENT = 128.0 / (75.0 * np.pi), 16.0 / (45.0 * np.pi)
#: Speed [m/s] below which flow is taken as still, so that square roots have slopes.
STILL_AIR_SPEED = 0.05
#: Least of V_m over V_T, see `Disk.flow`.
LEAST_SLOPE = 1.0 / 3.0
#: Advance ratio beyond which gradients do not follow it: their fits end long before.
LARGEST_ADVANCE = 1.0
#: Ways in which the induced velocity grows across the disk, see `Momentum`.
GRADIENTS = ("uniform", "glauert", "coleman", "drees", "payne", "white-blake", "pitt-peters", "howlett")


class Disk(NamedTuple):
    """A rotor's disk at an instant.

    density [kg/m^3], area [m^2], radius [m]; speed: of the disk's centre against the air, in the disk's axes [m/s];
    tip: speed of the blade tips [m/s]; thrust [N]; lean_x, lean_y: first moments of the thrust over the disk, divided
    by the radius [N]; flows: states of the inflow, u first; ground: what is left of them near the ground, 1 far from
    it; sense: of rotation, 1 about the shaft's axis, -1 against it.
    """

    density: Any
    area: Any
    radius: Any
    speed: Any
    tip: Any
    thrust: Any
    lean_x: Any
    lean_y: Any
    flows: Sequence[StateMotion]
    ground: Any
    sense: Any = 1.0

    @property
    def u(self) -> StateMotion:
        """Mean induced velocity."""
        return self.flows[0]

    @property
    def edgewise(self) -> Any:
        """Speed in the plane of the disk [m/s]."""
        return np.sqrt(self.speed[0] ** 2 + self.speed[1] ** 2 + STILL_AIR_SPEED**2)

    @property
    def through(self) -> Any:
        """Flow through the disk against the thrust [m/s]."""
        return self.speed[2] + self.u.value

    @property
    def total(self) -> Any:
        """Speed of the flow at the disk, V_T [m/s]."""
        return np.sqrt(self.speed[0] ** 2 + self.speed[1] ** 2 + self.through**2 + STILL_AIR_SPEED**2)

    def flow(self, u: Any, descent: str) -> tuple[Any, Any]:
        """V_T of momentum theory with an induced velocity u [m/s], and V_m = d(u V_T)/du: in any state, see `descent`.

        V_m is what differs across the disk has for a flow. In descent it would vanish, and gradients grow without
        bounds; it is V_T / 3 at least, which is the least of Buhl's curve for rings. Elsewhere it is larger than V_T.
        """
        axial, slope = axial_flow(self.speed[2], u, still=STILL_AIR_SPEED, descent=descent)
        V_T = np.sqrt(self.speed[0] ** 2 + self.speed[1] ** 2 + axial**2)
        return V_T, fmax(V_T + u * axial * slope / V_T, LEAST_SLOPE * V_T)

    @property
    def downwind(self) -> tuple[Any, Any]:
        """Direction of the wake in the disk; of less than unit length when there is hardly any wind."""
        return -self.speed[0] / self.edgewise, -self.speed[1] / self.edgewise

    @property
    def half_skew(self) -> Any:
        """tan(chi / 2), chi the angle of the wake with the shaft: mu / (V_T + |lambda|)."""
        through = np.sqrt(self.through**2 + STILL_AIR_SPEED**2)
        return np.sqrt(self.speed[0] ** 2 + self.speed[1] ** 2 + 1e-12) / (self.total + through)


class Inflow(Record):
    """Base of the inflow models."""

    #: whether it counts the blades, and takes them as alike
    by_blade: ClassVar[bool] = False
    #: whether it takes loads where the stations of blades are, and not their sum
    by_station: ClassVar[bool] = False
    #: whether its stations have vortices, and its rotor feels those of all rotors that have such an inflow
    vortices: ClassVar[bool] = False

    def flows(self) -> dict[str, int]:
        """Names of its states and their orders; the first is u, the mean induced velocity."""
        return {"u": 0, "g_x": 0, "g_y": 0}

    def starts(self, u: float) -> dict[str, float]:
        """States that do not start at zero, with a mean induced velocity u [m/s]."""
        return {"u": u}

    def twin(self) -> Inflow:
        """One for a rotor of its own, to be told of its stations."""
        twin = copy.copy(self)
        twin.thaw()
        return twin

    def balances(self, disk: Disk) -> list:
        """One expression a state; with what blades add to it, see `Felt.shares`, it vanishes."""
        raise NotImplementedError

    def felt(self, radii: np.ndarray) -> Felt:
        """How stations at these radii [R] of a blade feel it."""
        return FeltLinear()

    def survey(self, radii: np.ndarray, areas: np.ndarray, ends: tuple[float, float], blades: int) -> None:
        """Told of all stations when the model is complete.

        radii [R]; areas: of the rings that the stations stand for [R^2], all blades together; ends: of the blades
        along the radius [R]; blades: how many, 0 if nobody said so. Raises ValueError where it does not fit.
        """

    # ---- of those that stations have states and inputs for
    def station_states(self, radius: float, tip: float) -> dict[str, State]:
        """States that every station of a blade brings along for it; tip: speed of the tips [m/s]."""
        return {}

    def station_inputs(self) -> tuple[str, ...]:
        """Names of the inputs that it feeds every station by."""
        return ()

    def bind(self, rotor: Any, blades: Sequence[Sequence[BladeStation]], field: Mapping[str, Inflow]) -> None:
        """Told of the stations of each blade, by radius, and of the inflows of all rotors, once all are known."""

    def governed(self) -> list[State]:
        """States of stations to whose equations the rotor adds `near_balances`."""
        return []

    def reads(self) -> list[State]:
        """States of stations that these follow from."""
        return []

    def near_balances(self, circulations: Sequence[Any]) -> list:
        """What is added to the equations of `governed`, from the values of `reads`."""
        return []

    def sampling(self) -> SampledLaw | None:
        """The discrete law that feeds the inputs of stations."""
        return None

    def doubts(self, rotor: str, results: Any) -> list[str]:
        """What in the results of a run speaks against it, in words, see `Doubting`; rotor: name of its rotor."""
        return []

    def outputs(self, disk: Disk) -> list[Output]:
        """Measures of its own."""
        names = tuple(self.flows())
        return [Output("induced", "m/s", [state.value for state in disk.flows], names, "against the thrust")]


def inflow_models() -> Iterable[type[Inflow]]:
    """All inflow models."""
    return Inflow.__subclasses__()


class NoInflow(Inflow):
    """No induced velocity: the air at the disk moves with the wind."""

    def balances(self, disk: Disk) -> list:
        return [state.value for state in disk.flows]


def gradient_balances(gradient: str, disk: Disk) -> list:
    """Expressions that vanish where g_x and g_y are those of a gradient of `GRADIENTS`, of the size of u."""
    along, across = _gradients(gradient, disk)
    x, y = disk.downwind
    u, g_x, g_y = (state.value for state in disk.flows[:3])
    return [g_x - u * (along * x - across * y), g_y - u * (along * y + across * x)]


def _gradients(gradient: str, disk: Disk) -> tuple[Any, Any]:
    """k along the wind and across it (towards the side that is 90 degrees on from downwind, about the shaft)."""
    # a rotor that hardly turns has no advance ratio to speak of
    t, mu = disk.half_skew, fmin(disk.edgewise / disk.tip, LARGEST_ADVANCE)
    sine, cosine = 2.0 * t / (1.0 + t**2), (1.0 - t**2) / (1.0 + t**2)
    if gradient == "glauert":
        return 4.0 / 3.0 * (1.0 - 1.8 * mu**2) * t, 0.0
    if gradient == "coleman":
        return t, 0.0
    if gradient == "drees":
        # (1 - cos chi) / sin chi = tan(chi / 2)
        return 4.0 / 3.0 * (t - 1.8 * mu**2 * sine / (sine**2 + 1e-4)), -2.0 * mu * disk.sense
    if gradient == "payne":
        return 4.0 / 3.0 * sine / (1.2 * cosine + sine), 0.0
    if gradient == "white-blake":
        return np.sqrt(2.0) * sine, 0.0
    if gradient == "pitt-peters":
        return 15.0 * np.pi / 32.0 * t, 0.0
    if gradient == "howlett":
        return sine**2, 0.0
    return 0.0, 0.0


class Momentum(Inflow):
    """Momentum theory: uniform inflow, or with a gradient along the wind.

        M rho A R v_dot + 2 rho A V_T v = T,     M = 128 / (75 pi),     u = factor ground v
        (g_x, g_y) = k u (downwind)

    gradient: "uniform" (k = 0), "glauert" (4/3 (1 - 1.8 mu^2) tan(chi / 2), the default of MBDyn), "coleman"
              (tan(chi / 2)), "drees" (4/3 (1 - cos chi - 1.8 mu^2) / sin chi, and -2 mu across, that is, less on
              the advancing side), "payne"
              (4/3 m / (1.2 + m), m = tan chi), "white-blake" (sqrt(2) sin chi), "pitt-peters"
              (15 pi / 32 tan(chi / 2)), "howlett" (sin(chi)^2).
    dynamic:  whether u has the apparent mass M; otherwise it follows the thrust without delay.
    factor:   multiplies the induced velocity, to account for the losses of a real rotor (about 1.15 in hover). It
              increases the induced power, and the collective pitch for a given thrust.
    descent:  model of V_T in descent, where momentum theory fails, up to the windmill state: "measured", "buhl" or
              "none"; see `samara.elements.aero.inflow.descent`.
    """

    gradient: str = option(default="uniform", choices=GRADIENTS)
    dynamic: bool = option(default=True, choices=(True, False))
    factor: float = number(default=1.0, positive=True)
    descent: str = option(default="measured", choices=DESCENTS)

    def flows(self) -> dict[str, int]:
        return {"u": 1 if self.dynamic else 0, "g_x": 0, "g_y": 0}

    def balances(self, disk: Disk) -> list:
        share = 1.0 / (self.factor * disk.ground)
        v = share * disk.u.value
        V_T, _ = disk.flow(v, self.descent)
        lag = MASS * disk.density * disk.area * disk.radius * share * disk.u.rate if self.dynamic else 0.0
        momentum = lag + 2.0 * disk.density * disk.area * V_T * v - disk.thrust
        return [momentum, *gradient_balances(self.gradient, disk)]


class PittPeters(Inflow):
    """Pitt-Peters dynamic inflow with three states: uniform, and gradients along and across the wind.

        rho A R diag(M, Mg, Mg) (v, v_c, v_s)_dot + rho A diag(V_T, V_m, V_m) L^-1 (v, v_c, v_s) = (T, tau_c, tau_s)
        L = [[1/2, -k, 0], [k, 4 cos chi / (1 + cos chi), 0], [0, 0, 4 / (1 + cos chi)]],   k = 15 pi / 64 tan(chi / 2)
        V_m = d(v V_T) / dv,     (u, g_c, g_s) = ground (v, v_c, v_s)

    c: downwind, s: across; tau: first moments of the thrust divided by the radius. At constant thrust in hover the
    uniform part has the time constant M R / (4 u). Where momentum theory holds, V_m is (mu^2 + lambda (lambda +
    lambda_i)) / V_T; in descent it is at least V_T / 3. descent: as in `Momentum`.
    """

    descent: str = option(default="measured", choices=DESCENTS)

    def flows(self) -> dict[str, int]:
        return {"u": 1, "g_x": 1, "g_y": 1}

    def balances(self, disk: Disk) -> list:
        t, (x, y) = disk.half_skew, disk.downwind
        cosine = (1.0 - t**2) / (1.0 + t**2)
        k, along, across = 15.0 * np.pi / 64.0 * t, 4.0 * cosine / (1.0 + cosine), 4.0 / (1.0 + cosine)
        det, share = 0.5 * along + k**2, 1.0 / disk.ground
        u, g_x, g_y = disk.flows
        v, v_x, v_y = (share * state.value for state in disk.flows)
        # the part of the gradient along the wind; what is left of it counts as across
        c = v_x * x + v_y * y
        uniform = (along * v + k * c) / det
        downwind = (0.5 * c - k * v) / det
        rest_x, rest_y = v_x - c * x, v_y - c * y
        V_T, V_m = disk.flow(v, self.descent)
        size = disk.density * disk.area
        inertia, gradient = share * MASS * size * disk.radius, share * MASS_GRADIENT * size * disk.radius
        return [
            inertia * u.rate + size * V_T * uniform - disk.thrust,
            gradient * g_x.rate + size * V_m * (downwind * x + rest_x / across) - disk.lean_x,
            gradient * g_y.rate + size * V_m * (downwind * y + rest_y / across) - disk.lean_y,
        ]
