"""All measures at the present state."""

from __future__ import annotations

from samara.solve.native.kernels import OUTPUTS, clear, run_kinds
from samara.solve.tree.stepping import publish
from samara.tracing.driver_cache import inner


@inner
def outputs(m):
    """All measures at the present state, into `out`."""
    if m.tree.method != 0:
        publish(m)
    clear(m.out)
    run_kinds(m, m.program, OUTPUTS, m.out.ctypes.data, m.out.ctypes.data)
