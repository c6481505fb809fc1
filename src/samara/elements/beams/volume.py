"""Base of beams: strains at the cuts, section forces, and the resulting nodal forces."""

from __future__ import annotations

import dataclasses
import functools
from typing import Any, ClassVar, NamedTuple

import numpy as np

from samara.elements.beams.along import AlongBeam
from samara.elements.beams.section import Section
from samara.elements.families import XYZ
from samara.model import Contribution, GivesShape, Output, Site, Sketch, option
from samara.rotations import cayley_from_rotation, cross
from samara.tracing import cut

#: Half thickness by length at which the drawing of a beam ends.
THICKEST = 0.15


class BeamCut(NamedTuple):
    """The beam at a cut: point, its slope, section axes, and curvature in them; slopes per unit of the parameter."""

    point: Any
    slope: Any
    R: Any
    curvature: Any


class VolumeBeam(AlongBeam, GivesShape):
    """Base of the beams: strains and section forces at cuts between the nodes.

        e = (R^T p', k) - (the same in the reference pose),     (F, M) = D e + D_v e_dot

    A subclass lists its nodes along the beam and defines the line at each cut as a function of the section frames. The
    strain-free shape is the initial one.

    balance: how the nodal forces are formed. "energy": from the virtual work of the section forces, sum over the cuts
             of length (F, M) . de; robust in dynamics. "volumes": the pieces between the cuts are in equilibrium with
             the section forces at their ends (finite volumes); better in statics.
    """

    count: ClassVar[int]

    balance: str = option(default="energy", choices=("energy", "volumes"))

    # ---- what a subclass says
    def at_cut(self, k: int, R: list, p: list) -> BeamCut:
        """The line at cut k, from the axes and points of the sections along the beam."""
        raise NotImplementedError

    # ---- description
    def section_names(self) -> list[str]:
        return [f"section_{k + 1}" for k in range(self.count)]

    def prepare(self) -> None:
        super().prepare()
        worlds = self.worlds()
        rows = []
        for k in range(self.count):
            line = self.at_cut(k, [w.rotation for w in worlds], [w.position for w in worlds])
            length = float(np.linalg.norm(line.slope))
            strain = np.concatenate([line.R.T @ line.slope, line.curvature]) / length
            self._check_axis(float(strain[0]), 0.5)
            rows.append([*strain, length])
        self.rest = np.array(rows)

    # ---- what it looks like
    def draw(self, sketch: Sketch) -> None:
        """A rectangle of sides a, b at every node, E a b = EA, E a b^3 / 12 = EI: half sides sqrt(3 EI / EA)."""
        D = np.array([np.diag(getattr(self, name).stiffness) for name in self.section_names()], float)
        worlds = self.worlds()
        most = THICKEST * float(np.linalg.norm(worlds[-1].position - worlds[0].position))
        # bending about z makes the width, about y the height
        half = np.minimum(np.sqrt(3.0 * D[:, [5, 4]] / D[:, :1]), most)
        cuts = np.linspace(0.0, 1.0, len(half)) if len(half) > 1 else np.zeros(1)
        rings = []
        for where, name in zip(np.linspace(0.0, 1.0, len(worlds)), self.along(), strict=True):
            width, height = (float(np.interp(where, cuts, column)) for column in half.T)
            corners = np.array([[0.0, y * width, z * height] for y, z in ((-1, 1), (1, 1), (1, -1), (-1, -1))])
            place = getattr(self, f"place_{name}")
            rings.append((getattr(self, name), place.position + corners @ place.rotation.T))
        stations = 0.5 + 0.5 * np.polynomial.legendre.leggauss(len(D))[0]
        sketch.skin("beam", rings, of=self.nodes(), bodies=True, inner=True, stations=stations.tolist())

    # ---- equations
    def _sections(self, frames: dict) -> tuple[list, list]:
        """Axes and points of the sections along the beam."""
        R, p = [], []
        for name in self.along():
            frame, (offset, turn) = frames[name], getattr(self, f"_at_{name}")
            R.append(frame.R if turn is None else cut(frame.R @ turn))
            p.append(frame.p if offset is None else cut(frame.point(offset)))
        return R, p

    def _line(self, k: int, *frames) -> BeamCut:
        return self.at_cut(k, *self._sections(self._named(frames)))

    def _strain(self, k: int, *frames):
        line, per_length = self._line(k, *frames), 1.0 / self.rest[k, 6]
        total = np.concatenate([line.R.T @ (line.slope * per_length), line.curvature * per_length])
        return total - self.rest[k, :6]

    def formulate(self, site: Site) -> Contribution:
        cuts, outputs = [], []
        wrenches: Any = 0.0
        energy, heat = 0.0, 0.0
        for k, name in enumerate(self.section_names()):
            section: Section = getattr(self, name)
            length = self.rest[k, 6]
            strain = self._measured(site, k, section.viscous)
            e, rate = strain.value, strain.rate
            forces = section.forces(e, rate)
            if self.balance == "energy":
                wrenches = wrenches + np.array(strain.wrenches(length * forces))
            else:
                line = self._line(k, *site.frames)
                cuts.append((line.point, cut(line.R @ forces[:3]), cut(line.R @ forces[3:])))
            energy = energy + length * section.energy(e)
            heat = heat + length * section.dissipation(e, rate)
            outputs += _outputs(k, e, forces)
        if self.balance == "volumes":
            wrenches = self._ordered(balance(list(self._named(site.frames).values()), cuts))
        return Contribution(wrenches=list(wrenches), potential=energy, dissipated=heat, outputs=outputs)

    def _measured(self, site: Site, k: int, viscous: bool) -> Any:
        """Strains at a cut, with rates and virtual work if they matter."""
        strain = functools.partial(self._strain, k)
        if self.balance == "energy":
            measured = site.measure(strain)
            return measured if viscous else _Strain(measured.value, wrenches=measured.wrenches)
        if not viscous:
            return _Strain(strain(*site.frames))
        return site.measure(strain)


@dataclasses.dataclass(frozen=True)
class _Strain:
    """Strains whose rates do not matter."""

    value: Any
    rate: Any = dataclasses.field(default_factory=lambda: np.zeros(6))
    wrenches: Any = None


def _outputs(k: int, e, forces) -> list[Output]:
    where = f"at cut {k + 1}, in section axes"
    return [
        Output(f"force_{k + 1}", "N", forces[:3], XYZ, f"internal force {where}"),
        Output(f"moment_{k + 1}", "N m", forces[3:], XYZ, f"internal moment {where}"),
        Output(f"strain_{k + 1}", "1", e[:3], XYZ, f"axial and shear strain {where}"),
        Output(f"curvature_{k + 1}", "1/m", e[3:], XYZ, f"twist and bending {where}"),
    ]


def relative(R_ref, R) -> np.ndarray:
    """Gibbs-Rodrigues parameters of R against R_ref."""
    return cut(cayley_from_rotation(R_ref.T @ R))


def balance(frames, cuts) -> list[np.ndarray]:
    """What each node's equations receive: its piece is loaded by the section forces at the cuts beside it.

    frames: of the nodes along the beam; cuts: (point, force, moment) between them, in common axes, as exerted by the
    outer part (towards the last node) on the inner one. A node feels the cut after it and the opposite of that before.
    """
    wrenches = []
    for k, frame in enumerate(frames):
        force, moment = np.zeros(3), np.zeros(3)
        for sign, neighbour in ((1.0, k), (-1.0, k - 1)):
            if 0 <= neighbour < len(cuts):
                point, F, M = cuts[neighbour]
                force = force + sign * F
                moment = moment + sign * (M + cross(point - frame.p, F))
        wrenches.append(-np.concatenate([frame.R.T @ force, frame.R.T @ moment]))
    return wrenches
