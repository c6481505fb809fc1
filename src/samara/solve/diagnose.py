"""When a run stops: which element, when, and the last states on disk."""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np

from samara.solve.machine import residual
from samara.solve.simulation import Simulation
from samara.solve.step import Memory, Status, step
from samara.system.blocks import ACC, ETA, POSITION, ROTATION

KEPT = 100


def explain(sim: Simulation, status: Status, h: float | None) -> str:
    """One sentence: what happened, at which element, at which time, and what may help."""
    s = sim.system
    when = f"at t = {sim.time + (h or 0.0):g} s"
    if status == Status.NOT_FINITE:
        name = _not_finite(sim) or _owner(sim)
        return (
            f"model {s.model.name!r}: the motion is not finite {when}, first seen at {name}; "
            "look for a division by zero or a square root of a negative number there, or take a smaller step"
        )
    if status == Status.STEP_TOO_SMALL:
        return f"model {s.model.name!r}: the step became too small {when} at {_owner(sim)}; loosen the accuracy"
    size = sim.memory[Memory.CORRECTION]
    return (
        f"model {s.model.name!r}: Newton's method did not converge {when}; the largest correction ({size:.2g} of the "
        f"model's speed) is at {_owner(sim)}; take a smaller step, or look for a law that jumps there"
    )


def _owner(sim: Simulation) -> str:
    """The node of the worst correction and what is attached to it."""
    s = sim.system
    name = s.owner.get(int(sim.memory[Memory.WORST_ROW]), "an unknown place")
    attached = [e.name for e in s.model.elements.values() if any(f"node {n.name!r}" == name for n in e.nodes())]
    return f"{name} (with {', '.join(map(repr, attached[:4]))})" if attached else name


def _not_finite(sim: Simulation) -> str | None:
    """The first element whose own equations are not finite at the present state."""
    s = sim.system
    for k, group in enumerate(s.groups):
        residual(sim.machine._replace(program=np.ascontiguousarray(s.program[k : k + 1])))
        bad = ~np.isfinite(s.res)
        if not bad.any():
            continue
        for e, element in enumerate(group.kind.elements):
            g, lane = divmod(e, s.width)
            rows = [s.row(n) + i * s.width for n in element.nodes() if n.free for i in range(6)]
            first = group.idx[g, 2 * group.kind.node_count + 1, lane]
            rows += [first + i for i in range(group.kind.multiplier_count)]
            if bad[rows].any():
                return f"element {element.name!r} ({group.kind.name})"
    return None


def dump_states(sim: Simulation, h: float, near: str | Path | None) -> Path:
    """Runs on from the present state to the failure and writes the last 100 states as an .npz file.

    Arrays by step: time, position, rotation, twist, acceleration of every node (in the order of `nodes`), multipliers.
    """
    s = sim.system
    states: list[tuple[float, np.ndarray]] = []
    limit = 2_000_000
    while limit and step(sim.machine, sim.lu, sim.v, sim.settings, sim.memory, sim.counters, h) == Status.OK:
        states.append((sim.time, s.state.copy()))
        del states[:-KEPT]
        limit -= 1
    states.append((sim.time + h, s.state.copy()))  # the one that failed
    nodes = list(s.model.nodes.values())
    stack = np.array([state for _, state in states])

    def gather(first: int, count: int) -> np.ndarray:
        blocks = np.array([s.block(n) for n in nodes])
        return stack[:, blocks[:, None] + (first + np.arange(count)) * s.width]

    base = s.multiplier_base
    path = Path(near).with_suffix(".dump.npz") if near else Path(tempfile.mkdtemp(prefix="samara-")) / "dump.npz"
    np.savez(
        path,
        time=np.array([t for t, _ in states]),
        nodes=np.array([n.name for n in nodes]),
        position=gather(POSITION, 3),
        rotation=gather(ROTATION, 9),
        twist=gather(ETA, 6),
        acceleration=gather(ACC, 6),
        multipliers=stack[:, base : base + s.multiplier_count],
    )
    return path
