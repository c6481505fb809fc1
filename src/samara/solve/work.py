"""All that a step works on, in one record: native code takes its address, and nothing else of a simulation."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from samara.solve.linear.lu import LU
from samara.solve.linear.schur.solver import Schur
from samara.solve.machine import Machine
from samara.solve.native.ownership import Owned, Solver


class Work(NamedTuple):
    """A system in motion, its factors, and what steers, follows and counts its steps."""

    machine: Machine
    lu: LU
    factors: Solver  # storage of the Jacobian and its factors, as `lu` lays it out
    spare: Solver  # room for others meanwhile, and the step that they are for [s] (`solve.impacts.flights`)
    settings: np.ndarray  # by `codes.Setting`
    memory: Owned  # by `codes.Memory`
    counters: np.ndarray  # by `codes.Counter`
    limits: Owned  # by `codes.Limit`
    schur: Schur  # the parts of a system that is solved in parts; then `lu` is of what they share
