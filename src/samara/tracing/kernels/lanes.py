"""From a graph to LLVM IR: one kernel that processes W instances at a time, including gather and scatter.

A kernel is a loop over groups of W instances. Inputs of the graph are named by where they are read, results by where
they go; `Place` is that name:

| place               | address, for lane l of group g                                             |
| ------------------- | -------------------------------------------------------------------------- |
| coefficient i       | ``coef[i]``, the same for all                                              |
| parameter i         | ``par[g, i, l]``                                                           |
| node s, i           | ``state[idx[g, s, l] + i W]``: a node's block, stored W nodes abreast      |
| state s, i          | the same for a scalar state                                                |
| flat s, i           | ``state[idx[g, s, l] + i]``                                                |
| tile s, i           | ``state[idx[g, s, 0] + i W + l]``: W instances side by side; stored too    |
| lane i              | ``state[(g size + i) W + l]``: kernels that walk the nodes themselves      |
| vector i            | ``vec[(g unknowns + i) W + l]``: the same walk in a vector of unknowns     |
| row s, i / flat row | added to ``res[idx[g, s, l] + i W]`` / ``res[idx[g, s, l] + i]``           |
| entry k             | added to ``val[idx[g, slots + k, l]]``: a Jacobian entry in its own place  |
| output s, i         | stored to ``res[idx[g, s, l] + i]``                                        |

A place with a prime holds the tangent of what the same place without it holds: read from arrays of the same layout
(``tan1`` for the state, ``tanpar1``, ``tanvec1``), and stored there for lanes; one with two primes the tangent of that
(``tan2`` ...). A function takes as many such arrays as its order says (`samara.tracing.kernels.directional`).

Elements are often numbered like their nodes. A group whose W nodes stand side by side reads and writes them as whole
vectors, any other lane by lane; the kernel looks at its indices and takes one way or the other.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from samara.tracing.expressions.graph import Graph, GraphNode
from samara.tracing.expressions.table import MOST_COMPONENTS
from samara.tracing.kernels.lookup import CURVE_IR, surface_ir
from samara.tracing.kernels.writer import Writer, declarations

SIGNATURE = (
    "i64 %n, ptr noalias %state, ptr noalias %idx, ptr noalias %par, ptr noalias %coef, ptr noalias %tables, "
    "ptr noalias %res, ptr noalias %val"
)
#: Mark of a place that holds a tangent.
PRIME = "'"
#: Number of matrix entries to scatter above which that is a loop: unrolled, it would fill the instruction cache.
LONG_SCATTER = 600


class Place(NamedTuple):
    """Where a number is read or written: a kind of address, a slot of the index array, a position."""

    kind: str
    slot: int
    position: int


@dataclass(frozen=True)
class Function:
    """Results of a graph and where each of them goes."""

    name: str
    graph: Graph
    outputs: list[tuple[Place, int]]
    order: int = 0  # number of sorts of tangents that it reads or writes


@dataclass(frozen=True)
class Shape:
    """Sizes of a kernel: index rows and parameters per instance; block and unknowns of what it processes.

    exact: whether operations are rounded one by one, as in Python.
    """

    indices: int = 0
    parameters: int = 0
    block: int = 0
    slots: int = 0
    unknowns: int = 6
    exact: bool = False


_BASES = {"node": "%state", "state": "%state", "flat": "%state", "parameter": "%pp", "lane": "%sp", "vector": "%vp"}
for _k in (1, 2):
    _BASES |= {f"{kind}{PRIME * _k}": f"%tan{_k}" for kind in ("node", "state", "flat")}
    _BASES |= {f"{kind}{PRIME * _k}": f"%{kind}{_k}" for kind in ("parameter", "lane", "vector")}


class _Kernel(Writer):
    """The body of the loop over groups: reading and writing, around the operations."""

    def __init__(self, width: int, shape: Shape) -> None:
        super().__init__(width, shape.exact)
        self.shape = shape
        self._pointers: dict[tuple[str, int], list[str]] = {}
        self._gathered: dict[Place, str] = {}
        self.buffered = 0  # entries kept for a loop at the end

    # ---- addresses
    def _index(self, row: int, lane: int) -> str:
        narrow = self.op(f"load i32, ptr {self.address('%ix', row * self.width + lane, 'i32')}, align 4")
        return self.op(f"zext i32 {narrow} to i64")

    def _targets(self, base: str, row: int) -> list[str]:
        return [self.address(base, self._index(row, lane)) for lane in range(self.width)]

    def _pointers_of(self, base: str, slot: int) -> list[str]:
        if (base, slot) not in self._pointers:
            self._pointers[base, slot] = self._targets(base, slot)
        return self._pointers[base, slot]

    def _tile(self, slot: int) -> str:
        """Where the W instances of a slot begin."""
        if ("tile", slot) not in self._pointers:
            self._pointers["tile", slot] = [self.address("%state", self._index(slot, 0))]
        return self._pointers["tile", slot][0]

    def _side_by_side(self, slot: int) -> str:
        """Whether the W indices of a slot are consecutive."""
        w = self.width
        t = f"<{w} x i32>"
        found = self.op(f"load {t}, ptr {self.address('%ix', slot * w, 'i32')}, align 4")
        first = self.op(f"extractelement {t} {found}, i32 0")
        single = self.op(f"insertelement {t} poison, i32 {first}, i32 0")
        splat = self.op(f"shufflevector {t} {single}, {t} poison, {t} zeroinitializer")
        ramp = self.op(f"add {t} {splat}, <{', '.join(f'i32 {lane}' for lane in range(w))}>")
        same = self.op(f"icmp eq {t} {found}, {ramp}")
        return self.op(f"icmp eq i{w} {self.op(f'bitcast <{w} x i1> {same} to i{w}')}, -1")

    # ---- reading
    def gather(self, kind: str, slot: int, components: list[int]) -> None:
        """Reads components of the nodes of a slot."""
        w, name = self.width, f".gather{slot}{'t' * kind.count(PRIME)}"
        self.lines.append(f"br i1 {self._side_by_side(slot)}, label %near{name}, label %far{name}")
        self.lines.append(f"near{name}:")
        base = self.address(_BASES[kind], self._index(slot, 0))
        near = [self.load_vector(self.address(base, i * w)) for i in components]
        self.lines += [f"br label %join{name}", f"far{name}:"]
        pointers = self._targets(_BASES[kind], slot)
        far = [self.pack([self.load(self.address(p, i * w)) for p in pointers]) for i in components]
        self.lines += [f"br label %join{name}", f"join{name}:"]
        for i, a, b in zip(components, near, far, strict=True):
            self._gathered[Place(kind, slot, i)] = self.op(f"phi {self.type} [{a}, %near{name}], [{b}, %far{name}]")

    def read(self, place: Place) -> str:
        """Reads an input of the graph."""
        kind, slot, i = place
        if place in self._gathered:
            return self._gathered[place]
        if kind == "coefficient":
            return self.pack([self.load(self.address("%coef", i))] * self.width)
        if kind == "tile":
            return self.load_vector(self.address(self._tile(slot), i * self.width))
        if kind.rstrip(PRIME) in ("node", "state", "flat"):
            step = i if kind.startswith("flat") else i * self.width
            return self.pack([self.load(self.address(p, step)) for p in self._pointers_of(_BASES[kind], slot)])
        return self.load_vector(self.address(_BASES[kind], i * self.width))

    # ---- writing
    def add_rows(self, slot: int, rows: list[tuple[int, str]]) -> None:
        """Adds to the equations of the nodes of a slot."""
        w, name = self.width, f".rows{slot}"
        self.lines.append(f"br i1 {self._side_by_side(slot)}, label %near{name}, label %far{name}")
        self.lines.append(f"near{name}:")
        base = self.address("%res", self._index(slot, 0))
        for i, value in rows:
            at = self.address(base, i * w)
            self.store_vector(self.op(f"fadd {self.type} {self.load_vector(at)}, {value}"), at)
        self.lines += [f"br label %join{name}", f"far{name}:"]
        pointers = self._targets("%res", slot)
        for i, value in rows:
            self._add([self.address(p, i * w) for p in pointers], value)
        self.lines += [f"br label %join{name}", f"join{name}:"]

    def _add(self, targets: list[str], value: str) -> None:
        """Adds lane after lane, since two lanes may have the same target."""
        for pointer, scalar in zip(targets, self.lanes(value), strict=True):
            self.store(self.op(f"fadd double {self.load(pointer)}, {scalar}"), pointer)

    def write(self, place: Place, value: str) -> None:
        """Writes a result of the graph."""
        kind, slot, i = place
        if kind.startswith("lane"):
            self.store_vector(value, self.address(_BASES[kind], i * self.width))
        elif kind == "tile":
            self.store_vector(value, self.address(self._tile(slot), i * self.width))
        elif kind == "entry" and self.buffered:
            self.store_vector(value, self.address("%buffer", i * self.width))
        elif kind == "entry":
            self._add(self._targets("%val", self.shape.slots + i), value)
        else:
            step = i * self.width if kind == "row" else i
            targets = [self.address(p, step) for p in self._pointers_of("%res", slot)]
            if kind == "output":
                for pointer, scalar in zip(targets, self.lanes(value), strict=True):
                    self.store(scalar, pointer)
            else:
                self._add(targets, value)

    def add_buffer(self) -> None:
        """Adds the entries kept in the buffer to their places, in a loop."""
        w, rows = self.width, self.buffered
        self.lines += ["br label %before.entries", "before.entries:", "br label %entries", "entries:"]
        self.lines.append("%k = phi i64 [0, %before.entries], [%k.next, %entries]")
        kw = self.op(f"mul i64 %k, {w}")
        value = self.load_vector(self.address("%buffer", kw))
        index = self.address(self.address("%ix", self.shape.slots * w, "i32"), kw, "i32")
        targets = []
        for lane in range(w):
            narrow = self.op(f"load i32, ptr {self.address(index, lane, 'i32')}, align 4")
            targets.append(self.address("%val", self.op(f"zext i32 {narrow} to i64")))
        self._add(targets, value)
        self.lines += ["%k.next = add i64 %k, 1", f"%k.more = icmp ult i64 %k.next, {rows}"]
        self.lines += ["br i1 %k.more, label %entries, label %after.entries", "after.entries:"]


def emit(function: Function, width: int, shape: Shape, surfaces: set[tuple[int, bool]]) -> str:
    """IR of one kernel function; adds the look-ups that it calls to `surfaces`.

    Results are computed one after the other, each with what it needs and no earlier than necessary: few numbers are
    alive at once. Writes to places that may still be read wait until the end.
    """
    graph, k = function.graph, _Kernel(width, shape)
    k.surfaces = surfaces
    k.sloped = {n.args[:3] for n in _live(function) if n.op == "table2" and (n.args[3] or n.args[4])}
    entries = [place.position for place, _ in function.outputs if place.kind == "entry"]
    if width > 1 and len(entries) * width > LONG_SCATTER and sorted(entries) == list(range(len(entries))):
        k.buffered = len(entries)
    rows: dict[int, list[tuple[int, str]]] = {}
    if width > 1:
        for (kind, slot), components in _node_inputs(function).items():
            k.gather(kind, slot, components)
    values: dict[int, str] = {}
    late: list[tuple[Place, str]] = []
    for place, node in function.outputs:
        value = _evaluate(graph, node, k, values)
        if graph.is_truth(node):
            value = k.number(value)
        if place.kind == "row" and width > 1:
            rows.setdefault(place.slot, []).append((place.position, value))
        elif place.kind.rstrip(PRIME) in ("lane", "output", "tile"):
            late.append((place, value))
        else:
            k.write(place, value)
    for place, value in late:
        k.write(place, value)
    for slot, results in rows.items():
        k.add_rows(slot, results)
    if k.buffered:
        k.add_buffer()
    return "\n".join(_loop(function, k, shape))


def _live(function: Function) -> Iterator[GraphNode]:
    """The operations that a function needs."""
    return (function.graph.nodes[i] for i in function.graph.live(node for _, node in function.outputs))


def _node_inputs(function: Function) -> dict[tuple[str, int], list[int]]:
    """{(kind, slot): components} of the nodes, and of their tangents, that a function reads."""
    result: dict[tuple[str, int], list[int]] = {}
    for op, args in _live(function):
        if op == "input" and args[0].kind.rstrip(PRIME) == "node":
            result.setdefault(args[0][:2], []).append(args[0].position)
    return result


def _evaluate(graph: Graph, wanted: int, k: _Kernel, values: dict[int, str]) -> str:
    """Writes a node after everything that it needs and that is not written yet."""
    stack = [wanted]
    while stack:
        i = stack[-1]
        if i in values:
            stack.pop()
            continue
        op, args = graph.nodes[i]
        if op == "const":
            values[i] = k.const(args[0])
        elif op == "input":
            values[i] = k.read(args[0])
        else:
            arguments = graph.arguments(i)
            missing = [a for a in arguments if a not in values]
            if missing:
                stack.extend(reversed(missing))
            else:
                values[i] = k.compute(op, args, [values[a] for a in arguments])
    return values[wanted]


def _loop(function: Function, k: _Kernel, shape: Shape) -> Iterator[str]:
    sorts = range(1, function.order + 1)
    tangents = "".join(f", ptr noalias %{name}{i}" for i in sorts for name in ("tan", "tanpar", "tanvec"))
    yield f"define void @{function.name}({SIGNATURE}{tangents}) {{"
    yield "entry:"
    if k.buffered:
        yield f"%buffer = alloca [{k.buffered * k.width} x double], align 64"
    if k.surfaces:
        yield f"%found = alloca [{4 * MOST_COMPONENTS * k.width} x double], align 64"
    yield "%some = icmp sgt i64 %n, 0"
    yield "br i1 %some, label %group, label %done"
    yield "group:"
    yield "%g = phi i64 [0, %entry], [%next, %last]"
    bases = [
        ("%ix", "i32", "%idx", shape.indices),
        ("%pp", "double", "%par", shape.parameters),
        ("%sp", "double", "%state", shape.block),
        ("%vp", "double", "%val", shape.unknowns),
    ]
    for i in sorts:
        bases += [
            (f"%parameter{i}", "double", f"%tanpar{i}", shape.parameters),
            (f"%lane{i}", "double", f"%tan{i}", shape.block),
            (f"%vector{i}", "double", f"%tanvec{i}", shape.unknowns),
        ]
    for pointer, kind, base, rows in bases:
        yield f"{pointer}o = mul i64 %g, {rows * k.width}"
        yield f"{pointer} = getelementptr {kind}, ptr {base}, i64 {pointer}o"
    yield from k.lines
    yield "br label %last"
    yield "last:"
    yield "%next = add i64 %g, 1"
    yield "%more = icmp slt i64 %next, %n"
    yield "br i1 %more, label %group, label %done"
    yield "done:"
    yield "ret void"
    yield "}"


def module(functions: list[Function], width: int, shape: Shape) -> str:
    """IR of a set of kernel functions, with the declarations they need."""
    surfaces: set[tuple[int, bool]] = set()
    body = [emit(f, width, shape, surfaces) for f in functions]
    tables = [CURVE_IR] if any("@table1" in text for text in body) else []
    tables += [surface_ir(width, *which) for which in sorted(surfaces)]
    return "\n".join([*declarations(width), *tables, *body])
