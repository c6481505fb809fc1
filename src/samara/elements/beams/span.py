"""Spanwise tables: properties along a straight axis."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import numpy as np

from samara.arguments.plausible import doubt_twist
from samara.elements.beams.beam3 import shapes
from samara.elements.beams.stiffness import shifted
from samara.model import ModelError
from samara.tracing.expressions.table import plain_numbers

#: Points of the quadrature between two breaks of the tables: exact to degree 15, twist to rounding.
_POINTS, _WEIGHTS = np.polynomial.legendre.leggauss(8)


@dataclasses.dataclass(frozen=True)
class Piece:
    """A rigid piece of beam: mass [kg], centre of mass [m], inertia about it [kg m^2]; axes as the asker wants."""

    mass: float
    com: np.ndarray
    inertia: np.ndarray


@dataclasses.dataclass(frozen=True, kw_only=True)
class Span:
    """Properties along a straight axis x, piecewise linear between stations; a repeated station makes a jump.

    station:  [m], not decreasing. Every other entry is one number, or one per station.
    mass:     per unit length [kg/m].
    EA [N], GA_y, GA_z [N], GJ, EI_y, EI_z [N m^2]: EI_y resists bending about y. Shear stiffness defaults to that of a
              solid section with the same EA, about 0.3 EA.
    com_y, com_z:         centre of mass off the axis [m].
    tension_y, tension_z: centre of tension (EA, EI); shear_y, shear_z: shear centre (GA, GJ), off the axis [m]. Give
              both alike for an elastic axis.
    twist:    of the section's y and z axes about x, right-handed [rad]; offsets, stiffness and inertia turn with it.
    polar_radius: k_A, polar radius of gyration of the area that carries the tension, about its centre [m]. Where it is
              given, tension stiffens the beam in torsion: GJ + N k_A^2 (trapeze effect, see `Section`). For a
              homogeneous section it is sqrt((EI_y + EI_z) / EA). 0, if left out, is without.
    wound:    1 where the fibres that carry EA and EI wind about the axis with the twist, so that tension untwists the
              beam; 0, if left out, where they run along it. See `stiffness`.
    inertia_x, inertia_y, inertia_z: about the centre of mass, a unit length [kg m]. inertia_x is inertia_y + inertia_z
              if left out.
    """

    station: Any
    mass: Any
    EA: Any
    GJ: Any
    EI_y: Any
    EI_z: Any
    GA_y: Any = None
    GA_z: Any = None
    com_y: Any = 0.0
    com_z: Any = 0.0
    tension_y: Any = 0.0
    tension_z: Any = 0.0
    shear_y: Any = 0.0
    shear_z: Any = 0.0
    twist: Any = 0.0
    polar_radius: Any = 0.0
    wound: Any = 0.0
    inertia_x: Any = None
    inertia_y: Any = 0.0
    inertia_z: Any = 0.0

    def __post_init__(self) -> None:
        x = _numbers("station", self.station)
        if x.ndim != 1 or len(x) < 2 or np.any(np.diff(x) < 0) or x[0] == x[-1]:
            raise ModelError("Span: station must be at least two non-decreasing positions along the span")
        if np.any((x[2:] == x[1:-1]) & (x[1:-1] == x[:-2])):
            raise ModelError("Span: station may contain a position twice, for a jump, but not more often")
        object.__setattr__(self, "station", x)
        for name in ("GA_y", "GA_z"):
            if getattr(self, name) is None:
                object.__setattr__(self, name, 0.3 * _numbers("EA", self.EA))
        if self.inertia_x is None:
            both = _numbers("inertia_y", self.inertia_y) + _numbers("inertia_z", self.inertia_z)
            object.__setattr__(self, "inertia_x", both)
        for field in dataclasses.fields(self)[1:]:
            object.__setattr__(self, field.name, self._column(field.name, x))
        doubt_twist("Span: twist", float(max(self.twist, key=abs)), np.pi)

    def _column(self, name: str, x: np.ndarray) -> np.ndarray:
        given = _numbers(name, getattr(self, name))
        if given.ndim and given.shape != x.shape:
            raise ModelError(
                f"Span: {name} must be one number, or {len(x)} numbers, one per station, got shape {given.shape}"
            )
        values = np.broadcast_to(given, x.shape)
        if name in ("EA", "GA_y", "GA_z", "GJ", "EI_y", "EI_z") and values.min() <= 0:
            raise ModelError(f"Span: {name} must be positive everywhere, got {values.min():g}")
        if name in ("mass", "polar_radius", "inertia_x", "inertia_y", "inertia_z") and values.min() < 0:
            raise ModelError(f"Span: {name} must not be negative, got {values.min():g}")
        return values

    # ---- values
    def at(self, name: str, x: float, side: str = "right") -> float:
        """A property at x [m]; where it jumps, the value on that side. Constant beyond the ends."""
        stations, values = self.station, getattr(self, name)
        k = self._segment(x, side)
        if stations[k + 1] == stations[k]:  # before the first or after the last jump
            return float(values[k + 1] if side == "right" else values[k])
        part = min(max((x - stations[k]) / (stations[k + 1] - stations[k]), 0.0), 1.0)
        return float(values[k] + part * (values[k + 1] - values[k]))

    def _segment(self, x: float, side: str) -> int:
        """Number of the two stations around x."""
        k = int(self.station.searchsorted(x, side=side)) - 1
        return min(max(k, 0), len(self.station) - 2)

    def stiffness(self, x: float) -> np.ndarray:
        """6x6 about the axis, in section axes, at x [m].

        Wound fibres are stretched by a twist rate k_x too, e + r^2 twist' k_x at the distance r from the centre of
        tension; on average over EA, with k_A^2 = (EI_y + EI_z) / EA,

            N = EA (e + k_A^2 twist' k_x),     M_x = GJ k_x + k_A^2 twist' N

        Source: J. C. Houbolt, G. W. Brooks, NACA report 1346 (1958), the term T k_A^2 beta' of the torsional moment.
        Theirs with the twist of the deformed blade, T k_A^2 phi', comes with `polar_radius`.
        """
        at = lambda name: self.at(name, x)  # noqa: E731
        tension = np.diag([at("EA"), 0.0, 0.0, 0.0, at("EI_y"), at("EI_z")])
        winding = at("wound") * self._twist_rate(x)
        if winding:
            stretch = np.eye(6)
            stretch[0, 3] = (at("EI_y") + at("EI_z")) / at("EA") * winding
            tension = stretch.T @ tension @ stretch
        shear = [0.0, at("GA_y"), at("GA_z"), at("GJ"), 0.0, 0.0]
        D = shifted(tension, at("tension_y"), at("tension_z")) + shifted(shear, at("shear_y"), at("shear_z"))
        return 0.5 * (D + D.T)

    def polar_radius_about_axis(self, x: float) -> float:
        """Polar radius of gyration of the area that carries the tension, about the axis, at x [m]; 0 if not given."""
        own = self.at("polar_radius", x)
        return float(np.linalg.norm([own, self.at("tension_y", x), self.at("tension_z", x)])) if own else 0.0

    def rotation(self, x: float) -> np.ndarray:
        """Section axes at x, against the untwisted ones."""
        return _about_x(self.at("twist", x))

    def _twist_rate(self, x: float) -> float:
        """Slope of the twist at x, to the right of it where it bends [rad/m]."""
        k = self._segment(x, "right")
        length = self.station[k + 1] - self.station[k]
        return float((self.twist[k + 1] - self.twist[k]) / length) if length else 0.0

    def piece(self, start: float, end: float) -> Piece:
        """Mass, centre and inertia between two positions, seen from the axis at x = 0 in untwisted axes.

        Exact integrals over the tables of dm, p dm and (p.p I - p p^T) dm plus the sections' own inertia.
        """
        mass, first, second = 0.0, np.zeros(3), np.zeros((3, 3))
        for x, weight in self._points(start, end):
            dm, R = weight * self.at("mass", x), self.rotation(x)
            p = np.array([x, 0.0, 0.0]) + R @ self._com(x)
            mass, first = mass + dm, first + dm * p
            second = second + dm * _about_origin(p) + weight * (R @ self._own(x) @ R.T)
        com = first / mass if mass else np.zeros(3)
        return Piece(float(mass), com, second - mass * _about_origin(com))

    def slices(self, start: float, end: float) -> list[Piece]:
        """Mass, centre and inertia of the three slices of an element, each in the axes of its section.

        Exact integrals over the tables with the parabolas N_k of the element's nodes as weights, the sections seen as
        flat: mass and its moments, to second order, are those of the tables.
        """
        middle, half = 0.5 * (start + end), 0.5 * (end - start)
        mass, first, second = np.zeros(3), np.zeros((3, 3)), np.zeros((3, 3, 3))
        for x, weight in self._points(start, end):
            N, c = weight * np.array(shapes((x - middle) / half)), self._com(x)
            m = self.at("mass", x)
            mass, first = mass + m * N, first + m * np.outer(N, c)
            second = second + np.multiply.outer(N, m * _about_origin(c) + self._own(x))
        found = []
        for m, moment, J in zip(mass, first, second, strict=True):
            c = moment / m if m else np.zeros(3)
            found.append(Piece(float(m), c, J - m * _about_origin(c)))
        return found

    def _points(self, start: float, end: float) -> Iterator[tuple[float, float]]:
        """Points and weights of a quadrature that is exact for the tables."""
        inside = self.station[(self.station > start) & (self.station < end)]
        for low, high in pairwise(np.unique([start, *inside, end])):
            half = 0.5 * (high - low)
            yield from zip(0.5 * (low + high) + half * _POINTS, half * _WEIGHTS, strict=True)

    def _com(self, x: float) -> np.ndarray:
        return np.array([0.0, self.at("com_y", x), self.at("com_z", x)])

    def _own(self, x: float) -> np.ndarray:
        return np.diag([self.at(f"inertia_{axis}", x) for axis in "xyz"])


def _numbers(name: str, given: Any) -> np.ndarray:
    try:
        values = plain_numbers(given)
    except (TypeError, ValueError):
        raise ModelError(f"Span: {name} must be numbers, got {given!r}") from None
    if not np.all(np.isfinite(values)):
        raise ModelError(f"Span: {name} must be finite numbers")
    return values


def _about_origin(p: np.ndarray) -> np.ndarray:
    """Inertia of a unit mass at p."""
    return p @ p * np.eye(3) - np.outer(p, p)


def _about_x(angle: float) -> np.ndarray:
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[1.0, 0.0, 0.0], [0.0, c, -s], [0.0, s, c]])
