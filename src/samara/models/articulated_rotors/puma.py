"""Main rotor of the SA 330 Puma in a wind tunnel: articulated, clockwise, rigid or elastic blades."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

import numpy as np

from samara.elements.aero.inflow.inflow import GRADIENTS, Inflow
from samara.elements.aero.surfaces.blade import Planform
from samara.elements.aero.surfaces.station_flow import Unsteady
from samara.elements.aero.surfaces.strip import YAWS
from samara.elements.aero.wind.atmosphere import HIGHEST, LOWEST
from samara.elements.joints.prescribed_motion.prescribed_rate import PrescribedRate
from samara.elements.joints.revolute import Revolute
from samara.method.timeline import Timeline
from samara.model import Expression, Model, ModelError, Motion, Node, Placement
from samara.models.aero_options import ATMOSPHERES, SECTIONS, GustsOption, InflowOption, air_of, inflow_of, one_of
from samara.models.articulated_rotors.lag_damper import KINDS as LAG_DAMPERS
from samara.models.articulated_rotors.puma_blade import (
    CHORD,
    CUTOUT,
    DOWNWASH,
    ENDS,
    FLAP_HINGE,
    LAG_HINGE,
    PITCH_BEARING,
    RADIUS,
    SPEED,
    TIPS,
    Tip,
    blade,
    blade_alone,
    planform,
    table,
    tip_of,
)
from samara.models.articulated_rotors.puma_rotor import BLADES, LINK, SOLIDITY, Rigging, add_rotor
from samara.models.controls import Control, Controllable, control, refuse_jumps
from samara.models.quantity import PITCH
from samara.models.registry import Quantity, ReadyModel, checked
from samara.models.source_count import source_equations

__all__ = [
    "BLADES", "CHORD", "CUTOUT", "DOWNWASH", "ENDS", "FLAP_HINGE", "LAG_HINGE", "LINK", "PITCH_BEARING", "PUMA",
    "RADIUS", "SOLIDITY", "SPEED", "TIPS", "Rigging", "Tip", "add_rotor", "blade", "blade_alone", "build", "equations",
    "planform", "source_equations", "table", "turning",
]  # fmt: skip

TURN = 2 * np.pi / SPEED  # s
ADVANCE, SHAFT_DEG, DENSITY, MACH_90 = 0.321, -6.0, 1.05, 0.837
AIRSPEED = ADVANCE * SPEED * RADIUS / np.cos(np.radians(SHAFT_DEG))  # m/s
SOUND = (1.0 + ADVANCE) * SPEED * RADIUS / MACH_90  # the Mach number is that of the advancing tip [m/s]
#: By the rule of the model file, which counts 0.9 of the tip speed [m/s]: 306, that of air at -40 degrees Celsius.
SOUND_FILE = (0.9 + ADVANCE) * SPEED * RADIUS / MACH_90
CONTROLS_DEG = (13.2, 2.1, -7.15)  # of flight 123: table II of Morandini et al. 2005

STAND_IN = "lengths of pitch links and actuators; rigid controls; inertia of hinge parts"
KINDS = ("rigid", "elastic")
LAGS = ("free", "locked")


@checked("puma")
def build(
    blades: Annotated[str, Quantity("", "rigid or elastic (five three-node beams each)", choices=KINDS)] = "rigid",
    lag: Annotated[str, Quantity("", "free, or locked: without lag hinges and dampers", choices=LAGS)] = "free",
    collective_deg: Annotated[
        Controllable, Quantity("deg", "pitch at the root; in rad also a parameter, collective", **PITCH)
    ] = CONTROLS_DEG[0],
    theta1c_deg: Annotated[
        Controllable, Quantity("deg", "cyclic pitch, cosine of the azimuth; parameter theta1c", **PITCH)
    ] = CONTROLS_DEG[1],
    theta1s_deg: Annotated[
        Controllable, Quantity("deg", "cyclic pitch, sine of the azimuth; parameter theta1s", **PITCH)
    ] = CONTROLS_DEG[2],
    airspeed: Annotated[Controllable, Quantity("m/s", "of the tunnel; also a parameter")] = AIRSPEED,
    shaft_deg: Annotated[float, Quantity("deg", "of the shaft against the wind, aft positive", **PITCH)] = SHAFT_DEG,
    density: Annotated[float, Quantity("kg/m^3", "of the air", positive=True)] = DENSITY,
    sound: Annotated[float, Quantity("m/s", "speed of sound", positive=True)] = SOUND,
    downwash: Annotated[
        str, Quantity("", "that sets the lift: at three-quarter chord, or at the quarter", choices=tuple(DOWNWASH))
    ] = "three-quarter",
    gravity: Annotated[float, Quantity("m/s^2", "acceleration of gravity")] = 9.81,
    points: Annotated[
        int, Quantity("", "aerodynamic stations of a blade, or of each beam; 0: 10, or 4", lower=0.0)
    ] = 0,
    stiffness: Annotated[
        float, Quantity("1", "factor on the stiffness of elastic blades", positive=True, needs=("blades", "elastic"))
    ] = 1.0,
    clockwise: Annotated[bool, Quantity("", "seen from above, as the real one; else its mirror image")] = True,
    yaw: Annotated[str, Quantity("", "what flow along the span does", choices=YAWS)] = "none",
    tip: Annotated[
        str, Quantity("", "of the blades: straight, or swept (its planform is a stand-in)", choices=tuple(TIPS))
    ] = "straight",
    tip_loss: Annotated[
        float, Quantity("1", "part of the radius beyond which there is no lift", True, upper=1.0)
    ] = 1.0,
    inflow: InflowOption = "momentum",
    gradient: Annotated[str, Quantity("", "of momentum and annular inflow", choices=GRADIENTS)] = "uniform",
    unsteady: Annotated[
        str | Unsteady, Quantity("", "sections in unsteady flow", choices=tuple(SECTIONS))
    ] = "quasi-steady",
    speed: Annotated[Controllable, Quantity("rad/s", "of the rotor", lower=0.0)] = SPEED,
    atmosphere: Annotated[
        str, Quantity("", "given: density and sound as they are; standard: of altitude", choices=ATMOSPHERES)
    ] = "given",
    altitude: Annotated[
        float,
        Quantity("m", "of the standard atmosphere", lower=LOWEST, upper=HIGHEST, needs=("atmosphere", "standard")),
    ] = 0.0,
    ground: Annotated[bool, Quantity("", "whether the ground is felt; the shaft must stand upright")] = False,
    height: Annotated[
        float, Quantity("m", "of the hub above the ground", positive=True, needs=("ground", True))
    ] = RADIUS,
    control_stiffness: Annotated[
        float, Quantity("N m/rad", "of a blade's pitch, by its link; 0: rigid", lower=0.0)
    ] = 0.0,
    wind: Annotated[Sequence[Controllable], Quantity("m/s", "added to the stream, along x, y, z of the world")] = (
        0.0,
        0.0,
        0.0,
    ),
    gusts: GustsOption = (),
    lag_damper: Annotated[
        str,
        Quantity(
            "", "linear, or hydraulic with relief valves (a stand-in)", choices=LAG_DAMPERS, needs=("lag", "free")
        ),
    ] = "linear",
) -> Model:
    """Four blades on lag hinge, flap hinge and pitch bearing (in that order from the hub), in flight 123 by default.

    The shaft is along z. The wind blows along +x (aft) and, since the shaft is tilted forward by 6 degrees, down
    through the disk; gravity is tilted accordingly. The azimuth psi of a blade is measured from aft in the sense of
    rotation, and

        pitch = collective + theta1c cos(psi) + theta1s sin(psi)

    at the root (plus the twist), for blades without lag: the swashplate does not respond to the lag angle. The hub
    turns at a prescribed 267.4 rpm, clockwise seen from above; ``clockwise=False`` builds the mirror image, which must
    give the same loads.

    Controls (pitch angles, airspeed, speed) are numbers, parameters, drives or functions of time, see `control`.
    Inputs to the swashplate must be smooth, since its links are rigid. If the speed is not a number, the hub turns on a
    shaft with prescribed rate, starting from its value at t = 0.

    Hinges, horn, damper, speed, chord and blade tables: Bousman et al., NASA TM 110421 (1996), as in the example AS330
    Puma of MBDyn. Flight 123: table II of Morandini et al. 2005 (controls), and var/flight123.set of the example
    (shaft angle, advance ratio, density). That file takes the speed of sound from a Mach number of 0.837 at
    (0.9 + mu) tip speed, 306 m/s (`SOUND_FILE`). With its density that gives a pressure of 70 kPa, but its altitude of
    1550 m has 84 kPa; referred to the tip itself, the Mach number gives 331 m/s and 82 kPa, the default here.

    downwash: the lift of a pitching section depends on the flow at three quarters of its chord (thin aerofoil, steady
    pitch rate), so coning and cyclic pitch contribute: 4 % of the thrust in flight 123. "quarter" omits this, like the
    flap-only code used for comparison.

    tip: see `puma_blade.TIPS`; CT/sigma always uses the straight blade's radius and chord. inflow, unsteady: names,
    or records such as ``PittPeters()``. wind: three numbers, parameters or drives added to the tunnel flow, in world
    axes [m/s]; gusts: records such as `OneMinusCosine`. Both are available from Python only.

    lag_damper: "linear", 7000 N m s/rad; "hydraulic", the same for small motion, limited by relief valves above
    1800 N m: `HydraulicLagDamper`, with stand-in dimensions.

    Stand-ins: pitch links, actuators and the actuators' radius are 1 m (marked FIXME in the example), a rigid control
    system, a radius of gyration of 0.05 m for the two hinge parts of each blade, and the planform of a swept tip.
    """
    return turning(
        planform(downwash=downwash, tip=tip, tip_loss=tip_loss), blades, lag,
        (collective_deg, theta1c_deg, theta1s_deg), airspeed, shaft_deg, density, sound, gravity, points, stiffness,
        clockwise, yaw, tip=tip, inflow=inflow_of("puma", inflow, gradient), unsteady=unsteady, speed=speed,
        atmosphere=atmosphere, altitude=altitude, height=height if ground else None, wind=wind, gusts=gusts,
        control_stiffness=control_stiffness, lag_damper=lag_damper,
    )  # fmt: skip


def turning(
    surface: Planform,
    blades: str = "rigid",
    lag: str = "free",
    controls_deg: tuple[Controllable, Controllable, Controllable] = CONTROLS_DEG,
    airspeed: Controllable = AIRSPEED,
    shaft_deg: float = SHAFT_DEG,
    density: float = DENSITY,
    sound: float = SOUND,
    gravity: float = 9.81,
    points: int = 0,
    stiffness: float = 1.0,
    clockwise: bool = True,
    yaw: str = "none",
    *,
    tip: str = "straight",
    inflow: Inflow | None = None,
    unsteady: str | Unsteady = "quasi-steady",
    speed: Controllable = SPEED,
    atmosphere: str = "given",
    altitude: float = 0.0,
    height: float | None = None,
    wind: Any = (0.0, 0.0, 0.0),
    gusts: Any = (),
    control_stiffness: float = 0.0,
    actuators: dict | None = None,
    lag_damper: str = "linear",
) -> Model:
    """The rotor with blades of any planform and aerofoil; height: of the hub above ground, None: no ground effect.

    actuators: further arguments of `add_swashplate`, such as a function that adds actuators other than rigid links.
    The other arguments are those of `build`.
    """
    for what, word, known in (("blades", blades, KINDS), ("lag", lag, LAGS)):
        one_of(f"puma: {what}", word, known)
    _refuse(control_stiffness, atmosphere, (density, sound), height, shaft_deg)
    lean, sense = np.radians(shaft_deg), -1 if clockwise else 1
    model = Model(
        "puma",
        gravity=(gravity * np.sin(lean), 0.0, -gravity * np.cos(lean)),
        stand_in=STAND_IN + ("; planform of the swept tip" if tip_of(tip).sweep else ""),
    )
    hub, at_start = _add_hub(model, sense, speed)
    controls = _controls(controls_deg)
    stream = control("airspeed", airspeed, "m/s").drive
    blown = _added((np.cos(lean) * stream, 0.0, np.sin(lean) * stream), wind)
    add_rotor(
        model, mast=model.ground, hub=hub, air=air_of("puma", atmosphere, altitude, density, sound, blown, gusts),
        controls=tuple(found.drive for found in controls), start=[found.start for found in controls], sense=sense,
        surface=surface, blades=blades, lag=lag, points=points, stiffness=stiffness, yaw=yaw, inflow=inflow,
        tip=tip, unsteady=unsteady, speed=at_start, ground=None if height is None else -height,
        control_stiffness=control_stiffness, actuators=actuators, lag_damper=lag_damper,
    )  # fmt: skip
    return model


def _refuse(
    control_stiffness: float, atmosphere: str, air: tuple[float, float], height: float | None, shaft_deg: float
) -> None:
    """Rejects incompatible arguments before anything is added; air: density and speed of sound."""
    if control_stiffness < 0.0:
        raise ModelError(f"puma: control_stiffness must not be negative, got {control_stiffness:g} N m/rad")
    if atmosphere == "standard" and air != (DENSITY, SOUND):
        raise ModelError(
            "puma: density and sound are those of the altitude when atmosphere is 'standard': leave them out"
        )
    if height is not None and shaft_deg:
        raise ModelError(f"puma: the ground is level with the disk: give shaft_deg=0 with it, got {shaft_deg:g} deg")


def _controls(controls_deg: Sequence[Controllable]) -> list[Control]:
    """Collective and cyclic pitch from degrees; jumps are rejected because the links are rigid."""
    names = ("collective", "theta1c", "theta1s")
    controls = [control(name, value, given="deg") for name, value in zip(names, controls_deg, strict=True)]
    for name, found in zip(names, controls, strict=True):
        refuse_jumps(f"{name}_deg", found.drive, "the links of the swashplate are rigid")
    return controls


def _add_hub(model: Model, sense: int, speed: Controllable) -> tuple[Node, float]:
    """The hub and its initial speed [rad/s]: prescribed motion for a number, otherwise a prescribed rate."""
    if isinstance(speed, (int, float)):
        _refuse_backwards(float(speed))
        spin = sense * float(speed)
        return model.prescribed("hub", Motion(rotation=(0, 0, Expression(lambda t: spin * t)))), float(speed)
    told = control("speed", speed, "rad/s")
    refuse_jumps("speed", told.drive, "the hub is led by it")
    _refuse_backwards(told.start)
    hub = model.node("hub", static=True, angular_velocity=(0.0, 0.0, sense * told.start))
    frames: dict[str, Any] = {"place_a": Placement(), "place_b": Placement()}
    model.add("shaft", Revolute(model.ground, hub, **frames))
    model.add("engine", PrescribedRate(model.ground, hub, rate=float(sense) * told.drive, **frames))
    return hub, told.start


def _refuse_backwards(speed: float) -> None:
    if speed < 0.0:
        raise ModelError(f"puma: speed must not be negative, got {speed:g} rad/s: clockwise=False turns it round")


def _added(stream: tuple, wind: Any) -> tuple:
    """The tunnel flow plus the wind, if there is one."""
    try:
        x, y, z = wind
    except (TypeError, ValueError):
        raise ModelError(f"puma: wind must be three numbers, parameters or drives [m/s], got {wind!r}") from None
    more = [
        0.0 if isinstance(w, (int, float)) and w == 0.0 else control(f"wind_{axis}", w, "m/s").drive
        for axis, w in zip("xyz", (x, y, z), strict=True)
    ]
    return tuple(a if isinstance(b, float) else b + a for a, b in zip(stream, more, strict=True))


def equations(model: Model) -> dict[str, int]:
    """Number of equations solved per step, counted as in the source and as in Samara.

    source: by the rules of `samara.models.source_count`: 283 with rigid blades, the number of Morandini et al. 2005;
    763 with elastic ones.
    samara: 6 per free node, one per constraint, nine states of the rotor. The hub has none.
    """
    from samara.system import System  # compiles: loaded only when it is needed

    return {"source": source_equations(model), "samara": System(model).unknowns.size}


PUMA = ReadyModel(
    "puma",
    build,
    "main rotor of the SA 330 Puma in a wind tunnel: flight 123",
    source=(
        "Bousman et al., NASA TM 110421, 1996, as in MBDyn's example AS330 Puma; Morandini et al. 2005, table II "
        "(lengths of links and actuators, and the planform of the swept tip, are stand-ins)"
    ),
    timeline=Timeline(end=3.0, step=2.5e-3),
    plot=("rotor.thrust", "blade_1.flap.angle", "blade_1.lag.angle", "blade_1.pitch.angle"),
)
