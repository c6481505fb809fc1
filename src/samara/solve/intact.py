"""Whether the arrays of a checkpoint are such that native code may be let loose on them."""

from __future__ import annotations

import numpy as np

from samara.solve.carrier import BASE, FIRST, NEXT, OWN, ROOT
from samara.solve.codes import Counter
from samara.solve.simulation import Simulation

Arrays = dict[str, np.ndarray]


def intact(sim: Simulation, saved: Arrays, now: Arrays) -> bool:
    """Whether all are there, finite, and of the shapes and within the ranges that this simulation gives them.

    now: the arrays of the simulation that are of the same shape in all of a model. The shape of the factors is only
    known when the matrix has been analysed.
    """
    expected = {name: (array.shape, array.dtype) for name, array in now.items()}
    members, rules = len(saved["members"]), len(saved["rules"])
    reals, wholes, redundant = np.dtype(float), np.dtype(np.int64), saved["redundant"]
    expected |= {
        "analysed": ((sim.system.pattern.nnz,), reals),
        "factors": ((saved["factors"].size,), reals),
        "tail": (saved["tail"].shape, sim.lu.kept.dtype if hasattr(sim, "lu") else saved["tail"].dtype),
        "members": ((members, 3), wholes),
        "lumps": ((members, 4), reals),
        "rules": ((rules, 5), wholes),
        "ties": ((len(saved["ties"]), 5), wholes),
        "redundant": (redundant.shape[:1], wholes),
        "self_stress": (redundant.shape[:1] + saved["self_stress"].shape[1:2], reals),
        "redundant_size": (redundant.shape[:1], reals),
    }
    if any((saved[name].shape, saved[name].dtype) != known for name, known in expected.items()):
        return False
    if not all(np.isfinite(saved[name]).all() for name in expected):
        return False
    if not set(map(str, saved["turning"])) <= sim.model.elements.keys():
        return False
    return bool((saved["counters"] >= 0).all() and saved["counters"][Counter.ANALYSES] > 0) and _in_range(sim, saved)


def _in_range(sim: Simulation, saved: Arrays) -> bool:
    """Whether what carriers are told by (`solve.carrier`) points to nodes, clusters and drives that there are."""
    s, members, rules, ties = sim.system, saved["members"], saved["rules"], saved["ties"]
    count = len(rules)
    held = [-1, *(s.layout.block(node) for node in s.model.nodes.values() if not node.free)]
    nodes = {(s.layout.block(node), s.unknowns.row(node)) for node in s.layout.free}
    drives = s.layout.signal_base + 3 * np.arange(len(s.drives.all))
    joined = np.where(ties[:, 2] < 0, ties[:, 1], 0)  # another cluster, where it is no node without unknowns
    return bool(
        all((int(block), int(row)) in nodes for block, row in members[:, 1:])
        and _between(members[:, 0], count)
        and np.isin(rules[:, [BASE, OWN]], held).all()
        and _between(rules[:, ROOT], count)
        and _between(rules[:, FIRST], len(members))
        and _between(rules[:, NEXT], len(members) + 1)
        and _between(ties[:, 0], count)
        and _between(joined, max(count, 1))
        and np.isin(ties[:, 2], held).all()
        and np.isin(ties[:, 3], drives).all()
        and _between(saved["redundant"], s.layout.multiplier_count)
    )


def _between(numbers: np.ndarray, end: int) -> bool:
    return bool(((numbers >= 0) & (numbers < end)).all())
