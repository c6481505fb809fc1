"""Largest rotation in a step: a limit on adaptive steps."""

from __future__ import annotations

from samara.system.memory.blocks import ETA, SIZE
from samara.tracing.driver.driver_cache import inner

#: Largest angle that anything turns by in a step [rad]: a dozen steps per turn, or loads that come once per turn are
#: passed over; polynomials that stand for rotations are exact to rounding up to 1 rad (`samara.rotations`).
MOST_TURN = 0.5


@inner
def largest_spin(m, first):
    """Of the nodes from a group on [rad/s], prescribed ones with them."""
    fastest, width = 0.0, m.layout.width
    for g in range(first, m.layout.states_base // (SIZE * width)):
        for k in range((g * SIZE + ETA + 3) * width, (g * SIZE + ETA + 6) * width):
            fastest = max(fastest, abs(m.state[k]))
    return fastest


@inner
def turned_too_far(angle, order):
    """An angle per step as an error over its accuracy, which grows with the step by that power."""
    return (angle / MOST_TURN) ** order
