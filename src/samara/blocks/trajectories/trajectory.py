"""What set points as functions of time share."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from samara.blocks.block import Block, Inlet


class TrajectoryPoint(NamedTuple):
    """A point of a trajectory: position [q], rate [q/s], acceleration [q/s^2]."""

    position: float
    rate: float
    acceleration: float


class Trajectory(Block):
    """Base of trajectories: a set point as a function of time, constant before the beginning and after the end.

    The input is the time [s]: a call returns a `TrajectoryPoint`; in a model the outputs are three signals.
    """

    time_between = "none"

    def end(self) -> Any:
        """When the motion is over [s]."""
        raise NotImplementedError

    def ports(self) -> Mapping[str, Inlet]:
        return {"t": Inlet()}

    def answer(self, y: list) -> TrajectoryPoint:
        return TrajectoryPoint(*map(float, y))

    def done(self, t: float) -> bool:
        """Whether the motion is over."""
        return self.sample("t", t) >= float(self.end())
