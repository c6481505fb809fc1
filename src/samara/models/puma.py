"""Main rotor of the SA 330 Puma in a wind tunnel: articulated, clockwise, rigid or elastic blades."""

from __future__ import annotations

from dataclasses import dataclass, replace
from importlib import resources
from typing import Annotated, Any

import numpy as np

from samara.elements.aero.aerofoil import Aerofoil
from samara.elements.aero.air import Air
from samara.elements.aero.blade import Planform, add_beam_air, add_blade_air
from samara.elements.aero.inflow import Inflow, Momentum
from samara.elements.aero.naca0012 import naca0012
from samara.elements.aero.rotor import Rotor
from samara.elements.aero.station_flow import QuasiSteady
from samara.elements.beams.add_beam import add_beam
from samara.elements.beams.span import Span
from samara.elements.bodies.body import Body
from samara.elements.joints.clamp import Clamp
from samara.elements.joints.distance import Distance
from samara.elements.joints.revolute import Revolute
from samara.elements.laws.linear import LinearLaw
from samara.elements.rotor.swashplate import Swashplate, add_swashplate, plate_motion
from samara.elements.springs.torsion import Torsion
from samara.model import (
    Constant,
    Drive,
    Expression,
    Model,
    ModelError,
    Motion,
    Node,
    Parameter,
    Placement,
    option,
    records,
)
from samara.models.registry import Quantity, ReadyModel
from samara.rotations import rotation_from_axes, rotation_from_axis_angle, rotation_from_rotation_vector, rotation_z

BLADES = 4
RADIUS, CHORD, CUTOUT = 7.49, 0.537, 2.08  # m
LAG_HINGE, FLAP_HINGE, PITCH_BEARING = 0.269, 0.289, 0.432  # from the shaft [m]
HORN, LINK = 0.181, 1.0  # pitch horn ahead of the blade at the flap hinge, and length of the pitch link [m]
ACTUATOR_RADIUS, ACTUATOR_LENGTH = 1.0, 1.0  # m
ACTUATOR_AZIMUTHS = (-np.pi / 3, np.pi, np.pi / 3)
LAG_DAMPER = 7000.0  # N m s/rad
SPEED = 267.4 * np.pi / 30  # rad/s
TURN = 2 * np.pi / SPEED  # s
REACH = 1.2  # rad, pitch up to which a pitch link is sought
SOLIDITY = BLADES * CHORD / (np.pi * RADIUS)
DAMPING = 1e-4  # of the beams, proportional to stiffness [s]
ADVANCE, SHAFT_DEG, DENSITY, MACH_90 = 0.321, -6.0, 1.05, 0.837
AIRSPEED = ADVANCE * SPEED * RADIUS / np.cos(np.radians(SHAFT_DEG))  # m/s
SOUND = (1.0 + ADVANCE) * SPEED * RADIUS / MACH_90  # the Mach number is that of the advancing tip [m/s]
#: By the rule of the model file, which counts 0.9 of the tip speed [m/s]: 306, that of air at -40 degrees Celsius.
SOUND_FILE = (0.9 + ADVANCE) * SPEED * RADIUS / MACH_90
#: Ends of the five beams [m]: the root of a blade is stiffer up to 1.25 m.
ENDS = (PITCH_BEARING, 1.25, 2.7, 4.3, 5.9, RADIUS)
#: Radius of gyration of hinge parts [m], of which the tables know the mass alone.
HINGE_PART = 0.05
#: Least torsional inertia [kg m]: the table has none inboard of 0.604 m, and a section that can turn needs some.
THINNEST = 1e-3

KINDS = ("rigid", "elastic")
LAGS = ("free", "locked")
#: Where the flow is looked at, ahead of the quarter chord, in chords.
DOWNWASH = {"three-quarter": -0.5, "quarter": 0.0}


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


def table(name: str) -> tuple[np.ndarray, ...]:
    """Columns of a spanwise table of the blade, station [m] first; the files name their source."""
    text = (resources.files("samara.models") / "data" / "puma" / f"{name}.csv").read_text("utf-8")
    rows = [line.split(",") for line in text.splitlines() if line and not line.startswith("#")]
    return tuple(np.array(rows[1:], dtype=float).T)


def blade(sense: int = 1) -> Span:
    """The unmodified blade's structural tables on one set of stations, from 0.28 m to the tip.

    Axes: x out, z up; the leading edge is along y for sense = 1, along -y for -1. The source says: feathering axis,
    elastic axis, quarter chord and centre of tension are one; shear stiffness as EA. The torsional inertia is that of
    a flat section, so that it is also the inertia in lag rotation: then it gives the propeller moment. Fibres wind
    about the axis with the twist, so that the centrifugal force untwists the blade; the source does not say so.
    """
    columns = {
        "mass": table("mass"), "EA": table("extensional_stiffness"), "GJ": table("torsional_stiffness"),
        "EI_y": table("flap_chord_stiffness")[:2], "EI_z": table("flap_chord_stiffness")[::2],
        "inertia_x": table("torsional_inertia"), "twist": table("twist"), "com_y": table("cg_offset"),
    }  # fmt: skip
    inside = np.unique(np.concatenate([x for x, _ in columns.values()]))
    stations = np.repeat(inside, 2)[1:-1]
    found = {}
    for name, (x, values) in columns.items():
        sides = [(_at(x, values, s, "left"), _at(x, values, s, "right")) for s in inside]
        found[name] = np.ravel(sides)[1:-1]
    found["GA_y"] = found["GA_z"] = found["EA"]
    found["inertia_x"] = np.maximum(found["inertia_x"], THINNEST)
    found["inertia_z"] = found["inertia_x"]
    found["twist"] = sense * np.radians(found["twist"])
    found["com_y"] = sense * CHORD * found["com_y"]
    return Span(station=stations, wound=1.0, **found)


def stiffer(span: Span, factor: float) -> Span:
    """The same with tension, bending and torsion stiffer by a factor."""
    return replace(span, **{name: factor * getattr(span, name) for name in ("EA", "GJ", "EI_y", "EI_z")})


def planform(aerofoil: Aerofoil | None = None, tip_loss: float = 1.0, downwash: str = "three-quarter") -> Planform:
    """What the air sees of a blade: constant chord from the cut-out to the tip, axis at the quarter chord.

    downwash: see `build`.
    """
    if downwash not in DOWNWASH:
        raise ModelError(f"puma: downwash {downwash!r} is not one of {', '.join(DOWNWASH)}")
    x, twist = table("twist")
    inside = np.unique([CUTOUT, *x[x > CUTOUT]])
    return Planform(
        station=inside,
        chord=CHORD,
        twist=np.radians(np.interp(inside, x, twist)),
        aerofoil=aerofoil or naca0012(),
        tip_loss=tip_loss,
        control=DOWNWASH[downwash] * CHORD,
    )


def build(
    blades: Annotated[str, Quantity("", "rigid or elastic (five three-node beams each)")] = "rigid",
    lag: Annotated[str, Quantity("", "free, or locked: without lag hinges and dampers")] = "free",
    collective_deg: Annotated[float, Quantity("deg", "pitch at the root; in rad also a parameter, collective")] = 13.2,
    theta1c_deg: Annotated[float, Quantity("deg", "cyclic pitch, cosine of the azimuth; parameter theta1c")] = 2.1,
    theta1s_deg: Annotated[float, Quantity("deg", "cyclic pitch, sine of the azimuth; parameter theta1s")] = -7.15,
    airspeed: Annotated[float, Quantity("m/s", "of the tunnel; also a parameter")] = AIRSPEED,
    shaft_deg: Annotated[float, Quantity("deg", "of the shaft against the wind, aft positive")] = SHAFT_DEG,
    density: Annotated[float, Quantity("kg/m^3", "of the air", positive=True)] = DENSITY,
    sound: Annotated[float, Quantity("m/s", "speed of sound", positive=True)] = SOUND,
    downwash: Annotated[
        str, Quantity("", "that sets the lift: at three-quarter chord, or at the quarter")
    ] = "three-quarter",
    gravity: Annotated[float, Quantity("m/s^2", "acceleration of gravity")] = 9.81,
    points: Annotated[int, Quantity("", "aerodynamic stations of a blade, or of each beam; 0: 10, or 4")] = 0,
    stiffness: Annotated[float, Quantity("1", "factor on the stiffness of elastic blades", positive=True)] = 1.0,
    clockwise: Annotated[bool, Quantity("", "seen from above, as the real one; else its mirror image")] = True,
    yaw: Annotated[str, Quantity("", "what flow along the span does: none, drag or section")] = "none",
) -> Model:
    """Four blades on lag hinge, flap hinge and pitch bearing (in that order from the hub), in flight 123 by default.

    The shaft stands along z, the wind blows along +x (aft) and, the shaft leaning forward by 6 degrees, down through
    the disk; gravity leans with it. The azimuth psi of a blade counts from aft in the sense of rotation, and

        pitch = collective + theta1c cos(psi) + theta1s sin(psi)

    at the root (the twist comes on top of it), for blades without lag: the swashplate does not know the lag angle. The
    hub turns at 267.4 rpm as prescribed, clockwise seen from above: every part carries the sign, and
    ``clockwise=False`` is the mirror image, which must give the same loads.

    Hinges, horn, damper, speed, chord and blade tables: Bousman et al., NASA TM 110421 (1996), as in the example AS330
    Puma of MBDyn. Flight 123: table II of Morandini et al. 2005 (controls), and var/flight123.set of the example
    (shaft angle, advance ratio, density). That file takes the speed of sound from a Mach number of 0.837 at
    (0.9 + mu) tip speed, 306 m/s (`SOUND_FILE`). With its density that is a pressure of 70 kPa, where its altitude of
    1550 m has 84 kPa; at the tip itself the Mach number gives 331 m/s and 82 kPa, which is the default here.

    downwash: the lift of a section that turns follows the flow at three quarters of its chord (thin aerofoil, steady
    turning), so that coning and cyclic pitch count: 4 % of the thrust in flight 123. "quarter" leaves that out, as the
    flap-only code does that is compared with.

    Stand-ins: pitch links, actuators and the actuators' radius are 1 m (marked FIXME in the example), a rigid control
    system, and a radius of gyration of 0.05 m for the two hinge parts of each blade.
    """
    return turning(
        planform(downwash=downwash), blades, lag, (collective_deg, theta1c_deg, theta1s_deg), airspeed, shaft_deg,
        density, sound, gravity, points, stiffness, clockwise, yaw,
    )  # fmt: skip


def turning(
    surface: Planform,
    blades: str = "rigid",
    lag: str = "free",
    controls_deg: tuple[float, float, float] = (13.2, 2.1, -7.15),
    airspeed: float = AIRSPEED,
    shaft_deg: float = SHAFT_DEG,
    density: float = DENSITY,
    sound: float = SOUND,
    gravity: float = 9.81,
    points: int = 0,
    stiffness: float = 1.0,
    clockwise: bool = True,
    yaw: str = "none",
) -> Model:
    """The rotor with blades of any planform and aerofoil; arguments as in `build`."""
    for word, known in ((blades, KINDS), (lag, LAGS)):
        if word not in known:
            raise ModelError(f"puma: {word!r} is not one of {', '.join(known)}")
    lean = np.radians(shaft_deg)
    model = Model(
        "puma",
        gravity=(gravity * np.sin(lean), 0.0, -gravity * np.cos(lean)),
        stand_in="lengths of pitch links and actuators; rigid controls; inertia of hinge parts",
    )
    sense = -1 if clockwise else 1
    spin = sense * SPEED
    hub = model.prescribed("hub", Motion(rotation=(0, 0, Expression(lambda t: spin * t))))
    controls = tuple(
        Constant(Parameter(name, np.radians(value), "rad"))
        for name, value in zip(("collective", "theta1c", "theta1s"), controls_deg, strict=True)
    )
    stream = Constant(Parameter("airspeed", airspeed, "m/s"))
    air = Air(density, sound, wind=(np.cos(lean) * stream, 0.0, np.sin(lean) * stream))
    add_rotor(
        model, mast=model.ground, hub=hub, air=air, controls=controls, start=np.radians(controls_deg), sense=sense,
        surface=surface, blades=blades, lag=lag, points=points, stiffness=stiffness, yaw=yaw,
    )  # fmt: skip
    return model


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
    The others are as in `build` and `turning`.
    """
    place, spin = place or Placement(), sense * SPEED
    swashplate = _swashplate(model, f"{prefix}swashplate", mast, hub, place, controls, sense, actuators or {})
    rotor = model.add(
        f"{prefix}rotor",
        Rotor(
            mast, hub, disk=mast.local(place), radius=RADIUS, speed=spin, air=air, inflow=inflow or Momentum(),
            solidity=SOLIDITY, start=induced, blades=[f"{prefix}blade_{k + 1}" for k in range(BLADES)],
        ),
    )  # fmt: skip
    machine = _Machine(
        sense, lag, swashplate, rotor, stiffer(blade(sense), stiffness), surface or planform(), np.asarray(start),
        place, mast.velocity_at(place.position), QuasiSteady(yaw), speed, flap,
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
    flow: QuasiSteady
    speed: float = SPEED
    flap: float | None = None

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
        model.add(f"{name}.damper", Torsion(hub, inner, law=LinearLaw(0.0, damping=LAG_DAMPER), **back))
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
    model.add(f"{name}.pitch_link", Distance(plate.rotating, root, place_a=low, place_b=horn, length=LINK))
    if kind == "rigid":
        piece = span.piece(PITCH_BEARING, RADIUS)
        com = piece.com - (PITCH_BEARING, 0.0, 0.0)
        model.add(f"{name}.body", Body(root, mass=piece.mass, com=com, inertia=piece.inertia))
        add_blade_air(
            model,
            name,
            machine.surface,
            node=root,
            place=Placement((-PITCH_BEARING, 0.0, 0.0)),
            leading=sense,
            points=points or 10,
            rotor=machine.rotor,
            unsteady=machine.flow,
        )
        return
    add_beam(model, name, _outer(span), root=root, stations=ENDS, damping=DAMPING)
    add_beam_air(
        model,
        name,
        machine.surface,
        beams=[model.elements[f"{name}.beam{e + 1}"] for e in range(len(ENDS) - 1)],  # type: ignore[misc]
        start=PITCH_BEARING,
        axes=root.rotation,
        leading=sense,
        points=points or 4,
        rotor=machine.rotor,
        unsteady=machine.flow,
    )


def blade_alone(
    hinge: str,
    ends: tuple[float, ...] = ENDS,
    speed: float = SPEED,
    twisted: bool = False,
    inertia: str = "distributed",
) -> Model:
    """One elastic blade in vacuum, on a hub that turns counter-clockwise: its modes check the tables.

    hinge: "flap" or "lag", the only one that is free; "none": clamped at the pitch bearing. twisted: with the twist.
    """
    model = Model("puma blade")
    turn = Constant(Parameter("speed", speed, unit="rad/s")) * Expression(lambda t: t)
    hub = model.prescribed("hub", Motion(rotation=(0, 0, turn)))
    at, omega, span = np.array([PITCH_BEARING, 0.0, 0.0]), np.array([0.0, 0.0, speed]), blade()
    root = model.node("root", at, velocity=np.cross(omega, at), angular_velocity=omega)
    if hinge == "none":
        model.add("hinge", Clamp(hub, root, at=at))
    else:
        x, axis = (FLAP_HINGE, (0.0, -1.0, 0.0)) if hinge == "flap" else (LAG_HINGE, (0.0, 0.0, 1.0))
        model.add("hinge", Revolute(hub, root, at=(x, 0.0, 0.0), axis=axis))
        piece = span.piece(x, PITCH_BEARING)
        own = piece.inertia + piece.mass * HINGE_PART**2 * np.diag([1.0, 0.0, 0.0])
        model.add("inner", Body(root, mass=piece.mass, com=piece.com - at, inertia=own))
    outer = _outer(span)
    if not twisted:
        outer = replace(outer, twist=0.0)
    add_beam(model, "blade", outer, root=root, stations=ends, inertia=inertia)
    return model


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


def _outer(span: Span) -> Span:
    """The blade from the pitch bearing on."""
    keep = span.station > PITCH_BEARING
    columns = {}
    for field in span.__dataclass_fields__:
        values = np.asarray(getattr(span, field))
        first = PITCH_BEARING if field == "station" else span.at(field, PITCH_BEARING)
        columns[field] = np.concatenate([[first], values[keep]])
    return Span(**columns)


def _at(x: np.ndarray, values: np.ndarray, at: float, side: str) -> float:
    """Value of a table with jumps at a station, on that side of it."""
    k = int(np.searchsorted(x, at, side=side))  # type: ignore[call-overload]
    if side == "right":
        k -= 1
    if k < len(x) and x[k] == at:
        return float(values[k])
    return float(np.interp(at, x, values))


def equations(model: Model) -> dict[str, int]:
    """How many equations a step solves: counted as the source does, and as Samara does.

    source: see `source_equations`.
    samara: 6 a free node, one a constraint, nine states of the rotor. The hub has none.
    """
    from samara.system import System  # compiles: loaded only when it is needed

    return {"source": source_equations(model), "samara": System(model).unknowns.size}


def source_equations(model: Model) -> int:
    """Counted as the source does: 283 with rigid blades, the number of Morandini et al. 2005; 763 with elastic ones.

    6 for ground, hub and the two plates each, 12 a node with inertia, 6 abstract nodes of the controls; 33 for the
    joints of mast and swashplate; 19 a blade (three hinges of 5, and a link with its three direction unknowns).
    """
    inertial = sum(node.kind == "dynamic" for node in model.nodes.values())
    return 4 * 6 + 12 * inertial + 6 + 33 + 19 * BLADES


PUMA = ReadyModel(
    "puma",
    build,
    "main rotor of the SA 330 Puma in a wind tunnel: flight 123",
    source=(
        "Bousman et al., NASA TM 110421, 1996, as in MBDyn's example AS330 Puma; Morandini et al. 2005, table II "
        "(lengths of links and actuators are stand-ins)"
    ),
    duration=3.0,
    step=2.5e-3,
    plot=("rotor.thrust", "blade_1.flap.angle", "blade_1.lag.angle", "blade_1.pitch.angle"),
)
