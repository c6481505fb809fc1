"""Result of one run of the benchmark chain in another code."""

from dataclasses import dataclass, field

import numpy as np

from samara.benchmarks.cases.chain import ChainSpec, Vector
from samara.benchmarks.peers import reference


@dataclass(frozen=True)
class PeerRun:
    """CPU time and result of one code.

    us_per_step   CPU time of one step, one thread, median of the repeats [us], without the set-up
    tip           p_WT at the end [m], shape (3,)
    note          the settings, and what limits the comparison
    ends          outer ends of all links at the end [m], shape (N, 3): the last row is the tip
    wrapping_us   CPU time per step of the peer's Python wrapping, which `us_per_step` leaves out [us]
    """

    name: str
    version: str
    us_per_step: float
    tip: Vector
    note: str
    ends: Vector = field(default_factory=lambda: np.empty((0, 3)), repr=False)
    wrapping_us: float = 0.0

    def tip_error(self, spec: ChainSpec, duration: float | None = None) -> float:
        """Distance of the tip from the reference solution [m]."""
        time = spec.duration if duration is None else duration
        return float(np.linalg.norm(self.tip - reference.ends(spec, time)[-1]))

    def shape_error(self, spec: ChainSpec, duration: float | None = None) -> float:
        """Root mean square over the links of the distance of their outer ends from the reference [m].

        In a long chain the tip is in free fall until the pull of the hinge reaches it, and says little;
        this does.
        """
        time = spec.duration if duration is None else duration
        distance = np.linalg.norm(self.ends - reference.ends(spec, time), axis=1)
        return float(np.sqrt(np.mean(distance**2)))
