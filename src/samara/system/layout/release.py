"""Releases of constraints that are redundant because other constraints imply them.

A released constraint g = 0 becomes g - give lam = 0. As long as other constraints imply g = 0, its multiplier is zero,
and the matrix is regular although G is rank-deficient. Releases act wherever joints do: assembly, steps, statics.
"""

from __future__ import annotations

import numpy as np

from samara.system.kernels.kinds import Kind
from samara.system.kernels.trace import TracedSite
from samara.system.layout.groups import Group
from samara.system.layout.layout import Layout
from samara.system.layout.unknowns import Unknowns
from samara.system.memory.aligned_arrays import aligned_zeros
from samara.tracing.kernels import native
from samara.tracing.kernels.lanes import Function, Place


def release_kind() -> Kind:
    """One multiplier of an element: residual, Jacobian entry and acceleration -give lam."""
    site = TracedSite(0)
    slots = site.slots
    lam, give = site.input("flat", slots.multipliers, 0), site.input("parameter", 0, 0)
    row, taken = Place("flatrow", slots.multiplier_rows, 0), -give * lam
    functions = [
        Function("residual", site.graph, [(row, taken.id)]),
        Function("jacobian", site.graph, [(Place("entry", 0, 0), (-give).id)]),
        Function("acceleration", site.graph, [(row, taken.id)]),
    ]
    return Kind("Release", slots, 0, 0, [0], [], [(("lam", 0, 0), ("lam", 0, 0))], [], functions)


class Releases:
    """All multipliers of a system, and how far the constraint of each is released; initially none is."""

    def __init__(self, layout: Layout, unknowns: Unknowns, kernels: list[native.Loaded]) -> None:
        kind, w, total = release_kind(), layout.width, layout.multiplier_count
        count = -(-total // w)
        loaded = native.load(kind.name, kind.functions, w, kind.shape)
        kernels.append(loaded)
        number = np.arange(count * w).reshape(count, w)
        idx = np.zeros((count, kind.slots, w), np.uint32)
        idx[:, kind.places.multipliers, :] = layout.multiplier_base + np.minimum(number, total - 1)
        idx[:, kind.places.multiplier_rows, :] = np.where(
            number < total, unknowns.multiplier_rows + number, unknowns.trash
        )
        none = np.zeros(0, np.int64)
        self.group = Group(kind, "", (), loaded.addresses, idx, aligned_zeros((count, 1, w)), none, none)
        self.total = total

    @property
    def give(self) -> np.ndarray:
        """`give` of each multiplier; zero where the constraint holds."""
        return self.group.par[:, 0, :].ravel()[: self.total]

    @give.setter
    def give(self, values: np.ndarray) -> None:
        flat = np.zeros(self.group.par.size)
        flat[: self.total] = values
        self.group.par[:, 0, :] = flat.reshape(self.group.par[:, 0, :].shape)
