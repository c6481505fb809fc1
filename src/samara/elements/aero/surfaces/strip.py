"""Airloads of a strip of wing or blade by blade-element theory."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from samara.elements.aero.aerofoils.aerofoil import Aerofoil
from samara.elements.aero.wind.air import Air, AirHere
from samara.model import ModelError, Output, Record, numbers
from samara.rotations import arctan2
from samara.tracing import fmax

#: Speed squared [m^2/s^2] that keeps the square root of still air from having no slope.
STILL_AIR_SPEED_2 = 1e-8
#: Speed [m/s] that gives an angle of attack to a section at rest.
SLIGHT_SPEED = 1e-6


#: What flow along the span does, see `section_load`.
YAWS = ("none", "drag", "section")
#: Least square of the cosine of the yaw with which a section is looked up: 60 degrees.
LEAST_COSINE_2 = 0.25


class StripLoad(NamedTuple):
    """Airload on a strip, in axes of the blade: force (x span, y to the leading edge, z up) and moment.

    moment: about x; bank, veer: about y and z, of a swept section.
    """

    y: Any
    z: Any
    moment: Any
    alpha: Any
    mach: Any
    cl: Any
    cd: Any
    cm: Any
    x: Any = 0.0
    bank: Any = 0.0
    veer: Any = 0.0


def section_velocity(velocity, cosine, sine) -> tuple[Any, Any]:
    """Components along the chord, to the leading edge, and normal to it, downward, of a vector in axes of the blade.

    cosine, sine: of the twist. For a velocity against the air these are the flow along the chord and that from below.
    """
    return cosine * velocity[1] + sine * velocity[2], sine * velocity[1] - cosine * velocity[2]


def section_flow(velocity, stations: Stations, k: int) -> tuple[Any, Any, Any]:
    """Velocity against the air of station k: along the chord, from below, and along the axis, which may be swept.

    Twist turns the section about the span, then sweep about the normal of its chord.
    """
    u, w = section_velocity(velocity, stations.cosine[k], stations.sine[k])
    along = velocity[0]
    if not _nothing(stations.swept_sine[k]):
        sine, cosine = stations.swept_sine[k], stations.swept_cosine[k]
        along, u = cosine * along - sine * u, sine * along + cosine * u
    return u, w, along


def section_load(
    aerofoil: Aerofoil,
    air: Air | AirHere,
    stations: Stations,
    k: int,
    u,
    w,
    coefficients=None,
    along=0.0,
    yaw: str = "none",
    more=None,
    centre=None,
) -> StripLoad:
    """Load on the strip of station k in a flow u along the chord, w from below and `along` the axis [m/s].

        alpha = atan2(w, u),   q = rho V^2 / 2,   V^2 = u^2 + w^2
        lift = q c cl, across the flow; drag = q c cd, along it; moment = q c^2 cm, nose up

    In axes of the blade (x span, y leading edge, z up), from those of the station, which twist and sweep turn.
    coefficients: cl, cd, cm, where they are not the steady ones; more: force normal to the chord [N] and moment about
    the axis [N m] that come on top. centre: u and w where the force acts, if they differ: lift, whose size follows
    from the flow at the control point, is normal to that at its own point, so that it does no work on the air there.

    yaw: what the flow along the axis does. "none": nothing, only what is normal to the axis acts (independence
    principle). "drag": friction acts along the whole flow, U^2 = V^2 + along^2,

        drag = rho U V c cd / 2 in the section, rho U |along| c cd / 2 along the axis

    "section": besides, the section is looked up as one that is yawed by Lambda, cos(Lambda) = V / U (0.5 at least),

        cl = cl(alpha cos^2(Lambda)) / cos^2(Lambda),   cm alike,   cd = cd(alpha cos(Lambda))

    with tan(alpha) for alpha, so that it holds around the circle: stall comes later, drag is that of the streamwise
    angle. Given coefficients stay as they are. Source: W. Johnson, Helicopter Theory (1980), yawed flow over a section.
    """
    cosine, sine = stations.cosine[k], stations.sine[k]
    V = np.sqrt(u * u + w * w + STILL_AIR_SPEED_2)
    alpha, mach = arctan2(w, u + SLIGHT_SPEED), V / air.sound
    U = np.sqrt(u * u + w * w + along * along + STILL_AIR_SPEED_2)
    if coefficients is not None:
        cl, cd, cm = coefficients
    elif yaw == "section":
        c2 = fmax((V / U) ** 2, LEAST_COSINE_2)
        cl, _, cm = aerofoil.coefficients(arctan2(c2 * w, u + SLIGHT_SPEED), mach)
        cl, cm = cl / c2, cm / c2
        _, cd, _ = aerofoil.coefficients(arctan2(np.sqrt(c2) * w, u + SLIGHT_SPEED), mach)
    else:
        cl, cd, cm = aerofoil.coefficients(alpha, mach)
    cl = stations.lift[k] * cl
    q = 0.5 * air.density * V * stations.chord[k] * stations.length[k]
    drag, x, bank, veer = cd, 0.0, 0.0, 0.0
    if yaw != "none":
        drag = cd * U / V
        x = -q * drag * along
    u, w = (u, w) if centre is None else centre
    y, z = q * (cl * w - drag * u), q * (cl * u + drag * w)
    moment = q * V * stations.chord[k] * cm
    if more is not None:
        z, moment = z + more[0], moment + more[1]
    if not _nothing(stations.swept_sine[k]):
        swept, out = stations.swept_sine[k], stations.swept_cosine[k]
        x, y = out * x + swept * y, out * y - swept * x
        bank, veer, moment = -swept * cosine * moment, -swept * sine * moment, out * moment
    y, z = cosine * y - sine * z, sine * y + cosine * z
    return StripLoad(y, z, moment, alpha, mach, cl, cd, cm, x, bank, veer)


def _nothing(value) -> bool:
    """Whether a number is no more than zero, and known to be so when the equations are written."""
    return isinstance(value, float) and value == 0.0


def station_outputs(loads: Sequence[StripLoad], stations: Stations, sound: Any, induced: Any = None) -> list[Output]:
    """Flow, coefficients, circulation and loads per unit span at every station.

    sound: speed of sound [m/s]; induced: velocity that a rotor induces at each station, against its thrust [m/s].
    """
    names, along = tuple(str(k + 1) for k in range(len(loads))), range(len(loads))
    speeds = [load.mach * sound for load in loads]

    def output(name: str, unit: str, values: list, text: str) -> Output:
        return Output(name, unit, values, names if len(names) > 1 else (), text)

    found = [
        output("alpha", "rad", [load.alpha for load in loads], "angle of attack at the stations"),
        output("mach", "1", [load.mach for load in loads], "Mach number at the stations"),
        output("normal", "N/m", [loads[k].z / stations.length[k] for k in along], "load per unit span along z"),
        output("chordwise", "N/m", [loads[k].y / stations.length[k] for k in along], "load per unit span along y"),
        output("pitching", "N", [loads[k].moment / stations.length[k] for k in along], "moment per unit span, nose up"),
        output("cl", "1", [load.cl for load in loads], "lift coefficient of the sections"),
        output("cd", "1", [load.cd for load in loads], "drag coefficient of the sections"),
        output("cm", "1", [load.cm for load in loads], "moment coefficient of the sections, nose up"),
        output(
            "circulation",
            "m^2/s",
            [0.5 * speeds[k] * stations.chord[k] * loads[k].cl for k in along],
            "V c cl / 2 of the sections",
        ),
    ]
    if induced is None:
        return found
    angles = [arctan2(v, V + SLIGHT_SPEED) for v, V in zip(induced, speeds, strict=True)]
    return [
        *found,
        output("induced", "m/s", list(induced), "velocity induced by the rotor's wake, against its thrust"),
        output("induced_angle", "rad", angles, "atan(induced velocity / speed of the section, induced included)"),
    ]


def swept_strips(chord, length, sweep) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Chord normal to the swept axis and length along it, from those along y and x; sine and cosine as in `Stations`.

    sweep: back [rad], anything without magnitude counts as none.
    """
    sweep = np.asarray(sweep, float)
    if not np.any(sweep):
        return np.asarray(chord, float), np.asarray(length, float), np.zeros(sweep.shape), np.zeros(sweep.shape)
    # a strip without sweep among swept ones keeps its equations, so that all are of one kind
    sine, cosine = np.where(sweep == 0.0, 1e-12, np.sin(sweep)), np.cos(sweep)
    return chord * cosine, length / cosine, sine, cosine


class Stations(Record):
    """Stations along a span at which loads are evaluated: a quadrature.

    x: along the span [m]; length: weight of each [m]; chord [m]; cosine, sine: of the twist, nose up; centre:
    aerodynamic centre, and control: point at which the flow is evaluated, both towards the leading edge from the axis
    [m]; lift: factor on the lift, for tip loss.

    swept_sine, swept_cosine: of the angle by which the axis of the section is swept aft from x, both zero without
    sweep; chord is then normal to that axis and length along it. `gauss` and `Planform` make them from a sweep angle.
    """

    x: Any = numbers(unit="m")
    length: Any = numbers(unit="m")
    chord: Any = numbers(unit="m")
    cosine: Any = numbers()
    sine: Any = numbers()
    centre: Any = numbers(unit="m")
    control: Any = numbers(unit="m")
    lift: Any = numbers(default=None)
    swept_sine: Any = numbers(default=None)
    swept_cosine: Any = numbers(default=None)

    def __post_init__(self) -> None:
        if np.ndim(self.x) != 1:
            raise ModelError(f"Stations: x must be at least one position along the span, got {self.x!r}")
        if self.lift is None:
            self.lift = np.ones(len(self.x))
        if self.swept_sine is None or self.swept_cosine is None:
            self.swept_sine = self.swept_cosine = np.zeros(len(self.x))

    @classmethod
    def gauss(
        cls, start: float, end: float, count: int, chord, twist=0.0, centre=0.0, control=0.0, lift=1.0, sweep=0.0
    ) -> Stations:
        """Gauss points between two positions; properties are numbers or functions of x.

        sweep: of the section's axis relative to x, aft [rad]; chord is measured along y, regardless of sweep.
        """
        points, weights = np.polynomial.legendre.leggauss(count)
        x = 0.5 * (start + end) + 0.5 * (end - start) * points

        def at(given) -> np.ndarray:
            return np.array([float(given(v) if callable(given) else given) for v in x])

        angle = at(twist)
        weights = 0.5 * (end - start) * weights
        swept = at(sweep)
        chords, lengths, *turned = swept_strips(at(chord), weights, swept)
        return cls(x, lengths, chords, np.cos(angle), np.sin(angle), at(centre), at(control), at(lift), *turned)

    @classmethod
    def joined(cls, *parts: Stations) -> Stations:
        """Concatenates stations: a blade in pieces, such as a separate tip that has drag but no lift."""
        names = cls.__dataclass_fields__
        return cls(**{name: np.concatenate([getattr(part, name) for part in parts]) for name in names})

    def __len__(self) -> int:
        return len(self.x)
