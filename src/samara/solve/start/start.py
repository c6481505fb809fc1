"""The start of a run: a consistent state, carriers, pivots."""

from __future__ import annotations

import warnings

import numpy as np

from samara.recursive.coordinates import read_nodes
from samara.solve.contact.pool import too_many
from samara.solve.errors import SolveError
from samara.solve.impacts.contacts import close_at_start, contact_names
from samara.solve.native.kernels import set_time
from samara.solve.redundant.carrier import carry
from samara.solve.report.floors import below_floor
from samara.solve.simulation import Simulation
from samara.solve.start.assembly import assemble
from samara.solve.step.events import note_drives
from samara.solve.tree.machine import FRESH
from samara.solve.tree.stepping import show
from samara.system.memory.blocks import ACC, CARRIER, ROTATION

#: Overlap of surfaces at the start, of the size of the model, that is borne without a word.
LARGEST_OVERLAP = 1e-2
#: Change of a state in the first step, of its size, from which on it starts as after a jump.
RUSHING_CHANGE = 2.0


def start(sim: Simulation, step: float) -> None:
    """Makes a simulation ready for its first step, of this size [s]."""
    assemble(sim, step=step)
    message = below_floor(sim, "starts at", f"at t = {sim.time:g} s")
    if message:
        raise SolveError(message)
    make_ready(sim, step)


def _read_tree(sim: Simulation) -> None:
    """Coordinates and speeds of the tree from the nodes, as they have been assembled."""
    if sim.tree is None:
        return
    set_time(sim.machine, sim.time)
    read_nodes(sim.tree)
    for place, at in sim.tree.copies:
        sim.tree.block[at] = sim.system.arrays.state[place]
    sim.tree.require_independent()
    sim.machine.tree.status[FRESH] = 0


def notice_written(sim: Simulation) -> None:
    """A tree goes on from nodes and states that were written since its last step: `sim.state`, `system.reset`."""
    if sim.tree is None or not sim.started:
        return
    array, end = sim.system.arrays.state, sim.system.layout.signal_base
    written, seen = array[:end].copy(), _seen(sim)
    show(sim.machine)
    if not np.array_equal(seen, _seen(sim)):
        array[:end] = written
        _read_tree(sim)


def _seen(sim: Simulation) -> np.ndarray:
    """Poses, twists and carriers of the nodes, and the scalar states with their rates."""
    state, layout = sim.system.state, sim.system.layout
    parts = [state.components(ROTATION, ACC), state.components(CARRIER, 3)]
    parts += [sim.system.arrays.state[layout.state_block(s) + k * layout.width] for s in layout.states for k in (0, 1)]
    return np.concatenate([np.ravel(part) for part in parts])


def make_ready(sim: Simulation, step: float) -> None:
    """Carriers, pivots and what is remembered, of a state that is consistent, for steps of this size [s]."""
    if sim.tree is None:
        carry(sim, step)
    sim.analyse_for(step)
    _read_tree(sim)
    sim.memory.clock.changes = sim.machine.jumps.parameter_changes[0]
    sim.memory.clock.event, sim.memory.clock.goal = False, 0.0
    note_drives(sim.machine)
    if close_at_start(sim.machine, sim.length):
        if sim.machine.contacts.pool.lacks[0]:
            raise SolveError(too_many(sim.system, sim.machine.contacts.pool))
        sim.memory.clock.event = True  # forces of contacts come with a jump of accelerations
    if _rushes(sim, step):
        sim.memory.clock.event = True  # states that are gone from where they start within a step, as after a jump
    _warn_of_overlap(sim)


def _rushes(sim: Simulation, step: float) -> bool:
    """Whether a state of order one would change by more than its size in a step, at the rate that it starts with."""
    s = sim.system
    if sim.tree is not None or not s.layout.states:
        return False
    first = np.array([state.order == 1 and not state.reaction for state in s.layout.states])
    rates = np.abs(s.state.twists[6 * len(s.layout.free) :])
    return bool((rates * step > RUSHING_CHANGE * (np.abs(s.state.values) + s.state.scales))[first].any())


def _warn_of_overlap(sim: Simulation) -> None:
    """Says which contact starts deepest inside its surface, beyond what is slight."""
    c = sim.machine.contacts
    active = c.active[: c.many[0]]
    gaps = sim.machine.scratch.out[c.out[active]]
    if not gaps.size or not gaps.min() < -LARGEST_OVERLAP * sim.length:
        return
    name = contact_names(sim.system, c.pool)[active[np.argmin(gaps)]]
    what = "it stays inside" if sim.tree is not None else "it comes out slowly"
    warnings.warn(
        f"model {sim.model.name!r}: contact {name!r} starts {-gaps.min():.3g} (m or rad) inside its "
        f"surface; {what}: start it outside the surface",
        stacklevel=2,
    )
