"""The period of a model with rotors: a turn of the slowest, or as many as bring all of them home."""

from __future__ import annotations

from math import lcm

import numpy as np

from samara.analysis.rotors.find import rotor_frames
from samara.solve import Simulation, SolveError

#: Turns of the slowest rotor that are tried, and the part of a turn by which the others may miss theirs.
MOST_TURNS, MISSED = 60, 1e-4


def turn(sim: Simulation) -> float:
    """Period [s] at the present speeds of the declared rotors; refuses speeds whose turns never meet."""
    speeds = np.array([frame.speed for frame in rotor_frames(sim)])
    if not speeds.size:
        raise SolveError(
            f"model {sim.model.name!r} declares no rotor that is rotating now: give the period of its "
            f"motion [s], or run it first until its rotor rotates"
        )
    for turns in range(1, MOST_TURNS + 1):
        others = turns * speeds / speeds.min()
        if np.abs(others - others.round()).max() < MISSED:
            return 2.0 * np.pi * turns / float(speeds.min())
    raise SolveError(
        f"model {sim.model.name!r}: rotors at {', '.join(f'{v:.6g}' for v in speeds)} rad/s have no "
        f"common period within {MOST_TURNS} revolutions: choose speeds in a simple ratio, or give an "
        f"approximate period [s]"
    )


def steps_per_period(sim: Simulation, period: float, step: float) -> int:
    """Steps in a period, none longer than `step` [s], as many for each blade."""
    blades = lcm(*(frame.count for frame in rotor_frames(sim)), 1)
    return int(np.ceil(period / step / blades - 1e-6)) * blades
