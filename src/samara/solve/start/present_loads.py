"""Present loads: drives from the present parameters and inputs, reactions and accelerations of the present motion."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np

from samara.solve.constraints.release import release
from samara.solve.simulation import Simulation
from samara.solve.start.accelerations import accelerations

#: Forces left over, of the largest, and by rounding of poses, of the size of the mechanism: more were never balanced.
LEFT_OVER, POSE_ROUNDING = 1e-4, 1e-11


@contextmanager
def as_told(sim: Simulation) -> Iterator[None]:
    """Meanwhile drives and places of prescribed nodes are those of the present parameters and inputs.

    What they act on reacts to them. Prescribed nodes that stand still, as `static` leaves them, stay so.
    """
    with sim.state.kept():
        sim.state.renew_drives()
        with reacting(sim):
            yield


@contextmanager
def reacting(sim: Simulation) -> Iterator[None]:
    """Meanwhile reactions and accelerations are those of the present poses, velocities and loads, whoever wrote these.

    A simulation that nothing has put together yet has none, and one whose parameters have changed has those of before.
    """
    if not _is_unbalanced(sim):
        yield
        return
    with sim.state.plain():
        release(sim)
        accelerations(sim)
        yield


def _is_unbalanced(sim: Simulation) -> bool:
    """Whether forces are left over with the present reactions and accelerations."""
    s = sim.system
    n, nodes = s.layout.coordinates, 6 * len(s.layout.free)
    with s.state.plain():
        left = np.abs(s.state.residual()[:nodes])
        stiffness, inertia = (sim.jacobian(*unit)[:nodes] for unit in ((1.0, 0.0, 0.0), (0.0, 0.0, 1.0)))
        size = np.concatenate([np.tile([sim.length] * 3 + [1.0] * 3, nodes // 6), s.state.scales])
        noise = POSE_ROUNDING * (abs(stiffness[:, :n]) @ size)
        carried = abs(stiffness[:, n:]) @ np.abs(s.state.multipliers)
        gained = abs(inertia[:, :n]) @ np.abs(s.state.accelerations)
    return bool((left > LEFT_OVER * np.max([left, carried, gained], axis=0).max(initial=0.0) + noise).any())
