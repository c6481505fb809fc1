"""Whether a state is one of the model as it is driven: a rotor that `static` has stopped is told to turn."""

from __future__ import annotations

import numpy as np

from samara.solve import Simulation, SolveError
from samara.solve.constraints.gaps import open_joint
from samara.solve.constraints.redundancy import holders

#: Speeds up to this are rounding [m/s, rad/s]; errors of speeds that a run makes, of the fastest.
STILL, ERROR = 1e-5, 1e-3


class NotConstant(SolveError):  # noqa: N818
    """Small motions whose equations change with time."""


def astray(sim: Simulation, stopped: bool = False) -> str:
    """Who is told to move otherwise than it does, now, "joint 'drive'"; nothing where all move as they are told.

    Prescribed nodes have the twists that they are told, and twists meet all constraints at the speeds of their drives.
    A node that is told to rest may be carried along (`steady_rotation`).
    stopped: as if all stood still.
    """
    held, unit = sim.system.layout.held, np.array([1.0 / max(1.0, sim.length)] * 3 + [1.0] * 3)
    with sim.state.plain():
        if stopped:
            sim.state.twists = 0.0
        own = [np.zeros(6) if stopped else sim.state.twist(node) for node in held]
        sim.state.set_time(sim.state.time)
        twists = [sim.state.twist(node) for node in sim.system.layout.free] + own
        allowed = STILL + ERROR * max((np.abs(x * unit).max() for x in twists), default=0.0)
        for node, has in zip(held, own, strict=True):
            told = sim.state.twist(node) * unit
            if np.abs(told).max() > STILL and np.abs(told - has * unit).max() > allowed:
                return f"node {node.name!r}"
            sim.state.set_twist(node, has)
        return _holder(sim, np.abs(sim.state.level("velocity")) > allowed * max(1.0, sim.length))


def require_as_told(sim: Simulation) -> None:
    """Refuses a state that is none of the model as it is driven: other motions, or joints that do not fit."""
    if who := astray(sim):
        raise NotConstant(
            f"the state of model {sim.model.name!r} is inconsistent with its prescribed motion at "
            f"{who}, since static(...) stops driven motions. For modes about the motion use "
            f"modes(steady_rotation(model, speed)), for a rotor modes(periodic(model, period, step)) or "
            f"floquet(...); assemble(...) sets the driven speeds, and frozen=True uses the state as it is"
        )
    if error := open_joint(sim, NotConstant):
        raise error


def _holder(sim: Simulation, rows: np.ndarray) -> str:
    """The first whose constraints are among these."""
    return next((f"joint {e.name!r}" for e, numbers in holders(sim).values() if rows[numbers].any()), "")
