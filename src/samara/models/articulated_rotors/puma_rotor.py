"""What turns in the Puma's main rotor: swashplate, hinges and blades between a mast and a hub."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from samara.elements.aero.inflow.inflow import Inflow, Momentum
from samara.elements.aero.rotors.rotor import Rotor
from samara.elements.aero.surfaces.blade import Planform, add_beam_air, add_blade_air
from samara.elements.aero.surfaces.station_flow import Unsteady
from samara.elements.aero.wind.air import Air
from samara.elements.beams.add_beam import add_beam
from samara.elements.beams.span import Span
from samara.elements.bodies.body import Body
from samara.elements.joints.point_constraints.distance import Distance
from samara.elements.joints.revolute import Revolute
from samara.elements.rotor.swashplate import Swashplate, add_swashplate, plate_motion
from samara.elements.springs.strut import Strut
from samara.model import Constant, Drive, Model, ModelError, Node, Placement, option, records
from samara.models.aero_options import one_of, unsteady_of
from samara.models.articulated_rotors.lag_damper import KINDS as LAG_DAMPERS
from samara.models.articulated_rotors.lag_damper import STAND_IN as DAMPER_STAND_IN
from samara.models.articulated_rotors.lag_damper import add_lag_damper
from samara.models.articulated_rotors.puma_blade import (
    CHORD,
    FLAP_HINGE,
    HINGE_PART,
    LAG_HINGE,
    PITCH_BEARING,
    RADIUS,
    SPEED,
    Tip,
    blade,
    outer,
    planform,
    stiffer,
    tip_of,
)
from samara.rotations import rotation_from_axes, rotation_from_axis_angle, rotation_from_rotation_vector, rotation_z

BLADES = 4
HORN, LINK = 0.181, 1.0  # pitch horn ahead of the blade at the flap hinge, and length of the pitch link [m]
ACTUATOR_RADIUS, ACTUATOR_LENGTH = 1.0, 1.0  # m
ACTUATOR_AZIMUTHS = (-np.pi / 3, np.pi, np.pi / 3)
LAG_DAMPER = 7000.0  # N m s/rad
REACH = 1.2  # rad, pitch up to which a pitch link is sought
SOLIDITY = BLADES * CHORD / (np.pi * RADIUS)
DAMPING = 1e-4  # of beams and elastic pitch links, proportional to stiffness [s]


class Rigging(Drive):
    """What the swashplate is told so that the blades get the pitch asked for, `part` of three.

        collective:   sin(theta_0) (1 - a^2 / 4),     cyclic: theta_1 cos(theta_0) (1 - a^2 / 8),   a = |theta_1|

    The horn turns by the arc sine of the link's rise: these are the mean and the first harmonic of sin(theta), to the
    fourth order in the cyclic. A second harmonic of theta_0 a^2 / 4 is left, 0.06 degrees in flight 123.

    controls: theta_0, theta_1c, theta_1s [rad].
    """

    controls: tuple[Drive, ...] = records()
    part: int = option(choices=(0, 1, 2))

    def __call__(self, t):
        theta = [drive(t) for drive in self.controls]
        a2 = theta[1] * theta[1] + theta[2] * theta[2]
        if self.part == 0:
            return np.sin(theta[0]) * (1.0 - 0.25 * a2)
        return theta[self.part] * np.cos(theta[0]) * (1.0 - 0.125 * a2)

    def jumps(self) -> list[float]:
        return [time for drive in self.controls for time in drive.jumps()]

    def bends(self) -> list[float]:
        return [time for drive in self.controls for time in drive.bends()]


def add_rotor(
    model: Model,
    prefix: str = "",
    *,
    mast: Node,
    hub: Node,
    place: Placement | None = None,
    air: Air,
    controls: tuple[Drive, ...],
    start: Any = (0.0, 0.0, 0.0),
    sense: int = -1,
    surface: Planform | None = None,
    blades: str = "rigid",
    lag: str = "free",
    points: int = 0,
    stiffness: float = 1.0,
    yaw: str = "none",
    inflow: Inflow | None = None,
    induced: float = 2.0,
    actuators: dict | None = None,
    speed: float = SPEED,
    flap: float | None = None,
    tip: str = "straight",
    unsteady: str | Unsteady = "quasi-steady",
    ground: float | None = None,
    control_stiffness: float = 0.0,
    individual: Sequence[Drive] | None = None,
    lag_damper: str = "linear",
) -> Rotor:
    """Adds swashplate, `Rotor` and blades between a mast, on which the swashplate stands, and a hub that turns on it.

    prefix:   of all names: "main." makes main.rotor, main.blade_1.flap, main.swashplate.fixed.
    mast:     any node that does not turn at the start; hub: any node that turns at sense times `speed` about the shaft.
              Both may move: the rotor starts with the velocity of the mast.
    place:    in the world at the start: origin at the hub's centre, z along the shaft, x aft; the world's own if none.
    controls: drives of theta_0, theta_1c, theta_1s [rad]; start: their values at the start.
    sense:    -1: clockwise seen from above, 1: the mirror image.
    inflow:   an inflow model, `Momentum()` if none; induced: velocity at the start [m/s].
    actuators: more arguments of `add_swashplate`, such as a stiffness.
    speed:    of the hub at the start [rad/s]; flap: of the blades at the start [rad], as in the reference pose if none.
    tip:      of the blades, see `puma_blade.TIPS`; the surface must have the same, and is `planform(tip=tip)` if none.
    control_stiffness: of a blade's pitch, by its link [N m/rad]; zero: the link is rigid.
    ground:   height of a ground that is felt, in the world [m]; none: None.
    individual: pitch [rad] that actuators in the pitch links add, one drive per blade, zero at the start; none: None.
    lag_damper: "linear", or "hydraulic" with relief valves: see `HydraulicLagDamper`, a stand-in.
    The others are as in `build` and `turning`.
    """
    place, spin, shape = place or Placement(), sense * SPEED, tip_of(tip)
    one_of("puma: lag_damper", lag_damper, LAG_DAMPERS)
    if lag_damper == "hydraulic":
        if lag != "free":
            raise ModelError(f"puma: a hydraulic lag_damper needs lag hinges: give lag='free', got {lag!r}")
        model.stand_in = "; ".join(filter(None, (model.stand_in, DAMPER_STAND_IN)))
    surface = surface or planform(tip=tip)
    felt: dict[str, Any] = {} if ground is None else {"ground": True, "height": ground}
    swashplate = _swashplate(model, f"{prefix}swashplate", mast, hub, place, controls, sense, actuators or {})
    rotor = model.add(
        f"{prefix}rotor",
        Rotor(
            mast, hub, disk=mast.local(place), radius=shape.radius, speed=spin, air=air, inflow=inflow or Momentum(),
            solidity=SOLIDITY * (RADIUS / shape.radius) ** 4, start=induced,
            blades=[f"{prefix}blade_{k + 1}" for k in range(BLADES)], **felt,
        ),
    )  # fmt: skip
    machine = _Machine(
        sense, lag, swashplate, rotor, stiffer(blade(sense, tip), stiffness), surface, np.asarray(start),
        place, mast.velocity_at(place.position), unsteady_of("puma", unsteady, yaw), shape, control_stiffness, speed,
        flap, None if individual is None else tuple(individual), lag_damper,
    )  # fmt: skip
    for k in range(BLADES):
        _add_blade(model, f"{prefix}blade_{k + 1}", hub, machine, 2 * np.pi * k / BLADES, blades, points)
    # the plates start where the controls hold them, so that nothing has to move before the first step
    for plate, turning in ((swashplate.fixed, 0.0), (swashplate.rotating, sense * speed)):
        held = place @ machine.plate
        plate.begin(held, velocity=mast.velocity_at(held.position), angular_velocity=turning * held.rotation[:, 2])
    return rotor


@dataclass(frozen=True)
class _Machine:
    """What all blades share; controls: collective, theta1c, theta1s at the start [rad]; place: see `add_rotor`.

    velocity: of the hub at the start, in world axes [m/s].
    """

    sense: int
    lag: str
    swashplate: Swashplate
    rotor: Rotor
    span: Span
    surface: Planform
    controls: np.ndarray
    place: Placement
    velocity: np.ndarray
    flow: Unsteady
    tip: Tip
    control: float
    speed: float = SPEED
    flap: float | None = None
    individual: tuple[Drive, ...] | None = None
    lag_damper: str = "linear"

    @property
    def plate(self) -> Placement:
        """The plates in the rotor's place at these controls; they turn at constant speed about its z axis."""
        parts = [Rigging(tuple(Constant(c) for c in self.controls), part)(0.0) for part in range(3)]
        told = (self.sense * parts[0], self.sense * parts[1], parts[2])
        height, *tilt = (float(drive(0.0)) for drive in plate_motion(self.swashplate, *told))
        return Placement((0.0, 0.0, height - LINK), rotation_from_rotation_vector((*tilt, 0.0)))

    def pitch(self, azimuth: float) -> float:
        """Of the blade at this azimuth without flap and lag [rad]: the pitch link has its length."""
        frame, plate = rotation_z(self.sense * azimuth), self.plate
        x, y, _ = self.swashplate.place.inverse().point(self.swashplate.attachment(self.sense * azimuth))
        low = plate.point((x, y, 0.0))

        def gap(theta: float) -> float:
            horn = frame @ (FLAP_HINGE, self.sense * HORN * np.cos(theta), HORN * np.sin(theta))
            return float(np.linalg.norm(horn - low)) - LINK

        if gap(-REACH) * gap(REACH) > 0.0:
            wave = (1.0, np.cos(azimuth), np.sin(azimuth))
            asked, where, reach = np.degrees([float(self.controls @ wave), azimuth, REACH])
            raise ModelError(
                f"puma: the controls ask for a blade pitch of {asked:.3g} deg at the azimuth {where:.3g} deg, which no "
                f"pitch link reaches: keep collective and cyclic pitch together within about -{reach:.0f} .. "
                f"{reach:.0f} deg"
            )
        from scipy.optimize import brentq  # half a second: loaded only when it is needed

        return float(brentq(gap, -REACH, REACH, xtol=1e-14))


def _swashplate(
    model: Model,
    name: str,
    mast: Node,
    hub: Node,
    place: Placement,
    controls: tuple[Drive, ...],
    sense: int,
    actuators: dict,
) -> Swashplate:
    """Below the hub, links upright; its own pitch is about the blade's outward axis, nose up times the sense."""
    told = [Rigging(controls, part) for part in range(3)]
    return add_swashplate(
        model,
        name,
        mast=mast,
        hub=hub,
        place=mast.local(place @ Placement((0.0, 0.0, -LINK))),
        horn=sense * HORN,
        station=FLAP_HINGE,
        collective=float(sense) * told[0],
        lateral=float(sense) * told[1],
        longitudinal=told[2],
        actuator_radius=ACTUATOR_RADIUS,
        actuator_length=ACTUATOR_LENGTH,
        actuator_azimuths=ACTUATOR_AZIMUTHS,
        **actuators,
    )


def _add_blade(model: Model, name: str, hub: Node, machine: _Machine, azimuth: float, kind: str, points: int) -> None:
    """Lag arm, flap link, pitch bearing, blade and its air; it starts with its pitch, without flap and lag."""
    sense, span = machine.sense, machine.span
    frame = machine.place @ Placement((0.0, 0.0, 0.0), rotation_z(sense * azimuth))
    x, y, z = frame.rotation.T
    omega = sense * machine.speed * z
    motion = (machine.velocity, omega)
    inner = hub
    if machine.lag == "free":
        inner = _part(model, f"{name}.arm", span, (span.station[0], FLAP_HINGE), LAG_HINGE, frame, motion)
        back = {"at": inner.position, "axis": -sense * z, "axis_x": x}  # a positive lag angle is back
        model.add(f"{name}.lag", Revolute(hub, inner, **back))
        add_lag_damper(model, f"{name}.damper", machine.lag_damper, LAG_DAMPER, hub, inner, **back)
    link = _part(model, f"{name}.link", span, (FLAP_HINGE, PITCH_BEARING), FLAP_HINGE, frame, motion)
    drooped = None if machine.flap is None else {"angle": machine.flap}
    model.add(f"{name}.flap", Revolute(inner, link, at=link.position, axis=-y, axis_x=x, start=drooped))  # up
    theta, rate = machine.pitch(azimuth), (machine.pitch(azimuth + 1e-4) - machine.pitch(azimuth - 1e-4)) / 2e-4
    turn = rotation_from_axis_angle((1.0, 0.0, 0.0), sense * theta)
    at, spin = frame.point((PITCH_BEARING, 0.0, 0.0)), omega + machine.speed * rate * sense * x
    speed = machine.velocity + np.cross(omega, at - frame.position)
    root = model.node(f"{name}.root", at, frame.rotation @ turn, velocity=speed, angular_velocity=spin)
    bearing = rotation_from_axes(z=(sense, 0, 0), x=(0, 0, 1))  # a positive pitch angle is nose up
    place_a = link.local(Placement(at, frame.rotation @ bearing))
    model.add(f"{name}.pitch", Revolute(link, root, place_a=place_a, place_b=Placement((0, 0, 0), bearing)))
    plate = machine.swashplate
    low = plate.rotating.local(Placement(plate.attachment(sense * azimuth)))
    horn = Placement((FLAP_HINGE - PITCH_BEARING, sense * HORN, 0.0))
    bar: dict[str, Any] = {"place_a": low, "place_b": horn, "length": LINK}
    if machine.control:
        k = machine.control / HORN**2
        bar |= {"stiffness": k, "damping": DAMPING * k}
    if machine.individual is not None:
        bar["length"] = LINK + HORN * machine.individual[int(name.rpartition("_")[2]) - 1]
    kind_of_link: Any = Strut if machine.control else Distance
    model.add(f"{name}.pitch_link", kind_of_link(plate.rotating, root, **bar))
    (_add_rigid if kind == "rigid" else _add_elastic)(model, name, root, machine, points)


def _add_rigid(model: Model, name: str, root: Node, machine: _Machine, points: int) -> None:
    """Mass of the blade outboard of the pitch bearing, and its air."""
    piece = machine.span.piece(PITCH_BEARING, machine.tip.radius)
    com = piece.com - (PITCH_BEARING, 0.0, 0.0)
    model.add(f"{name}.body", Body(root, mass=piece.mass, com=com, inertia=piece.inertia))
    add_blade_air(
        model,
        name,
        machine.surface,
        node=root,
        place=Placement((-PITCH_BEARING, 0.0, 0.0)),
        leading=machine.sense,
        points=points or 10,
        rotor=machine.rotor,
        unsteady=machine.flow,
    )


def _add_elastic(model: Model, name: str, root: Node, machine: _Machine, points: int) -> None:
    """Beams outboard of the pitch bearing, and their air."""
    ends = machine.tip.ends
    add_beam(model, name, outer(machine.span), root=root, stations=ends, damping=DAMPING)
    add_beam_air(
        model,
        name,
        machine.surface,
        beams=[model.elements[f"{name}.beam{e + 1}"] for e in range(len(ends) - 1)],  # type: ignore[misc]
        start=PITCH_BEARING,
        axes=root.rotation,
        leading=machine.sense,
        points=points or 4,
        rotor=machine.rotor,
        unsteady=machine.flow,
    )


def _part(
    model: Model, name: str, span: Span, ends: tuple[float, float], hinge: float, frame: Placement, motion: tuple
) -> Node:
    """A node at a hinge with the mass of a piece of the blade, and a stand-in for the inertia of its own.

    motion: velocity of the hub and angular velocity of the part, in world axes.
    """
    at, (velocity, omega) = frame.point((hinge, 0.0, 0.0)), motion
    speed = velocity + np.cross(omega, at - frame.position)
    node = model.node(name, at, frame.rotation, velocity=speed, angular_velocity=omega)
    piece = span.piece(*ends)
    inertia = piece.inertia + piece.mass * HINGE_PART**2 * np.eye(3)
    model.add(f"{name}_body", Body(node, mass=piece.mass, com=piece.com - (hinge, 0.0, 0.0), inertia=inertia))
    return node
