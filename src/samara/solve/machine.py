"""The arrays of a system as the native driver takes them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from samara.model import Drive, Element, Node
from samara.solve.contact.paths import Paths, paths_of
from samara.solve.impacts.contacts import WholeContacts, note_parts, whole_contacts
from samara.solve.integrators import Integrator
from samara.solve.integrators.native import addresses_of
from samara.solve.integrators.walks import load_walks
from samara.solve.laws.samples import Samples, samples_of
from samara.solve.native.ownership import Owned, Solver
from samara.solve.native.verbs import no_verbs
from samara.solve.redundant.local_error import ERROR_ORDER
from samara.solve.redundant.reactions import Reactions, reactions_of
from samara.solve.redundant.spans import Spans, no_spans
from samara.solve.redundant.step_kept import StepKept, room_for
from samara.solve.tree.machine import TreeMachine, no_tree
from samara.system.memory.blocks import VALUE
from samara.system.system import System
from samara.tracing.driver.reference import refer


class Machine(NamedTuple):
    """A system in the driver's hands: arrays, and addresses of the kernels that walk nodes and states."""

    verbs: np.ndarray  # addresses of what a formulation does (`native.verbs`)
    iterates: int  # whether its steps are found by iteration
    error_order: int  # power of the step that its local error grows with
    shown: np.ndarray  # room for the state while one within a step is shown
    state: Owned
    res: np.ndarray
    x: Owned  # unknowns; lanes without a node stay zero
    out: np.ndarray
    coef: Owned
    tables: np.ndarray
    program: np.ndarray
    turning: np.ndarray  # program of the elements between parts that turn against each other
    turning_count: int  # how many they are
    spans: Spans  # which of the factors' supernodes elements add to
    pairs: np.ndarray  # where the blocks of the two free nodes of each element begin that may be one of them
    turns: Solver  # whether it is, when they were last looked at
    signals: np.ndarray  # program of the drives and prescribed nodes
    rows: np.ndarray  # of the unknowns in `res` and `x`, in the order of the linear solver
    found: np.ndarray  # correction that the last iteration found, and
    taken: np.ndarray  # the one it took
    lam_1: Owned
    lam_2: Owned
    target: Owned  # velocities by which constraints are to be missed (`solve.redundant.projection`)
    scale: np.ndarray  # of the scalar states, infinite where their rate is a reaction
    members: np.ndarray  # of the clusters that have carriers: cluster, block, first unknown of each node
    lumps: np.ndarray  # their masses and first moments
    #: of each such cluster: what holds it (-1: it floats), whom it is joined to (`solve.redundant.carrier`)
    rules: Owned
    ties: Owned  # that drives make and break
    carrier_changes: np.ndarray  # room for what changes
    watched: np.ndarray  # where the drives that may jump lie in the state (`solve.step.events`)
    jumps: np.ndarray  # times at which drives are known to jump, in order [s]
    known: Owned  # their values and rates at the present time, and their largest value so far
    motions: np.ndarray  # weight of each in the error of a step, where it prescribes a node that is looked at
    parameter_changes: np.ndarray  # how often a parameter was changed
    orders: np.ndarray  # of the scalar states
    bounded: np.ndarray  # where the values of states lie that must not fall below a floor
    floors: np.ndarray  # and those floors
    still: np.ndarray  # where the blocks of the nodes without mass begin
    coasting: np.ndarray  # and of those of them that no lock holds, whose equations have accelerations in them
    kept: np.ndarray  # velocities before an event, in world axes against the carriers
    lengths: np.ndarray  # size of the part that each node with unknowns belongs to [m]
    ahead: StepKept  # of a scheme that solves twice in a step, empty otherwise
    #: addresses of predict, correct, take back, move, carry, between, turn: a row each, for nodes and for states
    walks: np.ndarray
    scheme: np.ndarray  # addresses of the integrator's coefficients (`integrators.native`)
    free_groups: int
    state_groups: int
    width: int
    states_base: int
    state_rows: int
    multiplier_rows: int
    multiplier_base: int
    multiplier_count: int
    reactions: Reactions  # what multipliers are as forces
    input_count: int
    samples: Samples  # discrete laws, and when they are called
    contacts: WholeContacts  # of a model in redundant coordinates
    paths: Paths  # of what has gaps
    tree: TreeMachine  # of a model in minimal coordinates (`solve.tree`)


def make_machine(system: System, integrator: Integrator, minimal: bool = False) -> Machine:
    """Views of a system for the driver, and the formulas of an integrator; the system must outlive it.

    minimal: whether it moves in minimal coordinates.
    """
    layout, unknowns, arrays = system.layout, system.unknowns, system.arrays
    pairs = np.array([[layout.block(n) for n in e.nodes()] for e in system.pairs], np.int64).reshape(-1, 2)
    forces = layout.multiplier_count + layout.force_count
    lam = np.zeros(max(1, forces))
    walks = np.zeros((7, 2), np.int64)
    for k, addresses in enumerate(load_walks(system, integrator)):
        names = ("predict", "correct", "take_back", "move", "carry", "between", "turn")
        walks[:, k] = [addresses.get(name, 0) for name in names]
    watched = layout.signal_base + 3 * np.array(system.drives.restless, np.int64)
    orders = np.zeros(layout.state_groups * layout.width, np.int64)
    orders[: len(layout.states)] = [state.order for state in layout.states]
    scale = arrays.scale.copy()
    scale[: len(layout.states)][[state.reaction for state in layout.states]] = np.inf
    static = [n for n in layout.free if n.kind == "static"]
    locked = {n.name for e in system.model.elements.values() if _is_lock(e) for n in e.nodes()}
    still, coasting = (
        np.array([layout.block(n) for n in nodes], np.int64)
        for nodes in (static, [n for n in static if n.name not in locked])
    )
    contacts, paths = whole_contacts(system), paths_of(system, minimal)
    note_parts(contacts, paths, layout.width)
    return refer(Machine(
        no_verbs(), 1, ERROR_ORDER, np.zeros(0),
        arrays.state, arrays.res, arrays.x, arrays.out, arrays.coef, arrays.tables, system.program,
        system.program[:0], 0, no_spans(), pairs, np.zeros(len(pairs), bool), system.signal_program,
        unknowns.rows.astype(np.uint32), np.zeros_like(arrays.x), np.zeros_like(arrays.x), lam, lam.copy(), lam.copy(),
        scale, np.zeros((0, 3), np.int64), np.zeros((0, 4)), np.zeros((0, 5), np.int64),
        np.zeros((0, 5), np.int64), np.zeros((0, 10)),
        watched, _jumps(system),
        np.zeros((watched.size, 3)), np.zeros(watched.size), system.parameters.changes, orders, *_floors(system),
        still, coasting, np.zeros((6, layout.free_groups * layout.width)),
        np.ones(layout.free_groups * layout.width),
        room_for(arrays.state.size, lam.size) if integrator.solutions == 2 else room_for(0, 0),
        walks, addresses_of(integrator),
        layout.free_groups, layout.state_groups, layout.width, layout.states_base, unknowns.state_rows,
        unknowns.multiplier_rows, layout.multiplier_base, forces,
        reactions_of(system), len(system.drives.inputs), samples_of(system), contacts, paths, no_tree(),
    ))  # fmt: skip


def _is_lock(element: Element) -> bool:
    """Whether an element's reactions are rates of states: its equations are of accelerations."""
    return any(state.reaction for state in element.states())


def note_motions(machine: Machine, system: System, held: Sequence[Node], length: float) -> None:
    """Errors of prescribed nodes count by the length of the smallest part [m] that is tied to them, and in rad."""
    number = {id(system.drives.all[k]): i for i, k in enumerate(system.drives.restless)}
    for node in held:
        for k, drive in enumerate(node.motion.drives if node.motion is not None else ()):
            if id(drive) in number:
                at = number[id(drive)]
                machine.motions[at] = max(machine.motions[at], 1.0 / length if k < 3 else 1.0)


def _floors(system: System) -> tuple[np.ndarray, np.ndarray]:
    """Where states with a floor have their value, and the floors."""
    layout = system.layout
    found = [(layout.state_block(x) + VALUE * layout.width, x.floor.lower) for x in layout.states if x.floor]
    return np.array([at for at, _ in found], np.int64), np.array([lower for _, lower in found], float)


def _jumps(system: System) -> np.ndarray:
    """Times at which forces or reactions are known to jump: those also where prescribed places bend [s]."""
    prescribing = [leaf for element in system.holding for leaf in element.leaves() if isinstance(leaf, Drive)]
    prescribing += [drive for node in system.layout.held if node.motion is not None for drive in node.motion.drives]
    times = [time for drive in system.drives.all for time in drive.jumps()]
    return np.unique([*times, *(time for drive in prescribing for time in drive.bends())]).astype(float)
