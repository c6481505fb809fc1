"""Schedule of a loop: how to run, where it is, and why it ended; shared with other processes."""

from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple


class Policy(IntEnum):
    """What to do about a late step."""

    STOP = 0
    SKIP = 1
    HOLD = 2
    SLIP = 3
    DEGRADE = 4


class Ended(IntEnum):
    """Why the loop returned; results of a step have the name of their `Status`."""

    DONE = 0  # all cycles served
    ASKED = 1  # somebody asked it to stop
    OVERRUN = 2
    NOT_FINITE = 3
    PIVOTS = 4  # the pivot sequence no longer suits: analyse, and go on
    AGAIN = 5  # somebody asked for a new start
    NOT_CONVERGED = 6  # a step above the ceiling
    CONTRADICTION = 7  # contacts that no forces keep apart
    BELOW_FLOOR = 8  # a state below what an element can bear
    LAW_FAILED = 9  # a discrete law without an answer
    PASSED_THROUGH = 10  # a body passed through another unseen
    SINGULAR = 11  # a matrix of a tree has no inverse
    UNRESOLVED = 12  # something moves too fast for the integrator
    TOO_MANY_PAIRS = 13  # more bodies near each other than there is room for


class LoopPlan(NamedTuple):
    """How to run: whole numbers and times of a loop."""

    period: int  # ns
    step: float  # s
    policy: int
    iterations: int  # bound a step
    degraded: int  # bound of a degraded step
    driven: bool = False  # whether a step waits for messages of the controllers instead of the clock


class Schedule(IntEnum):
    """Progress of the loop (an array of integers), kept between calls."""

    DEADLINE = 0  # of the next cycle [ns]; 0: one period from now
    LEFT = 1  # periods to serve; negative: without end
    HURRY = 2  # whether the next step is a degraded one
    STEPS = 3  # steps to take before the loop holds; negative: it runs
    CYCLE = 4  # where a cycle was left to renew the pivots: 1, and its deadline and its begin [ns]
    CYCLE_DEADLINE = 5
    CYCLE_BEGIN = 6
    LAST = 7  # when the last cycle ended [ns]
    WAITING = 8  # whether it waits for the clock or for a message, and is not at work
