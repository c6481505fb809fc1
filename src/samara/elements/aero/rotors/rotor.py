"""Rotor."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from samara.arguments.plausible import doubt
from samara.elements.aero.inflow.descent import in_vortex_ring, ring_doubt
from samara.elements.aero.inflow.inflow import STILL_AIR_SPEED, Disk, Inflow, Momentum, inflow_models
from samara.elements.aero.inflow.inflow_at_blade import BladeStation
from samara.elements.aero.inflow.wakes import Blown
from samara.elements.aero.rotors.rotor_blades import OnRotor, pieces_of_blades
from samara.elements.aero.rotors.starting_spin import spin_across, starting_spin
from samara.elements.aero.wind.air import Air
from samara.elements.families import XYZ
from samara.model import (
    Contribution,
    DeclaredRotor,
    Doubting,
    Drawn,
    Element,
    Frame,
    Node,
    Output,
    Parameter,
    Placement,
    RotorDeclaration,
    Sampled,
    Site,
    Sketch,
    State,
    node,
    number,
    option,
    placement,
    record,
    setting,
)
from samara.model.sampled import SampledLaw
from samara.rotations import arctan2, dot
from samara.tracing import cut, fmax

#: what a rotor shares with its blades, in order
LOADS = ("force_x", "force_y", "force_z", "moment_x", "moment_y", "moment_z")
#: place of the mean induced velocity among the states of a rotor
MEAN = len(LOADS)
#: by how much the stations of blades may differ [R]: blades may start at other flap angles
ALIKE = 0.02
#: radii that a blade may reach: 1 percent is left to rounded data and to the start of a model
LONGEST_BLADE = 1.01
#: Part of the nominal speed up to which a hub counts as standing: it may turn against it, and is not looked at.
STANDING = 0.01
#: Tip speed from which on a nominal speed is doubted [m/s], and how many times it a hub may start with.
FASTEST_TIP, OVERSPEED = 450.0, 1.5
#: One revolution per minute [rad/s].
RPM = np.pi / 30.0
#: Part of it from which on a run against it is worth a warning.
TURNING = 0.1
#: Part of another rotor's radius up to which a rotor in its wake counts as small.
SMALL_ROTOR = 0.25
#: Rings at which a mean over a disk is taken, and places on each.
RINGS, AROUND = 4, 8


def over_a_disk(rings: int, around: int) -> tuple[tuple[float, float, float], ...]:
    """Where a mean over a disk is taken: (weight, x, y) [R].

    Rings by Gauss's rule in r^2, places on each at equal angles, those of every other ring between the others': exact
    for polynomials up to the degree around - 1, where that is below 4 times the rings.
    """
    nodes, weights = np.polynomial.legendre.leggauss(rings)
    radii, turn = np.sqrt(0.5 * (nodes + 1.0)), 2.0 * np.pi / around
    return tuple(
        (0.5 * weight / around, radius * np.cos(turn * (k + shift)), radius * np.sin(turn * (k + shift)))
        for radius, weight, shift in zip(radii, weights, np.resize((0.0, 0.5), rings), strict=True)
        for k in range(around)
    )


#: So many that the mean of a wake whose edge lies across the disk turns with the disk's axes by less than 0.01 of the
#: induced velocity, and loads by less than 0.001.
OVER_A_DISK = over_a_disk(RINGS, AROUND)


class Rotor(Blown, RotorDeclaration, Sampled, Doubting, Drawn):
    """A rotor: sums the airloads of its blades and computes the induced velocity at its disk.

    The total load, force and moment at the disk's centre in the disk's axes, forms six algebraic states to which every
    blade station contributes. The inflow model adds its own states, the mean induced velocity u first: up to three
    driven by the total load, or one for each ring or shape of the disk, driven by the lift of the stations there.

    craft: the non-rotating node that carries the shaft; hub: the rotating node.
    disk:  frame on the craft: origin at the hub's centre, z along the shaft such that thrust is positive, x at zero
           azimuth (aft).
    radius [m]; speed: nominal rotor speed about z [rad/s], negative when it turns clockwise seen from above; air;
    inflow: an inflow model. solidity: blade area by disk area, for CT/sigma (0: not given).
    start:  initial induced velocity [m/s].
    blades: names of the blades in the sense of rotation, each leading the one before: ("blade_1", "blade_2"), with
            which the names of their parts begin: "blade_1.flap", "blade_1.air". They do not affect the equations, but
            identify the blades for analyses and drawings, see `DeclaredRotor`.
    wakes: of other rotors that act on it and its blades, see `RotorWake`. Its inflow uses their mean over the disk if
           its radius exceeds a quarter of the other rotor's, otherwise the value at its centre.
    swirl: whether the blades also feel the rotation of the wake, with any inflow that has no vortices: by blade-element
           theory the induced velocity is normal to the flow at the section, so that the air goes along with the blades
           at v_t = v V_n / (V_t - v_t); V_n, V_t: of the flow there, through the disk and against the blade.
    ground: whether to include ground effect, with a plane at z = `height` in the world [m]. With the disk's centre h
            above it and a speed V_e in the plane of the disk, at constant power the induced velocity is k times, and
            the thrust 1 / k times that out of ground effect,

                k = 1 - (R / 4 h)^2 d / (1 + (V_e / u)^2)

            so at constant thrust the induced velocity is k^(3/2) times that of momentum theory in hover. h is limited
            to at least R / 2, where k is 0.75. d = c^2 (3 - 2 c), with c the cosine of the wake's inclination to the
            vertical (wake direction -z for positive u): 1 for a vertical wake, 0.999 at 10 degrees, zero for a wake
            that points upwards. This fading is a modelling choice; the source treats a vertical shaft: I. C. Cheeseman,
            W. E. Bennett, The effect of the ground on a helicopter rotor
            in forward flight, ARC R&M 3021 (1955).
    """

    craft: Node = node(kw_only=False)
    hub: Node = node(kw_only=False)
    disk: Placement | Any = placement(default=None)
    radius: float = number(unit="m", positive=True)
    speed: float = number(unit="rad/s")
    air: Air = record(default=Air())
    inflow: Inflow = record(default=Momentum())
    solidity: float = number(default=0.0, nonnegative=True)
    start: float = number(default=1.0, unit="m/s", plain=True)
    ground: bool = option(default=False, choices=(False, True))
    height: float = number(default=0.0, unit="m")
    swirl: bool = option(default=False, choices=(False, True))
    blades: Sequence[str] = setting(default=())
    broad: bool = option(default=False, init=False)  # follows from the radii

    def prepare(self) -> None:
        super().prepare()
        if isinstance(self.blades, str) or not isinstance(self.blades, Sequence):
            raise ValueError(
                f"blades must be names of blades in order, such as ['blade_1', 'blade_2'], got {self.blades!r}"
            )
        if not isinstance(self.inflow, Inflow):
            there = ", ".join(f"{model.__name__}()" for model in inflow_models())
            raise ValueError(f"inflow must be an inflow model, one of {there}, got {self.inflow!r}")
        self._compare_wakes()
        # its own: the stations of its blades are filled in
        object.__setattr__(self, "inflow", self.inflow.twin())

    def examine(self) -> None:
        if self.swirl and self.inflow.vortices:
            raise ValueError(f"swirl: {type(self.inflow).__name__} has that of its vortices: leave it out")
        if float(self.speed) == 0.0:
            raise ValueError("speed must not be zero: give the nominal rotor speed about z [rad/s]")

    def declared_rotor(self) -> DeclaredRotor | None:
        if not self.blades:
            return None
        sense = 1 if float(self.speed) > 0.0 else -1
        return DeclaredRotor(
            self.name, self.craft, self.hub, self.disk, float(self.radius), sense, self.blades, f"{self.name}.azimuth"
        )

    def bears(self, element: Element) -> bool:
        return isinstance(element, OnRotor) and element.rotor is self

    def _compare_wakes(self) -> None:
        """Whether the wake of another rotor differs across the disk."""
        broad = any(float(self.radius) > SMALL_ROTOR * float(wake.radius) for wake in self.wakes if not wake.named)
        object.__setattr__(self, "broad", broad)

    def survey(self, elements: Iterable[Element]) -> None:
        elements = list(elements)
        super().survey(elements)
        self._compare_wakes()
        mine = [element for element in elements if isinstance(element, OnRotor) and self.bears(element)]
        thrust = self.states()[LOADS.index("force_z")]
        if all(thrust in element.readings() for element in mine):  # bodies in its wake load themselves alone
            raise ValueError("it has no blades: give rotor=... to the AeroBody or AeroBeam3 of each, or remove it")
        height = float((self.craft.start @ self.disk).position[2]) - float(self.height)
        if self.ground and height <= 0.0:
            raise ValueError(f"the disk starts {-height:.4g} m below the ground: correct height=... or its place")
        for element in mine:
            self._compare(element)
        self._require_sense(elements)
        surfaces = [element for element in mine if len(element.rings()[0])]
        if not surfaces and self.inflow.by_station:
            raise ValueError(
                f"{type(self.inflow).__name__} needs blades with stations, an AeroBody or AeroBeam3 each: its rings or "
                "shapes would carry nothing; give another inflow, such as Momentum()"
            )
        if surfaces:
            self._tell(surfaces, {e.name: e.inflow for e in elements if isinstance(e, Rotor)})

    def _require_sense(self, elements: Iterable[Element]) -> None:
        """Refuses a hub that starts against the nominal speed."""
        elements = list(elements)
        spin, speed = starting_spin(self.craft, self.hub, self.disk, elements), float(self.speed)
        if spin * speed < -STANDING * speed**2:
            raise ValueError(
                f"speed is {speed:.4g} rad/s, but its hub {self.hub.name!r} starts at {spin:.4g} rad/s "
                f"about z of the disk: reverse the sign of speed, or align the disk's z axis with the thrust"
            )
        self._doubt_speed(spin, elements)

    def _doubt_speed(self, spin: float, elements: Iterable[Element]) -> None:
        """Doubts a nominal speed with a supersonic tip, one that is far below the hub's, and a hub on another axis."""
        speed = float(self.speed)
        tip = abs(speed) * float(self.radius)
        if tip > FASTEST_TIP:
            doubt(
                f"{self.name!r}: speed = {speed:g} rad/s gives a tip speed of {tip:.4g} m/s; {abs(speed):g} rpm are "
                f"{abs(speed) * RPM:.4g} rad/s"
            )
        if spin / speed > OVERSPEED:
            doubt(
                f"{self.name!r}: speed is {speed:g} rad/s, but its hub {self.hub.name!r} starts at {spin:.4g} rad/s; "
                f"{abs(spin):g} rpm are {abs(spin) * RPM:.4g} rad/s"
            )
        across = spin_across(self.craft, self.hub, self.disk, elements)
        if across > max(abs(spin), STANDING * abs(speed)):
            doubt(
                f"{self.name!r}: its hub {self.hub.name!r} turns at {across:.4g} rad/s across z of the disk and at "
                f"{abs(spin):.4g} rad/s about it: turn the joint's axis, or the disk's z, along the shaft"
            )

    def _tell(self, surfaces: Sequence[OnRotor], field: Mapping[str, Inflow]) -> None:
        """Tells the inflow where the stations of the blades are, and which inflows there are."""
        blades = self._require_alike(surfaces) if self.inflow.by_blade else {}
        radii, widths = (np.concatenate(column) for column in zip(*(s.rings() for s in surfaces), strict=True))
        ends = [self.radius_of(end) for surface in surfaces for end in surface.span_ends()] or radii.tolist()
        areas = 2.0 * np.pi * radii * widths / max(1, len(self.blades))
        self.inflow.survey(radii, areas, (min(ends), max(ends)), len(self.blades))
        if self.inflow.vortices:
            self.inflow.bind(self, [self._by_radius(pieces) for pieces in blades.values()], field)

    def _by_radius(self, pieces: Sequence[OnRotor]) -> list[BladeStation]:
        """Stations of a blade from its root on."""
        root = min(self.radius_of(end) for surface in pieces for end in surface.span_ends())
        found = []
        for surface in pieces:
            chords = surface.chords()
            for k, (r, width) in enumerate(zip(*surface.rings(), strict=True)):
                found.append(BladeStation(surface, k, float(r), root, float(width), float(chords[k])))
        return sorted(found, key=lambda station: station.r)

    def _require_alike(self, surfaces: Sequence[OnRotor]) -> dict[str, list[OnRotor]]:
        """The surfaces of each blade. Refuses those that are of none, and blades whose stations have other radii."""
        model = type(self.inflow).__name__
        if isinstance(self.radius, Parameter):
            raise ValueError(f"radius must be a number, not a parameter, with {model}: the rings would not follow it")
        if not self.blades:
            raise ValueError(f"{model} needs the number of blades: give their names, Rotor(blades=[...])")
        try:
            pieces = pieces_of_blades(surfaces, self.blades, (self.craft.start @ self.disk).inverse().point)
        except ValueError as error:
            raise ValueError(f"{error}: {model} counts them") from None
        first, *others = (np.sort([r for piece in blade for r in piece.rings()[0]]) for blade in pieces.values())
        for name, radii in zip(self.blades[1:], others, strict=True):
            if radii.shape != first.shape or not np.allclose(radii, first, atol=ALIKE):
                raise ValueError(
                    f"stations of {name!r} and {self.blades[0]!r} are at different radii: {model} "
                    f"requires identical blades"
                )
        return pieces

    def radius_of(self, point: Any) -> float:
        """Distance from the shaft of a point in the world, as described [R]."""
        seen = (self.craft.start @ self.disk).inverse().point(point)
        return float(np.hypot(seen[0], seen[1])) / float(self.radius)

    def _compare(self, blade: OnRotor) -> None:
        """Refuses a blade that is longer than the radius, as described."""
        reach, radius = max(map(self.radius_of, blade.span_ends()), default=0.0), float(self.radius)
        if reach > LONGEST_BLADE:
            raise ValueError(
                f"{blade.name!r} reaches {reach * radius:.4g} m from the shaft, beyond the radius of {radius:.4g} m: "
                "correct the radius, the stations of the blade, or the disk's place"
            )

    def own_states(self) -> dict[str, State]:
        tip = abs(float(self.speed)) * float(self.radius)
        # velocities count against that of the tip, as those of nodes do, and loads against what a flow of that size
        # through the disk changes: CT = a sigma / 4, about 0.1
        size = (float(self.air.density) or Air().density) * np.pi * float(self.radius) ** 2 * tip**2 * 0.1
        loads = {
            name: State(0, unit="N" if k < 3 else "N m", scale=size * (1.0 if k < 3 else float(self.radius)))
            for k, name in enumerate(LOADS)
        }
        starts = self.inflow.starts(float(self.start))
        flows = {
            name: State(order, value=starts.get(name, 0.0), unit="m/s", scale=tip)  # type: ignore[arg-type]
            for name, order in self.inflow.flows().items()
        }
        return loads | flows

    def main_nodes(self) -> list[Node]:
        return [self.craft, self.hub]

    def states(self) -> list[State]:
        return [*self.owned.values(), *self.inflow.governed(), *self.readings()]

    def readings(self) -> list[State]:
        return [*self.blowing(), *self.inflow.reads()]

    def sampling(self) -> SampledLaw | None:
        return self.inflow.sampling()

    @property
    def mean(self) -> State:
        """The mean induced velocity."""
        return list(self.owned.values())[MEAN]

    def draw(self, sketch: Sketch) -> None:
        """The air load on its blades, at the disk's centre."""
        for output in ("force", "moment"):
            sketch.vector(output, self.craft, self.disk)

    def formulate(self, site: Site) -> Contribution:
        craft, hub = self.main_frames(site)
        D = craft.at(self.disk)
        loads = np.array([s.value for s in site.states[:MEAN]])
        first = len(self.owned) + len(self.inflow.governed())
        flows, blowing = site.states[MEAN : len(self.owned)], site.states[first : first + len(self.wakes)]
        circulations = [s.value for s in site.states[first + len(self.wakes) :]]
        spin = dot(D.z, hub.w - craft.angular_velocity())  # the hub's axes are the element's own
        centre = site.world.see(D.p)
        wind = D.R.T @ (
            site.world.R @ self.air.velocity(centre, site.time) + self._blown(site, [s.value for s in blowing], D)
        )
        area = np.pi * self.radius**2
        tip = np.sqrt((spin * self.radius) ** 2 + 1e-2)
        sense = self.speed / np.sqrt(self.speed**2)
        disk = Disk(
            density=self.air.at(centre).density,
            area=area,
            radius=self.radius,
            speed=cut(D.v - wind),
            tip=tip,
            thrust=loads[2],
            lean_x=-loads[4] / self.radius,
            lean_y=loads[3] / self.radius,
            flows=flows,
            ground=self._near_ground(centre[2], dot(site.world.R[:, 2], D.z), D.v - wind, flows[0].value),
            sense=sense,
        )
        x = D.R.T @ hub.x
        nominal = disk.density * area * (self.speed * self.radius) ** 2
        outputs = [
            Output("force", "N", loads[:3], XYZ, "air load on the blades, disk axes"),
            Output("moment", "N m", loads[3:], XYZ, "moment of the air load about the disk's centre, disk axes"),
            Output("thrust", "N", loads[2]),
            Output("torque", "N m", -sense * loads[5], description="what the air resists the rotation with"),
            Output("power", "W", -loads[5] * spin, description="what the rotor gives to the air"),
            Output("CT", "1", loads[2] / nominal, description="thrust / (rho A (Omega R)^2), nominal speed"),
            Output("CQ", "1", -sense * loads[5] / (nominal * self.radius)),
            Output("CT_sigma", "1", loads[2] / nominal / (self.solidity + 1e-300) * _given(self.solidity)),
            Output("speed", "rad/s", spin, description="of the hub against the craft about the shaft"),
            Output("azimuth", "rad", arctan2(x[1], x[0]), description="of the hub's x axis, from the disk's x axis"),
            Output("mu", "1", np.sqrt(disk.speed[0] ** 2 + disk.speed[1] ** 2) / tip),
            Output("axial", "1", disk.speed[2] / tip, description="speed along the shaft, of the tip speed"),
            Output("vortex_ring", "1", self._in_ring(disk), description="1 inside the vortex ring, else 0"),
            *self.inflow.outputs(disk),
        ]
        if self.inflow.station_inputs():
            outputs += self._wake_outputs(site, D, wind)
        none = [np.zeros(6) for _ in site.frames]
        balances = [*loads, *self.inflow.balances(disk), *self.inflow.near_balances(circulations)]
        return Contribution(wrenches=none, balances=balances, outputs=outputs)

    def _wake_outputs(self, site: Site, D: Frame, wind: Any) -> list[Output]:
        """What a law of the wake asks of the rotor, in world axes."""
        W = site.world
        found = {
            "hub": ("m", W.see(D.p), "place of the disk's centre in the world"),
            "hub_velocity": ("m/s", W.R.T @ (D.R @ D.v), "its velocity in world axes"),
            "wind": ("m/s", W.R.T @ (D.R @ wind), "of the air there without its own wake, in world axes"),
            "disk_x": ("1", W.R.T @ D.x, "x axis of the disk in world axes"),
            "disk_z": ("1", W.R.T @ D.z, "z axis of the disk in world axes"),
            "disk_turning": ("rad/s", W.R.T @ (D.R @ D.w), "angular velocity of the disk in world axes"),
        }
        return [Output(name, unit, value, XYZ, text) for name, (unit, value, text) in found.items()]

    def _blown(self, site: Site, means: Sequence[Any], D: Frame) -> Any:
        """Mean velocity of other rotors' wakes over the disk [m/s]; that at its centre where it is small."""
        if not self.broad:
            return self.blown_at(site, means, D.p, self.air)
        axes = np.array([D.x, D.y])
        places = [(weight, D.p + self.radius * (np.array([x, y]) @ axes)) for weight, x, y in OVER_A_DISK]
        return sum(weight * self.blown_at(site, means, point, self.air) for weight, point in places)

    def _in_ring(self, disk: Disk) -> Any:
        hover_2 = np.sqrt(disk.thrust**2 + 1e-12) / (2.0 * disk.density * disk.area + 1e-12)
        climb = disk.speed[2] * disk.thrust / np.sqrt(disk.thrust**2 + 1e-12)
        return in_vortex_ring(climb, disk.speed[0] ** 2 + disk.speed[1] ** 2, hover_2, disk.tip)

    def doubts(self, results: Any) -> list[str]:
        name, speed, found = f"{self.name}.vortex_ring", f"{self.name}.speed", []
        if name in results.channels:
            found += ring_doubt(results.time, results[name])
        if speed in results.channels:
            found += _wrong_way(float(self.speed), np.asarray(results[speed]))
        return found + self.inflow.doubts(self.name, results)

    def _near_ground(self, z, up, speed, induced):
        """What is left of the induced velocity, the disk's centre at z in the world; up: cosine of the shaft's lean."""
        if not self.ground:
            return 1.0
        h = fmax(z - self.height, 0.5 * self.radius)
        steep = induced**2 + STILL_AIR_SPEED**2
        c = fmax(up * induced / np.sqrt(steep), 0.0)
        down = c * c * (3.0 - 2.0 * c)
        k = 1.0 - (0.25 * self.radius / h) ** 2 * down * steep / (steep + speed[0] ** 2 + speed[1] ** 2)
        return k * np.sqrt(k)


def _wrong_way(nominal: float, speed: np.ndarray) -> list[str]:
    """Whether most of a run was against the nominal speed [rad/s], in words."""
    against = float(np.mean(speed * nominal < -TURNING * nominal**2)) if speed.size else 0.0
    if against <= 0.5:
        return []
    doubt = (
        f"it turned against its nominal speed of {nominal:.4g} rad/s in {100 * against:.0f} % of the run: torque, CQ "
        "and what the inflow has across the wind count the other way; correct the sign of speed"
    )
    return [doubt]


def _given(value):
    """1 where a number is not zero."""
    return value / (value + 1e-300)


def rotors_with(kind: type[Inflow], elements: Iterable[Element]) -> dict[str, Rotor]:
    """The rotors with this kind of inflow among these elements."""
    return {e.name: e for e in elements if isinstance(e, Rotor) and isinstance(e.inflow, kind)}
