"""Air loads of a strip of wing or blade by blade-element theory."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from samara.elements.aero.aerofoil import Aerofoil
from samara.elements.aero.air import Air
from samara.model import Output, Record, numbers
from samara.rotations import arctan2

#: Speed squared [m^2/s^2] that keeps the square root of still air from having no slope.
STILL = 1e-8
#: Speed [m/s] that gives an angle of attack to a section at rest.
SLIGHT = 1e-6


class Load(NamedTuple):
    """What the air does to a strip: force in the plane of the section (y to the leading edge, z up) and moment."""

    y: Any
    z: Any
    moment: Any
    alpha: Any
    mach: Any
    cl: Any
    cd: Any
    cm: Any


def section_velocity(velocity, cosine, sine) -> tuple[Any, Any]:
    """Components along the chord, to the leading edge, and normal to it, downward, of a vector in axes of the blade.

    cosine, sine: of the twist. For a velocity against the air these are the flow along the chord and that from below.
    """
    return cosine * velocity[1] + sine * velocity[2], sine * velocity[1] - cosine * velocity[2]


def section_load(aerofoil: Aerofoil, air: Air, stations: Stations, k: int, u, w, coefficients=None) -> Load:
    """Load on the strip of station k in a flow u along the chord and w from below [m/s].

        alpha = atan2(w, u),   q = rho V^2 / 2
        lift = q c cl, across the flow; drag = q c cd, along it; moment = q c^2 cm, nose up

    Forces in the frame of the blade (x span, y leading edge, z up). Flow along the span is left out: only what is
    normal to the axis acts (independence principle). coefficients: cl, cd, cm, where they are not the steady ones.
    """
    cosine, sine = stations.cosine[k], stations.sine[k]
    V = np.sqrt(u * u + w * w + STILL)
    alpha, mach = arctan2(w, u + SLIGHT), V / air.sound
    cl, cd, cm = aerofoil.coefficients(alpha, mach) if coefficients is None else coefficients
    cl = stations.lift[k] * cl
    q = 0.5 * air.density * V * stations.chord[k] * stations.length[k]
    y, z = q * (cl * w - cd * u), q * (cl * u + cd * w)
    moment = q * V * stations.chord[k] * cm
    return Load(cosine * y - sine * z, sine * y + cosine * z, moment, alpha, mach, cl, cd, cm)


def station_outputs(loads: list[Load], stations: Stations) -> list[Output]:
    """Angle of attack, Mach number, and loads a unit span at every station."""
    names = tuple(str(k + 1) for k in range(len(loads)))

    def output(name: str, unit: str, values: list, text: str) -> Output:
        return Output(name, unit, values, names if len(names) > 1 else (), text)

    along = range(len(loads))
    return [
        output("alpha", "rad", [load.alpha for load in loads], "angle of attack at the stations"),
        output("mach", "1", [load.mach for load in loads], "Mach number at the stations"),
        output("normal", "N/m", [loads[k].z / stations.length[k] for k in along], "load a unit span along z"),
        output("chordwise", "N/m", [loads[k].y / stations.length[k] for k in along], "load a unit span along y"),
        output("pitching", "N", [loads[k].moment / stations.length[k] for k in along], "moment a unit span, nose up"),
    ]


class Stations(Record):
    """Points along a span at which loads are taken: a quadrature.

    x [m]; length: weight of each [m]; chord [m]; twist [rad], nose up; centre: of pressure, and control: where the flow
    is looked at, both towards the leading edge from the axis [m]; lift: factor on it, for what is lost near a tip.
    """

    x: Any = numbers(unit="m")
    length: Any = numbers(unit="m")
    chord: Any = numbers(unit="m")
    cosine: Any = numbers()
    sine: Any = numbers()
    centre: Any = numbers(unit="m")
    control: Any = numbers(unit="m")
    lift: Any = numbers(None)

    def __post_init__(self) -> None:
        if self.lift is None:
            self.lift = np.ones(len(self.x))

    @classmethod
    def gauss(
        cls, start: float, end: float, count: int, chord, twist=0.0, centre=0.0, control=0.0, lift=1.0
    ) -> Stations:
        """Gauss points between two positions; properties are numbers or functions of x."""
        points, weights = np.polynomial.legendre.leggauss(count)
        x = 0.5 * (start + end) + 0.5 * (end - start) * points

        def at(given) -> np.ndarray:
            return np.array([float(given(v) if callable(given) else given) for v in x])

        angle = at(twist)
        weights = 0.5 * (end - start) * weights
        return cls(x, weights, at(chord), np.cos(angle), np.sin(angle), at(centre), at(control), at(lift))

    @classmethod
    def joined(cls, *parts: Stations) -> Stations:
        """One after the other: a blade in pieces, such as a tip of its own that has drag but no lift."""
        names = cls.__dataclass_fields__  # type: ignore[attr-defined]
        return cls(**{name: np.concatenate([getattr(part, name) for part in parts]) for name in names})

    def __len__(self) -> int:
        return len(self.x)
