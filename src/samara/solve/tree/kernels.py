"""Kernels of a tree, called."""

from __future__ import annotations

from samara.solve.native.kernels import call_native
from samara.tracing.driver.driver_cache import inner


@inner
def call_tree(m, address):
    """A kernel that reads and writes the block, and may write to the state."""
    block, plan = m.tree.block.ctypes.data, m.tree.plan
    call_native(
        address, 1, block, plan.indices.ctypes.data, plan.parameters.ctypes.data, m.coef.ctypes.data,
        m.plan.tables.ctypes.data, m.state.ctypes.data, block,
    )  # fmt: skip


@inner
def call_tree_into(m, address, block, to):
    """A kernel that reads numbers at an address, and writes them and others at a second one."""
    plan = m.tree.plan
    call_native(
        address, 1, block, plan.indices.ctypes.data, plan.parameters.ctypes.data, m.coef.ctypes.data,
        m.plan.tables.ctypes.data, to, block,
    )  # fmt: skip
