"""Couple fixed in the world."""

from __future__ import annotations

from typing import Any

import numpy as np

from samara.elements.loads.components import Components
from samara.model import driven


class Couple(Components):
    """A couple fixed in the world.

        C_W = couple(t)

    couple: three components in world axes [N m], each a number, a `Parameter`, a drive or a function of t; or
    `magnitude` [N m] with `direction` (fixed in the world).

    A couple fixed in the world has no potential: its work depends on the path of the rotation.
    """

    _components = "couple"

    couple: Any = driven(default=None, unit="N m", size=3)

    def load(self, n, world):
        return np.zeros(3), world.R @ self.couple
