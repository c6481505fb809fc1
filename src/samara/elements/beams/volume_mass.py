"""What the distributed masses of beams share: inertia of the pieces between the cuts, given to their nodes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, ClassVar

import numpy as np

from samara.elements.beams.along import Along
from samara.elements.beams.section_mass import SectionMass
from samara.model import Contribution, Frame, Output, Site, driven
from samara.rotations import cross, dot

XYZ = ("x", "y", "z")
#: Quadrature inside a piece: exact to degree 11, so for all polynomials that occur in a straight beam.
_POINTS, _WEIGHTS = np.polynomial.legendre.leggauss(6)


class VolumeMass(Along):
    """Base of the distributed masses: piece i of the beam, between two cuts, gives node i what it takes to move it.

        F_i = int_i m (a - g) dx,     M_i = int_i m (q - x_i) x (a - g) + sum_k N_k d(J w_k)/dt dx
        q = sum_k N_k q_k,     a = sum_k N_k a_k

    q_k, a_k: centre of mass of the section at node k and its acceleration; N_k: polynomials of the beam through its
    nodes; x_i: the node; J: inertia of the section about its centre; w_k: angular velocity of node k.
    """

    inertial = True
    #: ends of the pieces in the beam's parameter, -1 to 1
    borders: ClassVar[tuple[float, ...]]

    gravity: Any = driven(None, unit="m/s^2", size=3)
    #: filled in by a subclass' own field: integrals of N_j N_k over each piece [m], j <= k
    weights: ClassVar[Any]

    # ---- what a subclass says
    @staticmethod
    def shapes(xi: float) -> Sequence[float]:
        """N_k at a parameter."""
        raise NotImplementedError

    @staticmethod
    def slopes(xi: float) -> Sequence[float]:
        """Derivatives of N_k."""
        raise NotImplementedError

    # ---- description
    def section_names(self) -> list[str]:
        return [f"section_{k + 1}" for k in range(len(self.borders) - 1)]

    def prepare(self) -> None:
        super().prepare()
        worlds = self.worlds()
        chord = worlds[-1].position - worlds[0].position
        if min(float(w.rotation[:, 0] @ chord) for w in worlds) <= 0:
            raise ValueError(
                "has its nodes out of order, or its sections turned: their x axes must point along the beam from a to "
                f"{self.along()[-1]}; turn the nodes or give place_a, place_b, ..."
            )
        points = np.array([w.position for w in worlds])
        object.__setattr__(self, "weights", np.array([self._integrals(points, *ends) for ends in pairwise(self.borders)]))

    def _integrals(self, points: np.ndarray, low: float, high: float) -> np.ndarray:
        """Of N_j N_k over a piece of the undeformed beam, j <= k [m]."""
        total, half = 0.0, 0.5 * (high - low)
        for point, weight in zip(_POINTS, _WEIGHTS, strict=True):
            xi = 0.5 * (low + high) + half * point
            N = np.array(self.shapes(xi))
            total = total + half * weight * np.linalg.norm(np.array(self.slopes(xi)) @ points) * np.outer(N, N)
        return np.asarray(total)[np.triu_indices(len(points))]

    @property
    def mass(self) -> float:
        """Of the whole element [kg]."""
        return sum(float(getattr(self, name).mass) * W.sum() for name, W in zip(self.section_names(), self._matrices()))

    # ---- pieces alike share their numbers in the kernel
    def _alike(self) -> bool:
        first, *others = (getattr(self, name) for name in self.section_names())
        return all(other is first for other in others)

    def structure(self) -> tuple:
        return (*super().structure(), self._alike())

    def rebuild(self, leaves: Iterator) -> Any:
        twin = super().rebuild(leaves)
        for name in self.section_names()[1:] if self._alike() else ():
            setattr(twin, name, twin.section_1)
        return twin

    # ---- equations
    def _matrices(self) -> list[np.ndarray]:
        """The integrals of N_j N_k over each piece, as matrices."""
        count = len(self.along())
        rows, columns = np.triu_indices(count)
        found = []
        for row in np.asarray(self.weights):
            full = np.zeros((count, count), dtype=row.dtype)
            full[rows, columns] = full[columns, rows] = row
            found.append(full)
        return found

    def _section_frames(self, frames: list[Frame]) -> list[Frame]:
        found = []
        for name, frame in zip(self.along(), frames, strict=True):
            offset, turn = getattr(self, f"_at_{name}")
            if turn is not None:
                found.append(frame.at(getattr(self, f"place_{name}")))
            elif offset is not None:
                v, dv = frame.v + cross(frame.w, offset), frame.dv + cross(frame.dw, offset)
                found.append(Frame(frame.R, frame.point(offset), v, frame.w, dv, frame.dw))
            else:
                found.append(frame)
        return found

    def formulate(self, site: Site) -> Contribution:
        nodes = list(self._named(site.frames).values())
        at = self._section_frames(nodes)
        g = site.world.R @ np.asarray(self.gravity)
        masses: dict[int, _Motion] = {}
        wrenches, kinetic, outputs = [], 0.0, np.zeros(6)
        for i, (name, W) in enumerate(zip(self.section_names(), self._matrices(), strict=True)):
            section = getattr(self, name)
            move = masses.setdefault(id(section), _Motion(section, at, g))
            wrenches.append(_on_node(nodes[i], section.mass * W, W.sum(axis=1), move))
            kinetic = kinetic + _kinetic(section.mass * W, W.sum(axis=1), move)
            outputs = outputs + _momentum(section.mass * W, W.sum(axis=1), move, site.world)
        fall = site.measure(lambda *frames: [self._height(site, frames)])
        return Contribution(
            wrenches=self._ordered(wrenches),
            kinetic=kinetic,
            potential=fall.value[0],
            supplied=fall.drift[0],  # a gravity that changes in time brings energy along
            outputs=[
                Output("momentum", "kg m/s", outputs[:3], XYZ, "linear momentum, world axes"),
                Output("angular_momentum", "kg m^2/s", outputs[3:], XYZ, "about the world's origin, world axes"),
            ],
        )

    def _height(self, site: Site, frames):
        """Potential of the weight, zero at the world's origin [J]."""
        at, total = self._section_frames(list(self._named(frames).values())), 0.0
        for name, W in zip(self.section_names(), self._matrices(), strict=True):
            section = getattr(self, name)
            for frame, weight in zip(at, section.mass * W.sum(axis=1), strict=True):
                total = total - weight * dot(self.gravity, site.world.see(_centre(frame, section)))
        return total


class _Motion:
    """A section's mass as it moves with each node, in the axes of the element."""

    def __init__(self, section: SectionMass, at: list[Frame], g) -> None:
        c, J = section.com, section.inertia
        self.place = [_centre(f, section) for f in at]
        self.velocity = [f.R @ (f.v if c is None else f.v + cross(f.w, c)) for f in at]
        self.felt = [f.R @ _acceleration(f, c) - g for f in at]
        self.spin = [J @ f.w for f in at]
        self.turned = [f.R @ h for f, h in zip(at, self.spin, strict=True)]
        self.couple = [f.R @ (J @ f.dw + cross(f.w, h)) for f, h in zip(at, self.spin, strict=True)]
        self.energy = [0.5 * dot(f.w, h) for f, h in zip(at, self.spin, strict=True)]


def _centre(frame: Frame, section: SectionMass):
    return frame.p if section.com is None else frame.point(section.com)


def _acceleration(f: Frame, c):
    own = f.dv + cross(f.w, f.v)
    return own if c is None else own + cross(f.dw, c) + cross(f.w, cross(f.w, c))


def _sum(weights, vectors):
    return sum(w * v for w, v in zip(weights, vectors, strict=True))


def _on_node(node: Frame, W, own, move: _Motion):
    """Force and moment about the node, in its axes."""
    parts = [_sum(row, move.felt) for row in W]
    force, moment = sum(parts), _sum(own, move.couple)
    for place, part in zip(move.place, parts, strict=True):
        if place is not node.p:
            moment = moment + cross(place - node.p, part)
    return np.concatenate([node.R.T @ force, node.R.T @ moment])


def _kinetic(W, own, move: _Motion):
    translation = sum(dot(v, _sum(row, move.velocity)) for row, v in zip(W, move.velocity, strict=True))
    return 0.5 * translation + _sum(own, move.energy)


def _momentum(W, own, move: _Motion, world: Frame):
    """Linear and angular momentum about the world's origin, in its axes."""
    linear, angular = np.zeros(3), _sum(own, move.turned)
    for place, row in zip(move.place, W, strict=True):
        part = _sum(row, move.velocity)
        linear, angular = linear + part, angular + cross(place - world.p, part)
    return np.concatenate([world.R.T @ linear, world.R.T @ angular])
