"""Angles of attack over a period: which sections may be stalled.

Any angle is met near the root and in reversed flow. So stations count, at each instant, that have a third of the
largest speed.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from samara.model import LiftingSurface, Model
from samara.results import Results

#: Angle of attack beyond which most sections stall [rad].
STALL = np.radians(12.0)
#: Part of the largest speed from which on a station counts.
FAST = 1.0 / 3.0
#: Angle of attack beyond which all do [rad]; part of the fast stations, over the period, that makes a stalled rotor.
LOST, DEEP = np.radians(20.0), 0.15


@dataclass(frozen=True)
class Incidence:
    """largest: angle of attack of a fast station [rad], and the channel where; share: part of them beyond LOST."""

    largest: float = 0.0
    where: str = ""
    share: float = 0.0

    @property
    def deep(self) -> bool:
        """Whether so much of the blades is beyond stall that this is no state to fly in."""
        return self.share > DEEP

    @property
    def said(self) -> str:
        """What is to be said of it; nothing of a rotor that is far from stall."""
        if self.largest < STALL:
            return ""
        return f"{self.where!r} reaches {np.degrees(self.largest):.0f} degrees"


def flows(model: Model) -> dict[str, str]:
    """{channel of the angles of attack: channel of the Mach numbers} of everything that has stations in the air."""
    return dict(e.flow_channels() for e in model.elements.values() if isinstance(e, LiftingSurface))


def incidence(results: Results, found: dict[str, str]) -> Incidence:
    """Of a period in which these channels were recorded."""
    if not found:
        return Incidence()
    fast = FAST * max(float(results[mach].max()) for mach in found.values())
    angles = {alpha: np.abs(results[alpha][results[mach] > fast]) for alpha, mach in found.items()}
    worst = max(angles, key=lambda name: float(angles[name].max(initial=0.0)))
    count = sum(a.size for a in angles.values())
    beyond = sum(int((a > LOST).sum()) for a in angles.values())
    return Incidence(float(angles[worst].max(initial=0.0)), worst, beyond / max(count, 1))
