"""The arrays of a system as the native driver uses them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from samara.model import Drive, Element, Node
from samara.recursive.native.compiled import CompiledTree
from samara.solve.contact.paths import Paths, paths_of
from samara.solve.impacts.contacts import WholeContacts, note_parts, whole_contacts
from samara.solve.integrators import Integrator
from samara.solve.integrators.native import addresses_of
from samara.solve.integrators.walks import load_walks
from samara.solve.laws.samples import Samples, samples_of
from samara.solve.native.ownership import Owned, Solver, StateBlock, marked, with_arrays
from samara.solve.native.records import StepLimits, StepMemory
from samara.solve.native.verbs import no_verbs
from samara.solve.redundant.carrier import Carriers, no_carriers
from samara.solve.redundant.local_error import ERROR_ORDER
from samara.solve.redundant.reactions import Reactions, reactions_of
from samara.solve.redundant.renewal import turning_pairs
from samara.solve.redundant.spans import Spans, no_spans
from samara.solve.redundant.step_kept import StepKept, room_for
from samara.solve.topology.parts import parts
from samara.solve.tree.machine import TreeMachine, no_tree, tree_machine
from samara.solve.tree.schemes import IMPLICIT, TIME_STEPPING, TreeIntegrator
from samara.system.memory.blocks import VALUE
from samara.system.system import System
from samara.tracing.driver.reference import refer

#: The largest part of all unknowns that is worth to be kept apart because it turns.
LARGEST_LATE_PART = 0.5


class MachineLayout(NamedTuple):
    """Numbers of items and their first indices, in the state and in the rows of `res` and `x`."""

    free_groups: int
    state_groups: int
    width: int
    states_base: int
    state_rows: int
    multiplier_rows: int
    multiplier_base: int
    multiplier_count: int
    input_count: int


class Multipliers(NamedTuple):
    """History of the multipliers, and the targets of the constraints."""

    last: Owned
    before: Owned
    target: Owned  # velocities by which constraints are to be missed (`solve.redundant.projection`)


class Turning(NamedTuple):
    """Elements between parts in relative rotation, whose part of the factors is renewed separately."""

    program: np.ndarray
    elements: int  # how many they are
    spans: Spans  # which of the factors' supernodes elements add to
    pairs: np.ndarray  # where the blocks of the two free nodes of each element begin that may be one of them
    turns: Solver  # whether it is, when they were last looked at


class Jumps(NamedTuple):
    """What may jump (`solve.step.events`)."""

    watched: np.ndarray  # where the drives that may jump lie in the state
    times: np.ndarray  # at which drives are known to jump, in order [s]
    known: Owned  # values and rates of drives at the present time, and their largest value so far
    motions: np.ndarray  # weight of each in the error of a step, where it prescribes a node that is looked at
    parameter_changes: np.ndarray  # how often a parameter was changed


class Floors(NamedTuple):
    """States that must not fall below a value."""

    places: np.ndarray  # of their values in the state
    values: np.ndarray


class Massless(NamedTuple):
    """Nodes without mass."""

    nodes: np.ndarray  # where their blocks begin
    coasting: np.ndarray  # and of those of them that no lock holds, whose equations have accelerations in them
    kept: np.ndarray  # velocities before an event, in world axes against the carriers


class MachinePlan(NamedTuple):
    """Read-only data of a step: addresses of the kernels that update nodes and states, and constants of the system."""

    iterates: int  # whether its steps are found by iteration
    rings: int  # whether the integrator keeps the fastest modes for ever
    error_order: int  # power of the step that its local error grows with
    #: addresses of predict, correct, take back, move, carry, between, turn: a row each, for nodes and for states
    walks: np.ndarray
    scheme: np.ndarray  # addresses of the integrator's coefficients (`integrators.native`)
    tables: np.ndarray
    program: np.ndarray
    signals: np.ndarray  # program of the drives and prescribed nodes
    rows: np.ndarray  # of the unknowns in `res` and `x`, in the order of the linear solver
    scale: np.ndarray  # of the scalar states, infinite where their rate is a reaction
    orders: np.ndarray  # of the scalar states
    lengths: np.ndarray  # size of the part that each node with unknowns belongs to [m]


class MachineScratch(NamedTuple):
    """Scratch memory; its contents do not outlive a step."""

    res: np.ndarray
    out: np.ndarray
    found: np.ndarray  # correction that the last iteration found, and
    taken: np.ndarray  # the one it took
    shown: np.ndarray  # room for the state while one within a step is shown


class Machine(NamedTuple):
    """A system as the driver uses it: constants, the state of a step, and scratch memory; then optional features."""

    verbs: np.ndarray  # addresses of what a formulation does (`native.verbs`)
    plan: MachinePlan
    layout: MachineLayout
    state: Owned
    coef: Owned
    x: Owned  # unknowns; lanes without a node stay zero
    scratch: MachineScratch
    multipliers: Multipliers
    reactions: Reactions  # what multipliers are as forces
    turning: Turning
    carriers: Carriers
    jumps: Jumps
    floors: Floors
    massless: Massless
    ahead: StepKept  # of a scheme that solves twice in a step, empty otherwise
    samples: Samples  # discrete laws, and when they are called
    contacts: WholeContacts  # of a model in redundant coordinates
    paths: Paths  # of what has gaps
    tree: TreeMachine  # of a model in minimal coordinates (`solve.tree`)


def make_machine(system: System, integrator: Integrator, minimal: bool = False) -> Machine:
    """Views of a system for the driver, and the formulas of an integrator; the system must outlive it.

    minimal: whether it moves in minimal coordinates.
    """
    layout, arrays = system.layout, system.arrays
    contacts, paths = whole_contacts(system), paths_of(system, minimal)
    note_parts(contacts, paths, layout.width)
    places = _layout(system)
    lam = np.zeros(max(1, places.multiplier_count))
    pairs = np.array([[layout.block(n) for n in e.nodes()] for e in system.pairs], np.int64).reshape(-1, 2)
    scratch = MachineScratch(
        res=arrays.res, out=arrays.out, found=np.zeros_like(arrays.x), taken=np.zeros_like(arrays.x), shown=np.zeros(0)
    )
    return refer(
        Machine(
            verbs=no_verbs(),
            plan=refer(_plan(system, integrator)),
            layout=places,
            state=arrays.state,
            coef=arrays.coef,
            x=arrays.x,
            scratch=refer(scratch),
            multipliers=Multipliers(last=lam, before=lam.copy(), target=lam.copy()),
            reactions=reactions_of(system),
            turning=Turning(system.program[:0], 0, no_spans(), pairs, turns=np.zeros(len(pairs), bool)),
            carriers=no_carriers(),
            jumps=_jumps(system),
            floors=_floors(system),
            massless=_massless(system),
            ahead=room_for(arrays.state.size, lam.size) if integrator.solutions == 2 else room_for(0, 0),
            samples=samples_of(system),
            contacts=contacts,
            paths=paths,
            tree=no_tree(),
        )
    )


def _plan(system: System, integrator: Integrator) -> MachinePlan:
    layout = system.layout
    walks = np.zeros((7, 2), np.int64)
    for k, addresses in enumerate(load_walks(system, integrator)):
        names = ("predict", "correct", "take_back", "move", "carry", "between", "turn")
        walks[:, k] = [addresses.get(name, 0) for name in names]
    orders = np.zeros(layout.state_groups * layout.width, np.int64)
    orders[: len(layout.states)] = [state.order for state in layout.states]
    scale = system.arrays.scale.copy()
    scale[: len(layout.states)][[state.reaction for state in layout.states]] = np.inf
    return MachinePlan(
        iterates=1,
        rings=int(integrator.radius == 1.0),
        error_order=ERROR_ORDER,
        walks=walks,
        scheme=addresses_of(integrator),
        tables=system.arrays.tables,
        program=system.program,
        signals=system.signal_program,
        rows=system.unknowns.rows.astype(np.uint32),
        scale=scale,
        orders=orders,
        lengths=np.ones(layout.free_groups * layout.width),
    )


def _layout(system: System) -> MachineLayout:
    layout, unknowns = system.layout, system.unknowns
    return MachineLayout(
        free_groups=layout.free_groups,
        state_groups=layout.state_groups,
        width=layout.width,
        states_base=layout.states_base,
        state_rows=unknowns.state_rows,
        multiplier_rows=unknowns.multiplier_rows,
        multiplier_base=layout.multiplier_base,
        multiplier_count=layout.multiplier_count + layout.force_count,
        input_count=len(system.drives.inputs),
    )


def _massless(system: System) -> Massless:
    layout = system.layout
    static = [n for n in layout.free if n.kind == "static"]
    locked = {n.name for e in system.model.elements.values() if _is_lock(e) for n in e.nodes()}
    return Massless(
        nodes=np.array([layout.block(n) for n in static], np.int64),
        coasting=np.array([layout.block(n) for n in static if n.name not in locked], np.int64),
        kept=np.zeros((6, layout.free_groups * layout.width)),
    )


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
                machine.jumps.motions[at] = max(machine.jumps.motions[at], 1.0 / length if k < 3 else 1.0)


def _floors(system: System) -> Floors:
    layout = system.layout
    found = [(layout.state_block(x) + VALUE * layout.width, x.floor.lower) for x in layout.states if x.floor]
    return Floors(np.array([at for at, _ in found], np.int64), np.array([lower for _, lower in found], float))


def _jumps(system: System) -> Jumps:
    watched = system.layout.signal_base + 3 * np.array(system.drives.restless, np.int64)
    return Jumps(
        watched=watched,
        times=_known_jumps(system),
        known=np.zeros((watched.size, 3)),
        motions=np.zeros(watched.size),
        parameter_changes=system.parameters.changes,
    )


def _known_jumps(system: System) -> np.ndarray:
    """Times at which forces or reactions are known to jump: those also where prescribed places bend [s]."""
    prescribing = [leaf for element in system.holding for leaf in element.leaves() if isinstance(leaf, Drive)]
    prescribing += [drive for node in system.layout.held if node.motion is not None for drive in node.motion.drives]
    times = [time for drive in system.drives.all for time in drive.jumps()]
    return np.unique([*times, *(time for drive in prescribing for time in drive.bends())]).astype(float)


def note_sizes(machine: Machine, s: System, in_tree: bool) -> float:
    """Size of the mechanism [m], that of its largest part; those of all nodes' parts go to the driver."""
    found = []
    for part in parts(s.model):
        length = part.length  # looks at all elements
        found.append(length)
        machine.plan.lengths[[s.layout.node_index[node.name] for node in part.nodes]] = length
        if not in_tree:  # the formulas of trees look at them on the way
            note_motions(machine, s, part.held, length)
    return max(found, default=1.0)


def with_tree(machine: Machine, tree: CompiledTree, integrator: Integrator | TreeIntegrator, length: float) -> Machine:
    """A machine of the recursive formulation, for a mechanism of this size [m]."""
    own = tree_machine(tree, integrator, length)
    iterates = int(own.plan.method in (IMPLICIT, TIME_STEPPING))
    return machine._replace(tree=own, plan=machine.plan._replace(iterates=iterates, error_order=own.plan.order))


def in_one_block(machine: Machine, s: System, tree: CompiledTree | None) -> tuple[Machine, StateBlock]:
    """A machine whose step owns one block of memory, with that of the clock, of limits, of the system and the tree."""
    numbers = {"memory": StepMemory().words, "limits": StepLimits().words}
    owned = StateBlock(dict(marked(machine, "Owned")) | numbers)
    s.move_to(**{name: owned.arrays[name] for name in ("state", "coef", "x")})
    if tree is not None:
        tree.block = owned.arrays["tree.block"]
    return with_arrays(machine, owned.arrays), owned


def elements_that_turn(machine: Machine, s: System, rate: float) -> tuple[str, ...]:
    """Elements between two free nodes that turn against each other faster than this [rad/s]: bearings of rotors.

    Unknowns are in the axes of the nodes, so that the Jacobian of a rotor stays while it turns. Only that of such an
    element does not, and factors that are kept wear out by it alone.
    """
    turning_pairs(machine, rate)
    found = [element for element, turns in zip(s.pairs, machine.turning.turns, strict=True) if turns]
    late = np.unique(np.concatenate([s.unknowns_of(e) for e in found])) if found else np.zeros(0)
    return tuple(e.name for e in found) if late.size < LARGEST_LATE_PART * s.unknowns.size else ()
