"""The body of a craft: mass, drag and appearance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from samara.elements.aero.rotors.rotor import Rotor
from samara.elements.aero.surfaces.drag import Drag
from samara.elements.aero.wind.air import Air
from samara.model import Model, Node
from samara.models.parts.masses import MassProperties


@dataclass(frozen=True)
class Airframe:
    """A rigid body with the drag of flat plates, axes aft, to the right, up.

    body:  its mass. areas: flat-plate areas along, across, from above [m^2]; None: no drag.
    wake:  how many times the induced velocity of a rotor arrives there, see `Drag`.
    hull:  sections for drawing: aft, half width, half height, height of the middle [m].
    round: power to which the sections are rounded: 1 an ellipse, 0 a rectangle.
    """

    body: MassProperties
    areas: Any = None
    wake: float = 1.0
    hull: Sequence[tuple[float, float, float, float]] = ()
    round: float = 1.0

    def add(self, model: Model, node: Node, air: Air | None = None, rotor: Rotor | None = None) -> None:
        """Adds fuselage.body, fuselage.drag, in the wake of a rotor if there is one, and the hull."""
        name = node.name
        self.body.add(model, f"{name}.body", node)
        if self.hull:
            around = np.linspace(0.0, 2 * np.pi, 20, endpoint=False)
            y, z = (np.sign(w) * np.abs(w) ** self.round for w in (np.cos(around), np.sin(around)))
            model.adorn(
                f"{name}.hull", node, [np.column_stack([0 * y + x, w * y, up + h * z]) for x, w, h, up in self.hull]
            )
        if self.areas is not None:
            felt: dict[str, Any] = {"air": air} if rotor is None else {"rotor": rotor, "factor": self.wake}
            model.add(f"{name}.drag", Drag(node, area=self.areas, **felt))
