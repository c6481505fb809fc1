"""Native look-up in packed tables (`samara.tracing.expressions.table`), as LLVM IR.

A curve returns four numbers: its value and three derivatives.
"""

from samara.tracing.expressions.table import MOST_COMPONENTS
from samara.tracing.kernels.writer import FAST, Writer, surface_name

_SEARCH = """
define internal i64 @upper_bound(ptr %axis, i64 %count, double %x) {
entry:
  br label %test
test:
  %lo = phi i64 [0, %entry], [%lo2, %halve]
  %hi = phi i64 [%count, %entry], [%hi2, %halve]
  %open = icmp ult i64 %lo, %hi
  br i1 %open, label %halve, label %done
halve:
  %sum = add i64 %lo, %hi
  %mid = lshr i64 %sum, 1
  %at = getelementptr double, ptr %axis, i64 %mid
  %b = load double, ptr %at, align 8
  %below = fcmp ole double %b, %x
  %up = add i64 %mid, 1
  %lo2 = select i1 %below, i64 %up, i64 %lo
  %hi2 = select i1 %below, i64 %hi, i64 %mid
  br label %test
done:
  ret i64 %lo
}
"""

_CURVE = """
define internal [4 x double] @table1(ptr %t, double %x) {
  %m.d = load double, ptr %t, align 8
  %m = fptosi double %m.d to i64
  %axis = getelementptr double, ptr %t, i64 1
  %piece = call i64 @upper_bound(ptr %axis, i64 %m, double %x)
  %first = getelementptr double, ptr %axis, i64 %m
  %o = mul i64 %piece, 5
  %p0 = getelementptr double, ptr %first, i64 %o
  %p1 = getelementptr double, ptr %p0, i64 1
  %p2 = getelementptr double, ptr %p0, i64 2
  %p3 = getelementptr double, ptr %p0, i64 3
  %p4 = getelementptr double, ptr %p0, i64 4
  %origin = load double, ptr %p0, align 8
  %c0 = load double, ptr %p1, align 8
  %c1 = load double, ptr %p2, align 8
  %c2 = load double, ptr %p3, align 8
  %c3 = load double, ptr %p4, align 8
  %s = fsub double %x, %origin
  %sc3 = fmul double %s, %c3
  %a2 = fadd double %c2, %sc3
  %sa2 = fmul double %s, %a2
  %a1 = fadd double %c1, %sa2
  %sa1 = fmul double %s, %a1
  %y = fadd double %c0, %sa1
  %sc3x3 = fmul double %sc3, 3.0
  %c2x2 = fmul double %c2, 2.0
  %b2 = fadd double %c2x2, %sc3x3
  %sb2 = fmul double %s, %b2
  %dy = fadd double %c1, %sb2
  %sc3x6 = fmul double %sc3, 6.0
  %ddy = fadd double %c2x2, %sc3x6
  %dddy = fmul double %c3, 6.0
  %r0 = insertvalue [4 x double] poison, double %y, 0
  %r1 = insertvalue [4 x double] %r0, double %dy, 1
  %r2 = insertvalue [4 x double] %r1, double %ddy, 2
  %r3 = insertvalue [4 x double] %r2, double %dddy, 3
  ret [4 x double] %r3
}
"""

CURVE_IR = _SEARCH + _CURVE


def surface_ir(width: int, components: int, sloped: bool) -> str:
    """Look-up of W points in W packed surfaces, lane by lane; arithmetic is vectorised over the values of a point.

    Writes for each lane the values (1, or 4 with spare ones) and, on request, their derivatives by x, by y and by
    both.
    """
    k = Writer(1)
    vector, value = Writer(width).type, "double" if components == 1 else f"<{MOST_COMPONENTS} x double>"
    room, orders = (1 if components == 1 else MOST_COMPONENTS), (4 if sloped else 1)
    lines = [
        f"define internal void @{surface_name(components, sloped)}(ptr %tables, {vector} %x, {vector} %y, ",
        "entry:",
    ]
    lines[0] += f"{vector} %table, ptr %found) {{"
    for lane in range(width):
        x, y, table = (
            name if width == 1 else k.op(f"extractelement {vector} {name}, i32 {lane}")
            for name in ("%x", "%y", "%table")
        )
        head = k.address("%tables", k.op(f"fptoui double {table} to i64"))
        i, s, ds = _cell(k, head, 0, x, f"x{lane}")
        j, u, du = _cell(k, head, 5, y, f"y{lane}")
        z = k.address(head, _integer(k, head, 10))
        row = _integer(k, head, 11)
        first = k.op(f"add i64 {k.op(f'mul i64 {i}, {row}')}, {k.op(f'mul i64 {j}, {room}')}")
        low = k.address(z, first)
        high = k.address(low, row)

        def corner(base: str, step: int) -> str:
            return k.op(f"load {value}, ptr {k.address(base, step)}, align 8")

        def times(scalar: str, v: str) -> str:
            return k.op(f"fmul {FAST} {value} {scalar}, {v}")

        def plus(a: str, b: str, operation: str = "fadd") -> str:
            return k.op(f"{operation} {FAST} {value} {a}, {b}")

        s, u, ds, du = (_spread(k, v, value, room) for v in (s, u, ds, du))
        z00, z01, z10, z11 = corner(low, 0), corner(low, room), corner(high, 0), corner(high, room)
        d0, d1 = plus(z01, z00, "fsub"), plus(z11, z10, "fsub")
        e0, e1 = plus(z00, times(u, d0)), plus(z10, times(u, d1))
        de = plus(e1, e0, "fsub")
        results = [plus(e0, times(s, de))]
        if sloped:
            dd = plus(d1, d0, "fsub")
            results += [times(ds, de), times(du, plus(d0, times(s, dd))), times(du, times(ds, dd))]
        for order, result in enumerate(results):
            place = k.address("%found", (lane * orders + order) * room)
            k.lines.append(f"store {value} {result}, ptr {place}, align 8")
    return "\n".join([*lines, *k.lines, "ret void", "}"])


def _integer(k: Writer, base: str, position: int) -> str:
    return k.op(f"load i64, ptr {k.address(base, position)}, align 8")


def _spread(k: Writer, scalar: str, value: str, room: int) -> str:
    """Repeats the number for every value of a point."""
    if room == 1:
        return scalar
    single = k.op(f"insertelement {value} poison, double {scalar}, i32 0")
    return k.op(f"shufflevector {value} {single}, {value} poison, <{room} x i32> zeroinitializer")


def _cell(k: Writer, head: str, first: int, x: str, name: str) -> tuple[str, str, str]:
    """(cell, fraction of it, slope of the fraction): the bucket gives the first candidate; one step mostly suffices."""
    last = k.op(f"sitofp i64 {_integer(k, head, first + 1)} to double")
    origin, scale = (k.load(k.address(head, first + n)) for n in (2, 3))
    at = k.op(f"fmul double {k.op(f'fsub double {x}, {origin}')}, {scale}")
    at = k.op(f"select i1 {k.op(f'fcmp ogt double {at}, 0.0')}, double {at}, double 0.0")  # nan: the first
    at = k.op(f"select i1 {k.op(f'fcmp olt double {at}, {last}')}, double {at}, double {last}")
    place = k.op(f"add i64 {_integer(k, head, first)}, {k.op(f'fptosi double {at} to i64')}")
    start = k.op(f"load i64, ptr {k.address(head, place)}, align 8")
    cells = k.address(head, _integer(k, head, first + 4))
    end = k.load(k.address(cells, k.op(f"mul i64 {start}, 3")))
    passed = k.op(f"fcmp oge double {x}, {end}")
    second = k.op(f"add i64 {start}, {k.op(f'zext i1 {passed} to i64')}")
    k.lines += [f"br label %at.{name}", f"at.{name}:", f"br label %walk.{name}", f"walk.{name}:"]
    k.lines.append(f"%i.{name} = phi i64 [{second}, %at.{name}], [%next.{name}, %walk.{name}]")
    cell = k.address(cells, k.op(f"mul i64 %i.{name}, 3"))
    further = k.op(f"fcmp oge double {x}, {k.load(cell)}")
    k.lines += [f"%next.{name} = add i64 %i.{name}, 1"]
    k.lines += [f"br i1 {further}, label %walk.{name}, label %in.{name}", f"in.{name}:"]
    low, inverse = (k.load(k.address(cell, n)) for n in (1, 2))
    raw = k.op(f"fmul double {k.op(f'fsub double {x}, {low}')}, {inverse}")
    under, over = k.op(f"fcmp olt double {raw}, 0.0"), k.op(f"fcmp ogt double {raw}, 1.0")
    part = k.op(f"select i1 {under}, double 0.0, double {raw}")
    part = k.op(f"select i1 {over}, double 1.0, double {part}")
    slope = k.op(f"select i1 {k.op(f'or i1 {under}, {over}')}, double 0.0, double {inverse}")
    return f"%i.{name}", part, slope
