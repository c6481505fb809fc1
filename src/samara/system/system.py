"""The compiled model: kernels, numbering and flat arrays. No Python object is touched in a step."""

from __future__ import annotations

import functools
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NoReturn

import numpy as np

from samara.elements.sensors.node_motion import NodeMotion
from samara.elements.sensors.state_value import StateValue
from samara.model import Constant, Drive, Element, Input, Model, ModelError, Node, Parameter, State
from samara.model.arguments import finite
from samara.model.inventory import changed, inventory
from samara.model.model import require_model
from samara.system.blocks import (
    ACC,
    ALGEBRAIC,
    CARRIER,
    COEFFICIENTS,
    ETA,
    ROTATION,
    SIZE,
    STATE_SIZE,
    VALUE,
    Coefficient,
)
from samara.system.kinds import TOTALS, Kind, make_kind
from samara.system.memory import aligned_zeros
from samara.system.motion import NODES, STATES, node_functions, state_functions
from samara.system.release import Releases
from samara.system.signals import SignalKind, inputs_of, is_fixed, make_signals, numbers_of
from samara.system.start import place_nodes
from samara.tracing import Curve, Surface, native
from samara.tracing.expr import hint

#: Native functions of a kind, in the order of the columns of `System.program` after [groups, indices, parameters].
FUNCTIONS = ("residual", "jacobian", "velocity", "acceleration", "outputs")
INDEX_LIMIT = 2**32 - 1


@dataclass
class Group:
    """All instances of a kind, packed in lanes."""

    kind: Kind
    addresses: dict[str, int]
    count: int  # groups of W
    idx: np.ndarray  # uint32 [groups, slots + entries, W]
    par: np.ndarray  # float64 [groups, parameters, W]
    entry: np.ndarray  # int64 [groups, entries, W]: position in the matrix pattern, nnz for none
    multiplier: np.ndarray  # first multiplier of each element
    output: np.ndarray  # first output of each element


class System:
    """A model made ready: numbered unknowns, packed kernels, and the arrays that they work on.

    Unknowns are numbered like the nodes are stored, W abreast (`row`), with gaps where the last group is not full; then
    come the scalar states, then the multipliers. `dense` maps them to the 0..n-1 of the linear solver, of which the
    first `coordinates` are those of nodes and states.
    """

    def __init__(self, model: Model, lanes: int | None = None) -> None:
        require_model("System", model)
        model.check()
        self.model = model
        self.width = lanes or native.native_width()
        self._tables: dict[int, int] = {}
        self._table_data: list[np.ndarray] = [np.zeros(1)]
        self._parameter_places: dict[str, list[tuple[np.ndarray, tuple]]] = {}
        self.kernels: list[native.Loaded] = []
        self._number_nodes()
        self._collect_signals()
        kinds = self._make_kinds()
        self._number(kinds)
        self.groups = [self._pack(kind) for kind in kinds]
        self.releases = Releases(self) if model.redundant != "refuse" and self.multiplier_count else None
        self.groups += [self.releases.group] if self.releases else []
        self.packed = {e.name: (group, k) for group in self.groups for k, e in enumerate(group.kind.elements)}
        self._make_pattern()
        self._allocate()
        self._load_shared()
        self._finish_progress()
        self.user: object = None  # the simulation that works on the arrays now
        self._made_of = inventory(model, self._parameters.values())
        self.reset()

    # ---- numbering
    def _number_nodes(self) -> None:
        w = self.width
        self.free = [n for n in self.model.nodes.values() if n.free]
        self.held = [n for n in self.model.nodes.values() if not n.free]
        self.free_groups = -(-len(self.free) // w)
        held_groups = -(-len(self.held) // w)
        self.node_index = {n.name: k for k, n in enumerate(self.free)}
        self.node_index |= {n.name: self.free_groups * w + k for k, n in enumerate(self.held)}
        self.node_room = (self.free_groups + held_groups) * SIZE * w
        self.states = list(self.model.states.values())
        self.state_index = {state.name: k for k, state in enumerate(self.states)}
        self.state_groups = -(-len(self.states) // w)
        self.coordinates = 6 * len(self.free) + len(self.states)

    def block(self, node: Node) -> int:
        """Start of a node's block in the state; component i is i * W further."""
        k = self.node_index[node.name]
        return (k // self.width) * SIZE * self.width + k % self.width

    def row(self, node: Node) -> int:
        """First unknown of a node (component i is i * W further); the trash for a node without unknowns."""
        if not node.free:
            return self.trash_row
        k = self.node_index[node.name]
        return (k // self.width) * 6 * self.width + k % self.width

    def state_block(self, state: State) -> int:
        """Start of a scalar state's block; component i is i * W further."""
        k = self.state_index[state.name]
        return self.states_base + (k // self.width) * STATE_SIZE * self.width + k % self.width

    def drive_number(self, drive: Drive) -> int:
        """Position of a drive among all."""
        return self._drive_index[id(drive)]

    def signal_place(self, drive: Drive) -> int:
        """Where a drive lies in the state: its value, its rate and its second derivative."""
        return self.signal_base + 3 * self.drive_number(drive)

    def _collect_signals(self) -> None:
        """Every distinct drive once: three numbers of the state each."""
        self.drives: list[Drive] = []
        self._drive_index: dict[int, int] = {}
        prescribed = [n for n in self.held if n.motion is not None]
        leaves: list[object] = [leaf for element in self.model.elements.values() for leaf in element.leaves()]
        # those of motions as well: where they jump is an event
        leaves += [d for n in prescribed if n.motion for d in n.motion.drives if not isinstance(d, Constant)]
        for leaf in leaves:
            if isinstance(leaf, Drive) and id(leaf) not in self._drive_index:
                self._drive_index[id(leaf)] = len(self.drives)
                self.drives.append(leaf)
        self.signals = make_signals(self.drives, prescribed, self.width)
        self.inputs: list[Input] = list(dict.fromkeys(inputs_of([*self.drives, *prescribed])))
        self._fixed = [k for k, drive in enumerate(self.drives) if is_fixed(drive)]
        self._fixed_values = np.array([float(self.drives[k](0.0)) for k in self._fixed])
        # drives that may move by themselves or be moved
        self.restless = [k for k, drive in enumerate(self.drives) if not isinstance(drive, Constant)]
        self.parameter_changes = np.zeros(1, np.int64)  # how often `set_parameter`, or an operator, changed one
        self.input_names = {i.name: k for k, i in enumerate(self.inputs)}
        if len(self.input_names) < len(self.inputs):
            raise ModelError(f"two inputs of model {self.model.name!r} have the same name: use one Input object")

    def __reduce__(self) -> NoReturn:
        raise ModelError(
            f"the System of model {self.model.name!r} cannot be copied or pickled, for native code knows its arrays by "
            "their places: copy the model, and make a System of it"
        )

    def _make_kinds(self) -> list[Kind]:
        kinds: dict[tuple, Kind] = {}
        moving = [n for n in (*self.free, *self.held) if n.kind != "ground"]
        sensors: list[Element] = [self._sensor(NodeMotion(n), n) for n in moving]
        sensors += [self._sensor(StateValue(state), state) for state in self.states]
        for element in (*self.model.elements.values(), *sensors):
            key = element.structure()
            if key not in kinds:
                try:
                    kinds[key] = make_kind(element)
                except ModelError as error:
                    raise ModelError(f"element {element.name!r}: {error}") from None
                except Exception as error:
                    said = "; ".join(str(part) for part in (error, hint(error)) if part)
                    said = f"element {element.name!r} ({type(element).__name__}): {said}"
                    error.args = (said,)
                    if said not in str(error):  # an exception that words itself
                        raise ModelError(said) from error
                    raise
            kinds[key].elements.append(element)
        return list(kinds.values())

    @staticmethod
    def _sensor(sensor: Element, of: Node | State) -> Element:
        sensor.join(of.name)
        return sensor

    def _number(self, kinds: Sequence[Kind]) -> None:
        w = self.width
        self.states_base = self.node_room
        self.signal_base = self.states_base + self.state_groups * STATE_SIZE * w
        self.input_base = self.signal_base + 3 * len(self.drives)
        self.multiplier_base = self.input_base + len(self.inputs)
        self.multiplier_count = sum(k.multiplier_count * len(k.elements) for k in kinds)
        self.state_size = self.multiplier_base + self.multiplier_count
        self.node_rows = self.free_groups * 6 * w
        self.multiplier_rows = self.node_rows + self.state_groups * w
        self.trash_row = self.multiplier_rows + self.multiplier_count
        widest = max((k.multiplier_count for k in kinds), default=0)
        self.row_room = self.trash_row + max(6 * w, widest)
        self.output_size = len(TOTALS) + sum(k.output_width * len(k.elements) for k in kinds)
        self.output_room = self.output_size + len(TOTALS) + max((k.output_width for k in kinds), default=0) + 1
        if max(self.state_size, self.row_room) > INDEX_LIMIT:
            raise ModelError(f"model {self.model.name!r} is too large for 32-bit indices")
        self._next_multiplier, self._next_output = 0, len(TOTALS)
        self.owner: dict[int, str] = {}  # row -> what it belongs to, for messages

    # ---- packing
    def _pack(self, kind: Kind) -> Group:
        w, count = self.width, -(-len(kind.elements) // self.width)
        loaded = native.load(kind.name, kind.functions, w, kind.shape)
        self.kernels.append(loaded)
        idx = np.zeros((count, kind.slots, w), np.uint32)
        par = aligned_zeros((count, len(kind.parameter_leaves), w))
        multiplier, output = [], []
        for k in range(count * w):
            element = kind.elements[min(k, len(kind.elements) - 1)]
            g, lane, real = k // w, k % w, k < len(kind.elements)
            if real:
                multiplier.append(self._next_multiplier)
                output.append(self._next_output)
                for m in range(kind.multiplier_count):
                    self.owner[self.multiplier_rows + self._next_multiplier + m] = f"element {element.name!r}"
                self._next_multiplier += kind.multiplier_count
                self._next_output += kind.output_width
            self._fill_indices(idx[g, :, lane], kind, element, real, multiplier[-1], output[-1])
            self._fill_parameters(par, (g, lane), kind, element)
        return Group(kind, loaded.addresses, count, idx, par, np.zeros(0), np.array(multiplier), np.array(output))

    def _fill_indices(
        self, column: np.ndarray, kind: Kind, element: Element, real: bool, multiplier: int, output: int
    ) -> None:
        slots = kind.places
        for i, node in enumerate(element.nodes()):
            column[slots.node(i)] = self.block(node)
            column[slots.row(i)] = self.row(node) if real else self.trash_row
        column[slots.multipliers] = self.multiplier_base + multiplier
        column[slots.multiplier_rows] = self.multiplier_rows + multiplier if real else self.trash_row
        column[slots.outputs] = output if real else self.output_size + len(TOTALS)
        column[slots.totals] = 0 if real else self.output_size
        for k, state in enumerate(element.states()):
            column[slots.state(k)] = self.state_block(state)
            column[slots.state_row(k)] = self.node_rows + self.state_index[state.name] if real else self.trash_row
        leaves = element.leaves()
        for s, leaf in enumerate(kind.signal_leaves):
            column[slots.signal(s)] = self.signal_place(leaves[leaf])

    def _fill_parameters(self, par: np.ndarray, where: tuple, kind: Kind, element: Element) -> None:
        leaves = element.leaves()
        g, lane = where
        for k, leaf in enumerate(kind.parameter_leaves):
            par[g, k, lane] = self._number_of(leaves[leaf], par, (g, k, lane))

    def _number_of(self, leaf, array: np.ndarray, where: tuple) -> float:
        """A leaf as the kernel reads it; remembers where named parameters went."""
        if isinstance(leaf, Parameter):
            self._parameter_places.setdefault(leaf.name, []).append((array, where))
            return leaf.value
        if isinstance(leaf, (Curve, Surface)):
            if id(leaf) not in self._tables:
                self._tables[id(leaf)] = sum(len(t) for t in self._table_data)
                self._table_data.append(leaf.pack())
            return float(self._tables[id(leaf)])
        return float(leaf)

    # ---- matrix
    def _make_pattern(self) -> None:
        """Pattern of the Jacobian (CSR, dense numbering) and each entry's place in it."""
        w = self.width
        self.rows = np.concatenate(
            [
                np.array([self.row(n) + i * w for n in self.free for i in range(6)], dtype=np.int64),
                self.node_rows + np.arange(len(self.states)),
                self.multiplier_rows + np.arange(self.multiplier_count),
            ]
        )
        for n in self.free:
            for i in range(6):
                self.owner[self.row(n) + i * w] = f"node {n.name!r}"
        self.owner |= {self.node_rows + k: f"state {state.name!r}" for k, state in enumerate(self.states)}
        self.size = self.rows.size
        self.dense = np.full(self.row_room, -1, dtype=np.int64)
        self.dense[self.rows] = np.arange(self.size)
        keys = []
        for group in self.groups:
            r, c = self._entry_rows(group, 0), self._entry_rows(group, 1)
            good = (self.dense[r] >= 0) & (self.dense[c] >= 0)
            group.entry = np.where(good, self.dense[r] * self.size + self.dense[c], -1)
            keys.append(group.entry[good])
        diagonal = np.arange(self.coordinates) * (self.size + 1)  # room for the weights of an assembly
        unique = np.unique(np.concatenate([*keys, diagonal]))
        self.nnz = unique.size
        self.indices = unique % self.size
        self.indptr = np.searchsorted(unique, np.arange(self.size + 1) * self.size)
        self.diagonal = np.searchsorted(unique, diagonal)
        for group in self.groups:
            found = np.searchsorted(unique, np.maximum(group.entry, 0))
            group.entry = np.where(group.entry >= 0, found, self.nnz)
            entries = np.zeros((group.count, len(group.kind.entries), w), np.uint32)
            group.idx = np.ascontiguousarray(np.concatenate([group.idx, entries], axis=1))

    def _entry_rows(self, group: Group, which: int) -> np.ndarray:
        """Row (0) or column (1) of every Jacobian entry of every instance."""
        slots = group.kind.places
        slot = {"node": slots.row, "state": slots.state_row, "lam": lambda _: slots.multiplier_rows}
        result = np.empty((group.count, len(group.kind.entries), self.width), dtype=np.int64)
        for e, entry in enumerate(group.kind.entries):
            what, i, c = entry[which]
            base = group.idx[:, slot[what](i), :]
            row = base.astype(np.int64) + (c * self.width if what == "node" else c)
            trash = base >= self.trash_row
            result[:, e, :] = np.where(trash, self.trash_row, row)
        return result

    @functools.cached_property
    def pairs(self) -> list[Element]:
        """Elements between two free nodes, without states of their own: what may hold parts that turn together."""
        candidates = ((e, e.nodes()) for e in self.model.elements.values() if not e.states())
        return [e for e, nodes in candidates if len(nodes) == 2 and nodes[0].free and nodes[1].free]

    @functools.cached_property
    def together(self) -> np.ndarray:
        """A number for each unknown of the linear solver: the same for the six of a node."""
        nodes = 6 * len(self.free)
        return np.concatenate([np.arange(nodes) // 6, np.arange(nodes, self.size)])

    def unknowns(self, element: Element) -> np.ndarray:
        """Numbers, for the linear solver, of the unknowns of an element's free nodes, of its states and multipliers."""
        rows = [self.row(n) + i * self.width for n in element.nodes() if n.free for i in range(6)]
        rows += [self.node_rows + self.state_index[state.name] for state in element.states()]
        group, k = self.packed[element.name]
        rows += [self.multiplier_rows + group.multiplier[k] + i for i in range(group.kind.multiplier_count)]
        return self.dense[rows]

    def bind(self, slot: np.ndarray, trash: int, apart: Sequence[str] = ()) -> np.ndarray:
        """Points every Jacobian entry at its place in the storage of a factorisation.

        apart: names of elements that are left out, and served by a program of their own: it is returned.
        """
        extended = np.append(np.asarray(slot, np.uint32), np.uint32(trash))
        for group in self.groups:
            group.idx[:, group.kind.slots :, :] = extended[group.entry]
        own: dict[tuple[int, int], np.ndarray] = {}
        program = []
        for name in apart:
            group, k = self.packed[name]
            g, lane = divmod(k, self.width)
            if (id(group), g) not in own:
                idx = own[id(group), g] = group.idx[g : g + 1].copy()
                idx[0, group.kind.slots :, :] = trash
                jacobian = [group.addresses.get(f, 0) if f == "jacobian" else 0 for f in FUNCTIONS]
                program.append([1, idx.ctypes.data, group.par[g : g + 1].ctypes.data, *jacobian])
            own[id(group), g][0, group.kind.slots :, lane] = extended[group.entry[g, :, lane]]
            group.idx[g, group.kind.slots :, lane] = trash
        self._apart = own  # the program knows them by address
        return np.array(program, dtype=np.int64).reshape(-1, 3 + len(FUNCTIONS))

    # ---- arrays
    def _allocate(self) -> None:
        self.state = aligned_zeros(self.state_size)
        self.res, self.x = aligned_zeros(self.row_room), aligned_zeros(self.row_room)
        self.out = aligned_zeros(self.output_room)
        self.coef = aligned_zeros(COEFFICIENTS)
        self.coef[Coefficient.PER_POSE] = 1.0

    def _load_shared(self) -> None:
        w = self.width
        walk = native.load("nodes", node_functions(), w, NODES)
        self.kernels.append(walk)
        self.walk = [walk.addresses]
        if self.states:
            walk = native.load("states", state_functions(), w, STATES)
            self.kernels.append(walk)
            self.walk.append(walk.addresses)
        self.scale = np.ones(self.state_groups * w)  # of the states, and of unused lanes
        self.scale[: len(self.states)] = [state.scale for state in self.states]
        self._signal_arrays: list[tuple[np.ndarray, np.ndarray]] = []  # the program knows them by address
        program = [self._pack_signals(kind) for kind in self.signals]
        self.signal_program = np.array(program, dtype=np.int64).reshape(-1, 4)
        self.tables = np.concatenate(self._table_data)
        self.program = np.array(
            [
                [g.count, g.idx.ctypes.data, g.par.ctypes.data, *(g.addresses.get(f, 0) for f in FUNCTIONS)]
                for g in self.groups
            ],
            dtype=np.int64,
        ).reshape(-1, 3 + len(FUNCTIONS))

    def _pack_signals(self, kind: SignalKind) -> list[int]:
        """A row of the signals' program: instances, indices, parameters and the native function."""
        loaded = native.load(kind.name, [kind.function], 1, kind.shape)
        self.kernels.append(loaded)
        count = len(kind.instances)
        idx, par = np.zeros((count, kind.shape.indices), np.uint32), np.zeros((count, kind.shape.parameters))
        for i, instance in enumerate(kind.instances):
            results = [self.block(part) if isinstance(part, Node) else self.signal_place(part) for part in instance]
            inputs = [self.input_base + self.input_names[source.name] for source in inputs_of(instance)]
            idx[i] = results + inputs
            for k, leaf in enumerate(numbers_of(instance)):
                par[i, k] = self._number_of(leaf, par, (i, k))
        self._signal_arrays.append((idx, par))
        return [count, idx.ctypes.data, par.ctypes.data, loaded.addresses["signals"]]

    def _finish_progress(self) -> None:
        if sys.stderr.isatty() and any(not k.from_cache for k in self.kernels):
            print("\r\033[K", end="", file=sys.stderr, flush=True)

    # ---- what users change
    def require_current(self) -> None:
        """Refuses to go on with a model that is no longer what was compiled."""
        what = changed(self._made_of, inventory(self.model, self._parameters.values()))
        if what:
            raise ModelError(
                f"model {self.model.name!r} has changed since it was compiled: {what}; make a new System or Simulation"
            )

    def reset(self, inputs: bool = True) -> None:
        """Nodes as they start (see `samara.system.start`), states at their value then, multipliers at zero.

        inputs: whether inputs go back to their initial values; else they keep what they were fed.
        """
        fed = self.state[self.input_base : self.input_base + len(self.inputs)].copy()
        if inputs:
            fed[:] = [source.initial for source in self.inputs]
        self.state[:] = 0.0
        w = self.width
        for k in range(self.node_room // SIZE):  # unused lanes stay finite
            start = (k // w) * SIZE * w + k % w
            for i in (0, 4, 8):
                self.state[start + (ROTATION + i) * w] = 1.0
        for state in self.states:
            start = self.state_block(state)
            self.state[start + (VALUE + np.arange(2)) * w] = state.value, state.rate
            self.state[start + ALGEBRAIC * w] = float(state.order == 0)
        self.state[self.input_base : self.input_base + len(self.inputs)] = fed
        self.write_fixed_drives()
        self.placed = place_nodes(self)

    def write_fixed_drives(self) -> None:
        """Values of the drives that never change, which no kernel writes."""
        self.state[self.signal_base + 3 * np.array(self._fixed, np.int64)] = self._fixed_values

    def read(self, node: Node, first: int, count: int) -> np.ndarray:
        """Components of a node's block."""
        start = self.block(node)
        return self.state[start + (first + np.arange(count)) * self.width]

    def twist(self, node: Node) -> np.ndarray:
        """Velocity [m/s] and angular velocity [rad/s] of a node against the world, in its own axes."""
        R = self.read(node, ROTATION, 9).reshape(3, 3)
        carried = R.T @ self.read(node, CARRIER, 3)
        return self.read(node, ETA, 6) + np.concatenate([carried, np.zeros(3)])

    def twist_rate(self, node: Node) -> np.ndarray:
        """Time derivative of the components of that twist [m/s^2, rad/s^2]."""
        R, w = self.read(node, ROTATION, 9).reshape(3, 3), self.read(node, ETA + 3, 3)
        carried = R.T @ self.read(node, CARRIER, 3)
        return self.read(node, ACC, 6) - np.concatenate([np.cross(w, carried), np.zeros(3)])

    def write(self, node: Node, first: int, values) -> None:
        """Sets components of a node's block."""
        start = self.block(node)
        self.state[start + (first + np.arange(len(values))) * self.width] = values

    @functools.cached_property
    def _parameters(self) -> dict[str, Parameter]:
        """Named parameters: those of the model when it was compiled."""
        return self.model.parameters

    @functools.cached_property
    def _holders(self) -> dict[str, list[Element]]:
        """Elements in which each named parameter stands for a number."""
        found: dict[str, list[Element]] = {name: [] for name in self._parameters}
        for element in self.model.elements.values():
            for name in dict.fromkeys(leaf.name for leaf in element.leaves() if isinstance(leaf, Parameter)):
                found[name].append(element)
        return found

    def set_parameter(self, name: str, value: float) -> None:
        """Changes a named parameter everywhere it is used; no recompilation."""
        parameter = self._parameters.get(name)
        if parameter is None:
            known = ", ".join(self._parameters) or "none"
            raise ModelError(f"model {self.model.name!r} has no parameter {name!r} (it has: {known})")
        before = parameter.value
        parameter.put(value)
        try:
            for element in self._holders[name]:
                element.recheck()
        except ModelError:
            parameter.put(before)
            raise
        for array, where in self._parameter_places.get(name, ()):
            array[where] = parameter.value
        if parameter.value != before:
            self.parameter_changes[0] += 1

    def parameter_values(self) -> np.ndarray:
        """Named parameters as they are in memory, where an operator may have changed them; in order of their names."""
        values = []
        for name, parameter in sorted(self._parameters.items()):
            array, where = next(iter(self._parameter_places.get(name, ())), (None, ()))
            values.append(parameter.value if array is None else array[where])
        return np.array(values, float)

    def parameter_addresses(self, name: str) -> list[int]:
        """Where in memory the numbers lie that a named parameter is."""
        places = self._parameter_places.get(name, ())
        return [array[where[:-1]].ctypes.data + where[-1] * array.strides[-1] for array, where in places]

    def set_input(self, name: str, value: float) -> None:
        """Feeds an `Input` drive."""
        if name not in self.input_names:
            raise ModelError(
                f"model {self.model.name!r} has no input {name!r} (it has: {', '.join(self.input_names) or 'none'})"
            )
        self.state[self.input_base + self.input_names[name]] = finite(
            f"input {name!r} of model {self.model.name!r}", value
        )
