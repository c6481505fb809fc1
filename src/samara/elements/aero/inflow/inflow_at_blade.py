"""Inflow of a rotor at its blades, and the contribution of blade lift to the inflow equations."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, NamedTuple

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

    #: how many of the states of a station are its inflow's, see `Inflow.station_states`
    own: ClassVar[int] = 0

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
    """The mean over the disk, for parts that are not blades of the rotor."""

    def places(self) -> tuple[int, ...]:
        return (0,)

    def velocity(self, flows, x, y, k):
        return flows[0]


class FeltFar(Felt):
    """No state of the rotor: a law tells the velocity of the far wake, and the near wake is a state of the station."""

    own: ClassVar[int] = 2

    def places(self) -> tuple[int, ...]:
        return ()

    def velocity(self, flows, x, y, k):
        return 0.0

    def far(self, flows: Sequence[Any], told: Sequence[Any], x: Any, y: Any, k: int) -> Any:
        """Velocity of the far wake at station k, at (x, y) in the disk [R], in axes of the disk; told: by the law."""
        return told[4 * k : 4 * k + 3]

    def shift(self, told: Sequence[Any], own: Sequence[Any], k: int) -> Any:
        """Velocity of the near wake along the shaft at 1/4 of the chord less that at 3/4; own: states of station k."""
        return told[4 * k + 3]
