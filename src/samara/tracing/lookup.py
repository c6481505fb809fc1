"""Native look-up in packed tables (`samara.tracing.table`), as LLVM IR.

Both functions return four numbers: a curve its value and three derivatives, a surface its value and the derivatives
by x, by y and by both.
"""

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

_FRACTION = """
define internal {i64, double, double} @cell(ptr %axis, ptr %inverses, i64 %count, double %x) {
  %above = call i64 @upper_bound(ptr %axis, i64 %count, double %x)
  %low = icmp eq i64 %above, 0
  %a = select i1 %low, i64 1, i64 %above
  %end = icmp uge i64 %a, %count
  %last = sub i64 %count, 1
  %b = select i1 %end, i64 %last, i64 %a
  %i = sub i64 %b, 1
  %p = getelementptr double, ptr %axis, i64 %i
  %q = getelementptr double, ptr %inverses, i64 %i
  %x0 = load double, ptr %p, align 8
  %inverse = load double, ptr %q, align 8
  %d = fsub double %x, %x0
  %raw = fmul double %d, %inverse
  %under = fcmp olt double %raw, 0.0
  %over = fcmp ogt double %raw, 1.0
  %out = or i1 %under, %over
  %s1 = select i1 %under, double 0.0, double %raw
  %s = select i1 %over, double 1.0, double %s1
  %slope = select i1 %out, double 0.0, double %inverse
  %r0 = insertvalue {i64, double, double} poison, i64 %i, 0
  %r1 = insertvalue {i64, double, double} %r0, double %s, 1
  %r2 = insertvalue {i64, double, double} %r1, double %slope, 2
  ret {i64, double, double} %r2
}
"""

_SURFACE = """
define internal [4 x double] @table2(ptr %t, double %x, double %y) {
  %nx.d = load double, ptr %t, align 8
  %nx = fptosi double %nx.d to i64
  %pny = getelementptr double, ptr %t, i64 1
  %ny.d = load double, ptr %pny, align 8
  %ny = fptosi double %ny.d to i64
  %ax = getelementptr double, ptr %t, i64 2
  %ay = getelementptr double, ptr %ax, i64 %nx
  %ix = getelementptr double, ptr %ay, i64 %ny
  %iy = getelementptr double, ptr %ix, i64 %nx
  %z = getelementptr double, ptr %iy, i64 %ny
  %cx = call {i64, double, double} @cell(ptr %ax, ptr %ix, i64 %nx, double %x)
  %cy = call {i64, double, double} @cell(ptr %ay, ptr %iy, i64 %ny, double %y)
  %i = extractvalue {i64, double, double} %cx, 0
  %s = extractvalue {i64, double, double} %cx, 1
  %ds = extractvalue {i64, double, double} %cx, 2
  %j = extractvalue {i64, double, double} %cy, 0
  %u = extractvalue {i64, double, double} %cy, 1
  %du = extractvalue {i64, double, double} %cy, 2
  %row = mul i64 %i, %ny
  %o = add i64 %row, %j
  %p00 = getelementptr double, ptr %z, i64 %o
  %p01 = getelementptr double, ptr %p00, i64 1
  %p10 = getelementptr double, ptr %p00, i64 %ny
  %p11 = getelementptr double, ptr %p10, i64 1
  %z00 = load double, ptr %p00, align 8
  %z01 = load double, ptr %p01, align 8
  %z10 = load double, ptr %p10, align 8
  %z11 = load double, ptr %p11, align 8
  %d0 = fsub double %z01, %z00
  %d1 = fsub double %z11, %z10
  %ud0 = fmul double %u, %d0
  %ud1 = fmul double %u, %d1
  %e0 = fadd double %z00, %ud0
  %e1 = fadd double %z10, %ud1
  %de = fsub double %e1, %e0
  %sde = fmul double %s, %de
  %f = fadd double %e0, %sde
  %fx = fmul double %ds, %de
  %dd = fsub double %d1, %d0
  %sdd = fmul double %s, %dd
  %g = fadd double %d0, %sdd
  %fy = fmul double %du, %g
  %dsdd = fmul double %ds, %dd
  %fxy = fmul double %du, %dsdd
  %r0 = insertvalue [4 x double] poison, double %f, 0
  %r1 = insertvalue [4 x double] %r0, double %fx, 1
  %r2 = insertvalue [4 x double] %r1, double %fy, 2
  %r3 = insertvalue [4 x double] %r2, double %fxy, 3
  ret [4 x double] %r3
}
"""

LOOKUP_IR = _SEARCH + _CURVE + _FRACTION + _SURFACE
