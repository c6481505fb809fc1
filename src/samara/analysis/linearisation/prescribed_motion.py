"""Consistency of a state with the drives: a rotor stopped by `static` is prescribed to turn."""

from __future__ import annotations

import numpy as np

from samara.solve import Simulation, SolveError
from samara.solve.constraints.gaps import open_joint
from samara.solve.constraints.redundancy import holders

#: Speeds up to this are rounding [m/s, rad/s]; errors of speeds that a run makes, of the fastest.
STILL, ERROR = 1e-5, 1e-3


class NotConstant(SolveError):  # noqa: N818
    """Raised for small motions whose equations vary with time."""


def astray(sim: Simulation, stopped: bool = False) -> str:
    """The part whose present motion contradicts its prescribed motion, "joint 'drive'"; empty if there is none.

    Prescribed nodes must have their prescribed twists, and twists must satisfy all constraints at the speeds of their
    drives. A node prescribed at rest may be carried along (`steady_rotation`).
    stopped: checks as if everything were at rest.
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
    """Rejects a state that is inconsistent with the drives: other motions, or open joints."""
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
