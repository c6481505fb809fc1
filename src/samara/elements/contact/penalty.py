"""Penalty contact: a force law of the indentation, and regularised friction, on the same geometry."""

from __future__ import annotations

import numpy as np

from samara.elements.contact.contact import NTT
from samara.elements.contact.touching import Touching
from samara.elements.laws.friction import smooth_direction
from samara.elements.laws.law import Law
from samara.model import Contribution, Output, Site, number, record
from samara.rotations import dot
from samara.tracing import fmax


class PenaltyContact(Touching):
    """Penalty contact of a surface and a rounded shape: a force law of the indentation, with regularised friction.

        force_n = max(law(d, dd/dt), 0),  d = -gap > 0;     force_t = -friction force_n s(|slip|) slip / |slip|

    surface, shape: the contact pair, see `Touching`. law: a `Law` of the indentation d [m] and its rate, whose effort
                    is
    the normal force: `HuntCrossleyLaw`, `FloresLaw`, `LankaraniNikraveshLaw`, `ContactLaw`, or any stiff spring.
    friction: Coulomb coefficient >= 0. transition: slip below which friction is regularised [m/s]; instead of sticking,
    contacts creep below this speed.

    It works in both formulations and with all integrators, but steps must resolve the indentation. `Contact` has the
    same geometry without indentation.
    """

    law: Law = record(of=Law, such_as="HuntCrossleyLaw(1e8, 0.8, 1.0)")
    friction: float = number(default=0.0, nonnegative=True)
    transition: float = number(default=1e-3, unit="m/s", positive=True)

    def formulate(self, site: Site) -> Contribution:
        gap = site.measure(lambda a, b: [self.nearest(a, b).gap])
        speeds = site.measure_rates(self.speeds)
        depth, u = fmax(-gap.value[0], 0.0), speeds.value
        normal = fmax(self.law(depth, -u[0]), 0.0)
        slip = u[1:]
        rub = -self.friction * normal * smooth_direction(dot(slip, slip), self.transition)
        force = np.array([normal, rub * slip[0], rub * slip[1]])
        return Contribution(
            wrenches=speeds.wrenches(-force),
            clearance=(gap.value[0], u[0]) if self.surface.passable else None,
            potential=self.law.potential(depth),
            dissipated=-dot(force, u) + self.law.elastic(depth) * u[0],
            outputs=[
                Output("gap", "m", gap.value[0], description="from the surface to the shape, negative in overlap"),
                Output("velocity", "m/s", u, NTT, "of b against a where they are nearest"),
                Output("force", "N", force, NTT, "on b, along the normal and two tangents"),
            ],
        )
