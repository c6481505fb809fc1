"""Exact first-order sensitivities of a system: the effect of a small change on everything it computes.

A `Change` gives the change of state, inputs and parameters. The changes of equations, measures, constraint levels and
the Jacobian itself follow from the trace of each element, in one sweep of its kernels, compiled on first use. No
differences are involved, so there is no step to choose.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from scipy.sparse import csr_matrix

from samara.arguments import named
from samara.model import ArgumentError
from samara.system.memory.blocks import ACC, ETA, POSITION, RATE, ROTATION, SECOND, VALUE
from samara.system.state.kernel_calls import call_along
from samara.tracing.kernels import native
from samara.tracing.kernels.directional import directional

if TYPE_CHECKING:
    from samara.system.layout.drives import SignalGroup
    from samara.system.layout.groups import Group
    from samara.system.system import System

Level = Literal["velocity", "acceleration"]
StateLevel = Literal["pose", "twist", "acceleration", "multipliers"]

#: Number of motions written out together.
AT_ONCE = 256
#: Loaded derivatives, by the key of their kind, the function and the order: kept for the next system.
_ADDRESSES: dict[tuple[str, str, int], int] = {}


@dataclass(frozen=True)
class Change:
    """A direction in everything that a system depends on; omitted quantities do not change.

    pose:         displacement [m] and rotation [rad] of each node in its own axes, then of the scalar states.
    twist:        of the twists, in own axes, and of the rates of states.
    acceleration: of their time derivatives.
    multipliers:  of the multipliers.
    inputs, parameters: by name.
    """

    pose: np.ndarray | None = None
    twist: np.ndarray | None = None
    acceleration: np.ndarray | None = None
    multipliers: np.ndarray | None = None
    inputs: Mapping[str, float] = field(default_factory=dict)
    parameters: Mapping[str, float] = field(default_factory=dict)


class Tangents:
    """Derivatives at the current state of a system, with its current weights (`SystemState.weigh`)."""

    def __init__(self, system: System) -> None:
        self._system = system
        layout, self._width = system.layout, system.layout.width
        self._blocks = np.array([layout.block(n) for n in layout.free], np.int64)
        self._states = np.array([layout.state_block(x) for x in layout.states], np.int64)
        self.state = np.zeros_like(system.arrays.state)
        self._kernels: dict[tuple[int, str], int] = {}
        self._packed: list[Group | SignalGroup] = [*system.groups, *system.signals]
        self._par = {id(g): np.zeros_like(g.par) for g in self._packed}
        self._x = np.zeros_like(system.arrays.x)

    # ---- changes
    def set(self, change: Change) -> None:
        """Applies a change; drives and prescribed nodes follow inputs and parameters."""
        self._require_lengths(change)
        given = (change.pose, change.twist, change.acceleration)
        self.state[:] = self.rows(*(None if x is None else np.asarray(x, float)[:, None] for x in given))[0]
        if change.multipliers is not None:
            self.state[self._system.layout.multipliers] = change.multipliers
        self._set_given(change)

    def rows(
        self, pose: np.ndarray | None, twist: np.ndarray | None = None, acceleration: np.ndarray | None = None
    ) -> np.ndarray:
        """Changes of the state array due to motions of the nodes and states: a row for each of their columns."""
        given = [x for x in (pose, twist, acceleration) if x is not None]
        count, nodes = (given[0].shape[1] if given else 1), 6 * len(self._blocks)
        found = np.zeros((count, self.state.size))
        if pose is not None:
            d, theta = np.split(pose[:nodes].T.reshape(count, -1, 6), 2, axis=2)
            R = self._system.state.rotations
            found[:, self._at(ROTATION, 9)] = (R @ _skews(theta)).reshape(count, -1)
            found[:, self._at(POSITION, 3)] = np.einsum("nij,knj->kni", R, d).reshape(count, -1)
            found[:, self._states + VALUE * self._width] = pose[nodes:].T
        for values, first, level in ((twist, ETA, RATE), (acceleration, ACC, SECOND)):
            if values is not None:
                found[:, self._at(first, 6)] = values[:nodes].T
                found[:, self._states + level * self._width] = values[nodes:].T
        return found

    def _at(self, first: int, count: int) -> np.ndarray:
        """Positions of components in the blocks of all nodes with unknowns, node by node."""
        return (self._blocks[:, None] + (first + np.arange(count)) * self._width).ravel()

    def _require_lengths(self, change: Change) -> None:
        layout = self._system.layout
        for name, size in (
            ("pose", layout.coordinates),
            ("twist", layout.coordinates),
            ("acceleration", layout.coordinates),
            ("multipliers", layout.multiplier_count),
        ):
            given = getattr(change, name)
            if given is not None and (np.shape(given) != (size,) or not np.isfinite(np.asarray(given, float)).all()):
                raise ArgumentError(f"Change: {name} must be {size} finite numbers, got {given!r}")

    def _set_given(self, change: Change) -> None:
        s = self._system
        for name, amount in change.inputs.items():
            named(f"model {s.model.name!r}", "input", name, s.layout.input_index)
            self.state[s.layout.input(name)] = amount
        owners = {id(g.par): self._par[id(g)] for g in self._packed}
        for par in self._par.values():
            par[:] = 0.0
        for name, amount in change.parameters.items():
            s.parameters.find(name)
            for array, where in s.parameters.places(name):
                owners[id(array)][where] = amount
        self._run_signals()

    def prescribed_twists(self) -> np.ndarray:
        """Changes of the twists of nodes without unknowns, one row each, due to the change applied last."""
        layout = self._system.layout
        return self.state[layout.blocks(layout.held)[:, None] + (ETA + np.arange(6)) * self._width]

    def _run_signals(self) -> None:
        s = self._system
        if not (self.state[s.layout.inputs].any() or any(self._par[id(g)].any() for g in s.signals)):
            return
        tables, coef = s.arrays.tables.ctypes.data, s.arrays.coef.ctypes.data
        for group in s.signals:
            address = self.signal_address(group)
            tan, par = self.state.ctypes.data, self._par[id(group)].ctypes.data
            state, idx = s.arrays.state.ctypes.data, group.idx.ctypes.data
            given = group.par.ctypes.data
            call_along(address, len(group.idx), state, idx, given, coef, tables, tan, tan, tan, par, tan)

    # ---- effects
    def residual(self, change: Change) -> np.ndarray:
        """Change of all equations, in the order of the unknowns."""
        return self._equations("residual", change)

    def level(self, name: Level, change: Change) -> np.ndarray:
        """Change of the constraints at velocity or acceleration level."""
        return self._equations(name, change)[self._system.layout.coordinates :]

    def levels(self, name: Level, pose: np.ndarray, twist: np.ndarray) -> np.ndarray:
        """`level` for many motions of the nodes and states, one column each; inputs and parameters do not change."""
        self.set(Change())
        s, calls = self._system, self._calls(name)
        found = np.zeros((s.layout.multiplier_count, pose.shape[1]))
        for first in range(0, pose.shape[1], AT_ONCE):
            some = slice(first, first + AT_ONCE)
            for k, motion in enumerate(self.rows(pose[:, some], twist[:, some]), first):
                equations = np.zeros_like(s.arrays.res)
                self._run(calls, motion, equations)
                found[:, k] = equations[s.unknowns.rows[s.layout.coordinates :]]
        return found

    def _equations(self, function: str, change: Change) -> np.ndarray:
        self.set(change)
        found = np.zeros_like(self._system.arrays.res)
        self.run(function, found)
        return found[self._system.unknowns.rows]

    def outputs(self, change: Change) -> np.ndarray:
        """Change of all measures, in the order of `Arrays.out`, except the violation, whose change is not known."""
        self.set(change)
        found = np.zeros_like(self._system.arrays.out)
        self.run("outputs", found)
        return found

    def outputs_by(self, level: StateLevel, columns: np.ndarray) -> np.ndarray:
        """Derivatives of some measures by all coordinates or all multipliers, one column each."""
        layout = self._system.layout
        count = layout.multiplier_count if level == "multipliers" else layout.coordinates
        found = np.zeros((columns.size, count))
        for k, unit in enumerate(np.eye(count)):
            given: dict[str, Any] = {level: unit}
            found[:, k] = self.outputs(Change(**given))[columns]
        return found

    def bent_outputs(self, xi: np.ndarray) -> np.ndarray:
        """Second derivatives of all measures along a motion of the nodes with constant xi: H exp(t xi), d2/dt2."""
        self.set(Change(pose=xi))
        s, nodes = self._system, 6 * len(self._blocks)
        d, theta = np.split(np.asarray(xi, float)[:nodes].reshape(-1, 6), 2, axis=1)
        turned, R = _skews(theta), s.state.rotations
        bent, first = np.zeros_like(self.state), self.state
        bent[self._at(ROTATION, 9)] = (R @ turned @ turned).ravel()
        bent[self._at(POSITION, 3)] = np.einsum("nij,njk,nk->ni", R, turned, d).ravel()
        found, x = np.zeros_like(s.arrays.out), self._x.ctypes.data
        state, coef, tables = (a.ctypes.data for a in (s.arrays.state, s.arrays.coef, s.arrays.tables))
        to, tan, cur = found.ctypes.data, first.ctypes.data, bent.ctypes.data
        for group in s.groups:
            if address := self.address(group, "outputs", order=2):
                idx, par, none = group.idx.ctypes.data, group.par.ctypes.data, self._par[id(group)].ctypes.data
                call_along(address, group.count, state, idx, par, coef, tables, to, to, tan, none, x, cur, none, x)
        return found

    def jacobian(self, change: Change) -> csr_matrix:
        """Change of the Jacobian."""
        self.set(change)
        found = np.zeros(self._system.pattern.nnz + 1)
        self.run("jacobian", found)
        return self._system.pattern.matrix(found[:-1])

    def run(self, function: str, results: np.ndarray, groups: Sequence[int] | None = None) -> None:
        """Assembles or stores the changes due to one function of all groups, or of some.

        Entries of the Jacobian are in the order of the pattern, whatever storage the solver has bound them to.
        """
        self._run(self._calls(function, groups), self.state, results)

    def _calls(self, function: str, groups: Sequence[int] | None = None) -> list[tuple[int, ...]]:
        """For each group: address, count, indices, parameters and their changes."""
        s = self._system
        own = s.pattern.program()[:, 1] if function == "jacobian" else [g.idx.ctypes.data for g in s.groups]
        numbers = range(len(s.groups)) if groups is None else groups
        chosen = [(self.address(s.groups[k], function), s.groups[k], int(own[k])) for k in numbers]
        return [
            (address, group.count, idx, group.par.ctypes.data, self._par[id(group)].ctypes.data)
            for address, group, idx in chosen
            if address
        ]

    def _run(self, calls: list[tuple[int, ...]], motion: np.ndarray, results: np.ndarray) -> None:
        arrays = self._system.arrays
        state, coef, tables = (a.ctypes.data for a in (arrays.state, arrays.coef, arrays.tables))
        tan, x, to = motion.ctypes.data, self._x.ctypes.data, results.ctypes.data
        for address, count, idx, par, slopes in calls:
            call_along(address, count, state, idx, par, coef, tables, to, to, tan, slopes, x)

    def par(self, group: Group) -> np.ndarray:
        """Changes of the parameters of a group."""
        return self._par[id(group)]

    def signal_address(self, group: SignalGroup) -> int:
        """`address` for drives and prescribed nodes."""
        key = (id(group), "signals")
        if key not in self._kernels:
            function = directional(group.kind.function)
            loaded = native.load(f"{group.kind.name} along", [function], 1, group.kind.shape)
            self._kernels[key] = loaded.addresses[function.name]
        return self._kernels[key]

    def address(self, group: Group, name: str, order: int = 1) -> int:
        """Native code of the derivative of a function of a kind; 0 if it has none. Equal kinds share it."""
        key = (group.kind.key(self._system.layout.width), name, order)
        if key not in _ADDRESSES:
            found = [f for f in group.kind.functions if f.name == name]
            for _ in range(order):
                found = [directional(f) for f in found]
            found = [f for f in found if f.outputs]
            width, shape = self._system.layout.width, group.kind.shape
            label = f"{group.kind.name} along"
            loaded = native.load(label, found, width, shape) if found else None
            _ADDRESSES[key] = loaded.addresses[found[0].name] if loaded else 0
        return _ADDRESSES[key]


def _skews(vectors: np.ndarray) -> np.ndarray:
    """Cross-product matrices of many vectors, stored along the last axis."""
    found = np.zeros((*vectors.shape, 3))
    x, y, z = np.moveaxis(vectors, -1, 0)
    found[..., 0, 1], found[..., 0, 2], found[..., 1, 2] = -z, y, -x
    found[..., 1, 0], found[..., 2, 0], found[..., 2, 1] = z, -y, x
    return found
