"""Over-constrained models: which constraints are released, and the least-squares reactions.

Redundant constraints are released (`samara.system.layout.release`), as many as are redundant. The choice affects
neither the motion, because the remaining constraints imply the released ones, nor the force on any body. With rigid
bodies, the load sharing between the joints of a loop is indeterminate: multipliers lam and lam + u, with u a state of
self-stress (`redundancy`), are equivalent. The least-squares solution is reported, with couples scaled by the size of
their part:

    lam - U U^T lam     the component of the multipliers orthogonal to all states of self-stress U
"""

from __future__ import annotations

import numpy as np

from samara.model.roles.friction import has_friction
from samara.solve.constraints.redundancy import MOST_LOOP_ROWS, Redundancy, holders, redundancy, self_stress
from samara.solve.errors import Diverged, SingularModel, SolveError
from samara.solve.native.outputs import measure
from samara.solve.simulation import Simulation
from samara.system.layout.release import Releases
from samara.system.memory.blocks import Coefficient

#: A choice is kept while what it releases takes part in self-stress by more than this.
SELF_STRESS_LIMIT = 0.05
#: A released constraint that is open by more than this (m or rad, of a mechanism of a metre) was needed.
LARGEST_OPEN_GAP = 1e-7
#: Constraints of a joint are released together if their parts in the self-stress, squared, are within this ratio.
ALIKE_PART = 0.1
#: Compliance of a release times the typical mass: any number near one scales the matrix well.
RELEASE_COMPLIANCE = 0.7


class Released(Redundancy):
    """Redundant constraints and those of them that are released."""

    def suited(self, sim: Simulation, values: np.ndarray) -> np.ndarray:
        """Matrix entries with another choice where the one that was made has become poor in the present pose."""
        releases = sim.system.releases
        if releases is None:
            return values
        before, stress = releases.give.copy(), self_stress(sim, self)
        chosen = np.flatnonzero(before[self.rows])
        if chosen.size == self.count and np.linalg.svd(stress[chosen], compute_uv=False)[-1] > SELF_STRESS_LIMIT:
            return values
        releases.give = _chosen(sim, self, stress)
        values = values.copy()
        values[_diagonal(sim, releases)] += before - releases.give
        return values


def release(sim: Simulation) -> None:
    """Releases constraints of a model that asks for it, at its present pose, in which its joints are closed."""
    releases = sim.system.releases
    if releases is None:
        return
    found = redundancy(sim)
    if not found.examined:
        raise SolveError(
            f"model {sim.model.name!r} has {found.loops} constraints in closed loops, more than the "
            f"limit of {MOST_LOOP_ROWS} for finding redundant ones: set redundant='refuse' and use joints with "
            f"more degrees of freedom"
        )
    sim.redundancy = Released(**vars(found)) if found.count else None
    releases.give = np.zeros(releases.total)
    if found.count:
        _refuse_friction(sim, found)
        releases.give = _chosen(sim, found, found.stress)


def chosen_rows(sim: Simulation) -> dict[str, np.ndarray]:
    """What a run that is taken up has to know of what is redundant: it was found in the pose of the start."""
    found = sim.redundancy
    if found is None:
        return {"redundant": np.zeros(0, np.int64), "self_stress": np.zeros((0, 0)), "redundant_size": np.zeros(0)}
    return {"redundant": found.rows, "self_stress": found.stress, "redundant_size": found.size}


def resume(sim: Simulation, saved: dict[str, np.ndarray]) -> None:
    """Takes up the releases of a run that went on to the present state, and what is redundant as it was found then."""
    releases, rows = sim.system.releases, saved["redundant"]
    sim.redundancy = None
    if releases is not None:
        releases.give = saved["give"].copy()
        if rows.size:
            sim.redundancy = Released(rows, saved["self_stress"], saved["redundant_size"], rows.size, 1.0)


def _diagonal(sim: Simulation, releases: Releases) -> np.ndarray:
    """Where the entries of the releases lie in the pattern."""
    return sim.system.pattern.entries(releases.group)[:, 0, :].ravel()[: releases.total]


def _chosen(sim: Simulation, found: Redundancy, stress: np.ndarray) -> np.ndarray:
    """How far each constraint is released: as many as there are states of self-stress, of as few joints as can be."""
    place = {int(row): k for k, row in enumerate(found.rows)}
    joints = [[place[int(n)] for n in numbers if int(n) in place] for _, numbers in holders(sim).values()]
    left, chosen = stress.copy(), list[int]()

    def part(k: int) -> float:
        return float((left[k] ** 2).sum())

    while len(chosen) < found.count:
        joint = max(joints, key=lambda rows: sum(map(part, rows)))
        best = max(map(part, joint))
        while len(chosen) < found.count and part(k := max(joint, key=part)) >= ALIKE_PART * best:
            chosen.append(k)
            unit = left[k] / np.sqrt(part(k))
            left = left - np.outer(left @ unit, unit)
    give = np.zeros(sim.system.layout.multiplier_count)
    give[found.rows[chosen]] = RELEASE_COMPLIANCE * found.size[chosen] ** 2 / _typical_mass(sim)
    return give


def _typical_mass(sim: Simulation) -> float:
    """The mean of all nodes that have some [kg]: any number of its order makes a matrix that is well scaled."""
    masses = sim.jacobian(0.0, 0.0, 1.0).diagonal()[: 6 * len(sim.system.layout.free)].reshape(-1, 6)[:, :3]
    return float(masses[masses > 0.0].mean()) if (masses > 0.0).any() else 1.0


def _refuse_friction(sim: Simulation, found: Redundancy) -> None:
    for element, numbers in holders(sim).values():
        if has_friction(element) and np.isin(numbers, found.rows).any():
            raise SingularModel(
                f"model {sim.model.name!r}: the friction of joint {element.name!r} depends on its "
                f"reaction, which redundant constraints leave undetermined: use a joint with more degrees of "
                f"freedom, or no friction"
            )


def share_reactions(sim: Simulation, columns: np.ndarray, row: np.ndarray) -> None:
    """Measures the present state again, just recorded in a row, with the smallest reactions that do the same.

    The multipliers stay as they are. The violation of the constraints, the last measure, is left as it was recorded.
    """
    found, releases = sim.redundancy, sim.system.releases
    if found is None or releases is None:
        return
    _examine(sim, releases)
    lam, out = sim.state.multipliers.copy(), sim.system.arrays.out
    stress, part, violation = self_stress(sim, found), lam[found.rows] * found.size, float(out[-1])
    sim.state.multipliers[found.rows] = (part - stress @ (stress.T @ part)) / found.size
    measure(sim.machine)
    sim.state.multipliers[:], out[-1] = lam, violation
    row[:] = out[columns]


def _examine(sim: Simulation, releases: Releases) -> None:
    """Refuses to go on where the constraints no longer repeat each other, so that a released one came open.

    The residual of the present state is known.
    """
    s, give = sim.system, releases.give
    rows = s.state.equations()[s.layout.coordinates :] + give * sim.state.multipliers
    gaps = np.where(give > 0.0, np.abs(rows), 0.0) * s.arrays.coef[Coefficient.POSE]
    worst = int(np.argmax(gaps))
    which = s.unknowns.owner(s.layout.coordinates + worst)
    if not gaps[worst] <= LARGEST_OPEN_GAP * max(1.0, sim.length):
        raise Diverged(
            f"model {s.model.name!r}: at t = {sim.time:g} s {which} is open by {gaps[worst]:.2g}: it "
            f"was redundant in the initial position only, and no longer agrees with the other joints: start "
            f"elsewhere, or make drives that prescribe the same motion consistent"
        )
