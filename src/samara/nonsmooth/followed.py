"""Nodes whose motion is prescribed step by step by the other side of a co-simulation."""

from __future__ import annotations

import numpy as np

from samara.model import Drive, Model, Motion, Node, Placement, number
from samara.model.schema.drives import VALUE, VALUE_RATE
from samara.rotations import Pose, log_so3
from samara.system.system import System


class Parabola(Drive):
    """value + rate (t - start) + curve (t - start)^2 / 2; its numbers are rewritten for each step."""

    value: float = number(default=0.0, unit=VALUE)
    rate: float = number(default=0.0, unit=VALUE_RATE)
    curve: float = number(default=0.0)
    start: float = number(default=0.0, unit="s")

    def __call__(self, t):
        since = t - self.start
        return self.value + since * (self.rate + 0.5 * self.curve * since)


def add_followed(model: Model, name: str, place: Placement) -> Node:
    """A prescribed node there that `Followed` moves."""
    drives = [Parabola() for _ in range(6)]
    motion = Motion(position=tuple(drives[:3]), rotation=tuple(drives[3:]))
    return model.prescribed(name, motion, place.position, place.rotation)


class Followed:
    """The numbers of such a node in a compiled system."""

    def __init__(self, system: System, node: Node) -> None:
        group, row = next(
            (group, k)
            for group in system.signals
            for k, instance in enumerate(group.kind.instances)
            if instance[0] is node
        )
        numbers = group.par[row]
        self._drives = numbers[:24].reshape(6, 4)  # value, rate, curve, start
        self._begun = numbers[24:36]

    def move(self, time: float, h: float, begin: Pose, twist: np.ndarray, end: Pose) -> None:
        """From a pose, with a velocity and an angular velocity in world axes, to another pose after h."""
        self._begun[:9], self._begun[9:] = np.ravel(begin.R), begin.p
        rate = np.concatenate([twist[:3], begin.R.T @ twist[3:]])
        way = np.concatenate([end.p - begin.p, log_so3(begin.R.T @ end.R)])
        self._drives[:, 0] = 0.0
        self._drives[:, 1] = rate
        self._drives[:, 2] = 2.0 * (way - h * rate) / (h * h)
        self._drives[:, 3] = time
