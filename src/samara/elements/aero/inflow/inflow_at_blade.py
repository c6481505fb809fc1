"""What a blade feels of the inflow of its rotor, and what its lift adds to the equations of the inflow."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from samara.model import Record


class StationLift(NamedTuple):
    """Force along the shaft at a station [N], and where it acts in the disk [R]."""

    x: Any
    y: Any
    force: Any


class Felt(Record):
    """Base: how the stations of one element feel an inflow; made by `Inflow.felt`."""

    def places(self) -> tuple[int, ...]:
        """Which states of the inflow the element feels, by their place in `Inflow.flows`."""
        raise NotImplementedError

    def loaded(self) -> tuple[int, ...]:
        """Those of `places` to whose equations lift is added; the others are only read."""
        return ()

    def velocity(self, flows: Sequence[Any], x: Any, y: Any, k: int) -> Any:
        """Induced velocity against the thrust at (x, y) in the disk [R] by station k [m/s]; flows: as `places` says."""
        raise NotImplementedError

    def shares(self, lifts: Sequence[StationLift]) -> list:
        """What the lift of all stations adds to the equations of `loaded`."""
        return []


class FeltLinear(Felt):
    """u + g_x x + g_y y; the equations know the rotor's whole thrust and moments."""

    def places(self) -> tuple[int, ...]:
        return (0, 1, 2)

    def velocity(self, flows, x, y, k):
        u, g_x, g_y = flows
        return u + g_x * x + g_y * y


class FeltMean(Felt):
    """The mean over the disk, for what is no blade of the rotor."""

    def places(self) -> tuple[int, ...]:
        return (0,)

    def velocity(self, flows, x, y, k):
        return flows[0]
