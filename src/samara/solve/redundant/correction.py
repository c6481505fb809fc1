"""The linear solver between equations and unknowns."""

from __future__ import annotations

from samara.solve.linear.lu import substitute
from samara.solve.linear.schur.calls import correction_by_parts
from samara.solve.redundant.scheme import is_impact
from samara.tracing.driver.driver_cache import inner


@inner
def correction(work):
    """x from res: the linear solver numbers the unknowns without the gaps of the lanes."""
    m, lu = work.machine, work.lu
    for k in range(m.contacts.pool.forces, m.layout.multiplier_count):  # what no equation has
        m.x[m.layout.multiplier_rows + k] = 0.0
    if work.schur.number != 0:
        correction_by_parts(work, 0)
        return
    packed, rows, res, x = lu.work, m.plan.rows, m.scratch.res, m.x
    row_place, column_place = lu.row_place, lu.column_place
    for i in range(rows.size):
        packed[row_place[i]] = res[rows[i]]
    substitute(lu, work.spare if is_impact(m) else work.factors)
    for i in range(rows.size):
        x[rows[i]] = packed[column_place[i]]
