"""A cantilevered wing with a pylon at its tip, reduced to a few modes: what a tiltrotor's rotor stands on."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from scipy.linalg import eigh

from samara.elements.modal.body import ModalBody
from samara.elements.modal.interface import ModalInterface
from samara.elements.modal.reduction import Reduction
from samara.model import Model, ModelError, Motion, Node
from samara.rotations import skew

#: Axes of wing and pylon in the world: x along the span (world y), y to the leading edge (world -x), z up.
AXES = np.array([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])


@dataclass(frozen=True)
class Wing:
    """A uniform wing and the pylon at its tip.

    length: half span [m]; mass [kg/m]; EI_beam: out of the wing's plane, EI_chord: in it, GJ, all [N m^2];
    pylon_mass [kg], pylon_inertia: about its own centre, in wing axes (pitch, roll, yaw of the aircraft) [kg m^2];
    pylon_ahead: its centre before the elastic axis [m]; damping: ratio to critical of each mode.
    """

    length: float
    mass: float
    EI_beam: float
    EI_chord: float
    GJ: float
    pylon_mass: float
    pylon_inertia: tuple[float, float, float]
    pylon_ahead: float
    damping: float

    def stiffer(self, factor: float) -> Wing:
        """The same wing with all stiffnesses a factor higher: frequencies grow with its square root."""
        if not factor > 0.0:
            raise ModelError(f"wing_stiffness must be positive, got {factor:g}")
        return replace(self, EI_beam=factor * self.EI_beam, EI_chord=factor * self.EI_chord, GJ=factor * self.GJ)

    def carrying(self, mass: float, ahead: float, inertia: float) -> Wing:
        """The same wing with a body condensed into its pylon: mass [kg], place before the elastic axis [m].

        inertia: of it about axes across the pylon, through its own centre [kg m^2].
        """
        total = self.pylon_mass + mass
        centre = (self.pylon_mass * self.pylon_ahead + mass * ahead) / total
        more = self.pylon_mass * (self.pylon_ahead - centre) ** 2 + mass * (ahead - centre) ** 2 + inertia
        pitch, roll, yaw = self.pylon_inertia
        return replace(
            self, pylon_mass=total, pylon_ahead=centre, pylon_inertia=(pitch + more, roll, yaw + more)
        )  # fmt: skip

    def reduction(self, modes: int, elements: int = 8) -> Reduction:
        """The slowest modes with the root held, pylon included; the point at the tip is called ``tip``.

        Slender beam elements (cubic in bending, linear in torsion and extension) with consistent mass. An amplitude is
        the largest displacement of a node, or its rotation times the length of the wing [m].
        """
        x = np.linspace(0.0, self.length, elements + 1)
        M, K = (np.zeros((6 * len(x), 6 * len(x))) for _ in range(2))
        for k in range(elements):
            part = slice(6 * k, 6 * k + 12)
            mass, stiffness = self._element(x[k + 1] - x[k])
            M[part, part] += mass
            K[part, part] += stiffness
        M[-6:, -6:] += self._pylon()
        values, vectors = eigh(K[6:, 6:], M[6:, 6:], subset_by_index=[0, modes - 1])
        shapes = np.vstack([np.zeros((6, modes)), vectors]).reshape(len(x), 6, modes)
        weight = np.array([1.0] * 3 + [self.length] * 3)[:, None]
        size = np.abs(shapes * weight).max(axis=(0, 1))
        return Reduction.from_arrays(
            np.column_stack([x, 0.0 * x, 0.0 * x]),
            shapes / size,
            M,
            values / size**2,
            2.0 * self.damping * np.sqrt(values) / size**2,
            names=[""] * elements + ["tip"],
        )

    def _element(self, h: float) -> tuple[np.ndarray, np.ndarray]:
        """Mass and stiffness of a beam of length h, six per node: displacements, rotations."""
        M, K = np.zeros((12, 12)), np.zeros((12, 12))
        ends = np.array([[2.0, 1.0], [1.0, 2.0]]) / 6.0
        pull = np.array([[1.0, -1.0], [-1.0, 1.0]]) / h
        for c, mass, stiffness in ((0, self.mass, self.EA), (3, self.polar, self.GJ)):
            at = np.ix_([c, c + 6], [c, c + 6])
            M[at], K[at] = mass * h * ends, stiffness * pull
        bend = np.array(
            [[12, 6 * h, -12, 6 * h], [6 * h, 4 * h**2, -6 * h, 2 * h**2],
             [-12, -6 * h, 12, -6 * h], [6 * h, 2 * h**2, -6 * h, 4 * h**2]]
        ) / h**3  # fmt: skip
        move = np.array(
            [[156, 22 * h, 54, -13 * h], [22 * h, 4 * h**2, 13 * h, -3 * h**2],
             [54, 13 * h, 156, -22 * h], [-13 * h, -3 * h**2, -22 * h, 4 * h**2]]
        ) * h / 420  # fmt: skip
        # a slope is a rotation about z in the plane x-y, and about -y in the plane x-z
        for places, sign, EI in (([1, 5, 7, 11], 1.0, self.EI_chord), ([2, 4, 8, 10], -1.0, self.EI_beam)):
            turn = np.outer([1.0, sign, 1.0, sign], [1.0, sign, 1.0, sign])
            at = np.ix_(places, places)
            M[at], K[at] = M[at] + self.mass * move * turn, K[at] + EI * bend * turn
        return M, K

    def _pylon(self) -> np.ndarray:
        """Mass matrix of the pylon at the tip."""
        c = skew(np.array([0.0, self.pylon_ahead, 0.0]))
        m = self.pylon_mass
        return np.block([[m * np.eye(3), -m * c], [m * c, np.diag(self.pylon_inertia) - m * c @ c]])

    @property
    def EA(self) -> float:
        """Stiffness against extension [N]: far from any mode of interest."""
        return 1e3 * self.EI_chord / self.length**2

    @property
    def polar(self) -> float:
        """Inertia about the span per unit length [kg m]: that of the wing's skin, of a radius of 0.15 m."""
        return self.mass * 0.15**2


def add_wing(model: Model, name: str, wing: Wing, modes: int = 4) -> Node:
    """Adds the wing on a root that does not move, and its pylon; returns the pylon's node, at the tip of the wing.

    The tip is at the world's origin at the start. The modes are part of a `ModalBody`; the pylon's node has no mass of
    its own and follows the tip.
    """
    root = model.prescribed(f"{name}.root", Motion(), (0.0, -wing.length, 0.0), AXES)
    pylon = model.node("pylon", (0.0, 0.0, 0.0), AXES, static=True)
    body = model.add(name, ModalBody(root, reduction=wing.reduction(modes)))
    model.add(f"{name}.tip", ModalInterface(root, pylon, body=body, point="tip"))
    return pylon
