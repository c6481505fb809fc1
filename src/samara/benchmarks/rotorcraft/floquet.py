"""Stability of the elastic Puma rotor in forward flight, point by point along the airspeed."""

from __future__ import annotations

import time
from collections.abc import Iterator

import numpy as np

from samara.benchmarks.rows import Row

CASE = "floquet"
STEPS = 92  # per turn, as many for each blade
AIRSPEEDS = np.linspace(60.0, 68.0, 5)  # m/s


def rows(airspeeds: np.ndarray = AIRSPEEDS, blades: str = "elastic") -> Iterator[Row]:
    """Seconds for a point: from the motion at the last airspeed [m/s] to the exponents at the next."""
    from samara.analysis import floquet, periodic
    from samara.analysis.linearisation.instant import instant
    from samara.models.articulated_rotors import puma
    from samara.solve import Simulation

    sim = Simulation(puma.build(blades=blades, airspeed=float(airspeeds[0])))
    floquet(periodic(sim, puma.TURN, puma.TURN / STEPS, outputs="model.violation"))  # kernels are there
    spent: list[list[float]] = []
    for speed in airspeeds:
        sim.system.set_parameter("airspeed", float(speed))
        clock = [time.thread_time()]
        motion = periodic(sim, puma.TURN, puma.TURN / STEPS, outputs="model.violation")
        clock.append(time.thread_time())
        now = instant(sim)
        clock.append(time.thread_time())
        found = floquet(motion)
        clock.append(time.thread_time())
        spent.append([*np.diff(clock), motion.periods])
    motion_time, basis, exponents, periods = np.median(spent, axis=0)
    states = now.pose.shape[1]
    note = f"{states} states, {STEPS} steps, {found.exchanged} blades change places; {len(found)} modes alive"
    yield Row(CASE, "seconds_per_point", float(motion_time + exponents), "s", 2.0, note)
    yield Row(CASE, "seconds_of_exponents", float(exponents), "s", "", "transition matrix and its eigenvalues")
    yield Row(CASE, "seconds_of_basis", float(basis), "s", "", "of that: small motions at the beginning")
    yield Row(CASE, "seconds_of_motion", float(motion_time), "s", "", f"periodic motion, {periods:.0f} turns marched")
