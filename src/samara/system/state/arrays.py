"""The memory of a system: the arrays that kernels read and write."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from samara.system.layout.layout import Layout
from samara.system.layout.unknowns import Unknowns
from samara.system.memory.aligned_arrays import aligned_zeros
from samara.system.memory.blocks import COEFFICIENTS, Coefficient


@dataclass(frozen=True)
class Arrays:
    """state: laid out as in `Layout`. res, x: equations and corrections, as in `Unknowns`. out: measures.

    coef:   numbers shared by all kernels, see `Coefficient`.
    tables: of curves and surfaces, concatenated.
    scale:  of the scalar states, and of unused lanes.
    """

    state: np.ndarray
    res: np.ndarray
    x: np.ndarray
    out: np.ndarray
    coef: np.ndarray
    tables: np.ndarray
    scale: np.ndarray


def allocate(layout: Layout, unknowns: Unknowns, tables: np.ndarray) -> Arrays:
    """Allocates zeros, with the coefficients of a system at rest."""
    coef = aligned_zeros(COEFFICIENTS)
    coef[Coefficient.PER_POSE] = 1.0
    scale = np.ones(layout.state_groups * layout.width)
    scale[: len(layout.states)] = [state.scale for state in layout.states]
    return Arrays(
        state=aligned_zeros(layout.state_size),
        res=aligned_zeros(unknowns.room),
        x=aligned_zeros(unknowns.room),
        out=aligned_zeros(layout.output_room),
        coef=coef,
        tables=tables,
        scale=scale,
    )
