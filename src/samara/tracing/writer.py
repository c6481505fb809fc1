"""LLVM IR of arithmetic on W lanes: one line of text an operation."""

from __future__ import annotations

import struct

#: Rounding freedoms: no signed zeros, reciprocals, fused multiply-add. Never reassociation: results stay explainable.
FAST = "nsz arcp contract"
ARITHMETIC = {"add": "fadd", "sub": "fsub", "mul": "fmul", "div": "fdiv"}
COMPARISONS = {"lt": "olt", "le": "ole", "eq": "oeq"}
#: Functions that the processor has itself, and functions of the C library with their number of arguments.
BUILT_IN = {"sqrt": "sqrt", "abs": "fabs", "floor": "floor"}
LIBRARY = {"atan2": 2, "pow": 2} | dict.fromkeys(
    ("sin", "cos", "tan", "asin", "acos", "atan", "exp", "log", "sinh", "cosh", "tanh"), 1
)


class Writer:
    """Writes operations on vectors of W numbers (plain numbers for W = 1)."""

    def __init__(self, width: int) -> None:
        self.width = width
        self.type = "double" if width == 1 else f"<{width} x double>"
        self.flag = "i1" if width == 1 else f"<{width} x i1>"
        self.suffix = "f64" if width == 1 else f"v{width}f64"
        self.lines: list[str] = []
        self._count = 0
        self._looked_up: dict[tuple, list[str]] = {}

    def op(self, text: str) -> str:
        """Writes an operation; the name of its result."""
        self._count += 1
        name = f"%x{self._count}"
        self.lines.append(f"{name} = {text}")
        return name

    # ---- vectors
    def const(self, value: float) -> str:
        """A constant in all lanes."""
        bits = f"0x{struct.unpack('<Q', struct.pack('<d', value))[0]:016X}"
        return bits if self.width == 1 else "<" + ", ".join([f"double {bits}"] * self.width) + ">"

    def lanes(self, vector: str) -> list[str]:
        """The numbers of a vector."""
        if self.width == 1:
            return [vector]
        return [self.op(f"extractelement {self.type} {vector}, i32 {lane}") for lane in range(self.width)]

    def pack(self, scalars: list[str]) -> str:
        """A vector of numbers."""
        if self.width == 1:
            return scalars[0]
        vector = "poison"
        for lane, scalar in enumerate(scalars):
            vector = self.op(f"insertelement {self.type} {vector}, double {scalar}, i32 {lane}")
        return vector

    # ---- memory
    def address(self, base: str, offset: str | int, kind: str = "double") -> str:
        """A pointer some items after another one."""
        return self.op(f"getelementptr {kind}, ptr {base}, i64 {offset}")

    def load(self, pointer: str) -> str:
        """One number."""
        return self.op(f"load double, ptr {pointer}, align 8")

    def store(self, scalar: str, pointer: str) -> None:
        """Puts one number in memory."""
        self.lines.append(f"store double {scalar}, ptr {pointer}, align 8")

    def load_vector(self, pointer: str) -> str:
        """W numbers side by side."""
        return self.op(f"load {self.type}, ptr {pointer}, align 8")

    def store_vector(self, vector: str, pointer: str) -> None:
        """Puts W numbers side by side."""
        self.lines.append(f"store {self.type} {vector}, ptr {pointer}, align 8")

    # ---- operations of the graph
    def compute(self, op: str, args: tuple, a: list[str]) -> str:
        """One node: its operation, its arguments in the graph, and their names here."""
        t = self.type
        if op in ARITHMETIC:
            return self.op(f"{ARITHMETIC[op]} {FAST} {t} {a[0]}, {a[1]}")
        if op == "neg":
            return self.op(f"fneg {FAST} {t} {a[0]}")
        if op in BUILT_IN:
            return self.op(f"call {t} @llvm.{BUILT_IN[op]}.{self.suffix}({t} {a[0]})")
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

    def number(self, truth: str) -> str:
        """1 or 0 from a truth value."""
        return self.op(f"select {self.flag} {truth}, {self.type} {self.const(1.0)}, {self.type} {self.const(0.0)}")

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


def declarations(width: int) -> list[str]:
    """What operations on W lanes may call."""
    writer = Writer(width)
    t, suffix = writer.type, writer.suffix
    head = [f"declare double @{name}({', '.join(['double'] * count)})" for name, count in LIBRARY.items()]
    head += [f"declare {t} @llvm.{name}.{suffix}({t})" for name in BUILT_IN.values()]
    return [*head, f"declare {t} @llvm.copysign.{suffix}({t}, {t})"]
