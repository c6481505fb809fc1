"""A blade with its hinges: rigid or made of beams, with or without air, on any rotor."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np

from samara.elements.aero.rotors.rotor import Rotor
from samara.elements.aero.surfaces.blade import Planform, add_beam_air, add_blade_air
from samara.elements.beams.add_beam import add_beam
from samara.elements.beams.span import Span
from samara.elements.joints.clamp import Clamp
from samara.model import Model, ModelError, Node, Placement
from samara.model.frames.starting_motion import starting_motion
from samara.models.parts.hinges import OUTBOARD, Flexure, Frames, Hinges
from samara.models.parts.masses import MassProperties
from samara.rotations import rotation_from_axis_angle, rotation_y, rotation_z

#: Damping of beams, proportional to their stiffness [s].
BEAM_DAMPING = 1e-4


@dataclass(frozen=True)
class BladeSite:
    """Where a blade is added to a rotor.

    hub:     the node that it turns with.
    place:   of the rotor in the world at the start: origin at the hub's centre, z along the shaft, x at azimuth zero.
    sense:   of rotation, seen against z: 1 counter-clockwise, -1 clockwise. azimuth: of the blade, in that sense [rad].
    precone: of the span, up [rad]. speed: at which the azimuth grows at the start [rad/s].
    rotor:   that collects the loads of the air; None: no air. number: of the blade, from 0 on.
    motion:  velocity and angular velocity of the hub at the start [m/s, rad/s]; None: as its node has them.
    """

    hub: Node
    place: Placement
    sense: int = 1
    azimuth: float = 0.0
    precone: float = 0.0
    speed: float = 0.0
    rotor: Rotor | None = None
    number: int = 0
    motion: tuple[np.ndarray, np.ndarray] | None = None

    @property
    def frame(self) -> Placement:
        """In the world at the start: origin at the hub's centre, x out along the blade without pitch, z up."""
        turned = rotation_z(self.sense * self.azimuth)
        if self.precone:
            turned = turned @ rotation_y(-self.precone)
        return self.place @ Placement((0.0, 0.0, 0.0), turned)


@dataclass(frozen=True)
class AddedBlade:
    """A blade as `Blade.add` added it.

    root: its node; place: in it, of the blade's axes: origin on the shaft, x out along the span with the pitch, z up.
    station: of the node, from the shaft [m]. arm: the node inboard of the pitch bearing, or of the last hinge.
    frames: of each hinge, {kind: {"place_a": ..., "place_b": ...}}, whose nodes are in `ends`.
    """

    name: str
    site: BladeSite
    root: Node
    place: Placement
    station: float
    arm: Node
    ends: Mapping[str, tuple[Node, Node]]
    frames: Mapping[str, Frames]


class BladeControl(Protocol):
    """Pitch control of blades: `SwashplateControls`, `PitchServos` and the like."""

    def pitch(self, azimuth: float) -> float:
        """At the start, of the blade at this azimuth, nose up [rad]."""

    def pitch_slope(self, azimuth: float) -> float:
        """Change of that pitch with the azimuth [rad/rad]."""

    def attach(self, model: Model, blade: AddedBlade) -> None:
        """Adds what turns the blade about its pitch bearing."""


@dataclass(frozen=True)
class Blade:
    """A blade from its innermost hinge on, or, without hinges, from its hub on; `add` puts it on a hub.

    radius:  of the tip [m].
    body:    of what is rigid outboard of the last hinge, of an elastic blade what its beams begin at: `MassProperties`.
    span:    tables of its structure, which an elastic blade needs.
    beams:   three-node beams of an elastic blade; 0: rigid. ends: of each, from the shaft [m]; none: of equal length,
             from the node on. Where they begin further out, what is inboard of them is rigid.
    damping: of the beams, proportional to their stiffness [s].
    surface: what the air sees; None: no air. points: aerodynamic stations of a rigid blade, or of each beam; 0: 10, 4.
    flow:    sections in unsteady flow and other arguments of `AeroBody`: {"unsteady": Theodorsen()}.
    node:    where its node is, from the shaft [m]; None: at the last hinge.
    """

    radius: float
    body: MassProperties | None = None
    span: Span | None = None
    beams: int = 0
    ends: Sequence[float] | None = None
    damping: float = BEAM_DAMPING
    surface: Planform | None = None
    points: int = 0
    flow: Mapping[str, Any] = field(default_factory=dict)
    node: float | None = None

    def __post_init__(self) -> None:
        if self.beams and self.span is None:
            raise ModelError("Blade: beams need the tables of a blade's structure: give span=Span(...)")
        if not self.beams and self.body is None:
            raise ModelError("Blade: a rigid one needs a mass: give body=MassProperties(...)")

    @classmethod
    def uniform(
        cls, radius: float, root: float, mass: float, chord: float, gyration: float = 0.25, **fields: Any
    ) -> Blade:
        """A rigid one, uniform from its root on [m]; gyration: of its sections about the span, in chords.

        fields: of the surface, whose ends are the root, unless station=... says otherwise, and the radius, and points.
        """
        thin, slender = mass * (gyration * chord) ** 2, mass * (radius - root) ** 2 / 12.0
        body = MassProperties(mass, (0.5 * (radius + root), 0.0, 0.0), (thin, slender, slender + thin))
        own = {name: fields.pop(name) for name in ("points", "flow", "node") if name in fields}
        shape: dict[str, Any] = {"station": (root, radius), "chord": chord}
        surface = Planform(**(shape | fields)) if fields else None
        return cls(radius, body, surface=surface, **own)

    def control_spring(self, speed: float, frequency: float = 5.0, ratio: float = 0.3) -> tuple[float, float]:
        """Stiffness and damping of a control system [N m/rad, N m s/rad] on which a rigid blade swings in pitch.

        frequency: by the speed of its rotor [rad/s], whose centrifugal force adds one to its square; ratio: of critical
        damping.
        """
        assert self.body is not None
        feather = float(np.asarray(self.body.inertia, float).ravel()[0])
        return feather * (frequency**2 - 1.0) * speed**2, 2.0 * ratio * feather * frequency * speed

    def add(
        self,
        model: Model,
        name: str,
        site: BladeSite,
        hinges: Hinges,
        control: BladeControl | None = None,
        start: Mapping[str, Mapping[str, float]] | None = None,
    ) -> AddedBlade:
        """Adds hinges, what lies between them, the blade, its loads and what controls it; all names begin with `name`.

            name.flap, name.lag, name.pitch     hinges; name.link, name.arm, name.cuff: the nodes outboard of them
            name.root, name.body, name.beam1    the blade; name.air1: its loads

        It starts with the pitch of its control, without flap and lag but for `start`, {"flap": {"angle": 0.1}}. Without
        hinges a rigid blade is part of the hub, and nothing turns it about its span.
        """
        frame, start = site.frame, start or {}
        chain = hinges.chain
        velocity, omega = site.motion or starting_motion(site.hub)
        inner, at = site.hub, 0.0
        ends: dict[str, tuple[Node, Node]] = {}
        frames: dict[str, Frames] = {}
        local = site.hub.local(frame)
        for k, (kind, hinge) in enumerate(chain):
            last = k + 1 == len(chain)
            here = frame @ Placement((hinge.at, 0.0, 0.0))
            place_a = local @ Placement((hinge.at - at, 0.0, 0.0))
            motion: Any = {"velocity": _velocity(site.hub, velocity, omega, here.position), "angular_velocity": omega}
            if last:
                outer, place_b = self._add_root(model, name, site, hinge.at, control, motion)
            else:
                outer = model.node(
                    f"{name}.{OUTBOARD.get(kind, 'cuff')}", here.position, here.rotation, static=hinge.carries is None,
                    **motion,
                )  # fmt: skip
                place_b = Placement()
                if hinge.carries is not None:
                    hinge.carries.add(model, f"{outer.name}.body", outer, Placement((-hinge.at, 0.0, 0.0)))
            held = start.get(kind)
            if isinstance(hinge, Flexure):
                frames[kind] = {"place_a": place_a, "place_b": place_b}
                hinge.add(model, name, (inner, outer), frames[kind], held)
            else:
                axes = Placement((0.0, 0.0, 0.0), hinge.axes(kind, site.sense))
                frames[kind] = {"place_a": place_a @ axes, "place_b": place_b @ axes}
                hinge.add(model, f"{name}.{kind}", (inner, outer), frames[kind], held)
            ends[kind] = (inner, outer)
            inner, at, local = outer, hinge.at, place_b
        if not chain:
            added = self._on_hub(model, name, site)
        else:
            station = at if self.node is None else self.node
            place = Placement((-station, 0.0, 0.0))
            added = AddedBlade(name, site, inner, place, station, ends[chain[-1][0]][0], ends, frames)
        if control is not None:
            if "pitch" not in frames:
                raise ModelError(f"{name}: what controls its pitch needs a bearing: give Hinges(pitch=BladeHinge(...))")
            control.attach(model, added)
        (self._add_beams if self.beams else self._add_rigid)(model, added)
        return added

    def _add_root(
        self, model: Model, name: str, site: BladeSite, hinge: float, control: BladeControl | None, motion: Any
    ) -> tuple[Node, Placement]:
        """The blade's node, turned to its pitch; and the last hinge in it, with the axes of the blade."""
        frame, station = site.frame, hinge if self.node is None else self.node
        turned, omega = frame.rotation, motion["angular_velocity"]
        if control is not None:
            turned = turned @ rotation_from_axis_angle((1.0, 0.0, 0.0), site.sense * control.pitch(site.azimuth))
            rate = site.speed * control.pitch_slope(site.azimuth)
            if rate:
                motion = motion | {"angular_velocity": omega + rate * site.sense * frame.rotation[:, 0]}
        point = frame.point((station, 0.0, 0.0))
        if station != hinge:
            motion = motion | {"velocity": motion["velocity"] + np.cross(omega, point - frame.point((hinge, 0.0, 0.0)))}
        root = model.node(f"{name}.root", point, turned, **motion)
        return root, Placement((hinge - station, 0.0, 0.0))

    def _on_hub(self, model: Model, name: str, site: BladeSite) -> AddedBlade:
        """A blade without hinges: one with its hub where it is rigid, else clamped to it."""
        if not self.beams:
            return AddedBlade(name, site, site.hub, site.hub.local(site.frame), 0.0, site.hub, {}, {})
        station = self.node or 0.0
        at, turning = site.frame @ Placement((station, 0.0, 0.0)), site.motion or starting_motion(site.hub)
        motion: Any = {"velocity": _velocity(site.hub, *turning, at.position), "angular_velocity": turning[1]}
        root = model.node(f"{name}.root", at.position, at.rotation, **motion)
        model.add(f"{name}.clamp", Clamp(site.hub, root))
        return AddedBlade(name, site, root, Placement((-station, 0.0, 0.0)), station, site.hub, {}, {})

    def _add_rigid(self, model: Model, added: AddedBlade) -> None:
        assert self.body is not None
        self.body.add(model, f"{added.name}.body", added.root, added.place)
        if self.surface is not None and added.site.rotor is not None:
            add_blade_air(
                model, added.name, self.surface, node=added.root, place=added.place, leading=added.site.sense,
                points=self.points or 10, rotor=added.site.rotor, **self.flow,
            )  # fmt: skip

    def _add_beams(self, model: Model, added: AddedBlade) -> None:
        assert self.span is not None
        ends = self.ends if self.ends is not None else np.linspace(added.station, self.radius, self.beams + 1)
        if self.body is not None:
            self.body.add(model, f"{added.name}.body", added.root, added.place)
        place = added.place @ Placement((float(ends[0]), 0.0, 0.0))
        add_beam(model, added.name, self.span, root=added.root, place=place, stations=ends, damping=self.damping)
        if self.surface is not None and added.site.rotor is not None:
            add_beam_air(
                model, added.name, self.surface, start=float(ends[0]), axes=added.root.rotation,
                leading=added.site.sense,
                beams=[model.elements[f"{added.name}.beam{e + 1}"] for e in range(len(ends) - 1)],  # type: ignore[misc]
                points=self.points or 4, rotor=added.site.rotor, **self.flow,
            )  # fmt: skip


def _velocity(hub: Node, velocity: np.ndarray, omega: np.ndarray, point: np.ndarray) -> np.ndarray:
    """Of a point that moves with the hub [m/s]."""
    return velocity + np.cross(omega, point - hub.position)
