"""Contact: surfaces that cannot overlap, with impacts and dry friction."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from samara.elements.contact.touching import Touching, require_movable
from samara.elements.families import XYZ
from samara.model import Contribution, Element, Output, Site, Surveying, Touch, number
from samara.rotations import dot

NTT = ("normal", "first", "second")


class Contact(Touching, Surveying):
    """Rigid contact of a surface and a rounded shape: unilateral contact, impacts, Coulomb friction.

        gap >= 0,     force_n >= 0,     |force_t| <= friction force_n, against the slip
        u_n(+) = -restitution u_n(-) in an impact (Newton's law)

    surface, shape: the contact pair, see `Touching`. friction: Coulomb coefficient >= 0; 0: frictionless.
    restitution:    0 (plastic) to 1 (elastic).

    Forces are set-valued: no stiffness, no indentation. They are solved together with the motion, see
    `samara.complementarity`. A `PenaltyContact` has the same geometry and a force law instead.

    Channels: gap [m], velocity of b relative to a along the normal and two tangents [m/s], force on b [N] along the
    same; normal from a to b in axes of b. In the recursive formulation the force is the mean over a step, including
    impact impulses. In the redundant formulation it is the force at the end of the step; impacts are instantaneous, and
    their impulses are not part of it.
    """

    friction: float = number(default=0.0, nonnegative=True)
    restitution: float = number(default=0.0, nonnegative=True)

    def validate(self) -> None:
        super().validate()
        if float(self.restitution) > 1.0:
            raise ValueError(f"restitution must be from 0 to 1, got {float(self.restitution):g}")

    def survey(self, elements: Iterable[Element]) -> None:
        require_movable(self.nodes())

    def formulate(self, site: Site) -> Contribution:
        gap = site.measure(lambda a, b: [self.nearest(a, b).gap])
        speeds = site.measure_rates(self.speeds)
        force = site.multipliers(3)
        wrenches = speeds.wrenches(-force)
        found = self.nearest(*site.frames)
        return Contribution(
            wrenches=wrenches,
            touch=Touch(gap.value[0], speeds.value, self.friction, self.restitution, self.surface.passable),
            supplied=dot(force, speeds.value),  # what contacts take, in impacts and by friction, counts as negative
            outputs=[
                Output("gap", "m", gap.value[0], description="from the surface to the shape, negative in overlap"),
                Output("velocity", "m/s", speeds.value, NTT, "of b against a where they are nearest"),
                Output("force", "N", force, NTT, "on b, along the normal and two tangents"),
                Output("normal", "1", np.asarray(found.normal), XYZ, "from a to b, in axes of b"),
            ],
        )
