"""Base of masses along beams: kinetic energy by quadrature at the nodes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from samara.elements.beams.along import AlongBeam
from samara.elements.beams.section_mass import SectionMass
from samara.elements.families import XYZ
from samara.model import Contribution, Frame, Output, Site, Slice, Sliced, driven
from samara.rotations import cross, dot

#: Quadrature along an element: exact to degree 11.
_POINTS, _WEIGHTS = np.polynomial.legendre.leggauss(6)


class LineMass(AlongBeam, Sliced):
    """Base of the masses along beams: node k carries a slice of the length l_k, rigid in the node.

        T = sum_k l_k (m |u_k|^2 + w_k . J w_k) / 2,     l_k = int N_k dx

    u_k: velocity of the slice's centre of mass; w_k: angular velocity of the node; N_k: polynomials through the nodes,
    defined by the subclass.

    gravity: [m/s^2], world axes, by default that of the model.
    """

    gravity: Any = driven(default=None, unit="m/s^2", size=3)

    # ---- what a subclass says
    @staticmethod
    def shapes(xi: float) -> Sequence[float]:
        """N_k at a parameter, -1 to 1."""
        raise NotImplementedError

    @staticmethod
    def slopes(xi: float) -> Sequence[float]:
        """Derivatives of N_k."""
        raise NotImplementedError

    # ---- description
    def section_names(self) -> list[str]:
        return [f"section_{k + 1}" for k in range(len(self.along()))]

    def prepare(self) -> None:
        super().prepare()
        worlds = self.worlds()
        chord = worlds[-1].position - worlds[0].position
        along = chord / np.linalg.norm(chord)
        self._check_axis(min(float(w.rotation[:, 0] @ along) for w in worlds), 0.0)
        points = np.array([w.position for w in worlds])
        self.lengths = [self._lengths(points)]

    def _lengths(self, points: np.ndarray) -> np.ndarray:
        """Integrals of N_k along the undeformed beam [m]."""
        total = np.zeros(len(points))
        for xi, weight in zip(_POINTS, _WEIGHTS, strict=True):
            total += weight * np.linalg.norm(np.array(self.slopes(xi)) @ points) * np.array(self.shapes(xi))
        return total

    @property
    def mass(self) -> float:
        """Of the whole element [kg]."""
        sections = [getattr(self, name) for name in self.section_names()]
        return float(sum(float(s.mass) * w for s, w in zip(sections, np.ravel(self.lengths), strict=True)))

    def total_mass(self) -> float:
        return self.mass

    def slices(self) -> Iterator[Slice]:
        for name, section, length in zip(self.along(), self.section_names(), np.ravel(self.lengths), strict=True):
            place, record = getattr(self, f"place_{name}"), getattr(self, section)
            J = place.rotation @ np.asarray(record.inertia, float) @ place.rotation.T
            com = place.point(np.asarray(record.com, float))
            yield Slice(getattr(self, name), length * float(record.mass), com, length * J)

    # ---- slices alike share their numbers in the kernel
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
    def _slices(self, frames) -> list[tuple[Frame, SectionMass, Any]]:
        """Section frame, section and length of each slice along the beam."""
        found = []
        lengths = np.ravel(self.lengths)
        for (name, frame), section, length in zip(self._named(frames).items(), self.section_names(), lengths):
            offset, turn = getattr(self, f"_at_{name}")
            if turn is not None:
                frame = frame.at(getattr(self, f"place_{name}"))
            elif offset is not None:
                frame = frame.shifted(offset)
            found.append((frame, getattr(self, section), length))
        return found

    def formulate(self, site: Site) -> Contribution:
        world, slices = site.world, self._slices(site.frames)
        g = world.R @ np.asarray(self.gravity)
        wrenches, kinetic, linear, angular = [], 0.0, np.zeros(3), np.zeros(3)
        for name, (f, section, length) in zip(self.along(), slices, strict=True):
            c, J, m = section.com, section.inertia, length * section.mass
            u = f.v if c is None else f.v + cross(f.w, c)
            spin = J @ f.w
            force = m * (_acceleration(f, c) - f.R.T @ g)
            couple = length * (J @ f.dw + cross(f.w, spin))
            wrenches.append(self._at_node(name, force, couple if c is None else couple + cross(c, force)))
            kinetic = kinetic + 0.5 * (m * dot(u, u) + length * dot(f.w, spin))
            momentum, where = f.R @ (m * u), f.p if c is None else f.point(c)
            linear = linear + momentum
            angular = angular + cross(where - world.p, momentum) + f.R @ (length * spin)
        fall = site.measure(lambda *frames: [self._fall(site, frames)])
        return Contribution(
            wrenches=self._ordered(wrenches),
            kinetic=kinetic,
            potential=fall.value[0],
            supplied=fall.drift[0],  # a gravity that changes in time brings energy along
            outputs=[
                Output("momentum", "kg m/s", world.R.T @ linear, XYZ, "linear momentum, world axes"),
                Output("angular_momentum", "kg m^2/s", world.R.T @ angular, XYZ, "about the world's origin, its axes"),
            ],
        )

    def _at_node(self, name: str, force, moment):
        """A wrench at the section, in its axes, as the node has it."""
        offset, turn = getattr(self, f"_at_{name}")
        if turn is not None:
            force, moment = turn @ force, turn @ moment
        return np.concatenate([force, moment if offset is None else moment + cross(offset, force)])

    def _fall(self, site: Site, frames):
        """Potential of the weight, zero at the world's origin [J]."""
        total = 0.0
        for f, section, length in self._slices(frames):
            where = f.p if section.com is None else f.point(section.com)
            total = total - length * section.mass * dot(self.gravity, site.world.see(where))
        return total


def _acceleration(f: Frame, c):
    """Of the point c, in the frame's own axes."""
    s = f.carried
    own = s.dv + cross(s.w, s.v)
    return own if c is None else own + cross(s.dw, c) + cross(s.w, cross(s.w, c))
