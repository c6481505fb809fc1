"""Cache warming: just before the deadline the loop rehearses the coming step and restores the state.

While the loop sleeps, other work on the processor evicts its data from the caches, and a step then takes several times
as long as in an uninterrupted sequence. The loop therefore wakes up early, evaluates the equations at the present
state, solves them with the current factors, evaluates all measures, and restores the state of the step with one copy.
Factors, counters and history are untouched, so the motion is identical bit for bit.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from samara.realtime.loop.clock import monotonic
from samara.solve import Simulation
from samara.solve.native.outputs import outputs
from samara.solve.native.verbs import rehearse
from samara.tracing.driver.driver_cache import driver, inner

#: What is measured to choose how early the loop wakes up: the shortest of so many rehearsals, which find all in the
#: caches; one that finds nothing there takes so many times as long.
TRIALS, COLD = 8, 6
#: By how much waking up may be late [ns]: on machines that are no worse than most.
LATE = 80_000
#: Part of a period that may be spent on it; what needs more is not rehearsed.
LARGEST_PART = 0.25


class Rehearsal(NamedTuple):
    """The state of a step, room for a copy of it, and the last row read, so that reading is not optimised away."""

    owned: np.ndarray
    kept: np.ndarray
    read: np.ndarray


def rehearsal_of(sim: Simulation) -> Rehearsal:
    """Of a simulation."""
    return Rehearsal(sim.owned.block, np.zeros_like(sim.owned.block), np.zeros(1))


@inner
def rehearse_step(work, box, room, h):
    """Once through a step from the present state, and through what is sent after it; all is as before then."""
    owned, kept = room.owned, room.kept
    for i in range(owned.size):
        kept[i] = owned[i]
    rehearse(work, h)
    outputs(work)
    total = 0.0
    for i in range(box.columns.size):
        total += box.sensors.values[i] + box.columns[i]
    for i in range(box.poses.size):
        total += box.poses[i]
    room.read[0] = total
    for i in range(owned.size):
        owned[i] = kept[i]


@driver
def time_of_rehearsal(work, box, room, h, count):
    """The shortest of so many rehearsals in a row [ns]."""
    shortest = monotonic()
    for _ in range(count):
        begin = monotonic()
        rehearse_step(work, box, room, h)
        shortest = min(shortest, monotonic() - begin)
    return shortest


def lead(shortest: int, period: int) -> int:
    """How long before a deadline the loop wakes up [ns], 0 where a rehearsal takes too much of a period."""
    needed = LATE + COLD * shortest
    return needed if needed < LARGEST_PART * period else 0
