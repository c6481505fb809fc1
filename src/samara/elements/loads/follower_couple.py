"""Follower couple: rotates with its node."""

from __future__ import annotations

from typing import Any

import numpy as np

from samara.elements.loads.components import Components
from samara.model import driven


class FollowerCouple(Components):
    """A follower couple, which rotates with its node: a motor torque whose reaction is carried elsewhere.

        C_N = couple(t)

    couple: three components in the node's axes [N m], each a number, a `Parameter`, a drive or a function of t; or
    `magnitude` [N m] with `direction` (fixed in the node).
    """

    _components = "couple"

    couple: Any = driven(default=None, unit="N m", size=3)

    def load(self, n, world):
        return np.zeros(3), self.couple
