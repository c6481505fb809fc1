"""Spanwise tables, and what they make: nodes, beams and their mass."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import numpy as np

from samara.elements.beams.beam3 import CUTS, Beam3, shapes
from samara.elements.beams.beam_mass3 import BeamMass3
from samara.elements.beams.section import DampedSection, Section, shifted
from samara.elements.beams.section_mass import SectionMass
from samara.elements.bodies.body import Body
from samara.model import Model, Node, Placement
from samara.rotations import cross

#: Points of the quadrature between two breaks of the tables: exact to degree 15, twist to rounding.
_POINTS, _WEIGHTS = np.polynomial.legendre.leggauss(8)
#: How mass is put on the nodes of a beam.
INERTIA = ("distributed", "lumped", "none")
#: Sections thinner than this part of the distance of the nodes count as this thick: rotations need some inertia. It
#: lowers the frequency of a wave, of wave number k, by (k THIN distance)^2 / 2.
THIN = 0.01


@dataclasses.dataclass(frozen=True)
class Piece:
    """A rigid piece of beam: mass [kg], centre of mass [m], inertia about it [kg m^2]; axes as the asker wants."""

    mass: float
    com: np.ndarray
    inertia: np.ndarray


@dataclasses.dataclass(frozen=True, kw_only=True)
class Span:
    """Properties along a straight axis x, piecewise linear between stations; a station given twice makes a jump.

    station:  [m], not decreasing. Every other entry is one number, or one a station.
    mass:     a unit length [kg/m].
    EA [N], GA_y, GA_z [N], GJ, EI_y, EI_z [N m^2]: EI_y resists bending about y. Shear stiffness is stiff if left out
              (that of a solid section with the same EA, about: 0.3 EA).
    com_y, com_z:         centre of mass off the axis [m].
    tension_y, tension_z: centre of tension (EA, EI); shear_y, shear_z: shear centre (GA, GJ), off the axis [m]. Give
              both alike for an elastic axis.
    twist:    of the section's y and z axes about x, right-handed [rad]; offsets, stiffness and inertia turn with it.
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
    inertia_x: Any = None
    inertia_y: Any = 0.0
    inertia_z: Any = 0.0

    def __post_init__(self) -> None:
        x = np.asarray(self.station, float)
        if x.ndim != 1 or len(x) < 2 or np.any(np.diff(x) < 0) or x[0] == x[-1]:
            raise ValueError("station must be two or more positions along the span that do not decrease")
        if np.any((x[2:] == x[1:-1]) & (x[1:-1] == x[:-2])):
            raise ValueError("station may repeat a position twice, for a jump, not more often")
        object.__setattr__(self, "station", x)
        for name in ("GA_y", "GA_z"):
            if getattr(self, name) is None:
                object.__setattr__(self, name, 0.3 * np.asarray(self.EA, float))
        if self.inertia_x is None:
            both = np.asarray(self.inertia_y, float) + np.asarray(self.inertia_z, float)
            object.__setattr__(self, "inertia_x", both)
        for field in dataclasses.fields(self)[1:]:
            object.__setattr__(self, field.name, self._column(field.name, x))

    def _column(self, name: str, x: np.ndarray) -> np.ndarray:
        given = np.asarray(getattr(self, name), float)
        if given.ndim and given.shape != x.shape:
            raise ValueError(f"{name} must be one number, or {len(x)} as the stations, got shape {given.shape}")
        values = np.broadcast_to(given, x.shape)
        if not np.all(np.isfinite(values)):
            raise ValueError(f"{name} must be finite numbers")
        if name in ("EA", "GA_y", "GA_z", "GJ", "EI_y", "EI_z") and values.min() <= 0:
            raise ValueError(f"{name} must be positive everywhere, got {values.min():g}")
        if name in ("mass", "inertia_x", "inertia_y", "inertia_z") and values.min() < 0:
            raise ValueError(f"{name} must not be negative, got {values.min():g}")
        return values

    # ---- values
    def at(self, name: str, x: float, side: str = "right") -> float:
        """A property at x [m]; where it jumps, the value on that side. Constant beyond the ends."""
        stations, values = self.station, getattr(self, name)
        k = int(np.clip(np.searchsorted(stations, x, side=side) - 1, 0, len(stations) - 2))  # type: ignore[call-overload]
        if stations[k + 1] == stations[k]:  # before the first or after the last jump
            return float(values[k + 1] if side == "right" else values[k])
        part = np.clip((x - stations[k]) / (stations[k + 1] - stations[k]), 0.0, 1.0)
        return float(values[k] + part * (values[k + 1] - values[k]))

    def stiffness(self, x: float) -> np.ndarray:
        """6x6 about the axis, in section axes, at x [m]."""
        at = lambda name: self.at(name, x)  # noqa: E731
        tension = [at("EA"), 0.0, 0.0, 0.0, at("EI_y"), at("EI_z")]
        shear = [0.0, at("GA_y"), at("GA_z"), at("GJ"), 0.0, 0.0]
        D = shifted(tension, at("tension_y"), at("tension_z")) + shifted(shear, at("shear_y"), at("shear_z"))
        return 0.5 * (D + D.T)

    def rotation(self, x: float) -> np.ndarray:
        """Section axes at x, against the untwisted ones."""
        return _about_x(self.at("twist", x))

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


def add_beam(
    model: Model,
    name: str,
    span: Span,
    *,
    root: Node,
    place: Placement | None = None,
    elements: int = 5,
    stations: Any = None,
    damping: float = 0.0,
    inertia: str = "distributed",
    velocity: Any = None,
    angular_velocity: Any = None,
) -> list[Node]:
    """Adds a beam of `Beam3` elements made from spanwise tables, clamped to a node; returns its nodes, root first.

    root, place: the node that holds the beam, and where x = station[0] and the untwisted axes lie in it.
    elements:    of equal length; or `stations`, the ends of the elements [m], from the first station to the last.
                 Let elements end where properties jump: inside one, the cuts see the values where they are.
    damping:     proportional to stiffness [s].
    inertia:     "distributed": `BeamMass3` along beams in balance by energy; frequencies of order 4. "lumped": a rigid
                 body at each node, the piece of beam around it with its exact inertia, and beams in balance by volumes;
                 frequencies of order 2, internal forces exact where loads act at the nodes. "none": static nodes.
    velocity, angular_velocity: of the root at the start, in world axes [m/s, rad/s]; those of the node if left out.
                 The beam starts as if rigid.

    Elements are called name.beam1, ..., nodes name.n1, ..., masses name.mass1, ... along the elements, or name.body0,
    ... at the nodes (0: at the root, if it is free). A node's axes are those of its section: x along the span, y and z
    twisted.
    """
    if inertia not in INERTIA:
        raise ValueError(f"inertia must be one of {', '.join(INERTIA)}, got {inertia!r}")
    ends = _ends(span, elements, stations)
    start = root.place @ (place or Placement())
    x = [ends[0]]
    for low, high in pairwise(ends):
        x += [0.5 * (low + high), high]
    worlds = [start @ Placement((at - ends[0], 0.0, 0.0), span.rotation(at)) for at in x]
    v = root.velocity if velocity is None else np.asarray(velocity, float)
    w = root.angular_velocity if angular_velocity is None else np.asarray(angular_velocity, float)
    nodes = [root]
    for k, world in enumerate(worlds[1:], 1):
        node = model.node(
            f"{name}.n{k}",
            world.position,
            world.rotation,
            velocity=v + cross(w, world.position - root.position),
            angular_velocity=w,
            static=inertia == "none",
        )
        nodes.append(node)
    for e in range(len(ends) - 1):
        a, b, c = nodes[2 * e : 2 * e + 3]
        middle, half = x[2 * e + 1], 0.5 * (ends[e + 1] - ends[e])
        one, two = (_section(span, middle + xi * half, damping) for xi in CUTS)
        first = root.local(worlds[0]) if e == 0 else None
        balance = "energy" if inertia == "distributed" else "volumes"
        model.add(f"{name}.beam{e + 1}", Beam3(a, b, c, place_a=first, section_1=one, section_2=two, balance=balance))
        if inertia == "distributed":
            masses = _masses(span, ends[e], ends[e + 1], f"element {e + 1} of beam {name!r}")
            model.add(f"{name}.mass{e + 1}", BeamMass3(a, b, c, place_a=first, **masses))
    if inertia == "lumped":
        _add_bodies(model, name, span, ends, nodes, start @ Placement((-ends[0], 0.0, 0.0)))
    return nodes


def _ends(span: Span, elements: int, stations: Any) -> np.ndarray:
    first, last = span.station[0], span.station[-1]
    if stations is None:
        if elements < 1:
            raise ValueError(f"elements = {elements} must be at least 1")
        return np.linspace(first, last, elements + 1)
    ends = np.asarray(stations, float)
    if ends.ndim != 1 or len(ends) < 2 or np.any(np.diff(ends) <= 0):
        raise ValueError("stations must be two or more increasing positions along the span")
    if not np.allclose(ends[[0, -1]], (first, last), rtol=1e-9, atol=1e-9 * (last - first)):
        raise ValueError(f"stations must run from {first:g} m to {last:g} m, as the tables do")
    return ends


def _section(span: Span, x: float, damping: float) -> Section:
    D = span.stiffness(x)
    return DampedSection(D, damping=damping) if damping else Section(D)


def _masses(span: Span, start: float, end: float, what: str) -> dict[str, SectionMass]:
    """Sections at the nodes of an element; one for all where they are alike."""
    found = []
    for piece, part in zip(span.slices(start, end), (1 / 6, 2 / 3, 1 / 6), strict=True):
        length = part * (end - start)
        if piece.mass <= 0.0:
            raise ValueError(
                f"{what}, from {start:g} m to {end:g} m, has no mass, or most of it on one side: give it some, let "
                'elements end where the mass jumps, or take inertia="lumped" or "none"'
            )
        J = piece.inertia / length
        if J[0, 0] <= 0.0:
            raise ValueError(
                f'{what} has no inertia about the span; give inertia_x, or inertia_y and inertia_z, or inertia="none"'
            )
        mass, thin = piece.mass / length, (THIN * 0.5 * (end - start)) ** 2
        J[[1, 2], [1, 2]] = np.maximum(J[[1, 2], [1, 2]], mass * thin)
        found.append(SectionMass(mass, inertia=J, com=piece.com))
    first, *others = found
    if all(_alike(first, other) for other in others):
        return {"section": first}
    return {f"section_{k + 1}": section for k, section in enumerate(found)}


def _alike(one: SectionMass, other: SectionMass) -> bool:
    """Equal but for the rounding of the integrals."""
    reach = np.sqrt(np.abs(one.inertia).max() / one.mass)
    return bool(
        np.isclose(one.mass, other.mass, rtol=1e-12, atol=0.0)
        and np.allclose(one.inertia, other.inertia, rtol=1e-12, atol=1e-12 * np.abs(one.inertia).max())
        and np.allclose(one.com, other.com, rtol=1e-12, atol=1e-12 * reach)
    )


def _add_bodies(model: Model, name: str, span: Span, ends, nodes: list[Node], axis: Placement) -> None:
    """One body a node: the finite volumes beside it, as the beams cut them. `axis`: the axis at x = 0 in the world."""
    cuts = [0.5 * (low + high) + 0.5 * (high - low) * xi for low, high in pairwise(ends) for xi in CUTS]
    borders = [ends[0], *cuts, ends[-1]]
    # the end node of an element and the first of the next are one: middle pieces and end pieces alternate
    for k, node in enumerate(nodes):
        if not node.free:
            continue
        piece = span.piece(borders[k], borders[k + 1])
        if piece.mass == 0.0:
            raise ValueError(f'beam {name!r}: no mass around node {node.name!r}; give it some, or inertia="none"')
        moments = np.linalg.eigvalsh(piece.inertia)
        if moments[0] <= 1e-12 * moments[-1]:
            raise ValueError(
                f"beam {name!r}: the piece around node {node.name!r} has no inertia about the span; give inertia_x, or "
                'inertia_y and inertia_z, or inertia="none"'
            )
        local = node.local(axis)
        R = local.rotation
        body = Body(node, mass=piece.mass, com=local.point(piece.com), inertia=R @ piece.inertia @ R.T)
        model.add(f"{name}.body{k}", body)


def _about_origin(p: np.ndarray) -> np.ndarray:
    """Inertia of a unit mass at p."""
    return p @ p * np.eye(3) - np.outer(p, p)


def _about_x(angle: float) -> np.ndarray:
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[1.0, 0.0, 0.0], [0.0, c, -s], [0.0, s, c]])
