"""Report on contacts: which were closed in the last step, and their counters."""

from __future__ import annotations

import numpy as np

from samara.solve.contact.impulses import LAST
from samara.solve.contact.problem import at_fault
from samara.solve.impacts.contacts import contact_names
from samara.solve.native.codes import OF_CONTACTS
from samara.solve.simulation import Simulation


def closed_contacts(sim: Simulation) -> tuple[list[str], float]:
    """Names of the contacts that were closed in the last step, and what was last left of their law.

    Where impulses were not found, of those alone that push each other there.
    """
    if sim.tree is None:
        p, names = sim.machine.contacts.problem, contact_names(sim.system, sim.machine.contacts.pool)
    else:
        p, names = sim.machine.tree.contacts.problem, [e.name for e in sim.tree.graph.contacts]
    return [names[k] for k in at_fault(p)], float(p.bounds[LAST])


def contact_counts(sim: Simulation, counters: np.ndarray) -> dict[str, int | float]:
    """What was counted of contacts, and what was left of their law at worst; nothing where there are none."""
    if not any(group.kind.touches for group in sim.system.groups):
        return {}
    found: dict[str, int | float] = {c.name.lower(): int(counters[c]) for c in OF_CONTACTS}
    return found | {"contact_residual": sim.memory.contact_residual}
