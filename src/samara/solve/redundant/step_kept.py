"""State saved at the start of a step by schemes that solve twice per step (`solve.redundant.look_ahead`)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from samara.solve.native.ownership import Owned

#: Positions in `StepKept.since`: 1 while the rest is of the last step, the step before that [s], and 1 while steps are
#: too long for what moves.
VALID, BEFORE_IT, ROUGH = range(3)


class StepKept(NamedTuple):
    """The state before the last step, and room for a prediction in its middle."""

    origin: Owned  # all of the state
    reactions: Owned  # multipliers of the two steps before
    since: Owned
    prediction: np.ndarray  # that the second solution begins with


def room_for(state: int, multipliers: int) -> StepKept:
    """For so many numbers; none where the scheme solves once."""
    return StepKept(np.zeros(state), np.zeros((2, multipliers)), np.zeros(3 if state else 0), np.zeros(state))
