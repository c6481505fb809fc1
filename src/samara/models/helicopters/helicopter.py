"""A conventional helicopter of the Puma's size, free in space: main rotor, fuselage, tail rotor, autopilot."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np

from samara.arguments import finite
from samara.elements.aero.inflow.inflow import Inflow
from samara.elements.aero.inflow.wakes import RotorWake
from samara.elements.aero.rotors.rotor import Rotor
from samara.elements.aero.surfaces.body_coefficients import BodyCoefficients
from samara.elements.aero.wind.air import Air
from samara.elements.aero.wind.atmosphere import HIGHEST, LOWEST
from samara.method.timeline import Timeline
from samara.model import ArgumentError, Drive, Model, ModelError, Node, Parameter, Placement, State, as_drive
from samara.models.aero_options import GustsOption, InflowOption, inflow_of, one_of
from samara.models.articulated_rotors import puma, tail_rotor
from samara.models.articulated_rotors.lag_damper import KINDS as LAG_DAMPERS
from samara.models.controls import Control, Controllable, control
from samara.models.ground.deck import KINDS as DECKS
from samara.models.ground.deck import Deck, deck_of
from samara.models.ground.landing_gear import KINDS as GEARS
from samara.models.ground.landing_gear import STAND_IN as GEAR_STAND_IN
from samara.models.ground.landing_gear import LandingGear, gear_of
from samara.models.helicopters.helicopter_drive import KINDS as ENGINES
from samara.models.helicopters.helicopter_drive import NEVER, PARTS, Turboshaft, add_drive_train
from samara.models.helicopters.helicopter_drive import STAND_IN as DRIVE_STAND_IN
from samara.models.helicopters.helicopter_parts import (
    CALM,
    FORWARD,
    FUSELAGES,
    GAINS,
    HUB,
    MASS,
    TAIL,
    USUAL,
    Loading,
    Surroundings,
    add_autopilot,
    add_fuselage,
    add_shaft,
    hold,
    hold_turning,
)
from samara.models.helicopters.helicopter_parts import body as body
from samara.models.quantity import AROUND, PITCH
from samara.models.registry import Quantity, ReadyModel, checked
from samara.models.source_count import source_equations
from samara.rotations import euler_from_rotation, rotation_from_euler, rotation_y

if TYPE_CHECKING:
    from samara.analysis import Trim

SHAFT = np.deg2rad(5.0)  # forward tilt of the shaft, as in Padfield's table
ACTUATOR, ACTUATOR_DAMPING = 1e7, 1e4  # of the swashplate's actuators, stand-ins [N/m, N s/m]
GRAVITY = 9.81
WEIGHT = MASS * GRAVITY
RELEASE = 2.0  # when the machine is let go [s]
#: After these five turns both rotors are where they were; the step that divides it is the 2.5 ms of 400 Hz, nearly.
PERIOD = 5 * puma.TURN
STEP = puma.TURN / 90
CONTROLS = ("collective", "theta1c", "theta1s", "pedal", "pitch", "roll")
ATTITUDE = ("heading", "pitch", "roll")
#: Trims that `trim` found [deg], where it starts from; the first column is hover, where `build` starts.
GUESS = {
    "airspeed": (0.0, 10.0, 20.0, 40.0, 60.0, 70.0, 80.0),
    "collective": (11.97, 11.21, 10.13, 9.88, 11.67, 13.34, 15.69),
    "theta1c": (0.35, 0.57, 0.73, 1.00, 1.89, 2.77, 4.24),
    "theta1s": (2.65, 1.68, 0.25, -0.47, -2.93, -5.01, -7.66),
    "pedal": (8.38, 6.82, 4.23, 2.84, 3.57, 4.54, 6.16),
    "pitch": (2.26, 2.31, 2.93, 0.39, -1.78, -2.66, -3.43),
    "roll": (2.71, 2.34, 1.80, 1.48, 2.04, 2.68, 3.65),
}
HOVER = tuple(GUESS[name][0] for name in CONTROLS)
STAND_IN = (
    "fuselage drag, tail surfaces' shapes, tail blades but for their number and size, control system and autopilot are "
    "made up; masses and inertias are Padfield's of the SA 330, quoted and not checked against print"
)


@checked("helicopter")
def build(
    airspeed: Annotated[float, Quantity("m/s", "speed of flight through the air")] = 0.0,
    collective_deg: Annotated[
        Controllable, Quantity("deg", "pitch at the blades' root; parameter collective", **PITCH)
    ] = HOVER[0],
    theta1c_deg: Annotated[
        Controllable, Quantity("deg", "cyclic pitch, cosine of the azimuth; parameter theta1c", **PITCH)
    ] = HOVER[1],
    theta1s_deg: Annotated[
        Controllable, Quantity("deg", "cyclic pitch, sine of the azimuth; parameter theta1s", **PITCH)
    ] = HOVER[2],
    pedal_deg: Annotated[Controllable, Quantity("deg", "pitch of the tail rotor; parameter pedal", **PITCH)] = HOVER[3],
    pitch_deg: Annotated[Controllable, Quantity("deg", "attitude, nose up; parameter pitch", **AROUND)] = HOVER[4],
    roll_deg: Annotated[Controllable, Quantity("deg", "attitude, right side down; parameter roll", **AROUND)] = HOVER[
        5
    ],
    release: Annotated[
        float, Quantity("s", "when the fuselage is free; until then blades and wakes settle", lower=0.0)
    ] = RELEASE,
    blades: Annotated[str, Quantity("", "of the main rotor", choices=puma.KINDS)] = "rigid",
    augmented: Annotated[bool, Quantity("", "whether the autopilot is on")] = True,
    clockwise: Annotated[bool, Quantity("", "main rotor seen from above, as the Puma's; else the mirror image")] = True,
    wind: Annotated[
        Controllable | Sequence[Controllable],
        Quantity("m/s", "head wind, or three along x, y, z: 5,1,0; parameters wind, wind_y, wind_z"),
    ] = 0.0,
    gear: Annotated[str, Quantity("", "landing gear, a stand-in", choices=GEARS)] = "none",
    deck: Annotated[str, Quantity("", "what is below it", choices=DECKS)] = "none",
    clearance: Annotated[
        float, Quantity("m", "of its gear above the deck at the start", True, needs=("deck", "ground", "ship"))
    ] = 3.0,
    climb_deg: Annotated[float, Quantity("deg", "angle of the flight path, up", **PITCH)] = 0.0,
    sideslip_deg: Annotated[float, Quantity("deg", "air from the right", **AROUND)] = 0.0,
    altitude: Annotated[
        float, Quantity("m", "of the standard atmosphere at z = 0 of the world", lower=LOWEST, upper=HIGHEST)
    ] = 0.0,
    offset: Annotated[
        float, Quantity("K", "by which the day is warmer than the standard one", lower=-100.0, upper=100.0)
    ] = 0.0,
    stratified: Annotated[bool, Quantity("", "whether the density follows the height")] = False,
    ground: Annotated[bool, Quantity("", "whether the main rotor feels the ground; see height")] = False,
    height: Annotated[
        float, Quantity("m", "of the centre of mass over that ground at the start", True, needs=("ground", True))
    ] = 5.0,
    mass: Annotated[float, Quantity("kg", "of the whole machine", True)] = MASS,
    com_aft: Annotated[float, Quantity("m", "by which the centre of mass is further aft")] = 0.0,
    com_right: Annotated[float, Quantity("m", "by which it is further to the right")] = 0.0,
    com_up: Annotated[float, Quantity("m", "by which it is higher")] = 0.0,
    fuselage: Annotated[
        str | BodyCoefficients, Quantity("", "loads of the air on it; stand-ins", choices=FUSELAGES)
    ] = "plates",
    interference: Annotated[bool, Quantity("", "whether the main rotor's wake blows on the tail")] = True,
    inflow: InflowOption = "momentum",
    tail_inflow: InflowOption = "momentum",
    gusts: GustsOption = (),
    engine: Annotated[str, Quantity("", "what turns the rotors; the turboshaft is a stand-in", choices=ENGINES)] = (
        "prescribed"
    ),
    failure: Annotated[
        float, Quantity("s", "when the flame of the engine goes out", lower=0.0, needs=("engine", "turboshaft"))
    ] = NEVER,
    lag_damper: Annotated[
        str, Quantity("", "of the main rotor: linear, or hydraulic (a stand-in)", choices=LAG_DAMPERS)
    ] = "linear",
) -> Model:
    """A helicopter of the Puma's size in free flight, in trimmed hover by default.

        fuselage -shaft- main hub: swashplate, four blades with lag, flap and pitch hinges (`puma.add_rotor`)
                 -shaft- tail hub: five blades with skewed flap hinges and pitch bearings (`add_tail_rotor`)
                 drag in the wake of the main rotor, tailplane, fin, autopilot

    The fuselage's node is at the centre of mass of the whole machine, with axes aft, to the right, up. Both shafts turn
    at constant speeds relative to the fuselage, which takes their torques. Each rotor has its own airloads and its own
    inflow, uniform by momentum theory unless another `Inflow` is given. The wake of the main rotor acts on the
    fuselage, tailplane, fin and tail rotor (`RotorWake`; ``interference=False`` excludes the tail).

    Controls, attitude and wind are numbers, which become parameters, or a `Parameter`, a drive or a function of time:
    ``collective_deg=Cosine(1.0, 0.5, start=3.0, initial=12.0)``. The initial attitude is that at
    t = 0; afterwards these are the autopilot's targets.

    It flies towards -x, through still air unless there is a `wind`: in a headwind equal to `airspeed` it hovers over
    the ground. The two cases agree to rounding error (`samara.solve.redundant.carrier`). With the angles of climb and
    sideslip its velocity through the air is V (-cos(climb) cos(slip), cos(climb) sin(slip), sin(climb)).
    Attitude is given by the Euler angles of `AttitudeRegulator`, from axes forward, right, down: first heading (zero at
    the start), then pitch, then roll; in axes aft, right, up R = Rz(-heading) Ry(pitch) Rx(-roll).

    Until `release` a very stiff damper holds the fuselage to a node "track" that flies along, while blades and wakes
    settle; it fades out over the last half second. With the controls and attitude of `trim`, as in
    ``build(airspeed=V, **arguments(trim(V)))``, the machine then stays on its track. Zero: it is free from the start,
    with straight blades.

    Autopilot: three regulators hold roll, pitch and heading by adding to theta1c, theta1s and the tail rotor's pitch

        proportional (target - angle) - derivative rate,     8 degrees at most

    Targets are the parameters pitch, roll and heading. Height and speed are not controlled. The swashplate's actuators
    and the pitch links of the tail blades are elastic, since rigid ones could not follow a state.

    fuselage: "plates", drag of flat plates; "slender", with Munk's moment as well; "tables", the same as tables; or
    coefficients referred to 10 m^2 and 10 m: see `helicopter_parts.coefficients`. mass, com: see `Loading`.

    Numbers. Main rotor: see `samara.models.articulated_rotors.puma`. Mass 5805 kg, inertias, positions of the hubs,
    tilt of the shaft, 5 tail blades of 1.56 m, solidity 0.19, delta-3 of 45 degrees, gearing 4.82 (24/5 here, see
    `tail_rotor.GEAR`), areas, arm and setting of tailplane and fin: the SA 330 of G. D. Padfield, Helicopter Flight
    Dynamics, 2nd edition, 2007, appendix 4B, quoted and not checked against print. The rotors' masses are subtracted as
    points at their hubs. Stand-ins: flat-plate areas of the fuselage (2.4, 15, 10 m^2), its shape and
    1.4 times the induced velocity on it (3 % download), heights and spans of the tail surfaces (on the centre line,
    slope by lifting-line theory), tail blades except for the above, control stiffness, gains of the autopilot,
    sense of the tail rotor (lower blade forward), the landing gear (`samara.models.ground.landing_gear`), whose mass is
    subtracted from the fuselage. engine: "prescribed", constant speeds; "turboshaft", speeds are free, and a turboshaft
    engine with its governor drives both rotors through a freewheel and gears
    (`samara.models.helicopters.helicopter_drive`, stand-ins), until it flames out at `failure`. The ready model
    landing has the same machine in descent, with more options.
    """
    given = (collective_deg, theta1c_deg, theta1s_deg, pedal_deg, pitch_deg, roll_deg)
    settings = dict(zip(CONTROLS, given, strict=True))
    legs = gear_of(gear)
    return helicopter(
        settings, airspeed=airspeed, release=release, blades=blades, augmented=augmented, clockwise=clockwise,
        gear=legs, deck=deck_of(deck, None if legs is None else legs.low, clearance), climb=np.radians(climb_deg),
        sideslip=np.radians(sideslip_deg), fuselage=fuselage, interference=interference,
        inflow=inflow, tail_inflow=tail_inflow,
        surroundings=Surroundings(altitude, offset, stratified, wind, gusts, -height if ground else None),
        loading=Loading(mass, (com_aft, com_right, com_up)),
        engine=Turboshaft(failure) if engine == "turboshaft" else None, lag_damper=lag_damper,
    )  # fmt: skip


def held(controls_deg: Mapping[str, Any], **options: Any) -> Model:
    """The helicopter held in a wind by a joint, whose loads "hold.force" and "hold.couple" are the trim residuals.

    Both are in the fuselage's axes, whose attitude follows the parameters pitch and roll. controls_deg: in degrees, as
    in `helicopter`; those of a `Trim` are in radians: ``held(degrees(found.controls), airspeed=V)``. options: as there,
    except the wind, which follows from airspeed, climb and sideslip (parameters wind, wind_y, wind_z).
    """
    path = (options.get(name, 0.0) for name in ("airspeed", "climb", "sideslip"))
    still: Surroundings = options.pop("surroundings", CALM)
    around = replace(still, wind=tuple(-through_air(*path)))
    return helicopter(controls_deg, release=np.inf, surroundings=around, **options)


def through_air(airspeed: float, climb: float = 0.0, sideslip: float = 0.0) -> np.ndarray:
    """Velocity through the air in world axes [m/s], from its magnitude and angles [rad]; the nose points to -x."""
    airspeed = finite("helicopter: airspeed [m/s]", airspeed)
    for name, angle, most in (("climb", climb, np.pi / 2), ("sideslip", sideslip, np.pi)):
        if abs(finite(f"helicopter: {name} [rad]", angle)) > most:
            raise ArgumentError(
                f"helicopter: {name} is an angle in radians, at most {most:.4g}, got {angle!r}: degrees are given as "
                f"{name}_deg"
            )
    cosine = np.cos(climb)
    return airspeed * np.array([-cosine * np.cos(sideslip), cosine * np.sin(sideslip), np.sin(climb)]) + 0.0


def helicopter(
    controls_deg: Mapping[str, Any],
    *,
    airspeed: float = 0.0,
    climb: float = 0.0,
    sideslip: float = 0.0,
    wind: Any = 0.0,
    release: float = RELEASE,
    blades: str = "rigid",
    augmented: bool = True,
    clockwise: bool = True,
    commands: Mapping[str, Any] | None = None,
    gear: LandingGear | None = None,
    deck: Deck | None = None,
    fuselage: str | BodyCoefficients = "plates",
    interference: bool = True,
    inflow: str | Inflow = "momentum",
    tail_inflow: str | Inflow = "momentum",
    surroundings: Surroundings | None = None,
    loading: Loading = USUAL,
    turned: Sequence[Drive] | None = None,
    engine: Turboshaft | None = None,
    lag_damper: str = "linear",
    name: str = "helicopter",
) -> Model:
    """The helicopter of `build` with other arguments.

    controls_deg: controls and attitude, {name of `CONTROLS`: degrees}, numbers or what `control` takes; see `degrees`.
    climb, sideslip: angles of the flight path [rad].
    commands: drives that are added: to "collective", "theta1c", "theta1s" (the pilot's stick), or to the autopilot's
              targets "roll", "pitch", "heading" [rad].
    gear, deck: landing gear and landing surface. interference: whether the main rotor's wake acts on the tail.
    surroundings: the air and the ground; wind: shorthand for their wind.
    turned: a rotation vector in the fuselage's axes, three drives [rad]: a joint holds the fuselage in this attitude.
    engine: drives the rotors, whose speeds are then free; None: they turn at constant speeds.
    lag_damper: of the main rotor, see `puma.build`.
    name: of the model.
    """
    sense, told = (-1 if clockwise else 1), _commands(commands or {})
    one_of("helicopter: blades", blades, puma.KINDS)
    model = Model(name, gravity=(0.0, 0.0, -GRAVITY), stand_in=_made_up(gear, engine))
    given = _controls(controls_deg)
    start = {name: one.start for name, one in given.items()}
    values = {name: one.drive for name, one in given.items()}
    sums = {name: drive + told[name] if name in told else drive for name, drive in values.items()}
    around = surroundings or Surroundings(wind=wind)
    winds = around.winds()
    velocity = through_air(airspeed, climb, sideslip) + [w.start for w in winds]
    node = model.node("fuselage", rotation=_attitude(start), velocity=velocity)
    if turned is None:
        hold(model, node, values, start["heading"], release)
    else:
        hold_turning(model, node, turned)
    air = around.air(winds)
    added = add_autopilot(model, node, sums, sense, augmented)
    rotor = _add_main_rotor(
        model, node, air, added, controls=tuple(sums[n] for n in CONTROLS[:3]), start=[start[n] for n in CONTROLS[:3]],
        sense=sense, blades=blades, inflow=inflow_of("helicopter", inflow), ground=around.ground,
        prescribed=engine is None, lag_damper=lag_damper,
    )  # fmt: skip
    wakes = (RotorWake(rotor),) if interference else ()
    tail_hub = _add_tail_rotor(
        model, node, air, sense=sense, prescribed=engine is None, pedal=values["pedal"], added=added["heading"],
        start=start["pedal"], inflow=inflow_of("helicopter", tail_inflow), wakes=wakes,
    )  # fmt: skip
    add_fuselage(model, node, air, rotor, gear, loading, fuselage, wakes, () if engine is None else PARTS)
    if engine is not None:
        add_drive_train(
            model, node, rotor.hub, tail_hub, sense=sense, engine=engine, collective=sums["collective"],
            start=start["collective"], airspeed=airspeed,
        )  # fmt: skip
    if gear is not None:
        gear.add(model, node, deck)
    return model


def _made_up(gear: LandingGear | None, engine: Turboshaft | None) -> str:
    """Stand-in data of the machine."""
    more = ((gear, GEAR_STAND_IN), (engine, DRIVE_STAND_IN))
    return "; ".join([STAND_IN, *(words for part, words in more if part is not None)])


def _attitude(start: Mapping[str, float]) -> np.ndarray:
    """Axes of the fuselage, aft, right, up, from the angles at the start [rad]."""
    return FORWARD.rotation @ rotation_from_euler("ZYX", [start[n] for n in ATTITUDE]) @ FORWARD.rotation


def _commands(commands: Mapping[str, Any]) -> dict[str, Drive]:
    """Drives added to controls and targets, by name."""
    known = (*CONTROLS[:3], *GAINS)
    for command in commands:
        if command not in known:
            raise ModelError(f"helicopter: no command is called {command!r}; there are {', '.join(known)}")
    return {name: as_drive(value) for name, value in commands.items()}


def _add_main_rotor(
    model: Model, fuselage: Node, air: Air, added: Mapping[str, State], *, sense: int, prescribed: bool, **options: Any
) -> Rotor:
    """Main rotor on its shaft, with elastic actuators that the autopilot adds to; options: of `puma.add_rotor`."""
    shaft = fuselage.place @ Placement(HUB, rotation_y(-SHAFT))
    hub = add_shaft(model, "main.", fuselage, shaft, sense * puma.SPEED, prescribed)
    # the swashplate's azimuth counts about z, that of theta1c in the sense of rotation
    servos = ((added["roll"], (0.0, sense, 0.0)), (added["pitch"], (0.0, 0.0, 1.0)))
    actuators = {"stiffness": ACTUATOR, "damping": ACTUATOR_DAMPING, "servos": servos}
    return puma.add_rotor(
        model, "main.", mast=fuselage, hub=hub, place=shaft, air=air, sense=sense, induced=10.0, actuators=actuators,
        **options,
    )  # fmt: skip


def _add_tail_rotor(model: Model, fuselage: Node, air: Air, *, sense: int, prescribed: bool, **options: Any) -> Node:
    """Tail rotor on its shaft, facing sideways; returns its hub. options: of `tail_rotor.add_tail_rotor`."""
    side = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, sense], [0.0, -sense, 0.0]])  # x aft, z to port if clockwise
    place = fuselage.place @ Placement(TAIL, side)
    hub = add_shaft(model, "tail.", fuselage, place, sense * tail_rotor.SPEED, prescribed)
    tail_rotor.add_tail_rotor(model, "tail.", mast=fuselage, hub=hub, place=place, air=air, sense=sense, **options)
    return hub


def _controls(settings: Mapping[str, Any]) -> dict[str, Control]:
    """Controls and attitude, heading included, from degrees."""
    if missing := [name for name in CONTROLS if name not in settings]:
        raise ModelError(f"helicopter: controls_deg lacks {', '.join(missing)}: give all of {', '.join(CONTROLS)}")
    if unknown := [name for name in settings if name not in CONTROLS]:
        raise ModelError(f"helicopter: controls_deg has no {unknown[0]!r}: there are {', '.join(CONTROLS)}, in degrees")
    found = {name: control(name, settings[name], "rad", given="deg") for name in CONTROLS}
    turned = rotation_from_euler("ZYX", (0.0, found["pitch"].start, found["roll"].start))
    # past straight up or down the same attitude is that of a machine that looks back
    angles = dict(zip(ATTITUDE, map(float, euler_from_rotation("ZYX", turned)), strict=True))
    for name, angle in angles.items():
        plain = name == "heading" or (
            not isinstance(settings[name], (Drive, Parameter)) and not callable(settings[name])
        )
        if plain:
            found[name] = control(name, angle, "rad")
        elif abs(angle - found[name].start) > 1e-9:
            raise ModelError(f"helicopter: {name}_deg must be a number where it starts past straight up or down")
    return found


def trim(airspeed: float = 0.0, guess: Mapping[str, float] | None = None, **options: Any) -> Trim:
    """Controls and attitude for steady flight at an airspeed [m/s]; options of `build`: see `helicopter_trim.trim`."""
    from samara.models.helicopters import helicopter_trim  # marches: loaded only when it is needed

    return helicopter_trim.trim(airspeed, guess, **options)


def degrees(controls: Mapping[str, float]) -> dict[str, float]:
    """Controls and attitude in degrees, as `helicopter` and `held` take them, from those of a trim [rad]."""
    return {name: float(np.degrees(controls[name])) for name in CONTROLS}


def arguments(found: Trim) -> dict[str, float]:
    """The result of a trim, as arguments of `build`."""
    return {f"{name}_deg": value for name, value in degrees(found.controls).items()}


def equations(model: Model) -> dict[str, int]:
    """Number of equations solved per step, counted as in the Puma's source and as in Samara.

    source: by the rules of `samara.models.source_count`. No ground is needed.
    samara: 6 per node, one per constraint, nine states per rotor, three per regulator.
    """
    from samara.system import System  # compiles: loaded only when it is needed

    return {"source": source_equations(model), "samara": System(model).unknowns.size}


HELICOPTER = ReadyModel(
    "helicopter",
    build,
    "a conventional helicopter of the Puma's size in free flight, with a full tail rotor and an autopilot",
    source=(
        "main rotor as in the ready model puma; mass, inertia and tail rotor: Padfield, Helicopter Flight Dynamics, "
        "2007, the SA 330 of appendix 4B (quoted, not checked against print); the rest are stand-ins"
    ),
    timeline=Timeline(end=12.0, step=2.5e-3),
    plot=("fuselage.position", "autopilot.roll.measured", "autopilot.pitch.measured", "main.rotor.thrust"),
)
