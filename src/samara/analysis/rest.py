"""A state of rest to linearise about: static equilibrium, or the start where that is free to move."""

from __future__ import annotations

import numpy as np

from samara.solve import Simulation, SingularModel, assemble, static

#: Speeds and accelerations up to this are rounding [m/s, rad/s, m/s^2, rad/s^2].
STILL = 1e-5
#: What is said of a model that stands where it was put, and what to do where nothing is at rest.
STANDING = "rest at the start, where it is free to move"
HINT = "it does not rest at the start either: hold it, or give it a start that is in balance"


def at_rest(sim: Simulation) -> str:
    """Brings a simulation to rest; says in words what that state is."""
    try:
        found = static(sim, outputs="model.violation", stable=False).attrs
    except SingularModel as error:
        sim.system.reset()
        assemble(sim)
        moving = np.concatenate([sim.state.twists, sim.state.accelerations])
        if np.abs(moving).max(initial=0.0) > STILL:
            raise SingularModel(f"{error}; {HINT}") from None
        return STANDING
    if found.stability == "neutral" and not found.counters["relaxations"]:
        return STANDING
    words = {"neutral": "a static equilibrium, where it is free to move", "unstable": "an unstable equilibrium"}
    return words.get(found.stability, "static equilibrium")
