"""Mass properties of a rigid part."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from samara.elements.bodies.body import Body
from samara.model import Model, ModelError, Node, Placement


@dataclass(frozen=True)
class MassProperties:
    """Mass [kg], centre of mass [m] and inertia about it [kg m^2], in the axes of the part.

    com: of a blade and of what is between its hinges from the shaft, x out along the span, z up.
    inertia: three principal moments, or a symmetric 3x3 matrix.
    """

    mass: float
    com: Any = (0.0, 0.0, 0.0)
    inertia: Any = (0.0, 0.0, 0.0)

    def add(self, model: Model, name: str, node: Node, place: Placement | None = None) -> Body:
        """Adds the body to a node; place: of these axes in it, its own if none."""
        com, inertia = np.asarray(self.com, float), self.inertia
        if place is not None:
            com = place.point(com)
            if not np.array_equal(place.rotation, np.eye(3)):
                full = np.diag(inertia) if np.ndim(inertia) == 1 else np.asarray(inertia, float)
                inertia = place.rotation @ full @ place.rotation.T
        return model.add(name, Body(node, mass=self.mass, com=com, inertia=inertia))

    def without(self, points: Sequence[tuple[float, Sequence[float]]]) -> MassProperties:
        """What is left when point masses are taken off: (mass [kg], place [m]) of each, in the same axes."""
        own = np.asarray(self.com, float)
        inertia = np.diag(self.inertia) if np.ndim(self.inertia) == 1 else np.asarray(self.inertia, float)
        taken = [(float(m), np.asarray(p, float)) for m, p in points]
        mass = self.mass - sum(m for m, _ in taken)
        if mass <= 0.0:
            raise ModelError(f"MassProperties: {self.mass:g} kg is less than the {self.mass - mass:g} kg taken off")
        com = (self.mass * own - np.sum([m * p for m, p in taken], axis=0)) / mass
        for m, p in (*taken, (mass, com)):
            d = p - own
            inertia = inertia - m * (d @ d * np.eye(3) - np.outer(d, d))
        if np.linalg.eigvalsh(inertia)[0] <= 0.0:
            raise ModelError("MassProperties: without these point masses no inertia is left")
        return MassProperties(mass, com, inertia)
