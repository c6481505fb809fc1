"""One-sided law."""

from __future__ import annotations

from typing import Literal

from samara.elements.laws.law import Law
from samara.model import number, option, record
from samara.tracing import fmax, fmin

#: An onset shorter than this is sharp [m or rad].
SHARP = 1e-12


class OneSidedLaw(Law):
    """Applies another law beyond a gap only, without adhesion: a stop, a contact, a cable.

        x = gap - q ("compression"),  or  q - gap ("tension");      effort = -+ max(law(s, ds/dt), 0) ds/dx

    s(x) is the indentation passed to the inner law, zero for x <= 0. With `onset` > 0 the law sets in smoothly over
    that distance, s = onset (u^3 - u^4 / 2) with u = x / onset, and is offset by half of it beyond, s = x - onset / 2:
    effort and slope are continuous. With onset = 0 (below 1e-12), s = x: the slope is discontinuous, and so is the
    effort if the law has damping. Since s is a coordinate like any other, V = law.potential(s) holds exactly.

    law:   its elastic effort must not be negative for s >= 0 (no natural length or negative preload inside).
    gap:   value of q at the onset [m or rad].
    side:  "compression" acts below the gap and pushes q up (a stop, a contact); "tension" acts above and pulls q down
           (a cable that goes slack).
    onset: distance of a smooth onset [m or rad] >= 0.

    Damping acts only in contact. Where it would cause adhesion, in fast separation, the effort is zero; the remaining
    spring energy is then counted as dissipated.
    """

    law: Law = record()
    gap: float = number(default=0.0, unit="m or rad")
    side: Literal["compression", "tension"] = option(default="compression", choices=("compression", "tension"))
    onset: float = number(default=0.0, unit="m or rad", nonnegative=True)

    @property
    def _sign(self) -> float:
        return 1.0 if self.side == "tension" else -1.0

    def _indentation(self, q):
        """s and ds/dx."""
        x, onset = self._sign * (q - self.gap), fmax(self.onset, SHARP)
        u = fmin(fmax(x / onset, 0.0), 1.0)
        return onset * u * u * u * (1.0 - 0.5 * u) + fmax(x - onset, 0.0), u * u * (3.0 - 2.0 * u)

    def elastic(self, q):
        s, slope = self._indentation(q)
        return self._sign * self.law.elastic(s) * slope

    def potential(self, q):
        return self.law.potential(self._indentation(q)[0])

    def viscous(self, q, rate):
        return self(q, rate) - self.elastic(q)

    def __call__(self, q, rate):
        s, slope = self._indentation(q)
        return self._sign * fmax(self.law(s, self._sign * slope * rate), 0.0) * slope
