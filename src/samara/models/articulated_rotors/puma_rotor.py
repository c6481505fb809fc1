"""The rotating parts of the Puma's main rotor: swashplate, hinges and blades between a mast and a hub."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from samara.elements.aero.inflow.inflow import Inflow, Momentum
from samara.elements.aero.rotors.rotor import Rotor
from samara.elements.aero.surfaces.blade import Planform
from samara.elements.aero.surfaces.station_flow import Unsteady
from samara.elements.aero.wind.air import Air
from samara.elements.beams.span import Span
from samara.elements.joints.point_constraints.distance import Distance
from samara.elements.rotor.swashplate import Swashplate, add_swashplate, plate_motion
from samara.elements.springs.strut import Strut
from samara.model import Constant, Drive, Model, ModelError, Node, Placement, option, records
from samara.models.aero_options import one_of, unsteady_of
from samara.models.articulated_rotors.lag_damper import KINDS as LAG_DAMPERS
from samara.models.articulated_rotors.lag_damper import STAND_IN as DAMPER_STAND_IN
from samara.models.articulated_rotors.lag_damper import HydraulicLagDamper
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
from samara.models.parts.blade import AddedBlade, Blade
from samara.models.parts.hinges import BladeHinge, Hinges
from samara.models.parts.masses import MassProperties
from samara.models.parts.rotors import ArticulatedRotor
from samara.models.parts.shaft import Shaft
from samara.rotations import rotation_from_rotation_vector, rotation_z

BLADES = 4
HORN, LINK = 0.181, 1.0  # pitch horn ahead of the blade at the flap hinge, and length of the pitch link [m]
ACTUATOR_RADIUS, ACTUATOR_LENGTH = 1.0, 1.0  # m
ACTUATOR_AZIMUTHS = (-np.pi / 3, np.pi, np.pi / 3)
LAG_DAMPER = 7000.0  # N m s/rad
REACH = 1.2  # rad, pitch up to which a pitch link is sought
SOLIDITY = BLADES * CHORD / (np.pi * RADIUS)
DAMPING = 1e-4  # of beams and elastic pitch links, proportional to stiffness [s]


class Rigging(Drive):
    """Swashplate commands for the requested blade pitch; `part`: which of the three.

        collective:   sin(theta_0) (1 - a^2 / 4),     cyclic: theta_1 cos(theta_0) (1 - a^2 / 8),   a = |theta_1|

    The horn rotates by the arc sine of the link's rise: these are the mean and the first harmonic of sin(theta), to
    fourth order in the cyclic pitch. A second harmonic of theta_0 a^2 / 4 remains, 0.06 degrees in flight 123.

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
    """Adds swashplate, `Rotor` and blades between a mast, which carries the swashplate, and a hub that turns on it.

    prefix:   of all names: "main." gives main.rotor, main.blade_1.flap, main.swashplate.fixed.
    mast:     any node that does not rotate at the start; hub: any node that turns at sense times `speed` about the
              shaft. Both may move: the rotor starts with the velocity of the mast.
    place:    in the world at the start: origin at the hub's centre, z along the shaft, x aft; by default the world's.
    controls: drives of theta_0, theta_1c, theta_1s [rad]; start: their values at the start.
    sense:    -1: clockwise seen from above, 1: the mirror image.
    inflow:   an inflow model, by default `Momentum()`; induced: initial induced velocity [m/s].
    actuators: further arguments of `add_swashplate`, such as a stiffness.
    speed:    of the hub at the start [rad/s]; flap: initial flap angle [rad], by default that of the reference pose.
    tip:      of the blades, see `puma_blade.TIPS`; the surface must have the same, and defaults to `planform(tip=tip)`.
    control_stiffness: of a blade's pitch, by its link [N m/rad]; zero: the link is rigid.
    ground:   height of the ground for ground effect, in the world [m], or None.
    individual: pitch [rad] added by actuators in the pitch links, one drive per blade, zero at the start; or None.
    lag_damper: "linear", or "hydraulic" with relief valves: see `HydraulicLagDamper`, a stand-in.
    The others are as in `build` and `turning`.
    """
    place, shape, shaft = place or Placement(), tip_of(tip), Shaft(speed, sense)
    one_of("puma: lag_damper", lag_damper, LAG_DAMPERS)
    if lag_damper == "hydraulic":
        if lag != "free":
            raise ModelError(f"puma: a hydraulic lag_damper needs lag hinges: give lag='free', got {lag!r}")
        model.stand_in = "; ".join(filter(None, (model.stand_in, DAMPER_STAND_IN)))
    span = stiffer(blade(sense, tip), stiffness)
    swashplate = _swashplate(model, f"{prefix}swashplate", mast, hub, place, controls, sense, actuators or {})
    links = PitchLinks(
        sense, swashplate, np.asarray(start), control_stiffness, None if individual is None else tuple(individual)
    )
    surface = surface or planform(tip=tip)
    flow = {"unsteady": unsteady_of("puma", unsteady, yaw)}
    made = ArticulatedRotor(
        puma_blade(span, shape, surface, elastic=blades != "rigid", points=points, flow=flow), shaft, BLADES,
        hinges=hinges_of(span, lag, lag_damper), inflow=inflow or Momentum(), induced=induced, nominal=SPEED,
        solidity=SOLIDITY * (RADIUS / shape.radius) ** 4,
    )  # fmt: skip
    added = made.add(
        model, prefix, craft=mast, hub=hub, place=place, air=air, control=links,
        start=None if flap is None else {"flap": {"angle": flap}},
        more={} if ground is None else {"ground": True, "height": ground},
    )  # fmt: skip
    # the plates start where the controls hold them, so that nothing has to move before the first step
    for plate, turning in ((swashplate.fixed, 0.0), (swashplate.rotating, sense * speed)):
        held = place @ links.plate
        plate.begin(held, velocity=mast.velocity_at(held.position), angular_velocity=turning * held.rotation[:, 2])
    assert added.rotor is not None
    return added.rotor


def hinges_of(span: Span, lag: str = "free", lag_damper: str = "linear") -> Hinges:
    """Lag hinge (unless locked), flap hinge and pitch bearing, with the pieces of the blade between them."""
    damping: Any = LAG_DAMPER if lag_damper == "linear" else HydraulicLagDamper(LAG_DAMPER)
    arm, link = _piece(span, span.station[0], FLAP_HINGE), _piece(span, FLAP_HINGE, PITCH_BEARING)
    return Hinges(
        lag=BladeHinge(LAG_HINGE, damping=damping, carries=arm) if lag == "free" else None,
        flap=BladeHinge(FLAP_HINGE, carries=link), pitch=BladeHinge(PITCH_BEARING),
    )  # fmt: skip


def puma_blade(span: Span, tip: Tip, surface: Planform, *, elastic: bool, points: int, flow: dict[str, Any]) -> Blade:
    """The blade outboard of the pitch bearing, rigid or made of five beams."""
    piece = span.piece(PITCH_BEARING, tip.radius)
    return Blade(
        tip.radius, None if elastic else MassProperties(piece.mass, piece.com, piece.inertia), span=outer(span),
        ends=tip.ends, beams=len(tip.ends) - 1 if elastic else 0, damping=DAMPING, surface=surface, points=points,
        flow=flow,
    )  # fmt: skip


def _piece(span: Span, start: float, end: float) -> MassProperties:
    """A piece of the blade between two hinges, with a stand-in inertia."""
    piece = span.piece(start, end)
    return MassProperties(piece.mass, piece.com, piece.inertia + piece.mass * HINGE_PART**2 * np.eye(3))


@dataclass(frozen=True)
class PitchLinks:
    """Pitch links from a swashplate to the pitch horns of the blades.

    start: collective, theta1c, theta1s at the start [rad]. stiffness: of a blade's pitch, by its link [N m/rad]; zero:
    the link is rigid. individual: see `add_rotor`.
    """

    sense: int
    swashplate: Swashplate
    start: np.ndarray
    stiffness: float = 0.0
    individual: tuple[Drive, ...] | None = None

    @property
    def plate(self) -> Placement:
        """The plates in the rotor's frame at these controls, turning at constant speed about its z axis."""
        parts = [Rigging(tuple(Constant(c) for c in self.start), part)(0.0) for part in range(3)]
        told = (self.sense * parts[0], self.sense * parts[1], parts[2])
        height, *tilt = (float(drive(0.0)) for drive in plate_motion(self.swashplate, *told))
        return Placement((0.0, 0.0, height - LINK), rotation_from_rotation_vector((*tilt, 0.0)))

    def pitch(self, azimuth: float) -> float:
        """Blade pitch at this azimuth without flap and lag [rad], from the fixed length of the pitch link."""
        frame, plate = rotation_z(self.sense * azimuth), self.plate
        x, y, _ = self.swashplate.place.inverse().point(self.swashplate.attachment(self.sense * azimuth))
        low = plate.point((x, y, 0.0))

        def gap(theta: float) -> float:
            horn = frame @ (FLAP_HINGE, self.sense * HORN * np.cos(theta), HORN * np.sin(theta))
            return float(np.linalg.norm(horn - low)) - LINK

        if gap(-REACH) * gap(REACH) > 0.0:
            wave = (1.0, np.cos(azimuth), np.sin(azimuth))
            asked, where, reach = np.degrees([float(self.start @ wave), azimuth, REACH])
            raise ModelError(
                f"puma: the controls ask for a blade pitch of {asked:.3g} deg at the azimuth {where:.3g} deg, which no "
                f"pitch link reaches: keep collective and cyclic pitch together within about -{reach:.0f} .. "
                f"{reach:.0f} deg"
            )
        from scipy.optimize import brentq  # half a second: loaded only when it is needed

        return float(brentq(gap, -REACH, REACH, xtol=1e-14))

    def pitch_slope(self, azimuth: float) -> float:
        """Derivative of that pitch with respect to azimuth [rad/rad]."""
        return (self.pitch(azimuth + 1e-4) - self.pitch(azimuth - 1e-4)) / 2e-4

    def attach(self, model: Model, blade: AddedBlade) -> None:
        """Adds name.pitch_link."""
        plate, site = self.swashplate, blade.site
        low = plate.rotating.local(Placement(plate.attachment(self.sense * site.azimuth)))
        horn = Placement((FLAP_HINGE - blade.station, self.sense * HORN, 0.0))
        bar: dict[str, Any] = {"place_a": low, "place_b": horn, "length": LINK}
        if self.stiffness:
            k = self.stiffness / HORN**2
            bar |= {"stiffness": k, "damping": DAMPING * k}
        if self.individual is not None:
            bar["length"] = LINK + HORN * self.individual[site.number]
        kind: Any = Strut if self.stiffness else Distance
        model.add(f"{blade.name}.pitch_link", kind(plate.rotating, blade.root, **bar))


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
    """Below the hub, with vertical links; its pitch is about the blade's outward axis, nose up times the sense."""
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
