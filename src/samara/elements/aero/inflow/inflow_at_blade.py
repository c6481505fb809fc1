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


class BladeStation(NamedTuple):
    """A station of a blade, as an inflow may be told of: the element that it is of, and its number there.

    r: radius; start, width: inner end and width of its strip [R]; chord [m].
    """

    surface: Any
    number: int
    r: float
    start: float
    width: float
    chord: float

    def state(self, label: str) -> Any:
        """One of the states of `Inflow.station_states`."""
        return self.surface.owned[f"station_{self.number + 1}.{label}"]

    def inputs(self) -> Sequence[Any]:
        """Those of `Inflow.station_inputs`."""
        count = len(self.surface.fed) // len(self.surface.stations)
        return self.surface.fed[count * self.number : count * self.number + count]


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


class FeltNothing(Felt):
    """No state of the rotor: stations have what they feel as states and inputs of their own."""

    def places(self) -> tuple[int, ...]:
        return ()

    def velocity(self, flows, x, y, k):
        return 0.0
