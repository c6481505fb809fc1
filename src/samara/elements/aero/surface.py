"""What all aerodynamic elements share: the air around them, and the rotor they belong to."""

from __future__ import annotations

from typing import Any

import numpy as np

from samara.elements.aero.aerofoil import Aerofoil
from samara.elements.aero.air import Air
from samara.elements.aero.profile import section_ring
from samara.elements.aero.rotor import Rotor
from samara.elements.aero.station_flow import QuasiSteady, SectionMotion, Unsteady
from samara.elements.aero.strip import Stations, StripLoad
from samara.model import (
    Element,
    Frame,
    Node,
    Placement,
    Record,
    Site,
    Sketch,
    State,
    number,
    placement,
    record,
    setting,
)
from samara.rotations import cross

#: Of the two that a surface may reach along a beam (-1 to 1): from here on the beam inside is not drawn.
COVERED = 1.98


class Wake(Record):
    """Where the disk lies in the craft, and its radius [m]: as the rotor has them."""

    radius: float = number(unit="m", positive=True)
    disk: Placement | Any = placement(default=None)


class NoWake(Record):
    """Outside any rotor."""


class Aerodynamic(Element):
    """An element with air loads; a subclass gives the nodes it acts on and its loads.

    air:   that of the rotor, if one is given.
    rotor: the `Rotor` that the loads belong to and whose induced velocity is felt; None for a wing or a fuselage.
    wake:  how the rotor's induced velocity is felt here; filled in from `rotor`.
    """

    air: Air = record(default=None)
    rotor: Any = setting(default=None)
    wake: Any = record(default=NoWake())

    def prepare(self) -> None:
        rotor = self.rotor
        if rotor is not None and not (isinstance(rotor, Rotor) and rotor.name):
            raise ValueError("rotor: give the Rotor that model.add(...) returned, or None")
        if self.air is None:
            object.__setattr__(self, "air", rotor.air if rotor else Air())
        if rotor is not None:
            object.__setattr__(self, "wake", Wake(rotor.radius, rotor.disk))

    def own_nodes(self) -> list[Node]:
        """The nodes that the loads act on."""
        return super().nodes()

    def nodes(self) -> list[Node]:
        return [self.rotor.craft, *self.own_nodes()] if isinstance(self.rotor, Rotor) else self.own_nodes()

    def states(self) -> list[State]:
        shared = self.rotor.states() if isinstance(self.rotor, Rotor) else []
        return [*shared, *self.owned.values()]

    # ---- what a subclass uses
    def own_frames(self, site: Site) -> list[Frame]:
        """Frames of the nodes that the loads act on."""
        return site.frames[1:] if self.rotor else site.frames

    def air_at(self, site: Site, point) -> np.ndarray:
        """Velocity of the air at a point, wind and induced, all in axes of the element [m/s]."""
        wind = site.world.R @ np.asarray(self.air.velocity(site.world.see(point), site.time))
        if not self.rotor:
            return wind
        disk = self._disk(site)
        x, y, _ = disk.see(point)
        u, g_x, g_y = (s.value for s in site.states[6:9])
        return wind - disk.z * (u + (g_x * x + g_y * y) / self.wake.radius)

    def shares(self, site: Site, force, moment) -> list:
        """What the element adds to the rotor's states, from its load at the origin of its axes."""
        if not self.rotor:
            return []
        disk = self._disk(site)
        about = moment - cross(disk.p, force)
        return [*(-(disk.R.T @ force)), *(-(disk.R.T @ about)), 0.0, 0.0, 0.0]

    def _disk(self, site: Site) -> Frame:
        return site.frames[0].at(self.wake.disk)


class AeroSurface(Aerodynamic):
    """An element with air loads at stations along a span.

    stations: points with chord and twist, see `Stations`; aerofoil: of all of them.
    unsteady: how the flow follows the motion: `QuasiSteady()`, `Theodorsen()`, `DynamicStall()`. Their states are those
              of the element: "blade.station_1.lag_1".
    """

    stations: Stations = record()
    aerofoil: Aerofoil = record()
    unsteady: Unsteady = record(default=QuasiSteady())

    def own_states(self) -> dict[str, State]:
        count = len(self.stations)
        return {
            f"station_{k + 1}.{name}": state
            for k in range(count)
            for name, state in self.unsteady.station_states().items()
        }

    def span_ends(self) -> list[np.ndarray]:
        """Both ends of the span in the world, as described [m]; none where they are not known."""
        return []

    def draw(self, sketch: Sketch) -> None:
        """A blade or a wing: its sections, carried by the nearest nodes."""
        rings = []
        for x, node, frame in self.carried():
            rings.append((node, section_ring(*self.section_shape(x)) @ frame.rotation.T + frame.position))
        if rings:
            kind, whole = "wing" if self.rotor is None else "blade", bool(np.ptp(self.station_range()) > COVERED)
            sketch.skin(kind, rings, of=self.own_nodes(), bodies=self.rotor is not None, outer=whole)

    def section_shape(self, x: float) -> tuple[float, float, float]:
        """Chord along y [m], twist [rad] and aerodynamic centre ahead of the axis [m] at x, linear between stations."""
        s = self.stations
        order = np.argsort(np.asarray(s.x, float))
        # the chord of a swept station is normal to its axis
        swept = np.where(np.asarray(s.swept_cosine, float) > 0.0, s.swept_cosine, 1.0)
        columns = np.asarray(s.chord, float) / swept, np.arctan2(s.sine, s.cosine), np.asarray(s.centre, float)
        chord, twist, centre = (_linear(x, np.asarray(s.x, float)[order], c[order]) for c in columns)
        return max(chord, 0.0), twist, centre

    def flow_channels(self) -> tuple[str, str] | None:
        return f"{self.name}.alpha", f"{self.name}.mach"

    def station_range(self) -> tuple[float, float]:
        """Between which x the stations lie, as Gauss points do; those of another rule end further out."""
        x = np.asarray(self.stations.x, float)
        low, high = float(x.min()), float(x.max())
        edge = float(np.polynomial.legendre.leggauss(len(x))[0][-1]) if len(x) > 1 else 1.0
        middle, half = 0.5 * (low + high), 0.5 * (high - low) / edge
        return middle - half, middle + half

    def station_load(self, site: Site, motion: SectionMotion, k: int) -> tuple[StripLoad, list]:
        """Load on the strip of station k, and what it adds to the equations of its states."""
        own = site.states[9 if self.rotor else 0 :]
        count = len(own) // len(self.stations)
        mine = own[k * count : (k + 1) * count]
        load, rates = self.unsteady.load(motion, mine, self.aerofoil, self.air, self.stations, k)
        return load, [state.rate - rate for state, rate in zip(mine, rates, strict=True)]


def _linear(x: float, at: np.ndarray, values: np.ndarray) -> float:
    """Between the points of a table, and straight on beyond its ends."""
    if len(at) == 1:
        return float(values[0])
    k = int(np.clip(np.searchsorted(at, x) - 1, 0, len(at) - 2))
    return float(values[k] + (x - at[k]) / (at[k + 1] - at[k]) * (values[k + 1] - values[k]))
