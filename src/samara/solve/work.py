"""All data of a step in one record; native code receives only its address."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from samara.solve.linear.lu import LU
from samara.solve.linear.schur.solver import Schur
from samara.solve.machine import Machine
from samara.solve.native.ownership import Solver
from samara.solve.native.records import StepLimits, StepMemory, StepSettings


class Work(NamedTuple):
    """A system in motion, its factors, and what steers, follows and counts its steps."""

    machine: Machine
    lu: LU
    factors: Solver  # storage of the Jacobian and its factors, as `lu` lays it out
    spare: Solver  # room for others meanwhile, and the step that they are for [s] (`solve.impacts.flights`)
    settings: StepSettings
    memory: StepMemory  # owned by a step
    counters: np.ndarray  # by `codes.Counter`
    limits: StepLimits  # owned by a step
    schur: Schur  # the parts of a system that is solved in parts; then `lu` is of what they share
