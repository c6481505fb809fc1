"""A cantilevered wing with a pylon at its tip, reduced to a few modes: what a tiltrotor's rotor stands on."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from samara.elements import Body, ModalBody, ModalInterface, Reduction, Span, add_beam
from samara.model import Model, Motion, Node

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

    def reduction(self, modes: int, elements: int = 4) -> tuple[Reduction, str]:
        """The slowest modes with the root held, pylon included, and the name of the point at the tip."""
        from samara.analysis import craig_bampton  # solves: loaded only when it is needed

        alone = Model("wing alone")
        span = Span(
            station=[0.0, self.length],
            mass=self.mass,
            EA=1e3 * self.EI_chord / self.length**2,
            GJ=self.GJ,
            EI_y=self.EI_beam,
            EI_z=self.EI_chord,
            inertia_y=1e-3 * self.mass,
            inertia_z=2e-2 * self.mass,
        )
        tip = add_beam(alone, "wing", span, root=alone.node("root"), elements=elements)[-1]
        pylon = {"mass": self.pylon_mass, "inertia": self.pylon_inertia, "com": (0.0, self.pylon_ahead, 0.0)}
        alone.add("pylon", Body(tip, **pylon))
        return craig_bampton(alone, "root", modes=modes, damping=self.damping), tip.name


def add_wing(model: Model, name: str, wing: Wing, modes: int = 4) -> Node:
    """Adds the wing on a root that does not move, and its pylon; returns the pylon's node, at the tip of the wing.

    The tip is at the world's origin at the start. The modes are part of a `ModalBody`; the pylon's node has no mass of
    its own and follows the tip.
    """
    reduction, point = wing.reduction(modes)
    root = model.prescribed(f"{name}.root", Motion(), (0.0, -wing.length, 0.0), AXES)
    pylon = model.node("pylon", (0.0, 0.0, 0.0), AXES, static=True)
    body = model.add(name, ModalBody(root, reduction=reduction))
    model.add(f"{name}.tip", ModalInterface(root, pylon, body=body, point=point))
    return pylon
