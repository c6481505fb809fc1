"""Locks made redundant by joints or other locks: with rigid bodies the load sharing between them is indeterminate.

A lock is not redundant if its rows are independent of those of the joints. A lock that is redundant with the joints is
rejected, whether it engages at the start or later; so are mutually redundant locks that are engaged at the start. Locks
that would be redundant only if engaged together produce a note, because most never are.
"""

from __future__ import annotations

from samara.model import Engaged
from samara.solve.constraints.lock_rows import is_engaged, locks
from samara.solve.constraints.redundancy import redundancy
from samara.solve.constraints.redundancy_report import Doubled, doubled
from samara.solve.errors import SingularModel
from samara.solve.simulation import Simulation


def repeated_by(sim: Simulation, engaged: list[Engaged]) -> list[Doubled]:
    """What locks hold again, of the joints and of each other, when these are engaged."""
    found = redundancy(sim, tuple(engaged)) if engaged else None
    if found is None or not found.count:
        return []
    return [one for one in doubled(sim, found) if isinstance(one.joint, Engaged)]


def check_locks(sim: Simulation) -> str:
    """Refuses locks that hold again what is held; a sentence on those that might, nothing if there are none.

    One look at all locks together is enough where nothing is held again.
    """
    every = locks(sim)
    together = repeated_by(sim, every)
    if not together:
        return ""
    for lock in every:
        if again := repeated_by(sim, [lock]):
            later = "" if is_engaged(sim, lock) else "; it is not engaged at the start, but would be later"
            raise SingularModel(_refusal(sim, again, later))
    if again := repeated_by(sim, [lock for lock in every if is_engaged(sim, lock)]):
        raise SingularModel(_refusal(sim, again, ""))
    return f"if all locks are engaged together, {'; '.join(map(str, together))}"


def _refusal(sim: Simulation, again: list[Doubled], later: str) -> str:
    return (
        f"model {sim.model.name!r} has {sum(one.count for one in again)} redundant constraint(s) by its locks: "
        f"{'; '.join(map(str, again))}{later}; let hold_position and hold_rotation of a lock name only what the "
        "others leave free, or remove it"
    )
