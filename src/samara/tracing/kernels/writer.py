"""LLVM IR of arithmetic on W lanes: one line of text per operation."""

from __future__ import annotations

import math
import struct
from collections.abc import Callable

from samara.tracing.expressions.table import MOST_COMPONENTS

#: Rounding freedoms: no signed zeros, reciprocals, fused multiply-add. No reassociation: results stay explainable.
FAST = "nsz arcp contract"
ARITHMETIC = {"add": "fadd", "sub": "fsub", "mul": "fmul", "div": "fdiv"}
COMPARISONS = {"lt": "olt", "le": "ole", "eq": "oeq"}
#: Functions built into the processor, and functions of the C library with their number of arguments.
BUILT_IN = {"sqrt": "sqrt", "abs": "fabs", "floor": "floor"}
LIBRARY = {"pow": 2} | dict.fromkeys(
    ("sin", "cos", "tan", "exp", "log", "sinh", "cosh", "tanh"), 1
)  # fmt: skip
#: atan(t) / t as a polynomial in t^2 up to t = tan(pi / 8), to 2e-18: it interpolates the series at Chebyshev points.
ARCTANGENT = (
    1.0, -0.3333333333333312, 0.19999999999940893, -0.14285714279250245, 0.11111110744919658, -0.09090896809064027,
    0.07692045330902225, -0.06662951813629191, 0.05846878297330872, -0.05035102456601552, 0.03796525745386593,
    -0.017805397205419446,
)  # fmt: skip


#: Sine and cosine up to a quarter turn, with the coefficients of fdlibm (K. C. Ng, Sun Microsystems, 1993): errors
#: below one unit of the last digit. A quarter turn in three parts, the first two with 33 bits, so that products with
#: integers up to 2^20 are exact.
SINE = (
    -1.66666666666666324348e-01, 8.33333333332248946124e-03, -1.98412698298579493134e-04, 2.75573137070700676789e-06,
    -2.50507602534068634195e-08, 1.58969099521155010221e-10,
)  # fmt: skip
COSINE = (
    4.16666666666666019037e-02, -1.38888888888741095749e-03, 2.48015872894767294178e-05, -2.75573143513906633035e-07,
    2.08757232129817482790e-09, -1.13596475577881948265e-11,
)  # fmt: skip
QUARTER = (1.57079632673412561417e00, 6.07710050630396597660e-11, 2.02226624879595063154e-21)
#: Angle beyond which the C library is used [rad], and the number whose addition rounds to an integer.
LARGE_ANGLE, ROUNDER = 1e6, 6755399441055744.0
#: Exponential up to half a power of two, from the same source; the logarithm of 2 in two parts, the first with 33
#: bits; and the size of an argument beyond which the C library is used.
EXPONENTIAL = (
    1.66666666666666019037e-01, -2.77777777770155933842e-03, 6.61375632143793436117e-05, -1.65339022054652515390e-06,
    4.13813679705723846039e-08,
)  # fmt: skip
LOGARITHM_OF_2, LARGE_EXPONENT = (6.93147180369123816490e-01, 1.90821492927058770002e-10), 700.0


def surface_name(components: int, sloped: bool) -> str:
    """The native look-up in a table with this many values per point, with or without slopes."""
    return f"surface{components}{'_sloped' if sloped else ''}"


class Writer:
    """Writes operations on vectors of W numbers (plain numbers for W = 1)."""

    def __init__(self, width: int, exact: bool = False) -> None:
        """exact: operations are rounded one by one, without these freedoms."""
        self.width = width
        self.freedom = "" if exact else FAST
        self.type = "double" if width == 1 else f"<{width} x double>"
        self.flag = "i1" if width == 1 else f"<{width} x i1>"
        self.suffix = "f64" if width == 1 else f"v{width}f64"
        self.lines: list[str] = []
        self._count = 0
        self._looked_up: dict[tuple, list[str]] = {}
        self._turns: dict[str, tuple[str, str]] = {}  # sine and cosine of angles
        self.sloped: set[tuple] = (
            set()
        )  # surfaces and points whose slopes are needed, set by the caller, who knows the graph
        self.surfaces: set[tuple[int, bool]] = set()  # look-ups called: values per point, with slopes

    def op(self, text: str) -> str:
        """Writes an operation; returns the name of its result."""
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
        """A pointer offset by some items."""
        return self.op(f"getelementptr {kind}, ptr {base}, i64 {offset}")

    def load(self, pointer: str) -> str:
        """One number."""
        return self.op(f"load double, ptr {pointer}, align 8")

    def store(self, scalar: str, pointer: str) -> None:
        """Stores one number."""
        self.lines.append(f"store double {scalar}, ptr {pointer}, align 8")

    def load_vector(self, pointer: str) -> str:
        """Loads W consecutive numbers."""
        return self.op(f"load {self.type}, ptr {pointer}, align 8")

    def store_vector(self, vector: str, pointer: str) -> None:
        """Stores W consecutive numbers."""
        self.lines.append(f"store {self.type} {vector}, ptr {pointer}, align 8")

    # ---- operations of the graph
    def compute(self, op: str, args: tuple, a: list[str]) -> str:
        """Writes one node: its operation, its arguments in the graph, and their names here."""
        t = self.type
        if op in ARITHMETIC:
            return self.op(f"{ARITHMETIC[op]} {self.freedom} {t} {a[0]}, {a[1]}")
        if op == "neg":
            return self.op(f"fneg {self.freedom} {t} {a[0]}")
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
        if op == "atan2":
            return self._arctangent(a[0], a[1])
        if op == "atan":
            return self._arctangent(a[0], self.const(1.0))
        if op == "table2":
            return self._surface(args, a)
        if op in ("sin", "cos"):
            return self._turn(a[0])[op == "cos"]
        if op in ("asin", "acos"):
            return self._arc(a[0], op == "acos")
        if op == "exp":
            return self._exponential(a[0])
        if op in LIBRARY:
            columns = zip(*[self.lanes(v) for v in a], strict=True)
            return self.pack(
                [self.op(f"call double @{op}({', '.join(f'double {v}' for v in column)})") for column in columns]
            )
        return self._curve(args, a)

    def _arctangent(self, y: str, x: str) -> str:
        """Angle of (x, y) in all lanes at once, to about 1e-16 rad, and to the same relative error where it is small.

        The smaller over the larger component is at most 1; beyond tan(pi / 8) the angle is measured from pi / 4.
        """
        t, flag = self.type, self.flag

        def fast(operation: str, *operands: str) -> str:
            return self.op(f"{operation} {FAST} {t} {', '.join(operands)}")

        def choose(condition: str, a: str, b: str) -> str:
            return self.op(f"select {flag} {condition}, {t} {a}, {t} {b}")

        up, across = (self.op(f"call {t} @llvm.fabs.{self.suffix}({t} {v})") for v in (y, x))
        steep = self.op(f"fcmp ogt {t} {up}, {across}")
        small, large = choose(steep, across, up), choose(steep, up, across)
        beyond = self.op(f"fcmp ogt {t} {small}, {fast('fmul', large, self.const(0.4142135623730951))}")
        top = choose(beyond, fast("fsub", small, large), small)
        below = choose(beyond, fast("fadd", small, large), large)
        nothing = self.op(f"fcmp oeq {t} {below}, {self.const(0.0)}")
        r = fast("fdiv", top, choose(nothing, self.const(1.0), below))
        z = fast("fmul", r, r)
        series = self.const(ARCTANGENT[-1])
        for c in reversed(ARCTANGENT[:-1]):
            series = fast("fadd", fast("fmul", series, z), self.const(c))
        angle = fast("fmul", r, series)
        angle = choose(beyond, fast("fadd", angle, self.const(math.pi / 4)), angle)
        angle = choose(steep, fast("fsub", self.const(math.pi / 2), angle), angle)
        back = self.op(f"fcmp olt {t} {x}, {self.const(0.0)}")
        angle = choose(back, fast("fsub", self.const(math.pi), angle), angle)
        return self.op(f"call {t} @llvm.copysign.{self.suffix}({t} {angle}, {t} {y})")

    def _arc(self, x: str, cosine: bool) -> str:
        """Arcsine or arccosine, from the other side of the triangle, sqrt((1 - x) (1 + x))."""
        t, one = self.type, self.const(1.0)
        less, more = self.op(f"fsub {FAST} {t} {one}, {x}"), self.op(f"fadd {FAST} {t} {one}, {x}")
        square = self.op(f"fmul {FAST} {t} {less}, {more}")
        side = self.op(f"call {t} @llvm.sqrt.{self.suffix}({t} {square})")
        return self._arctangent(side, x) if cosine else self._arctangent(x, side)

    def _turn(self, x: str) -> tuple[str, str]:
        """Sine and cosine of an angle in all lanes at once; of large angles and nan, by the C library."""
        if x not in self._turns:
            sine, cosine = self._near_or_far(x, LARGE_ANGLE, ("sin", "cos"), self._near_turn)
            self._turns[x] = sine, cosine
        return self._turns[x]

    def _exponential(self, x: str) -> str:
        """Exponential of a number in all lanes at once; of large numbers and nan, by the C library."""
        return self._near_or_far(x, LARGE_EXPONENT, ("exp",), self._near_exponential)[0]

    def _near_or_far(self, x: str, large: float, functions: tuple[str, ...], near: Callable) -> list[str]:
        """Functions of x: by the C library if any lane is beyond `large` or nan, otherwise by `near`."""
        t, w, name = self.type, self.width, f".{self._count}"
        size = self.op(f"call {t} @llvm.fabs.{self.suffix}({t} {x})")
        beyond = self.op(f"fcmp ugt {t} {size}, {self.const(large)}")
        if w > 1:
            beyond = self.op(f"icmp ne i{w} {self.op(f'bitcast <{w} x i1> {beyond} to i{w}')}, 0")
        self.lines += [f"br i1 {beyond}, label %far{name}, label %near{name}", f"far{name}:"]
        lanes = self.lanes(x)
        far = [self.pack([self.op(f"call double @{f}(double {v})") for v in lanes]) for f in functions]
        self.lines += [f"br label %join{name}", f"near{name}:"]
        found = near(x)
        self.lines += [f"br label %join{name}", f"join{name}:"]
        return [self.op(f"phi {t} [{a}, %far{name}], [{b}, %near{name}]") for a, b in zip(far, found, strict=True)]

    def _near_exponential(self, x: str) -> tuple[str]:
        """2^k exp(r), where r is x less k logarithms of 2; exp(r) = 1 + r + r c / (2 - c), c = r - r^2 (...)."""
        t, whole = self.type, "i64" if self.width == 1 else f"<{self.width} x i64>"

        def fast(operation: str, *operands: str) -> str:
            return self.op(f"{operation} {FAST} {t} {', '.join(operands)}")

        lifted = fast("fadd", fast("fmul", x, self.const(1.0 / math.log(2.0))), self.const(ROUNDER))
        k = fast("fsub", lifted, self.const(ROUNDER))
        high = fast("fsub", x, fast("fmul", k, self.const(LOGARITHM_OF_2[0])))
        low = fast("fmul", k, self.const(LOGARITHM_OF_2[1]))
        r = fast("fsub", high, low)
        z = fast("fmul", r, r)
        series = self.const(EXPONENTIAL[-1])
        for coefficient in reversed(EXPONENTIAL[:-1]):
            series = fast("fadd", fast("fmul", series, z), self.const(coefficient))
        c = fast("fsub", r, fast("fmul", z, series))
        part = fast("fdiv", fast("fmul", r, c), fast("fsub", self.const(2.0), c))
        value = fast("fadd", self.const(1.0), fast("fadd", fast("fsub", part, low), high))
        # 2^k: k is in the last bits of the shifted number, and is moved to the exponent
        shift = "52" if self.width == 1 else "<" + ", ".join(["i64 52"] * self.width) + ">"
        power = self.op(f"shl {whole} {self.op(f'bitcast {t} {lifted} to {whole}')}, {shift}")
        scaled = self.op(f"add {whole} {self.op(f'bitcast {t} {value} to {whole}')}, {power}")
        return (self.op(f"bitcast {whole} {scaled} to {t}"),)

    def _near_turn(self, x: str) -> tuple[str, str]:
        """The angle less an integer number of quarter turns, in two parts y + z; then polynomials of y."""
        t, whole = self.type, "i64" if self.width == 1 else f"<{self.width} x i64>"

        def fast(operation: str, *operands: str) -> str:
            return self.op(f"{operation} {FAST} {t} {', '.join(operands)}")

        def plus(a: str, b: str) -> str:
            return fast("fadd", a, b)

        def less(a: str, b: str) -> str:
            return fast("fsub", a, b)

        def times(a: str, b: str) -> str:
            return fast("fmul", a, b)

        def series(z: str, coefficients: tuple[float, ...]) -> str:
            total = self.const(coefficients[-1])
            for c in reversed(coefficients[:-1]):
                total = plus(times(total, z), self.const(c))
            return total

        def integer(value: int) -> str:
            return str(value) if self.width == 1 else "<" + ", ".join([f"i64 {value}"] * self.width) + ">"

        def bits(operation: str, a: str, b: str) -> str:
            return self.op(f"{operation} {whole} {a}, {b}")

        lifted = plus(times(x, self.const(2.0 / math.pi)), self.const(ROUNDER))
        quarters, k = self.op(f"bitcast {t} {lifted} to {whole}"), less(lifted, self.const(ROUNDER))
        first = less(x, times(k, self.const(QUARTER[0])))
        second = times(k, self.const(QUARTER[1]))
        r = less(first, second)
        rest = less(times(k, self.const(QUARTER[2])), less(less(first, r), second))
        y = less(r, rest)
        tail = less(less(r, y), rest)
        z = times(y, y)
        v, half = times(z, y), times(self.const(0.5), z)
        inner = times(z, less(times(self.const(0.5), tail), times(v, series(z, SINE[1:]))))
        sine = less(y, less(less(inner, tail), times(v, self.const(SINE[0]))))
        one = less(self.const(1.0), half)
        lost = less(less(self.const(1.0), one), half)
        cosine = plus(one, plus(lost, less(times(z, times(z, series(z, COSINE))), times(y, tail))))
        odd = self.op(f"icmp ne {whole} {bits('and', quarters, integer(1))}, {integer(0)}")

        def signed(value: str, turned: str) -> str:
            sign = bits("shl", bits("and", turned, integer(2)), integer(62))
            flipped = bits("xor", self.op(f"bitcast {t} {value} to {whole}"), sign)
            return self.op(f"bitcast {whole} {flipped} to {t}")

        s = self.op(f"select {self.flag} {odd}, {t} {cosine}, {t} {sine}")
        c = self.op(f"select {self.flag} {odd}, {t} {sine}, {t} {cosine}")
        return signed(s, quarters), signed(c, bits("add", quarters, integer(1)))

    def number(self, truth: str) -> str:
        """1 or 0 from a truth value."""
        return self.op(f"select {self.flag} {truth}, {self.type} {self.const(1.0)}, {self.type} {self.const(0.0)}")

    def _curve(self, args: tuple, a: list[str]) -> str:
        """All derivatives of one look-up share a single search; the graph requests them one by one."""
        if args[:2] not in self._looked_up:
            results: list[list[str]] = [[] for _ in range(4)]
            for x, table in zip(*[self.lanes(v) for v in a], strict=True):
                offset = self.op(f"fptoui double {table} to i64")
                found = self.op(f"call [4 x double] @table1(ptr {self.address('%tables', offset)}, double {x})")
                for order in range(4):
                    results[order].append(self.op(f"extractvalue [4 x double] {found}, {order}"))
            self._looked_up[args[:2]] = [self.pack(r) for r in results]
        return self._looked_up[args[:2]][args[2]]

    def _surface(self, args: tuple, a: list[str]) -> str:
        """All values and slopes of one look-up share a single call, for all lanes."""
        dx, dy, component, components = args[3:]
        if args[:3] not in self._looked_up:
            sloped = args[:3] in self.sloped
            self.surfaces.add((components, sloped))
            given = ", ".join(f"{self.type} {v}" for v in a)
            self.lines.append(f"call void @{surface_name(components, sloped)}(ptr %tables, {given}, ptr %found)")
            orders, room = (4 if sloped else 1), (1 if components == 1 else MOST_COMPONENTS)
            self._looked_up[args[:3]] = [
                self.pack(
                    [
                        self.load(self.address("%found", (lane * orders + order) * room + k))
                        for lane in range(self.width)
                    ]
                )
                for order in range(orders)
                for k in range(components)
            ]
        return self._looked_up[args[:3]][(dx + 2 * dy) * components + component]


def declarations(width: int) -> list[str]:
    """Declarations that operations on W lanes may need."""
    writer = Writer(width)
    t, suffix = writer.type, writer.suffix
    head = [f"declare double @{name}({', '.join(['double'] * count)})" for name, count in LIBRARY.items()]
    head += [f"declare {t} @llvm.{name}.{suffix}({t})" for name in BUILT_IN.values()]
    return [*head, f"declare {t} @llvm.copysign.{suffix}({t}, {t})"]
