"""Tabulated damper law."""

from __future__ import annotations

import numpy as np

from samara.elements.laws.law import Law
from samara.model import ModelError, table
from samara.tracing import Curve


class DamperTableLaw(Law):
    """A measured damper characteristic: table of effort [N or N m] against rate [m/s or rad/s].

    curve: a `samara.Curve`. At every point of the table effort and rate must have the same sign (or one be zero), so
    that energy is dissipated. The interpolation between the points is not checked: use "linear" or "smooth" if a spline
    overshoots near zero.
    """

    curve: Curve = table(unit="N or N m")

    def validate(self) -> None:
        super().validate()
        feeds = self.curve.x * self.curve.y < 0
        if np.any(feeds):
            k = int(np.argmax(feeds))
            raise ModelError(
                f"DamperTableLaw: curve generates energy at the rate {self.curve.x[k]:g} (effort {self.curve.y[k]:g}): "
                "effort and rate must have the same sign"
            )

    def viscous(self, q, rate):
        return self.curve(rate)
