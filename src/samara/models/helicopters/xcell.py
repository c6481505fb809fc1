"""A radio-controlled helicopter of the X-Cell class in free flight: thirteen freedoms, two blades."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np

from samara.blocks.pid import PID
from samara.elements.aero.aerofoils.linear_aerofoil import ThinAerofoil
from samara.elements.aero.inflow.filtered_inflow import FilteredMomentum
from samara.elements.aero.rotors.rotor import Rotor
from samara.elements.aero.rotors.tail_rotor import TailRotor
from samara.elements.aero.surfaces.blade import Planform
from samara.elements.aero.surfaces.body import AeroBody
from samara.elements.aero.surfaces.drag import Drag
from samara.elements.aero.surfaces.strip import Stations
from samara.elements.aero.wind.air import Air
from samara.elements.bodies.body import Body
from samara.elements.control.motors.engine import Engine
from samara.elements.control.regulators.attitude_regulator import AttitudeRegulator
from samara.elements.control.regulators.speed_regulator import SpeedRegulator
from samara.elements.control.servos.limited_servo import LimitedServo
from samara.elements.joints.prescribed_motion.prescribed_angle import PrescribedAngle
from samara.elements.joints.revolute import Revolute
from samara.elements.joints.total import TotalJoint
from samara.method.method import Method
from samara.method.timeline import Timeline
from samara.model import (
    Constant,
    Drive,
    Expression,
    Input,
    Model,
    ModelError,
    Motion,
    Node,
    Parameter,
    Placement,
    State,
    Stick,
    as_drive,
)
from samara.models.ground.deck import KINDS as DECKS
from samara.models.ground.deck import Deck, deck_of
from samara.models.ground.landing_gear import LandingGear, Leg
from samara.models.parts.blade import Blade, BladeSite
from samara.models.parts.controls import IdealSwashplate
from samara.models.parts.hinges import BladeHinge, Hinges
from samara.models.parts.masses import MassProperties
from samara.models.quantity import AROUND
from samara.models.registry import Quantity, ReadyModel, checked
from samara.rotations import rotation_from_euler, rotation_z

if TYPE_CHECKING:
    from samara.analysis.trim import Trim

# [conf]: found in public code that cites Gavrilets, see `build`
MASS = 8.2  # of the whole machine [kg]
INERTIA = (0.18, 0.34, 0.28)  # roll, pitch, yaw, about its centre of mass [kg m^2]
HUB_HEIGHT = 0.235  # over the centre of mass [m]
SPEED, RADIUS = 167.0, 0.775  # rad/s, m
AREAS = (0.10, 0.22, 0.15)  # of the fuselage, along, across, from above [m^2]
TAIL_RATIO, TAIL_RADIUS = 4.66, 0.13  # -, m
TAIL = (0.91, 0.08)  # of the tail rotor, aft and over the centre of mass [m]
# [recall]: quoted without a source
FLAP_STIFFNESS = 54.0  # of the hub, N m/rad
CHORD, SLOPE, CD_0 = 0.058, 5.5, 0.024
FLAP_INERTIA = 0.038  # of a blade about the flap hinge, what carries it included [kg m^2]
TAIL_CHORD, TAIL_SLOPE, TAIL_CD_0 = 0.029, 5.0, 0.024
TAILPLANE_ARM = 0.71  # m
FIN, TAILPLANE = 0.012, 0.010  # m^2
# X-Cell of Kahn and Hudson's project "autopilot"
FLAP_HINGE, CUTOUT = 0.00686, 0.1829  # m
COLLECTIVE = (np.radians(-12.5), np.radians(18.0))
CYCLIC, TAIL_PITCH = np.radians(8.0), np.radians(20.0)
# stand-ins
BLADES = 2
LAG_HINGE = 0.055  # from the shaft; the pitch bearing is at the same place [m]
LINK, GRIP = 0.030, 0.025  # masses of the parts between flap and lag hinge, and lag hinge and pitch bearing [kg]
THICK = 0.012  # side of both [m]
LAG_DAMPING_RATIO, PITCH_DAMPING_RATIO = 0.2, 0.3
PITCH_FREQUENCY = 5.0  # of a blade in pitch, by the rotor speed
HUB = (0.30, (0.0026, 0.0026, 0.0050))  # with drive train and engine: mass [kg] and inertia [kg m^2]
STALL = np.radians(14.0)
INFLOW, INFLOW_DAMPING = 25.0, 0.9  # rad/s, -
WAKE = 1.0  # of the induced velocity, felt by the fuselage
FIN_SPAN, TAILPLANE_SPAN, FIN_HEIGHT = 0.15, 0.20, 0.03  # m
POWER = 2200.0  # of the engine [W]
GOVERNOR, GOVERNOR_INTEGRAL = 0.04, 0.08  # throttle by rad/s, and by rad
SERVO_TIME, SERVO_RATE = 0.02, np.radians(120.0)  # s, rad/s of blade pitch
THROTTLE_TIME, THROTTLE_RATE = 0.05, 5.0  # s, 1/s
#: Blade pitch by attitude [rad/rad] and by its rate [rad s/rad]; of yaw, by the rate and by its integral.
GAINS = {"roll": (0.20, 0.02), "pitch": (0.25, 0.04), "yaw": (0.15, 0.60)}
AUTHORITY, RATE_LAG = np.radians(7.0), 0.01  # of each regulator [rad], and lag of its derivative [s]
#: Full stick: attitude [rad] and rate of turn [rad/s] that are asked for, and blade pitch where no regulator is on.
STICK = {
    "roll": np.radians(30.0), "pitch": np.radians(30.0), "yaw_rate": np.radians(120.0),
    "collective": np.radians(6.0), "cyclic": np.radians(4.0), "pedal": np.radians(8.0),
}  # fmt: skip
#: Landing gear: two tubes on elastic struts, which give way by 7 mm under the machine's weight.
SKIDS = LandingGear(
    tuple(
        Leg(name, (0.0, y, -0.20), 0.08, 0.006, 3000.0, 25.0, points=((-0.22, 0.0, 0.0), (0.16, 0.0, 0.0)))
        for name, y in (("left", -0.13), ("right", 0.13))
    )
)
GEARS = ("none", "skids")

GRAVITY = 9.81
WEIGHT = MASS * GRAVITY
TURN = 2.0 * np.pi / SPEED
SOLIDITY = BLADES * CHORD / (np.pi * RADIUS)
#: Steps of a turn: of the trim, and of a run.
STEPS = 72
STEP = 5e-4
#: Usual step of a flight, in the recursive formulation with a formula of fourth order [s].
FLIGHT_STEP = 1e-3
#: Height at which the panel draws the ground; the machine starts at zero [m].
GROUND = -3.0
COMMANDS = ("collective", "lateral", "longitudinal", "pedal")
CONTROLS = (*COMMANDS, "pitch", "roll")
#: From the node's axes (aft, right, up) to those of attitude (forward, right, down).
FORWARD = Placement((0.0, 0.0, 0.0), np.diag([-1.0, 1.0, -1.0]))
#: Look of the fuselage, made up: aft of the centre of mass, half width, half height, height of its middle [m].
HULL = np.array([
    (-0.42, 0.01, 0.01, -0.06), (-0.36, 0.05, 0.06, -0.05), (-0.22, 0.08, 0.11, -0.01), (-0.05, 0.08, 0.12, 0.0),
    (0.12, 0.06, 0.08, 0.02), (0.22, 0.02, 0.025, 0.05), (0.90, 0.012, 0.015, 0.07), (0.94, 0.005, 0.006, 0.07),
])  # fmt: skip
STAND_IN = (
    "the paper prints no numbers. Size, mass and speed are those of an X-Cell 60, sections, flap inertia and hub "
    "stiffness quoted without a source; hinges but flap, link masses, dampers, inflow filter, servo speeds, engine, "
    "gains and landing gear are made up"
)


@dataclass(frozen=True)
class XCellBlade:
    """A blade outboard of its lag hinge, uniform, and the parts that carry it."""

    mass: float
    length: float
    thin: float  # moment of inertia about the span [kg m^2]
    pitch_stiffness: float
    pitch_damping: float
    lag_damping: float

    @property
    def hinges(self) -> Hinges:
        """Flap hinge, lag hinge and pitch bearing, the last two at one place."""
        link, grip = _bar(LINK, FLAP_HINGE, LAG_HINGE), _bar(GRIP, LAG_HINGE, LAG_HINGE)
        return Hinges(
            flap=BladeHinge(FLAP_HINGE, FLAP_STIFFNESS, carries=link),
            lag=BladeHinge(LAG_HINGE, damping=self.lag_damping, carries=grip),
            pitch=BladeHinge(LAG_HINGE),
        )

    def outboard(self, stations: int) -> Blade:
        """What is outboard of the pitch bearing; one station is the pressure point."""
        slender = self.mass * self.length**2 / 12.0  # across the span, about its centre of mass
        centre = (LAG_HINGE + 0.5 * self.length, 0.0, 0.0)
        section = ThinAerofoil(slope=SLOPE, cd_0=CD_0, stall=STALL)
        shape = PressurePoint if stations == 1 else Planform
        return Blade(
            RADIUS, MassProperties(self.mass, centre, (self.thin, slender, slender + self.thin)), points=stations,
            surface=shape(station=(CUTOUT, RADIUS), chord=CHORD, aerofoil=section),
        )  # fmt: skip


class PressurePoint(Planform):
    """A planform whose one station has the integrals of r^2 and r^3 of the whole: lift and its moment in hover."""

    def points(self, start: float, end: float, count: int) -> dict[str, np.ndarray]:
        """The pressure point, whatever the count."""
        found = super().points(start, end, 1)
        square, cube = (end**3 - start**3) / 3.0, (end**4 - start**4) / 4.0
        x = cube / square
        return found | {"x": np.array([x]), "length": np.array([square / x**2])}


def _bar(mass: float, start: float, end: float) -> MassProperties:
    """A square bar from one hinge to the next, or a cube."""
    thick = mass * THICK**2 / 6.0
    slender = 0.5 * thick + mass * ((end - start) or THICK) ** 2 / 12.0
    return MassProperties(mass, (0.5 * (start + end), 0.0, 0.0), (thick, slender, slender))


def blade() -> XCellBlade:
    """Mass from the flap inertia, stiffness and dampers from frequencies and damping ratios."""
    length, arm = RADIUS - LAG_HINGE, LAG_HINGE - FLAP_HINGE
    outer = arm + length
    carried = LINK * arm**2 / 3.0 + GRIP * arm**2
    mass = (FLAP_INERTIA - carried) / ((outer**2 + outer * arm + arm**2) / 3.0)
    thin = mass * (0.25 * CHORD) ** 2
    pitch = PITCH_FREQUENCY * SPEED
    about_lag = mass * length**2 / 3.0
    lag = SPEED * np.sqrt(LAG_HINGE * 0.5 * mass * length / about_lag)
    # centrifugal force on a section straightens the blade's pitch with Omega^2 times the same inertia
    return XCellBlade(
        mass, length, thin, thin * (pitch**2 - SPEED**2), 2.0 * PITCH_DAMPING_RATIO * thin * pitch,
        2.0 * LAG_DAMPING_RATIO * about_lag * lag,
    )  # fmt: skip


#: Steady level flight as `trim` finds it, over the airspeed [m/s]: controls and attitude [deg], pitch, flap and lag of
#: a blade (mean, cosine, sine of its azimuth) [deg], induced velocity [m/s], part of the engine's power. Made by
#: ``python -c "from samara.models import xcell; print(xcell.tabulate())"``.
TRIM: dict[str, tuple[float, ...]] = {
    "airspeed": (0.0, 2.5, 5.0, 7.5, 10.0, 12.5, 15.0, 17.5, 20.0),
    "collective": (5.685, 5.466, 4.996, 4.683, 4.707, 5.064, 5.747, 6.753, 8.068),
    "lateral": (0.3489, 0.3768, 0.3924, 0.4147, 0.4547, 0.5155, 0.5992, 0.7062, 0.8343),
    "longitudinal": (0.0983, -0.1371, -0.3607, -0.5921, -0.8754, -1.258, -1.785, -2.496, -3.415),
    "pedal": (11.29, 10.89, 9.882, 8.813, 8.094, 7.833, 8.007, 8.584, 9.552),
    "pitch": (-0.0741, -0.6694, -1.539, -2.917, -4.824, -7.187, -9.915, -12.89, -16.0),
    "roll": (4.595, 4.463, 4.189, 3.99, 3.951, 4.057, 4.283, 4.61, 5.017),
    "feather_0": (5.458, 5.248, 4.796, 4.495, 4.518, 4.861, 5.518, 6.483, 7.747),
    "feather_c": (0.3489, 0.3768, 0.3924, 0.4147, 0.4547, 0.5156, 0.5994, 0.7067, 0.8353),
    "feather_s": (0.0983, -0.1372, -0.3609, -0.5923, -0.8757, -1.258, -1.786, -2.497, -3.418),
    "flap_0": (1.262, 1.255, 1.24, 1.232, 1.239, 1.264, 1.309, 1.377, 1.472),
    "flap_c": (-0.0579, -0.0282, 0.0117, 0.0712, 0.1670, 0.3221, 0.5616, 0.9052, 1.364),
    "flap_s": (0.3599, 0.3464, 0.3215, 0.3026, 0.2969, 0.3036, 0.3214, 0.3490, 0.3848),
    "lag_0": (1.653, 1.609, 1.515, 1.452, 1.454, 1.521, 1.655, 1.862, 2.153),
    "lag_c": (0.0050, 0.0029, 0.0007, -0.0016, -0.0039, -0.0064, -0.0096, -0.0143, -0.0216),
    "lag_s": (-0.0009, -0.0065, -0.0125, -0.0188, -0.0255, -0.0325, -0.0403, -0.0496, -0.0612),
    "induced": (4.207, 3.842, 3.003, 2.239, 1.736, 1.418, 1.21, 1.071, 0.9791),
    "throttle": (0.5179, 0.5039, 0.4734, 0.4519, 0.4506, 0.4694, 0.5088, 0.5704, 0.6575),
}


@checked("xcell")
def build(
    airspeed: Annotated[
        float,
        Quantity(
            "m/s",
            "speed of flight through the air",
            lower=TRIM["airspeed"][0],
            upper=TRIM["airspeed"][-1],
            why="where trim is known",
        ),
    ] = 0.0,
    controlled: Annotated[
        bool, Quantity("", "whether attitude and rate of turn follow the stick, and are held")
    ] = True,
    heading_deg: Annotated[float, Quantity("deg", "where it flies to at the start, right of -x", **AROUND)] = 0.0,
    wind: Annotated[float, Quantity("m/s", "head wind: over the ground it flies at airspeed - wind")] = 0.0,
    stations: Annotated[int, Quantity("1", "of a blade at which the air acts; 1: the pressure point", True)] = 3,
    clockwise: Annotated[bool, Quantity("", "main rotor seen from above, as the X-Cell's; else mirrored")] = True,
    gear: Annotated[str, Quantity("", "landing gear, a stand-in", choices=GEARS)] = "none",
    deck: Annotated[str, Quantity("", "what is below it", choices=DECKS)] = "none",
    clearance: Annotated[
        float, Quantity("m", "of its gear above the deck at the start", True, needs=("deck", "ground", "ship"))
    ] = 1.0,
) -> Model:
    """The helicopter of Palacios and Olguin, of the X-Cell class, in trimmed flight.

        fuselage -shaft- hub -flap- link -lag- grip -pitch- blade,     for each of two blades
                 engine and governor, four servos, tail rotor as a load, drag, tailplane, fin, regulators

    Thirteen freedoms: six of the fuselage, the rotor's azimuth, and pitch, flap and lag of each blade. The paper prints
    a vector of thirteen names and only twelve symbols: theta_r stands where azimuth and pitch of the first blade ought
    to have one each. Here the azimuth is "shaft.angle" and the pitch "blade_1.pitch.angle". The paper leaves the tail
    rotor out; here it is a load without freedoms, since a free fuselage would spin without it. All joints are hinges in
    a tree: nothing closes a loop.

    The fuselage's node is at the centre of mass of the whole machine, with axes aft, to the right, up. It flies towards
    -x, turned to the right by the heading. Attitude is given by the Euler angles of `AttitudeRegulator`. Parts between
    the hinges have small masses of their own.

    Pitch is a freedom: a spring and a damper, the control system's, turn each blade towards the command

        theta = collective + theta_1c cos(psi) + theta_1s sin(psi),     psi: azimuth against the fuselage, from aft

    (`PitchControl`). Lateral is theta_1c with the sign that rolls to the right, longitudinal theta_1s, nose up. Four
    servos with a lag, a largest rate and limits give these and the pitch of the tail rotor.

    Sticks are the inputs collective (up), lateral (right), longitudinal (aft, nose up) and pedal (right), from -1 to 1,
    zero in trim. With `controlled`, lateral and longitudinal ask for 30 degrees of roll and pitch, pedal for 120
    degrees a second, and heading is held; height and speed are not. The parameter `augmentation` hands the sticks over
    to the blades, from 1 to 0; without `controlled` they have them alone: 4 degrees of cyclic, 8 of the tail rotor.
    Collective is always direct, 6 degrees. Gains are parameters: `samara models xcell` does not list them, the model's
    `parameters` do.

    Air: blade elements at `stations` of each blade: Gauss points, or one pressure point as in the paper, with the
    blade's integrals of r^2 and r^3 (the trim is that of three stations). Thrust gives the induced velocity by momentum
    theory behind a filter of second order (`FilteredMomentum`). The wake blows on the fuselage, not on the tail. The
    engine has a largest power, its governor holds the rotor's speed.

    With a gear and a deck it can land; a tree with contacts is run by `MoreauJean`: on the command line
    `--integrator moreau-jean`, in real time `--rate 2000`.

    Numbers. Mass, inertias, height of the hub, radius, speed, areas of the fuselage, tail rotor's radius, place and
    gearing: X-Cell 60 SE, found in public code that cites V. Gavrilets, Dynamic Model for a Miniature Aerobatic
    Helicopter, 2015. Quoted without a source (a table of Gavrilets, Mettler and Feron, not checked): chords, lift
    slopes, drag coefficients, flap inertia, hub stiffness, areas of tailplane and fin, arm of the tailplane. Flap
    hinge, root cut-out, limits of the servos, sense of rotation: X-Cell of the project autopilot (Kahn, Hudson, 2003).
    Stand-ins, made up: lag hinge, masses of the parts between the hinges, lag damper, stiffness and damping in pitch,
    hub, stall, filter of the inflow, lags and rates of the servos, engine, governor, all gains, spans of the fins. No
    stabiliser bar: the regulators stand for it. Source of the model: V. D. Palacios Uyaguari, E. Olguin Diaz,
    Non-inertial modeling and efficient simulation of a miniature R/C helicopter using the Body Decomposition Approach.
    """
    legs = SKIDS if gear == "skids" else None
    return xcell(
        settings(airspeed, clockwise), airspeed=airspeed, heading=float(np.radians(heading_deg)), wind=wind,
        controlled=controlled, clockwise=clockwise, stations=stations, gear=legs,
        deck=deck_of(deck, None if legs is None else legs.low, clearance),
    )  # fmt: skip


def settings(airspeed: float = 0.0, clockwise: bool = True) -> dict[str, float]:
    """The trim at an airspeed [m/s], between those of `TRIM`; angles in rad. Outside of it there is none."""
    slowest, fastest = TRIM["airspeed"][0], TRIM["airspeed"][-1]
    if not slowest <= airspeed <= fastest:
        raise ModelError(
            f"xcell: airspeed must be from {slowest:g} to {fastest:g} m/s, where trim is known, got {airspeed:g} m/s"
        )
    found = {}
    for name, values in TRIM.items():
        scale = 1.0 if name in ("airspeed", "induced", "throttle") else np.pi / 180.0
        found[name] = scale * float(np.interp(airspeed, TRIM["airspeed"], values))
    if not clockwise:
        found["lateral"], found["roll"] = -found["lateral"], -found["roll"]
    return found


def xcell(
    trimmed: Mapping[str, float],
    *,
    airspeed: float = 0.0,
    heading: float = 0.0,
    wind: float = 0.0,
    controlled: bool = True,
    clockwise: bool = True,
    stations: int = 3,
    held: bool = False,
    commands: Mapping[str, Any] | None = None,
    gear: LandingGear | None = None,
    deck: Deck | None = None,
) -> Model:
    """The helicopter of `build` in a trim, such as `settings` gives.

    heading [rad]. commands: drives that are added to the sticks, {"lateral": Step(0.2, 1.0)}.
    held: a joint holds the fuselage in the wind, and knows what is missing, "hold.force" and "hold.couple"; the shaft
          turns at constant speed. For `trim`.
    gear, deck: landing gear, and what it may touch.
    """
    told = {name: as_drive(value) for name, value in (commands or {}).items()}
    for name in told:
        if name not in COMMANDS:
            raise ModelError(f"xcell: no stick is called {name!r}; there are {', '.join(COMMANDS)}")
    if stations < 1:
        raise ModelError(f"xcell: stations must be one or more, got {stations}")
    sense = -1 if clockwise else 1
    model = Model("xcell", gravity=(0.0, 0.0, -GRAVITY), stand_in=STAND_IN)
    values = {name: Constant(Parameter(f"trim.{name}", trimmed[name], "rad")) for name in CONTROLS}
    attitude = rotation_from_euler("ZYX", (heading, trimmed["pitch"], trimmed["roll"]))
    ahead = rotation_z(-heading) @ np.array([-1.0, 0.0, 0.0])
    fuselage = model.node(
        "fuselage", rotation=FORWARD.rotation @ attitude @ FORWARD.rotation, velocity=(airspeed - wind) * ahead
    )
    air = Air.standard(wind=tuple(-wind * ahead))
    if held:
        stand = model.prescribed("stand", Motion(rotation=(0.0, values["pitch"], 0.0)), rotation=rotation_z(-heading))
        turned = (-values["roll"], 0.0, 0.0)
        model.add("hold", TotalJoint(stand, fuselage, place_a=Placement(), place_b=Placement(), rotation=turned))
    sticks: dict[str, Drive] = {name: Input(name, unit="1") for name in COMMANDS}
    sticks = {name: drive + told[name] if name in told else drive for name, drive in sticks.items()}
    servos = _add_servos(model, fuselage, trimmed, values, sticks, sense, controlled and not held)
    shaft = Placement((0.0, 0.0, HUB_HEIGHT))
    hub = _add_drive(model, fuselage, shaft, sense, trimmed, held)
    rotor = model.add(
        "rotor",
        Rotor(
            fuselage, hub, disk=shaft, radius=RADIUS, speed=sense * SPEED, air=air, solidity=SOLIDITY,
            inflow=FilteredMomentum(
                frequency=Parameter("inflow.frequency", INFLOW, "rad/s"),
                damping=Parameter("inflow.damping", INFLOW_DAMPING),
            ),
            start=trimmed["induced"], blades=[f"blade_{k + 1}" for k in range(BLADES)],
        ),
    )  # fmt: skip
    made = blade()
    controls = IdealSwashplate(
        fuselage, shaft, [servos[name] for name in ("collective", "lateral", "longitudinal")],
        stiffness=made.pitch_stiffness, damping=made.pitch_damping, gains=(1.0, -float(sense), 1.0),
        start=[trimmed[f"feather_{part}"] for part in "0cs"],
    )  # fmt: skip
    for k in range(BLADES):
        psi = 2.0 * np.pi * k / BLADES
        site = BladeSite(hub, hub.place, sense, psi, speed=SPEED, rotor=rotor, number=k)
        start = {name: harmonic(trimmed, name, psi) for name in ("flap", "lag")}
        made.outboard(stations).add(model, f"blade_{k + 1}", site, made.hinges, controls, start)
    side = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, sense], [0.0, -sense, 0.0]])  # x aft, z to port if clockwise
    model.add(
        "tail",
        TailRotor(
            fuselage, hub, servos["pedal"], place=Placement((TAIL[0], 0.0, TAIL[1]), side), shaft=shaft,
            ratio=TAIL_RATIO, radius=TAIL_RADIUS, chord=TAIL_CHORD, slope=TAIL_SLOPE, cd_0=TAIL_CD_0, air=air,
        ),
    )  # fmt: skip
    _add_fuselage(model, fuselage, air, rotor, gear)
    if gear is not None:
        gear.add(model, fuselage, deck)
    if not held:
        _declare_sticks(model, fuselage, GROUND if deck is None else deck.height)
    return model


def _declare_sticks(model: Model, fuselage: Node, ground: float) -> None:
    """For whoever flies it from the panel; the ground that is drawn there lies below."""
    found = {source.name: source for source in model.inputs}
    model.declare_sticks(
        craft=fuselage,
        roll=Stick(found["lateral"], (-1.0, 1.0)),
        pitch=Stick(found["longitudinal"], (1.0, -1.0)),  # the model's stick is positive aft
        yaw=Stick(found["pedal"], (-1.0, 1.0)),
        collective=Stick(found["collective"], (-1.0, 1.0), rate=0.5),
        ground=ground,
    )


def _add_servos(
    model: Model,
    fuselage: Node,
    trimmed: Mapping[str, float],
    values: Mapping[str, Drive],
    sticks: Mapping[str, Drive],
    sense: int,
    controlled: bool,
) -> dict[str, State]:
    """Four servos, from trim, sticks and regulators; their states [rad]."""
    time, rate = Parameter("servo.time", SERVO_TIME, "s"), Parameter("servo.rate", SERVO_RATE, "rad/s")
    on = Parameter("augmentation", 1.0, "1", 0.0, 1.0, "1: sticks ask for attitude, 0: for blade pitch")
    full = {
        name: Constant(Parameter(f"stick.{name}", value, "rad/s" if name == "yaw_rate" else "rad"))
        for name, value in STICK.items()
        if controlled or name in ("collective", "cyclic", "pedal")
    }
    added = _add_regulators(model, fuselage, values, sticks, full, sense) if controlled else {}
    direct = 1.0 - Constant(on) if controlled else Constant(1.0)
    ranges = {
        "collective": (full["collective"], COLLECTIVE, 1.0),
        "lateral": (full["cyclic"] * direct, (-CYCLIC, CYCLIC), 1.0),
        "longitudinal": (full["cyclic"] * direct, (-CYCLIC, CYCLIC), 1.0),
        # thrust of the tail rotor turns the nose against the rotor's own sense
        "pedal": (full["pedal"] * direct, (-TAIL_PITCH, TAIL_PITCH), -float(sense)),
    }
    states = {}
    for name, (span, (lower, upper), sign) in ranges.items():
        command = values[name] + Constant(sign) * span * sticks[name]
        more: dict[str, Any] = {"y": [added[name]], "gain": on} if name in added else {}
        servo = LimitedServo(
            command=command, time=time, rate=rate, lower=lower, upper=upper, corner=np.radians(0.5),
            start=trimmed[name], unit="rad", scale=0.01, **more,
        )  # fmt: skip
        states[name] = model.add(f"servo.{name}", servo).output
    return states


def _add_regulators(
    model: Model,
    fuselage: Node,
    values: Mapping[str, Drive],
    sticks: Mapping[str, Drive],
    full: Mapping[str, Drive],
    sense: int,
) -> dict[str, State]:
    """Roll and pitch follow the stick, yaw its rate; what each adds to its servo [rad], by the servo's name."""
    limits = {"lower": -AUTHORITY, "upper": AUTHORITY, "corner": 0.25 * AUTHORITY, "lag": RATE_LAG}
    size: dict[str, Any] = {"unit": "rad", "scale": 0.01}
    added = {}
    for angle, stick in (("roll", "lateral"), ("pitch", "longitudinal")):
        proportional, derivative = GAINS[angle]
        law = PID(
            proportional=Parameter(f"{angle}.gain", proportional, "1"),
            derivative=Parameter(f"{angle}.damping", derivative, "s"),
            **limits,
        )
        target = values[angle] + full[angle] * sticks[stick]
        regulator = AttitudeRegulator(
            model.ground, fuselage, place_a=FORWARD, place_b=FORWARD, angle=angle, law=law, target=target, **size
        )
        added[stick] = model.add(f"regulator.{angle}", regulator).output
    proportional, integral = GAINS["yaw"]
    law = PID(
        proportional=Parameter("yaw.gain", proportional, "s"), integral=Parameter("yaw.integral", integral, "1"),
        **(limits | {"lower": -2.0 * AUTHORITY, "upper": 2.0 * AUTHORITY}),
    )  # fmt: skip
    # the ground against the fuselage about z: to the right, or where more thrust of the tail rotor turns the nose
    frame = Placement((0.0, 0.0, 0.0), np.diag([1.0, -sense, -sense]))
    target = Constant(-float(sense)) * full["yaw_rate"] * sticks["pedal"]
    yaw = SpeedRegulator(fuselage, model.ground, place_a=frame, place_b=Placement(), law=law, target=target, **size)
    added["pedal"] = model.add("regulator.yaw", yaw).output
    return added


def _add_drive(
    model: Model, fuselage: Node, shaft: Placement, sense: int, trimmed: Mapping[str, float], held: bool
) -> Node:
    """The hub on its shaft, the engine and its governor; a held machine turns at constant speed."""
    place = fuselage.place @ shaft
    hub = model.node("hub", place.position, place.rotation)
    mass, inertia = HUB
    model.add("hub.body", Body(hub, mass=mass, inertia=inertia))
    frames: dict[str, Any] = {"place_a": shaft, "place_b": Placement()}
    model.add("shaft", Revolute(fuselage, hub, start={"angle": 0.0, "angle_rate": sense * SPEED}, **frames))
    if held:
        spin = sense * SPEED
        model.add("engine", PrescribedAngle(fuselage, hub, angle=Expression(lambda t: spin * t), **frames))
        return hub
    law = PID(
        proportional=Parameter("governor.gain", GOVERNOR, "s"),
        integral=Parameter("governor.integral", GOVERNOR_INTEGRAL, "1"), lower=0.0, upper=1.0, corner=0.05,
    )  # fmt: skip
    turning = shaft @ Placement((0.0, 0.0, 0.0), np.diag([1.0, sense, sense]))
    governor = SpeedRegulator(
        fuselage, hub, place_a=turning, place_b=Placement(), law=law, start=trimmed["throttle"],
        target=Constant(Parameter("rotor.speed", SPEED, "rad/s")), unit="1", scale=0.1,
    )  # fmt: skip
    asked = model.add("governor", governor).output
    throttle = LimitedServo(
        command=0.0, y=[asked], time=THROTTLE_TIME, rate=THROTTLE_RATE, lower=0.0, upper=1.0, corner=0.02,
        start=trimmed["throttle"], unit="1", scale=0.1,
    )  # fmt: skip
    x = model.add("throttle", throttle).output
    power = Parameter("engine.power", POWER, "W")
    model.add("engine", Engine(fuselage, hub, x, power=power, slow=0.3 * SPEED, sense=sense, **frames))
    return hub


def harmonic(trimmed: Mapping[str, float], name: str, psi: float) -> dict[str, float]:
    """Angle [rad] and its rate [rad/s] at an azimuth, from its mean and first harmonics."""
    mean, c, s = (trimmed[f"{name}_{part}"] for part in "0cs")
    angle, slope = mean + c * np.cos(psi) + s * np.sin(psi), s * np.cos(psi) - c * np.sin(psi)
    return {"angle": angle, "angle_rate": SPEED * slope}


def _add_fuselage(model: Model, fuselage: Node, air: Air, rotor: Rotor, gear: LandingGear | None) -> None:
    """Mass, drag, tailplane and fin."""
    model.add("fuselage.body", Body(fuselage, **body(gear)))
    around = np.linspace(0.0, 2 * np.pi, 20, endpoint=False)
    rings = [np.column_stack([0 * around + x, w * np.cos(around), z + h * np.sin(around)]) for x, w, h, z in HULL]
    model.adorn("fuselage.hull", fuselage, rings)
    model.add("fuselage.drag", Drag(fuselage, area=AREAS, rotor=rotor, factor=WAKE))
    # span frames: x along the span, y forward
    level = np.array([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
    upright = np.array([[0.0, -1.0, 0.0], [0.0, 0.0, -1.0], [1.0, 0.0, 0.0]])
    for name, area, span, axes, place in (
        ("tailplane", TAILPLANE, TAILPLANE_SPAN, level, (TAILPLANE_ARM, 0.0, 0.0)),
        ("fin", FIN, FIN_SPAN, upright, (TAIL[0], 0.0, FIN_HEIGHT)),
    ):
        slope = 2 * np.pi / (1.0 + 2.0 * area / span**2)  # lifting line, elliptic
        along = Stations.gauss(-0.5 * span, 0.5 * span, 1, area / span)
        section = ThinAerofoil(slope=slope, cd_0=0.01, stall=np.deg2rad(20.0))
        model.add(name, AeroBody(fuselage, place=Placement(place, axes), stations=along, aerofoil=section, air=air))


def body(gear: LandingGear | None = None) -> dict[str, Any]:
    """Mass, centre and inertia of the fuselage: the whole machine less its rotor and skids, points where they are."""
    points = [(HUB[0] + BLADES * (blade().mass + LINK + GRIP), np.array([0.0, 0.0, HUB_HEIGHT]))]
    points += [(leg.mass, np.array(leg.at)) for leg in (gear.legs if gear else ())]
    mass = MASS - sum(m for m, _ in points)
    com = -np.sum([m * p for m, p in points], axis=0) / mass
    inertia = np.diag(INERTIA)
    for m, p in (*points, (mass, com)):
        inertia = inertia - m * (p @ p * np.eye(3) - np.outer(p, p))
    return {"mass": mass, "com": com, "inertia": inertia}


def trim(
    airspeed: float = 0.0,
    guess: Mapping[str, float] | None = None,
    *,
    clockwise: bool = True,
    stations: int = 3,
    tolerance: float = 1e-4,
) -> Trim:
    """Controls and attitude for steady level flight at an airspeed [m/s], without sideslip.

    Six unknowns, the four controls, pitch and roll, for six balances: in a head wind of that speed a joint holds the
    fuselage, the shaft turns at constant speed, and the means of the joint's force and couple over a turn must vanish.
    See `sm.trim`. guess: as `settings` has it, which is taken if there is none, at the nearest airspeed that it knows.
    tolerance: of each force by the weight, and of each couple by the weight times a tenth of a metre.
    """
    from samara.analysis import trim as find  # marches: loaded only when it is needed

    nearest = float(np.clip(airspeed, TRIM["airspeed"][0], TRIM["airspeed"][-1]))
    first = settings(nearest, clockwise) | dict(guess or {})
    model = xcell(first, airspeed=airspeed, wind=airspeed, clockwise=clockwise, stations=stations, held=True)
    sizes: dict[Any, float] = {"force": WEIGHT, "couple": 0.1 * WEIGHT}
    targets: dict[Any, float] = {f"hold.{load}.{axis}": 0.0 for load in sizes for axis in "xyz"}
    return find(
        model, {f"trim.{name}": first[name] for name in CONTROLS}, targets, period=TURN, step=TURN / STEPS,
        sizes={name: sizes[name.split(".")[1]] for name in targets}, tolerance=tolerance, settle=1e-7, periods=200,
        outputs=("*",),
    )  # fmt: skip


def found(trimmed: Trim) -> dict[str, float]:
    """What a trim found, as `settings` has it: controls, harmonics of a blade's angles, induced velocity, throttle."""
    from samara.analysis.trim import Harmonic

    results = trimmed.results
    assert results is not None
    values = {name: trimmed.controls[f"trim.{name}"] for name in CONTROLS}
    for name, angle in (("feather", "pitch"), ("flap", "flap"), ("lag", "lag")):
        for part, letter in zip(("mean", "cos", "sin"), "0cs", strict=True):
            wave = Harmonic(f"blade_1.{angle}.angle", part, azimuth="rotor.azimuth")  # type: ignore[arg-type]
            values[f"{name}_{letter}"] = wave(results)
    power = results["rotor.power"].mean() + results["tail.power"].mean()
    return values | {"induced": float(results["rotor.induced"][:, 0].mean()), "throttle": float(power) / POWER}


def tabulate(speeds: tuple[float, ...] = (0.0, 2.5, 5.0, 7.5, 10.0, 12.5, 15.0, 17.5, 20.0)) -> dict[str, list[float]]:
    """Trims for `TRIM`, each from the one before."""
    rows: dict[str, list[float]] = {name: [] for name in TRIM}
    last: dict[str, float] = {}
    for speed in speeds:
        got = trim(speed, last)
        if not got.met:
            raise ModelError(f"xcell: no trim at {speed:g} m/s: {got.message}")
        last = found(got)
        for name in rows:
            plain = name in ("induced", "throttle")
            rows[name].append(speed if name == "airspeed" else last[name] if plain else float(np.degrees(last[name])))
    return rows


XCELL = ReadyModel(
    "xcell",
    build,
    "a radio-controlled helicopter of the X-Cell class in free flight, with thirteen freedoms, two blades and sticks",
    source=(
        "Palacios Uyaguari and Olguin Diaz, Body Decomposition Approach; numbers of an X-Cell 60 after Gavrilets, "
        "partly quoted without a source, the rest are stand-ins"
    ),
    timeline=Timeline(end=5.0, step=FLIGHT_STEP),
    method=Method(formulation="recursive"),
    plot=("fuselage.position", "rotor.thrust", "rotor.speed", "blade_1.flap.angle"),
)
