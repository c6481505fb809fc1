"""Baseline of the machine: wake-up latency of a thread that does nothing else."""

from __future__ import annotations

from samara.realtime.loop.clock import now, wait_until, worked
from samara.realtime.session.accounts import note
from samara.tracing.driver.driver_cache import driver


@driver
def bare_latencies(clock, period, count, latencies, asked):
    """Waits for so many deadlines, and notes by how much each was missed, until something is asked of the loop."""
    deadline = now(clock) + period
    for _ in range(count):
        if asked[0]:
            return
        wait_until(clock, deadline)
        late = now(clock) - deadline
        note(latencies, late)
        worked(clock)
        deadline += period * (1 + max(late, 0) // period)
