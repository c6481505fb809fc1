"""Whether a balance at rest is stable: the least stiffness that a small motion meets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from samara.solve.given import require_simulation
from samara.solve.simulation import Simulation
from samara.solve.tangent import LARGEST_TANGENT, Tangent, tangent
from samara.solve.wording import in_words, motion

Verdict = Literal["stable", "neutral", "unstable", "not examined"]


@dataclass(frozen=True)
class Stability:
    """What a small motion from a balance meets.

    verdict:   "stable": every motion meets resistance; "neutral": one meets none; "unstable": one is driven on.
    stiffness: the least, a turn weighed by the size of the mechanism [N/m].
    reason:    the motion that meets it, in words; where nothing was examined, why.
    """

    verdict: Verdict
    stiffness: float = np.nan
    reason: str = ""

    def __str__(self) -> str:
        return f"{self.verdict}: {self.reason}" if self.reason else self.verdict


def stability(sim: Simulation, about: Tangent | None = None) -> Stability:
    """Of a simulation that is in balance at rest; `about` is its tangent there, if it is known.

    Loads that follow a node may make it flutter although every small displacement meets resistance: that is not seen.
    """
    s = require_simulation("stability", sim).system
    if s.layout.coordinates > LARGEST_TANGENT:
        return Stability("not examined", reason=f"{s.layout.coordinates} coordinates, more than {LARGEST_TANGENT}")
    with s.state.kept():
        here = tangent(sim) if about is None else about
    least, y = here.softest()
    if not np.isfinite(least):
        return Stability("stable", np.inf, "nothing can move")
    verdict: Verdict = "stable" if least > here.noise else "neutral" if least >= -here.noise else "unstable"
    words = in_words(motion(sim, here.change(y)))
    idle = here.idle() if verdict == "neutral" else 0
    if idle > 1:
        words = f"{idle} motions meet no resistance, one of them: {words}"
    return Stability(verdict, least, words)
