"""Functions of a trace on complex numbers, all instances of a group at once: the oracle of exact derivatives.

Nothing here is shared with the rules of differentiation or with native code: every operation is NumPy's, on complex
arrays. A step of 1e-30 along the imaginary axis gives a derivative that is exact to rounding. Where an operation is
none of complex numbers (signs, choices, angles), it follows the real part. Tables are looked up by their own Python.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from samara.system.layout.groups import Group
from samara.system.system import System
from samara.tracing import Curve, Surface
from samara.tracing.kernels.lanes import Function, Place

STEP = 1e-30


def _by_real(choose: Callable) -> Callable:
    return lambda a, b: np.where(choose(np.real(a), np.real(b)), a, b)


def _arctan2(y, x):
    size = np.real(x) ** 2 + np.real(y) ** 2
    slope = (np.real(x) * np.imag(y) - np.real(y) * np.imag(x)) / size
    return np.arctan2(np.real(y), np.real(x)) + 1j * slope


def _power(a, b):
    a, b = np.broadcast_arrays(a, b)
    grown = np.where(np.real(a) == 0.0, 0.0, np.imag(b) * np.log(np.where(np.real(a) == 0.0, 1.0, np.real(a))))
    value = np.real(a) ** np.real(b)
    with np.errstate(divide="ignore", invalid="ignore"):
        slope = np.real(b) * np.real(a) ** (np.real(b) - 1.0) * np.imag(a)
    still = np.imag(a) == 0.0  # what does not move does not move, though its slope be infinite
    return value + 1j * (np.where(still, 0.0, slope) + value * grown)


OPERATIONS: dict[str, Callable] = {
    "add": np.add, "sub": np.subtract, "mul": np.multiply, "div": np.divide, "neg": np.negative,
    "sqrt": np.sqrt, "sin": np.sin, "cos": np.cos, "tan": np.tan, "asin": np.arcsin, "acos": np.arccos,
    "atan": np.arctan, "exp": np.exp, "log": np.log, "sinh": np.sinh, "cosh": np.cosh, "tanh": np.tanh,
    "atan2": _arctan2, "pow": _power,
    "abs": lambda a: np.where(np.real(a) < 0.0, -a, a),
    "sign": lambda a: np.sign(np.real(a)) + 0j,
    "floor": lambda a: np.floor(np.real(a)) + 0j,
    "min": _by_real(np.less_equal), "max": _by_real(np.greater_equal),
    "select": lambda c, a, b: np.where(np.real(c) != 0.0, a, b),
    "eq": lambda a, b: (np.real(a) == np.real(b)) + 0j, "ne": lambda a, b: (np.real(a) != np.real(b)) + 0j,
    "lt": lambda a, b: (np.real(a) < np.real(b)) + 0j, "le": lambda a, b: (np.real(a) <= np.real(b)) + 0j,
    "gt": lambda a, b: (np.real(a) > np.real(b)) + 0j, "ge": lambda a, b: (np.real(a) >= np.real(b)) + 0j,
    "and": lambda a, b: ((np.real(a) != 0) & (np.real(b) != 0)) + 0j,
    "or": lambda a, b: ((np.real(a) != 0) | (np.real(b) != 0)) + 0j,
    "not": lambda a: (np.real(a) == 0) + 0j,
}  # fmt: skip


class Numbers:
    """Inputs of a group's functions: what lies in memory, plus i STEP times a direction."""

    def __init__(self, system: System, group: Group, state: np.ndarray, par: np.ndarray) -> None:
        """state, par: the direction, in the layout of the system's state and of the group's parameters."""
        self._system, self._group = system, group
        self._state = system.arrays.state + 1j * STEP * state
        self._par = group.par + 1j * STEP * par

    def __call__(self, place: Place) -> np.ndarray:
        kind, slot, i = place
        count, w = len(self._group.elements), self._system.layout.width
        if kind == "coefficient":
            return np.full(count, self._system.arrays.coef[i] + 0j)
        if kind == "parameter":
            return self._par[:, i, :].ravel()[:count]
        first = self._group.idx[:, slot, :].ravel()[:count].astype(np.int64)
        return self._state[first + (i if kind == "flat" else i * w)]


def own(group: Group, function: Function) -> list[tuple[Place, int]]:
    """Results that are not sums over the model."""
    return [
        (place, node)
        for place, node in function.outputs
        if place.slot != group.kind.places.totals or place.kind != "flatrow"
    ]


def places(system: System, group: Group, function: Function) -> np.ndarray:
    """Where each result of each instance goes, shape (results, instances)."""
    count, w = len(group.elements), system.layout.width
    found = []
    for (kind, slot, i), _ in own(group, function):
        if kind == "entry":
            found.append(system.pattern.entries(group)[:, i, :].ravel()[:count])
        else:
            found.append(group.idx[:, slot, :].ravel()[:count].astype(np.int64) + (i * w if kind == "row" else i))
    return np.array(found).reshape(-1, count)


def derivatives(function: Function, numbers: Numbers) -> np.ndarray:
    """Of all results along the direction of the numbers, shape (results, instances)."""
    tables = _tables(numbers._group)
    g, values, wanted = function.graph, {}, [node for _, node in own(numbers._group, function)]
    for i in g.live(wanted):
        op, args = g.nodes[i]
        if op == "const":
            values[i] = np.asarray(args[0] + 0j)
        elif op == "input":
            values[i] = numbers(args[0])
        elif op in ("table1", "table2"):
            values[i] = _looked_up(op, args, values, tables)
        else:
            values[i] = OPERATIONS[op](*(values[a] for a in g.arguments(i)))
    count = len(numbers._group.elements)
    return np.array([np.broadcast_to(np.imag(values[node]) / STEP, count) for node in wanted]).reshape(-1, count)


def _tables(group: Group) -> dict[float, Curve | Surface]:
    """Tables of a group's elements by the number that stands for each in memory."""
    found = {}
    for element, g, lane in group.places():
        leaves = element.leaves()
        for p, leaf in enumerate(group.kind.parameter_leaves):
            if isinstance(leaves[leaf], (Curve, Surface)):
                found[float(group.par[g, p, lane])] = leaves[leaf]
    return found


def _looked_up(op: str, args: tuple, values: dict[int, np.ndarray], tables: dict) -> np.ndarray:
    places = np.real(values[args[1 if op == "table1" else 2]])
    if op == "table1":
        x, order = values[args[0]], args[2]
        pairs = zip(*np.broadcast_arrays(places, x), strict=True)
        return np.array([tables[float(at)].derivative(complex(v), order) for at, v in pairs])
    dx, dy, component, components = args[3:]
    found = []
    for at, x, y in zip(*np.broadcast_arrays(places, values[args[0]], values[args[1]]), strict=True):
        one = tables[float(at)].derivative(complex(x), complex(y), dx, dy)
        found.append(np.ravel(one)[component] if components > 1 else one)
    return np.array(found, dtype=complex)
