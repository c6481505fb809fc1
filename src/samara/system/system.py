"""The compiled model: layout, groups of elements, pattern and memory. A step touches no Python objects."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Iterable, Mapping
from typing import NoReturn

import numpy as np

from samara.arguments import finite, named, whole, yes_or_no
from samara.model import ArgumentError, Element, Model, ModelError
from samara.model.inventory import changed, inventory
from samara.model.model import require_model
from samara.system.kernels.node_kernels import NODES, STATES, node_functions, state_functions
from samara.system.layout.batches import Parts, sort_elements
from samara.system.layout.drives import Drives, SignalGroup, pack_signals
from samara.system.layout.groups import FUNCTIONS, Group, Packer
from samara.system.layout.layout import Layout
from samara.system.layout.parameters import Parameters
from samara.system.layout.pattern import Pattern
from samara.system.layout.release import Releases
from samara.system.layout.unknowns import Unknowns
from samara.system.memory.blocks import ALGEBRAIC, ROTATION, SIZE, VALUE
from samara.system.memory.numbers import ParameterPlaces
from samara.system.start.start import NOWHERE, place_nodes
from samara.system.state.arrays import Arrays, allocate
from samara.system.state.state import SystemState
from samara.system.state.tangents import Tangents
from samara.tracing.collection import collection_paused
from samara.tracing.kernels import native


class System:
    """A model prepared for computation, from its contents to the memory of the kernels; each part uses those before it:

    drives:     everything that depends on time and inputs alone.
    layout:     where numbers are stored.
    unknowns:   the equations and their order.
    groups:     elements of a kind, packed into lanes.
    pattern:    sparsity of the Jacobian.
    parameters: by name.
    arrays:     the memory; `state` gives access to it by name.

    lanes: how many elements a kernel processes at once; chosen for the CPU by default.
    parts: names of the elements of each part that owns its lanes; none by default.
    abreast: whether those parts share lanes instead, side by side, so that corresponding elements are adjacent.
    """

    @collection_paused()
    def __init__(
        self,
        model: Model,
        lanes: int | None = None,
        parts: Mapping[str, Iterable[str]] | None = None,
        abreast: bool = False,
    ) -> None:
        require_model("System", model)
        width = native.native_width() if lanes is None else whole("System: lanes", lanes)
        if width not in native.WIDTHS:
            raise ArgumentError(f"System: lanes must be one of {native.WIDTHS}, got {width}")
        abreast = yes_or_no("System: abreast", abreast)
        model.check()
        self.model = model
        self.kernels: list[native.Loaded] = []
        assigned, numbers = Parts(model, {} if parts is None else parts, abreast), ParameterPlaces()
        batches = sort_elements(model, assigned)
        self.drives = Drives(model)
        for source in self.drives.inputs:
            if source.name in model.parameters:
                raise ModelError(
                    f"model {model.name!r}: a parameter and an input are both called {source.name!r}: rename one"
                )
        self.layout = Layout(model, assigned, batches, self.drives.all, self.drives.inputs, width)
        self.unknowns = Unknowns(model, self.layout, batches)
        packer = Packer(self.layout, self.unknowns, numbers, self.kernels)
        self.groups = [packer.pack(batch) for batch in batches]
        self.releases = None
        if model.redundant != "refuse" and self.layout.multiplier_count:
            self.releases = Releases(self.layout, self.unknowns, self.kernels)
            self.groups.append(self.releases.group)
        own = [group for group in self.groups if not group.pooled]
        self._where = {e.name: (group, k) for group in own for k, e in enumerate(group.elements)}
        self.pattern = Pattern(self.layout, self.unknowns, self.groups)
        self.signals: list[SignalGroup] = pack_signals(self.drives, self.layout, numbers, self.kernels)
        self.walks = self._load_walks()
        self.parameters = Parameters(model, numbers.places)
        self.arrays: Arrays = allocate(self.layout, self.unknowns, numbers.tables())
        self.state: SystemState = SystemState(self)
        self.placed = NOWHERE
        self.user: object = None  # the simulation that currently uses the arrays
        self._made_of = inventory(model, self.parameters.named.values())
        self.reset()
        self.parameters.changes[0] = 0

    def _load_walks(self) -> list[dict[str, int]]:
        """Kernels shared by all models: those that move the nodes, and the scalar states if there are any."""
        found = [native.load("moves of nodes", node_functions(), self.layout.width, NODES)]
        if self.layout.states:
            found.append(native.load("moves of states", state_functions(), self.layout.width, STATES))
        self.kernels += found
        return [walk.addresses for walk in found]

    def __reduce__(self) -> NoReturn:
        raise ModelError(
            f"the System of model {self.model.name!r} cannot be copied or pickled, for native code knows its arrays by "
            "their places: copy the model, and make a System of it"
        )

    # ---- programs of native code
    @functools.cached_property
    def program(self) -> np.ndarray:
        """Program of all groups: one row each, see `Group.program`."""
        return np.array([g.program() for g in self.groups], dtype=np.int64).reshape(-1, 3 + len(FUNCTIONS))

    @functools.cached_property
    def signal_program(self) -> np.ndarray:
        """Program of drives and prescribed nodes."""
        return np.array([g.program() for g in self.signals], dtype=np.int64).reshape(-1, 4)

    @functools.cached_property
    def tangents(self) -> Tangents:
        """Derivatives of equations, measures and Jacobian by state, inputs and parameters."""
        return Tangents(self)

    # ---- elements
    def find(self, element: Element) -> tuple[Group, int]:
        """The group of an element, and its index in that group."""
        return self._where[element.name]

    def multiplier_count(self, element: Element) -> int:
        """Number of constraints with which an element holds its nodes."""
        return self._where[element.name][0].kind.multiplier_count

    def touches(self, element: Element) -> bool:
        """Whether the element is a contact, whose multipliers are forces that vanish unless it pushes."""
        return self._where[element.name][0].kind.touches

    def multipliers(self, element: Element) -> np.ndarray:
        """Indices of an element's multipliers."""
        group, k = self._where[element.name]
        return group.multiplier[k] + np.arange(group.kind.multiplier_count)

    def unknowns_of(self, element: Element) -> np.ndarray:
        """Numbers, in the linear solver, of the unknowns of an element's free nodes, states and multipliers."""
        return self.unknowns.dense[self.unknowns.rows_of(element, self.multiplier_count(element))]

    @functools.cached_property
    def holding(self) -> list[Element]:
        """Elements that hold their nodes by constraints; contacts, which only push, are not included."""
        return [e for e in self.model.elements.values() if self.multiplier_count(e) and not self.touches(e)]

    @functools.cached_property
    def pairs(self) -> list[Element]:
        """Elements between two free nodes, without states of their own, which may connect parts that turn together."""
        candidates = ((e, e.nodes()) for e in self.model.elements.values() if not e.states())
        return [e for e, nodes in candidates if len(nodes) == 2 and nodes[0].free and nodes[1].free]

    # ---- changes by users
    def require_current(self) -> None:
        """Raises an error if the model has changed since it was compiled."""
        what = changed(self._made_of, inventory(self.model, self.parameters.named.values()))
        if what:
            raise ModelError(
                f"model {self.model.name!r} has changed since it was compiled: {what}; make a new System or Simulation"
            )

    def reset(self, inputs: bool = True) -> None:
        """Resets nodes to their start (see `samara.system.start.start`), states to initial values, multipliers and time
        to zero.

        inputs: whether inputs return to their initial values or keep their current ones.
        """
        layout, w, state = self.layout, self.layout.width, self.arrays.state
        fed = self.state.inputs.copy()
        if inputs:
            fed[:] = [source.initial for source in self.drives.inputs]
        state[:] = 0.0
        lanes = np.arange(layout.node_groups * w)  # all of them, so that unused ones stay finite
        starts = (lanes // w) * SIZE * w + lanes % w
        for i in (0, 4, 8):
            state[starts + (ROTATION + i) * w] = 1.0
        for scalar in layout.states:
            start = layout.state_block(scalar)
            state[start + (VALUE + np.arange(2)) * w] = scalar.value, scalar.rate
            state[start + ALGEBRAIC * w] = float(scalar.order == 0)
        self.state.inputs[:] = fed
        self.parameters.changes[0] += 1  # a continuing run has no history here
        self.write_fixed_drives()
        with self.parameters.in_force():
            self.placed = place_nodes(self, self.placed)
        self.state.set_time(0.0)

    def move_to(self, **arrays: np.ndarray) -> None:
        """Uses other arrays as the memory from now on, by their names in `Arrays`; they hold the same numbers."""
        self.arrays = dataclasses.replace(self.arrays, **arrays)

    def write_fixed_drives(self) -> None:
        """Writes the values of drives that never change, which no kernel writes."""
        self.drives.write_fixed(self.arrays.state, self.layout)

    def set_parameter(self, name: str, value: float) -> None:
        """Changes a named parameter wherever it is used; no recompilation."""
        self.parameters.set(name, value)

    def set_input(self, name: str, value: float) -> None:
        """Sets the value of an `Input` drive."""
        known = self.layout.input_index
        named(f"model {self.model.name!r}", "input", name, known)
        value = finite(f"input {name!r} of model {self.model.name!r}", value)
        self.state.inputs[known[name]] = value
