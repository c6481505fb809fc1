"""Base class of aerodynamic elements: the surrounding air, and the rotor they belong to."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from samara.elements.aero.aerofoils.aerofoil import Aerofoil
from samara.elements.aero.aerofoils.profile import section_ring
from samara.elements.aero.inflow.inflow_at_blade import Felt, FeltLinear, FeltMean, StationLift
from samara.elements.aero.rotors.rotor import MEAN, Rotor
from samara.elements.aero.rotors.rotor_blades import OnRotor
from samara.elements.aero.surfaces.station_flow import SLOW, QuasiSteady, SectionMotion, Unsteady
from samara.elements.aero.surfaces.strip import STILL_AIR_SPEED_2, Stations, StripLoad, station_outputs
from samara.elements.aero.wind.air import Air, AirHere
from samara.elements.families import XYZ
from samara.model import (
    Drawn,
    Frame,
    Input,
    LiftingSurface,
    Node,
    Output,
    Placement,
    Record,
    Site,
    Sketch,
    State,
    number,
    option,
    placement,
    record,
    signals,
)
from samara.rotations import cross, dot
from samara.tracing import fmax, fmin

#: Speed against a blade, by that through the disk, up to which the wake's swirl does not follow blade-element theory.
SWIRL_LEAST = 0.25
#: Of the two that a surface may reach along a beam (-1 to 1): from here on the beam inside is not drawn.
COVERED = 1.98


class Wake(Record):
    """Where the disk lies in the craft, its radius [m], and whether its wake turns: as the rotor has them.

    felt: how its inflow is felt.
    """

    radius: float = number(unit="m", positive=True)
    disk: Placement | Any = placement(default=None)
    felt: Felt = record(default=FeltLinear())
    swirl: bool = option(default=False, choices=(False, True))


class FedVelocity(Input):
    """What a law tells of the velocity at the end of a step, before it: nothing of the motion jumps where it does."""

    def is_watched(self) -> bool:
        return False

    def __float__(self) -> float:
        return float(self.initial)


class NoWake(Record):
    """Outside any rotor."""


class Aerodynamic(OnRotor):
    """An element with airloads; a subclass defines the nodes it acts on and its loads.

    air:   that of the rotor, if one is given.
    rotor: the `Rotor` to which the loads belong and whose inflow applies; None for a wing or a fuselage.
    wake:  how the rotor's induced velocity applies here; computed from `rotor`.
    wakes: of other rotors, see `RotorWake`; those that act on its own rotor act on it too.
    """

    air: Air = record(default=None)
    wake: Any = record(default=NoWake())

    def prepare(self) -> None:
        rotor = self.rotor
        if rotor is not None and not (isinstance(rotor, Rotor) and rotor.name):
            raise ValueError("rotor: give the Rotor returned by model.add(...), or None")
        if rotor is not None and rotor.wakes and not self.wakes:
            object.__setattr__(self, "wakes", rotor.wakes)
        super().prepare()
        if self.air is None:
            object.__setattr__(self, "air", rotor.air if rotor else Air())
        if rotor is not None:
            object.__setattr__(self, "wake", Wake(rotor.radius, rotor.disk, self.felt_of(rotor), rotor.swirl))

    def own_nodes(self) -> list[Node]:
        """The nodes that the loads act on."""
        return super().main_nodes()

    def main_nodes(self) -> list[Node]:
        own = self.own_nodes()
        carrier = [self.rotor.craft] if isinstance(self.rotor, Rotor) and self.rotor.craft not in own else []
        return [*carrier, *own]

    def structure(self) -> tuple:
        return (*super().structure(), self.nodes().index(self.rotor.craft) if self.rotor else -1)

    def states(self) -> list[State]:
        return [*self._shared(), *self.blowing(), *self.owned.values()]

    def readings(self) -> list[State]:
        flows = self._of_rotor()[MEAN:]
        read = set(self.wake.felt.places()).difference(self.wake.felt.loaded()) if flows else ()
        return [*super().readings(), *(flows[place] for place in sorted(read)), *self.blowing()]

    def _shared(self) -> list[State]:
        """States of the rotor: its loads, and what is felt of its inflow."""
        states = self._of_rotor()
        return [*states[:MEAN], *(states[MEAN + place] for place in self.wake.felt.places())] if states else []

    def _of_rotor(self) -> list[State]:
        """All states of the rotor's own, loads first; none without a rotor."""
        return list(self.rotor.owned.values()) if isinstance(self.rotor, Rotor) else []

    # ---- what a subclass uses
    def felt_of(self, rotor: Rotor) -> Felt:
        """How the inflow of the rotor is felt; by its mean, where the element has no stations."""
        return FeltMean()

    def own_frames(self, site: Site) -> list[Frame]:
        """Frames of the nodes that the loads act on."""
        return site.frames[len(site.frames) - len(self.own_nodes()) :]

    def no_load(self, site: Site) -> list[np.ndarray]:
        """On the nodes that come before its own."""
        return [np.zeros(6) for _ in range(len(site.frames) - len(self.own_nodes()))]

    def induced_at(self, site: Site, point, k: int, against: Callable[[], Any]) -> Any:
        """Velocity that the rotor induces at station k, whose axis is at a point, in axes of the element [m/s].

        The same all along the chord: a section stands for a vortex at its axis.
        """
        if not self.rotor:
            return np.zeros(3)
        disk = self._disk(site)
        v = self.wake.felt.velocity(self._flows(site), *self._across(disk, point), k)
        return _induced(disk, point, v, against()) if self.wake.swirl else -disk.z * v

    def body_air(self, site: Site, point, factor) -> np.ndarray:
        """Velocity of the air at a body that is no blade of its rotor: with a factor times the mean induced [m/s]."""
        wind = self.outer_air(site, point)
        return wind - factor * self._flows(site)[0] * self._disk(site).z if self.rotor else wind

    def outer_air(self, site: Site, point) -> np.ndarray:
        """Wind, gusts and the wakes of other rotors at a point, in axes of the element [m/s]."""
        wind, gust = self.smooth_air(site, point), self.local_gust(site, point)
        return wind if gust is None else wind + gust

    def local_gust(self, site: Site, point) -> Any:
        """Gusts that differ from place to place, at a point, in axes of the element [m/s]; None: there are none."""
        gust = self.air.local_velocity(site.world.see(point), site.time)
        return None if gust is None else site.world.R @ np.asarray(gust)

    def smooth_air(self, site: Site, point) -> np.ndarray:
        """The rest: the wind, gusts that are the same everywhere, and the wakes of other rotors [m/s]."""
        wind = site.world.R @ np.asarray(self.air.uniform_velocity(site.world.see(point), site.time))
        if not self.wakes:
            return wind
        first = len(self._shared())
        means = [s.value for s in site.states[first : first + len(self.wakes)]]
        return wind + self.blown_at(site, means, point, self.air)

    def shares(self, site: Site, force, moment, loads: Sequence = ()) -> list:
        """What the element adds to those of the rotor's states that it loads, from its load at the origin of its axes.

        loads: point on the axis and force of each station, in axes of the element.
        """
        if not self.rotor:
            return []
        disk = self._disk(site)
        about = moment - cross(disk.p, force)
        lifts = [StationLift(*self._across(disk, point), dot(disk.z, F)) for point, F in loads]
        return [*(-(disk.R.T @ force)), *(-(disk.R.T @ about)), *self.wake.felt.shares(lifts)]

    def _across(self, disk: Frame, point) -> tuple[Any, Any]:
        """Where a point is in the disk [R]."""
        x, y, _ = disk.see(point)
        return x / self.wake.radius, y / self.wake.radius

    def _flows(self, site: Site) -> list:
        """What is felt of the inflow [m/s]."""
        return [s.value for s in site.states[MEAN : MEAN + len(self.wake.felt.places())]]

    def _disk(self, site: Site) -> Frame:
        return site.frames[self.nodes().index(self.rotor.craft)].at(self.wake.disk)


class AeroSurface(Aerodynamic, LiftingSurface, Drawn):
    """An element with airloads at stations along a span.

    stations: points with chord and twist, see `Stations`; aerofoil: for all of them.
    unsteady: model of the section flow: `QuasiSteady()`, `Theodorsen()`, `DynamicStall()`. Their states belong to the
              element: "blade.station_1.lag_1".
    """

    stations: Stations = record()
    aerofoil: Aerofoil = record()
    unsteady: Unsteady = record(default=QuasiSteady())
    fed: Any = signals(default=(), init=False)  # by the law of a wake

    def join(self, name: str) -> None:
        if isinstance(self.rotor, Rotor):
            self.fed = tuple(
                FedVelocity(f"{name}.station_{k + 1}.{label}")
                for k in range(len(self.stations))
                for label in self.rotor.inflow.station_inputs()
            )
        super().join(name)

    def own_states(self) -> dict[str, State]:
        count = len(self.stations)
        return {
            f"station_{k + 1}.{name}": state
            for k in range(count)
            for name, state in (self._wake_states() | self.unsteady.station_states()).items()
        }

    def _wake_states(self) -> dict[str, State]:
        """States that a station has for the inflow of its rotor: circulation, and the velocity of the near wake."""
        if not isinstance(self.rotor, Rotor):
            return {}
        radius = float(self.rotor.radius)
        return self.rotor.inflow.station_states(radius, abs(float(self.rotor.speed)) * radius)

    def chords(self) -> np.ndarray:
        return np.asarray(self.stations.chord, float)

    def place_of(self, name: str) -> Placement:
        """A field that is a placement, also before the checks."""
        return self.specs()[name].check(getattr(self, name))

    def rings(self) -> tuple[np.ndarray, np.ndarray]:
        radii = np.array([self.rotor.radius_of(point) for point in self.station_points()])
        swept = np.asarray(self.stations.swept_cosine, float)
        width = np.asarray(self.stations.length, float) * np.where(swept > 0.0, swept, 1.0)
        return radii, width / float(self.rotor.radius)

    def felt_of(self, rotor: Rotor) -> Felt:
        return rotor.inflow.felt(self.rings()[0])

    def draw(self, sketch: Sketch) -> None:
        """A blade or a wing: its sections, carried by the nearest nodes."""
        rings, carried = [], self.sections()
        for x, node, frame in carried:
            rings.append((node, section_ring(*self.section_shape(x)) @ frame.rotation.T + frame.position))
        if rings:
            kind, whole = "wing" if self.rotor is None else "blade", bool(np.ptp(self.station_range()) > COVERED)
            ends = [x for x, _, _ in carried]
            stations = np.interp(np.asarray(self.stations.x, float), ends, np.linspace(0.0, 1.0, len(ends)))
            sketch.skin(kind, rings, of=self.own_nodes(), bodies=self.rotor is not None, outer=whole, stations=stations)

    def section_shape(self, x: float) -> tuple[float, float, float]:
        """Chord along y [m], twist [rad] and aerodynamic centre ahead of the axis [m] at x, linear between stations."""
        s = self.stations
        order = np.argsort(np.asarray(s.x, float))
        # the chord of a swept station is normal to its axis
        swept = np.where(np.asarray(s.swept_cosine, float) > 0.0, s.swept_cosine, 1.0)
        columns = np.asarray(s.chord, float) / swept, np.arctan2(s.sine, s.cosine), np.asarray(s.centre, float)
        chord, twist, centre = (_linear(x, np.asarray(s.x, float)[order], c[order]) for c in columns)
        return max(chord, 0.0), twist, centre

    def flow_channels(self) -> tuple[str, str]:
        return f"{self.name}.alpha", f"{self.name}.mach"

    def station_range(self) -> tuple[float, float]:
        """Between which x the stations lie, as Gauss points do; those of another rule end further out."""
        x = np.asarray(self.stations.x, float)
        low, high = float(x.min()), float(x.max())
        edge = float(np.polynomial.legendre.leggauss(len(x))[0][-1]) if len(x) > 1 else 1.0
        middle, half = 0.5 * (low + high), 0.5 * (high - low) / edge
        return middle - half, middle + half

    def air_here(self, site: Site) -> Air | AirHere:
        """Density and speed of sound, at the origin of its axes."""
        return self.air.at(site.world.see(np.zeros(3)))

    def station_outputs(self, site: Site, loads: Sequence[StripLoad], acting: Sequence) -> list[Output]:
        """Flow, coefficients and loads at the stations; acting: point on the axis and force of each."""
        induced = None
        if self.rotor:
            disk, flows = self._disk(site), self._flows(site)
            places = [self._across(disk, point) for point, _ in acting]
            induced = [self.wake.felt.velocity(flows, x, y, k) for k, (x, y) in enumerate(places)]
            if self._vortices:
                still = lambda: np.zeros(3)  # noqa: E731  (vortices do not ask)
                induced = [-dot(disk.z, self.induced_at(site, point, k, still)) for k, (point, _) in enumerate(acting)]
        return station_outputs(loads, self.stations, self.air_here(site).sound, induced)

    def station_load(self, site: Site, motion: SectionMotion, k: int) -> tuple[StripLoad, list]:
        """Load on the strip of station k, and what it adds to the equations of its states."""
        mine, air = self._own(site, k), self.air_here(site)
        waking, mine = mine[: self._vortices], mine[self._vortices :]
        load, rates = self.unsteady.load(motion, mine, self.aerofoil, air, self.stations, k)
        equations = [state.rate - rate for state, rate in zip(mine, rates, strict=True)]
        if waking:
            circulation, downwash, *others = waking
            speed, half = load.mach * air.sound, 0.5 * self.stations.chord[k]
            lag = half / (speed + SLOW)
            equations = [
                circulation.value - trailing_side(load.alpha) * half * speed * load.cl,
                downwash.value + lag * downwash.rate,
                *(state.value for state in others),
                *equations,
            ]
        return load, equations

    def _own(self, site: Site, k: int) -> list:
        """States of station k."""
        own = site.states[len(self._shared()) + len(self.wakes) :]
        count = len(own) // len(self.stations)
        return own[k * count : (k + 1) * count]

    # ---- the wake of vortices of its rotor: far wake, and the shift from 3/4 to 1/4 of the chord
    @property
    def _vortices(self) -> int:
        """How many states each station has for it."""
        return self.wake.felt.own if self.rotor else 0

    def induced_at(self, site: Site, point, k: int, against: Callable[[], Any]) -> Any:
        if not self._vortices:
            return super().induced_at(site, point, k, against)
        disk, near = self._disk(site), self._own(site, k)[1].value
        far = self.wake.felt.far(self._flows(site), self.fed, *self._across(disk, point), k)
        return disk.R @ np.asarray(far) + disk.z * near

    def lift_shift(self, site: Site, k: int) -> Any:
        """By how much the air where the lift acts is faster than where the angle of attack is taken; None: it is not.

        In axes of the element [m/s].
        """
        if not self._vortices:
            return None
        return self._disk(site).z * self.wake.felt.shift(self.fed, self._own(site, k), k)

    def wake_outputs(self, site: Site, points: Sequence) -> list[Output]:
        """For the law of a wake: where the lift of each station acts, from axes of the element; and what it answers."""
        if not self.fed:
            return []
        seen = [x for point in points for x in self._disk(site).see(point)]
        names = tuple(f"{k + 1}{axis}" for k in range(len(points)) for axis in XYZ)
        far = [self.fed[4 * k + c] for k in range(len(points)) for c in range(3)]
        return [
            Output("wake_points", "m", seen, names, "places of the lift in axes of the rotor's disk"),
            Output("far_wake", "m/s", far, names, "velocity of the far wake at the stations, in axes of the disk"),
        ]


def _induced(disk: Frame, point: Any, v: Any, against: Any) -> Any:
    """Induced velocity with swirl, v against the thrust; against: velocity of the section against the air without it.

    v_t = v V_n / (V_t - v_t) along the blade's way, in two rounds, which leaves (v_t / V_t)^2 of it. Where V_t falls to
    the size of V_n and below, v_t tends to zero: at a quarter of V_n it is 2 v, its most.
    """
    arm = point - disk.p
    way = cross(disk.z, arm)
    way = way / np.sqrt(dot(way, way) + 1e-12)
    along, through = dot(way, against), dot(disk.z, against) + v
    least = (SWIRL_LEAST * through) ** 2 + STILL_AIR_SPEED_2
    turned = v * through * along / (along * along + least)
    rest = along - turned
    return way * (v * through * rest / (rest * rest + least)) - disk.z * v


def trailing_side(alpha: Any) -> Any:
    """1 where the flow leaves a section at its trailing edge, -1 where it is reversed; smooth from 60 to 120 degrees.

    The near wake is behind the blade; in reversed flow it is ahead, where the same circulation has the opposite effect.
    """
    x = fmin(fmax(2.0 * np.cos(alpha), -1.0), 1.0)
    return 0.5 * x * (3.0 - x * x)


def _linear(x: float, at: np.ndarray, values: np.ndarray) -> float:
    """Between the points of a table, and straight on beyond its ends."""
    if len(at) == 1:
        return float(values[0])
    k = int(np.clip(np.searchsorted(at, x) - 1, 0, len(at) - 2))
    return float(values[k] + (x - at[k]) / (at[k + 1] - at[k]) * (values[k + 1] - values[k]))
