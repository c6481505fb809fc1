"""From a graph to LLVM IR: one kernel that treats W instances at a time, gather and scatter included.

A kernel is a loop over groups of W instances. Inputs of the graph are named by where they are read, results by where
they go; `Place` is that name:

| place               | address, for lane l of group g                                             |
| ------------------- | -------------------------------------------------------------------------- |
| coefficient i       | ``coef[i]``, the same for all                                              |
| parameter i         | ``par[g, i, l]``                                                           |
| node s, i           | ``state[idx[g, s, l] + i W]``: a node's block, stored W nodes abreast      |
| flat s, i           | ``state[idx[g, s, l] + i]``                                                |
| lane i              | ``state[(g size + i) W + l]``: kernels that walk the nodes themselves      |
| vector i            | ``vec[(g 6 + i) W + l]``: the same walk in a vector of unknowns            |
| row s, i / flat row | added to ``res[idx[g, s, l] + i W]`` / ``res[idx[g, s, l] + i]``           |
| entry k             | added to ``val[idx[g, slots + k, l]]``: a Jacobian entry in its own place  |
| output s, i         | stored to ``res[idx[g, s, l] + i]``                                        |
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from samara.tracing.graph import Graph
from samara.tracing.lookup import LOOKUP_IR

#: Rounding freedoms: no signed zeros, reciprocals, fused multiply-add. Never reassociation: results stay explainable.
FAST = "nsz arcp contract"
ARITHMETIC = {"add": "fadd", "sub": "fsub", "mul": "fmul", "div": "fdiv"}
LIBRARY = ("sin", "cos", "tan", "asin", "acos", "atan", "exp", "log", "atan2", "pow")
COMPARISONS = {"lt": "olt", "le": "ole", "eq": "oeq"}
SIGNATURE = (
    "i64 %n, ptr noalias %state, ptr noalias %idx, ptr noalias %par, ptr noalias %coef, ptr noalias %tables, "
    "ptr noalias %res, ptr noalias %val"
)


class Place(NamedTuple):
    """Where a number is read or written: a kind of address, a slot of the index array, a position."""

    kind: str
    slot: int
    index: int


@dataclass(frozen=True)
class Function:
    """Results of a graph and where each of them goes."""

    name: str
    graph: Graph
    outputs: list[tuple[Place, int]]


@dataclass(frozen=True)
class Shape:
    """Sizes of the arrays behind a kernel: index rows and parameters an instance, block size of lane kernels."""

    indices: int = 0
    parameters: int = 0
    block: int = 0
    slots: int = 0


@dataclass
class _Writer:
    """Text of one function for W lanes."""

    width: int
    shape: Shape
    lines: list[str] = field(default_factory=list)
    count: int = 0

    def __post_init__(self) -> None:
        self.type = "double" if self.width == 1 else f"<{self.width} x double>"
        self.flag = "i1" if self.width == 1 else f"<{self.width} x i1>"
        self.suffix = "f64" if self.width == 1 else f"v{self.width}f64"
        self._pointers: dict[int, list[str]] = {}
        self._looked_up: dict[tuple, list[str]] = {}

    def op(self, text: str) -> str:
        self.count += 1
        name = f"%x{self.count}"
        self.lines.append(f"{name} = {text}")
        return name

    def const(self, value: float) -> str:
        bits = f"0x{struct.unpack('<Q', struct.pack('<d', value))[0]:016X}"
        return bits if self.width == 1 else "<" + ", ".join([f"double {bits}"] * self.width) + ">"

    def lanes(self, vector: str) -> list[str]:
        if self.width == 1:
            return [vector]
        return [self.op(f"extractelement {self.type} {vector}, i32 {lane}") for lane in range(self.width)]

    def pack(self, scalars: list[str]) -> str:
        if self.width == 1:
            return scalars[0]
        vector = "poison"
        for lane, scalar in enumerate(scalars):
            vector = self.op(f"insertelement {self.type} {vector}, double {scalar}, i32 {lane}")
        return vector

    # ---- addresses
    def address(self, base: str, offset: str | int, kind: str = "double") -> str:
        return self.op(f"getelementptr {kind}, ptr {base}, i64 {offset}")

    def indices(self, row: int) -> list[str]:
        """The W indices of one row of the index array, widened."""
        result = []
        for lane in range(self.width):
            at = self.address("%ix", row * self.width + lane, "i32")
            narrow = self.op(f"load i32, ptr {at}, align 4")
            result.append(self.op(f"zext i32 {narrow} to i64"))
        return result

    def pointers(self, base: str, slot: int) -> list[str]:
        key = (base, slot)
        if key not in self._pointers:
            self._pointers[key] = [self.address(base, i) for i in self.indices(slot)]
        return self._pointers[key]

    def contiguous(self, base: str, row: int) -> str:
        return self.address(base, row * self.width)

    # ---- reading
    def read(self, place: Place) -> str:
        kind, slot, i = place
        if kind == "coefficient":
            at = self.address("%coef", i)
            return self.pack([self.op(f"load double, ptr {at}, align 8")] * self.width)
        if kind in ("node", "flat"):
            step = i * self.width if kind == "node" else i
            return self.pack([self._load(self.address(p, step)) for p in self.pointers("%state", slot)])
        base = {"parameter": "%pp", "lane": "%sp", "vector": "%vp"}[kind]
        return self.op(f"load {self.type}, ptr {self.contiguous(base, i)}, align 8")

    def _load(self, pointer: str) -> str:
        return self.op(f"load double, ptr {pointer}, align 8")

    # ---- writing
    def write(self, place: Place, value: str) -> None:
        kind, slot, i = place
        if kind == "lane":
            self.lines.append(f"store {self.type} {value}, ptr {self.contiguous('%sp', i)}, align 8")
            return
        if kind == "entry":
            targets = [self.address("%val", at) for at in self.indices(self.shape.slots + i)]
        else:
            step = i * self.width if kind == "row" else i
            targets = [self.address(p, step) for p in self.pointers("%res", slot)]
        for pointer, scalar in zip(targets, self.lanes(value), strict=True):
            if kind != "output":
                scalar = self.op(f"fadd double {self._load(pointer)}, {scalar}")
            self.lines.append(f"store double {scalar}, ptr {pointer}, align 8")

    # ---- computing
    def compute(self, op: str, args: tuple, a: list[str]) -> str:
        t = self.type
        if op in ARITHMETIC:
            return self.op(f"{ARITHMETIC[op]} {FAST} {t} {a[0]}, {a[1]}")
        if op == "neg":
            return self.op(f"fneg {FAST} {t} {a[0]}")
        if op == "sqrt":
            return self.op(f"call {t} @llvm.sqrt.{self.suffix}({t} {a[0]})")
        if op == "abs":
            return self.op(f"call {t} @llvm.fabs.{self.suffix}({t} {a[0]})")
        if op in ("min", "max"):
            first = self.op(f"fcmp ole {t} " + (f"{a[0]}, {a[1]}" if op == "min" else f"{a[1]}, {a[0]}"))
            return self.op(f"select {self.flag} {first}, {t} {a[0]}, {t} {a[1]}")
        if op == "sign":
            one = self.op(f"call {t} @llvm.copysign.{self.suffix}({t} {self.const(1.0)}, {t} {a[0]})")
            zero = self.op(f"fcmp oeq {t} {a[0]}, {self.const(0.0)}")
            return self.op(f"select {self.flag} {zero}, {t} {self.const(0.0)}, {t} {one}")
        if op in COMPARISONS:
            return self.op(f"fcmp {COMPARISONS[op]} {t} {a[0]}, {a[1]}")
        if op in ("and", "or"):
            return self.op(f"{op} {self.flag} {a[0]}, {a[1]}")
        if op == "not":
            ones = "true" if self.width == 1 else "<" + ", ".join(["i1 true"] * self.width) + ">"
            return self.op(f"xor {self.flag} {a[0]}, {ones}")
        if op == "select":
            return self.op(f"select {self.flag} {a[0]}, {t} {a[1]}, {t} {a[2]}")
        if op in LIBRARY:
            columns = zip(*[self.lanes(v) for v in a], strict=True)
            return self.pack(
                [self.op(f"call double @{op}({', '.join(f'double {v}' for v in column)})") for column in columns]
            )
        return self._look_up(op, args, a)

    def _look_up(self, op: str, args: tuple, a: list[str]) -> str:
        """All derivatives of one look-up come from one search; the graph asks for them one by one."""
        key = (op, *args[: len(a)])
        if key not in self._looked_up:
            results: list[list[str]] = [[] for _ in range(4)]
            for *point, table in zip(*[self.lanes(v) for v in a], strict=True):
                offset = self.op(f"fptoui double {table} to i64")
                call = f"call [4 x double] @{op}(ptr {self.address('%tables', offset)}, "
                found = self.op(call + ", ".join(f"double {p}" for p in point) + ")")
                for order in range(4):
                    results[order].append(self.op(f"extractvalue [4 x double] {found}, {order}"))
            self._looked_up[key] = [self.pack(r) for r in results]
        order = args[2] if op == "table1" else args[3] + 2 * args[4]
        return self._looked_up[key][order]


def emit(function: Function, width: int, shape: Shape) -> str:
    """IR of one kernel function."""
    graph, w = function.graph, _Writer(width, shape)
    value: dict[int, str] = {}
    for i in graph.live(node for _, node in function.outputs):
        op, args = graph.nodes[i]
        if op == "const":
            value[i] = w.const(args[0])
        elif op == "input":
            value[i] = w.read(args[0])
        else:
            value[i] = w.compute(op, args, [value[a] for a in graph.arguments(i)])
    for place, node in function.outputs:
        w.write(place, value[node])
    return "\n".join(_loop(function.name, w, shape))


def _loop(name: str, w: _Writer, shape: Shape) -> Iterator[str]:
    yield f"define void @{name}({SIGNATURE}) {{"
    yield "entry:"
    yield "%some = icmp sgt i64 %n, 0"
    yield "br i1 %some, label %group, label %done"
    yield "group:"
    yield "%g = phi i64 [0, %entry], [%next, %group]"
    bases = (
        ("%ix", "i32", "%idx", shape.indices),
        ("%pp", "double", "%par", shape.parameters),
        ("%sp", "double", "%state", shape.block),
        ("%vp", "double", "%val", 6),
    )
    for pointer, kind, base, rows in bases:
        yield f"{pointer}o = mul i64 %g, {rows * w.width}"
        yield f"{pointer} = getelementptr {kind}, ptr {base}, i64 {pointer}o"
    yield from w.lines
    yield "%next = add i64 %g, 1"
    yield "%more = icmp slt i64 %next, %n"
    yield "br i1 %more, label %group, label %done"
    yield "done:"
    yield "ret void"
    yield "}"


def module(functions: list[Function], width: int, shape: Shape) -> str:
    """IR of a set of kernel functions, with the declarations that they need."""
    head = [f"declare double @{name}(double)" for name in LIBRARY if name not in ("atan2", "pow")]
    head += ["declare double @atan2(double, double)", "declare double @pow(double, double)"]
    vector = "double" if width == 1 else f"<{width} x double>"
    suffix = "f64" if width == 1 else f"v{width}f64"
    head += [f"declare {vector} @llvm.{name}.{suffix}({vector})" for name in ("sqrt", "fabs")]
    head += [f"declare {vector} @llvm.copysign.{suffix}({vector}, {vector})"]
    body = [emit(f, width, shape) for f in functions]
    if any("@table" in text for text in body):
        head.append(LOOKUP_IR)
    return "\n".join(head + body)
