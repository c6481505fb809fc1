"""Locks. Asked by redundant constraints, by the impacts of static solutions and by the carriers of a step's nodes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from samara.model.element import Element


class Engaged(Element):
    """Holds its two nodes while a drive is above 1/2, and lets them go else."""

    def engagement(self) -> Any:
        """The drive."""
        raise NotImplementedError

    def held_axes(self) -> tuple[np.ndarray, Sequence[bool], Sequence[bool]]:
        """Its axes in the last node, as columns; which of them it holds in translation, and which in rotation."""
        raise NotImplementedError
