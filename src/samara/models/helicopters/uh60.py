"""The UH-60A in free flight, from published data."""

from __future__ import annotations

from importlib import resources
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np

from samara.elements.aero.aerofoils.tabulated import TabulatedAerofoil, extended
from samara.elements.aero.surfaces.blade import Planform
from samara.elements.aero.surfaces.body_coefficients import CoefficientTables, QuadraticCoefficients
from samara.method.timeline import Timeline
from samara.model import Model
from samara.models import parts
from samara.models.aero_options import InflowOption, inflow_of
from samara.models.helicopters.conventional import MIX, STICKS, Conventional, Hull, TailSurface
from samara.models.registry import Quantity, ReadyModel, checked
from samara.tracing import Surface

if TYPE_CHECKING:
    from samara.analysis import Trim

STAND_IN = (
    "pitch bearings, control stiffness, flap hinge and sense of the tail rotor, stabilator angle over the airspeed and "
    "the autopilot are made up; SC1095 without moment all along the blades, no lag hinges, no tip sweep"
)
INCH, FOOT, POUND, SLUG_FT2 = 0.0254, 0.3048, 0.45359237, 1.3558179
CENTRE = np.array([360.4, 0.0, 247.2]) * INCH  # station, buttline, waterline of the centre of mass [m]


def _at(station: float, waterline: float, buttline: float = 0.0) -> tuple[float, ...]:
    """Position aft, right, up of the centre of mass [m], from inches."""
    return tuple(map(float, np.array([station, buttline, waterline]) * INCH - CENTRE))


def _read(name: str) -> np.ndarray:
    """Rows of a table: comments, a head, a row a point."""
    text = (resources.files("samara.models") / "data" / "uh60" / f"{name}.csv").read_text("utf-8")
    rows = [line.split(",") for line in text.splitlines() if line and not line.startswith("#")]
    return np.array(rows[1:], float)


def sc1095() -> TabulatedAerofoil:
    """The SC1095: lift and drag over Mach number within 32 degrees, the low-speed table outside; no moment."""
    around, known = _read("sc1095"), (_read("sc1095_cl"), _read("sc1095_cd"))
    mach, outside = np.linspace(0.0, 1.0, 11), np.abs(around[:, 0]) > known[0][-1, 0]
    far = around[outside]
    found = []
    for k, near in enumerate(known):
        z = np.vstack([np.repeat(far[:, k + 1, None], 11, axis=1), near[:, 1:]])
        alpha = np.concatenate([far[:, 0], near[:, 0]])
        order = np.argsort(alpha)
        found.append(Surface(np.radians(alpha[order]), mach, z[order]))
    none = Surface((-np.pi, np.pi), (0.0, 1.0), np.zeros((2, 2)))
    return TabulatedAerofoil(cl=found[0], cd=found[1], cm=none)


def _tail_section(name: str) -> TabulatedAerofoil:
    """Section of a tail surface, from drag and lift within 90 degrees; a flat plate beyond."""
    alpha, cd, cl = _read(name).T
    surfaces = (Surface(np.radians(alpha), (0.0, 1.0), np.column_stack([c, c])) for c in (cl, cd, 0.0 * cl))
    return extended(*surfaces)


def hull_coefficients() -> CoefficientTables:
    """Fuselage coefficients, by one square foot and one foot: tables within 75 degrees of incidence and 60 of sideslip.

    Lift, drag and pitching moment over incidence; side force, rolling and yawing moment and additional drag over
    yaw. Outside the tables, flat plates of 150, 240 and 170 square feet (of which 150 and 170 are the tables' at 90
    degrees), without moments.
    """
    up, yaw = _read("fuselage_incidence"), _read("fuselage_yaw")
    alpha, beta = up[np.abs(up[:, 0]) < 75.0, 0], -yaw[np.abs(yaw[:, 0]) < 65.0, 0][::-1]
    D, L, M = (np.interp(alpha, up[:, 0], up[:, k])[:, None] for k in (1, 2, 3))
    Y, R, N, more = (np.interp(-beta, yaw[:, 0], yaw[:, k])[None, :] for k in (1, 2, 3, 4))
    a, b = np.meshgrid(np.radians(alpha), np.radians(beta), indexing="ij")
    drag = D + more
    values = np.stack([
        -drag * np.cos(a) * np.cos(b) - Y * np.cos(a) * np.sin(b) + L * np.sin(a),
        -drag * np.sin(b) + Y * np.cos(b) + 0.0 * a,
        -drag * np.sin(a) * np.cos(b) - Y * np.sin(a) * np.sin(b) - L * np.cos(a),
        R + 0.0 * a, M + 0.0 * b, N + 0.0 * a,
    ], axis=-1)  # fmt: skip
    plates = QuadraticCoefficients.slender((23.6, 170.0, 150.0), 0.0, 1.0, 1.0)
    return CoefficientTables.extended(np.radians(alpha), np.radians(beta), values, plates)


RADIUS, CHORD, SPEED = 26.83 * FOOT, 1.73 * FOOT, 27.0  # m, m, rad/s
HINGE = 0.04659 * RADIUS
CUTOUT = HINGE + 1.17  # where the spar ends [m]
BLADE_MASS, BLADE_MOMENT, BLADE_INERTIA = 116.53, 385.66, 2050.81  # kg, kg m, kg m^2, the last two about the hinge
_OUT = BLADE_MOMENT / BLADE_MASS
_THIN, _SLENDER = BLADE_MASS * (0.25 * CHORD) ** 2, BLADE_INERTIA - BLADE_MOMENT * _OUT
SECTION = sc1095()
_TWIST = _read("twist")
_STATIONS = np.array([CUTOUT, *(_TWIST[_TWIST[:, 0] > CUTOUT / RADIUS, 0] * RADIUS)])
SURFACE = Planform(
    station=_STATIONS, chord=CHORD, aerofoil=SECTION, tip_loss=0.97,
    twist=np.radians(np.interp(_STATIONS / RADIUS, _TWIST[:, 0], _TWIST[:, 1])),
)  # fmt: skip
BLADE = parts.Blade(
    RADIUS, parts.MassProperties(BLADE_MASS, (HINGE + _OUT, 0.0, 0.0), (_THIN, _SLENDER, _SLENDER + _THIN)),
    surface=SURFACE,
)  # fmt: skip
MAIN = parts.ArticulatedRotor(
    BLADE, parts.Shaft(SPEED), 4, induced=11.0,
    hinges=parts.Hinges(flap=parts.BladeHinge(HINGE), pitch=parts.BladeHinge(HINGE)),
)  # fmt: skip
TAIL_RADIUS, TAIL_GEAR = 5.5 * FOOT, 23.0 / 5.0
TAIL_CHORD = 0.1875 * np.pi * TAIL_RADIUS / 4
TAIL_HINGE, TAIL_CUTOUT = 0.05, 0.30  # m
#: Flap inertia by the Lock number of 3.378: rho a c R^4 / number [kg m^2]; a uniform blade's mass with it [kg].
TAIL_INERTIA = 1.225 * 5.73 * TAIL_CHORD * TAIL_RADIUS**4 / 3.3783
TAIL_MASS = 3.0 * TAIL_INERTIA / (TAIL_RADIUS - TAIL_HINGE) ** 2
TAIL = parts.ArticulatedRotor(
    parts.Blade.uniform(
        TAIL_RADIUS, TAIL_HINGE, TAIL_MASS, TAIL_CHORD, station=(TAIL_CUTOUT, TAIL_RADIUS), aerofoil=SECTION, points=6,
        twist=np.radians(-18.0) * np.array([TAIL_CUTOUT / TAIL_RADIUS, 1.0]), tip_loss=0.92,
    ),
    parts.Shaft(TAIL_GEAR * SPEED), 4, induced=12.0,
    hinges=parts.Hinges(
        flap=parts.BladeHinge(TAIL_HINGE, delta3=float(np.arctan(0.7002))), pitch=parts.BladeHinge(TAIL_HINGE),
    ),
)  # fmt: skip
MASS = parts.MassProperties(
    16400.0 * POUND, (0.0, 0.0, 0.0),
    SLUG_FT2 * np.array([[5629.0, 0.0, -1670.0], [0.0, 40000.0, 0.0], [-1670.0, 0.0, 37200.0]]),
)  # fmt: skip
HULL = Hull(_at(345.5, 234.0), hull_coefficients(), FOOT**2, FOOT, wake=1.12)
#: Trailing edge down over the airspeed [m/s, rad], from memory of the schedule: 40 degrees in hover, none at 140 kt.
STABILATOR: dict[str, Any] = {
    "airspeed": (0.0, 15.4, 30.9, 41.2, 51.4, 72.0),
    "angle": np.radians((40.0, 40.0, 20.0, 10.0, 5.0, 0.0)),
}
#: How many times the rotor's induced velocity arrives at the stabilator, over the airspeed [m/s]: none flaps.
WASH: dict[str, Any] = {"airspeed": (0.0, 2.0, 5.0, 10.0, 50.0, 75.0), "times": (0.40, 0.94, 1.84, 1.95, 2.1, 1.9)}
FIN = TailSurface((17.65 - CENTRE[0], 0.0, 6.93 - CENTRE[2]), 3.0, _tail_section("fin"), lift="left", pressure=0.64)
CONTROLS = parts.FlightControls(
    parts.Autopilot({"roll": (0.15, 0.06), "pitch": (0.35, 0.30), "heading": (0.40, 0.25)}, np.radians(8.0)),
    mix=MIX,
    limits={"collective": (0.0, 0.6), "lateral": (-0.25, 0.25), "longitudinal": (-0.35, 0.35), "pedal": (-0.6, 0.2)},
    sticks=STICKS,
)  # fmt: skip
#: Steady level flight as `trim` finds it, over the airspeed [m/s]: controls and attitude [rad].
TRIM = {
    "airspeed": (0.0, 5.0, 10.0, 15.0, 20.0, 30.0, 40.0, 50.0, 60.0, 72.0),
    "collective": (0.31353, 0.31138, 0.30279, 0.29087, 0.28108, 0.27169, 0.27222, 0.2803, 0.29579, 0.32546),
    "lateral": (-0.01681, -0.02983, -0.03909, -0.04086, -0.03794, -0.03037, -0.02587, -0.0239, -0.02373, -0.02605),
    "longitudinal": (-0.03661, -0.05299, -0.06514, -0.0608, -0.05776, -0.05681, -0.07071, -0.09082, -0.11188, -0.15851),
    "pedal": (-0.40735, -0.40104, -0.37912, -0.34752, -0.32086, -0.29219, -0.28072, -0.27867, -0.28593, -0.30375),
    "pitch": (0.09311, 0.11226, 0.11589, 0.09364, 0.07355, 0.04856, 0.03815, 0.02751, 0.00996, -0.00118),
    "roll": (-0.042, -0.03695, -0.02981, -0.02286, -0.01882, -0.01658, -0.01823, -0.02269, -0.02958, -0.04278),
}
#: Look of the fuselage, made up: aft of the centre of mass, half width, half height, height of its middle [m].
OUTLINE = (
    (-4.7, 0.1, 0.1, -0.6), (-4.3, 0.6, 0.4, -0.55), (-3.3, 1.0, 0.8, -0.3), (-2.4, 1.18, 1.1, 0.0),
    (1.6, 1.18, 1.1, 0.0), (3.4, 0.8, 0.8, 0.2), (5.0, 0.4, 0.45, 0.25), (8.4, 0.2, 0.3, 0.3), (9.6, 0.1, 0.2, 1.6),
)  # fmt: skip
TURN, STEPS = 2.0 * np.pi / SPEED, 90


def machine(airspeed: float = 0.0) -> Conventional:
    """The UH-60A with the stabilator set for this airspeed [m/s]."""
    down = float(np.interp(airspeed, STABILATOR["airspeed"], STABILATOR["angle"]))
    wash = float(np.interp(airspeed, WASH["airspeed"], WASH["times"]))
    place, area, section = _at(700.4, 244.0), 45.0 * FOOT**2, _tail_section("stabilator")
    stabilator = TailSurface(place, area, section, down, pressure=0.76, wake=wash)
    return Conventional(
        "uh60", STAND_IN, MASS, MAIN, _at(341.2, 315.0), np.radians(3.0), TAIL, _at(732.0, 324.7, 14.0),
        np.radians(20.0), HULL, {"stabilator": stabilator, "fin": FIN}, CONTROLS, TRIM, OUTLINE,
    )  # fmt: skip


@checked("uh60")
def build(
    airspeed: Annotated[float, Quantity("m/s", "through the air", lower=0.0, upper=TRIM["airspeed"][-1])] = 0.0,
    wind: Annotated[float, Quantity("m/s", "head wind; parameter wind")] = 0.0,
    release: Annotated[float, Quantity("s", "when it is let go; until then blades and wakes settle", lower=0.0)] = 1.0,
    inflow: InflowOption = "pitt-peters",
) -> Model:
    """The UH-60A of NASA TM 85890 at 16400 lb and sea level, in trimmed level flight.

    Four articulated blades of SC1095 section, a canted tail rotor with delta-3, a fuselage with wind-tunnel tables, a
    scheduled stabilator, and a fin. Mass, inertias, stations of hubs and tail, blades and tail rotor:
    K. B. Hilbert, A mathematical model of the UH-60 helicopter, NASA TM 85890 (1984). Twist, section, fuselage, tail
    surfaces and blade mass: J. J. Howlett, UH-60A Black Hawk engineering simulation program, NASA CR-166309 (1981).
    Both from public transcriptions, named in the tables of `samara/models/data/uh60`, not checked against print.

    As in TM 85890, blades flap but do not lag, and the tip is not swept. The tail rotor turns 23/5 times as fast as the
    main rotor, not 4.616 times, so that both repeat their azimuth after five turns. `WASH` is the downwash at the
    stabilator, from CR-166309's table over wake skew, at the trim airspeed: neither it nor the stabilator follows
    changes of speed.

    Stand-ins: pitch bearings and control stiffness, the tail rotor's flap hinge, cut-out, sense of rotation and blade
    mass (its inertia follows from the Lock number), the stabilator's schedule, which is from memory, and the
    autopilot. The section has no pitching moment and is the SC1095 all along the span. inflow: of the main rotor; the
    tail rotor's is uniform. Validation: docs/validation/uh60.md.
    """
    flight = parts.Flight(parts.between(TRIM, airspeed), airspeed, wind, release)
    return machine(airspeed).with_inflow(inflow_of("uh60", inflow)).model(flight)


def trim(
    airspeed: float = 0.0, guess: dict[str, float] | None = None, inflow: Any = "pitt-peters", **options: Any
) -> Trim:
    """Controls and attitude of steady level flight [rad], with the fuselage held in a headwind."""
    return machine(airspeed).with_inflow(inflow_of("uh60", inflow)).trim(airspeed, guess, STEPS, **options)


def rigged(longitudinal: float, lateral: float, collective: float, pedal: float) -> dict[str, float]:
    """Pitch of the blades [rad], as `trim` has it, from TM 85890's control positions [in]: forward, right, up, right.

    Its blades have a linear twist of -18 degrees; the collective is matched for equal pitch at 0.75 R. The pitch bias
    actuator, which moves the longitudinal cyclic with attitude and speed, is omitted.
    """
    same = np.radians(-18.0 * 0.75) - np.interp(0.75 * RADIUS, SURFACE.station, SURFACE.twist)
    return {
        "collective": float(0.2286 + 0.02792 * collective + same),
        "lateral": 0.02792 * (lateral - 0.16 * collective),
        "longitudinal": 0.04939 * (-longitudinal - 0.1640 * collective - 0.5746 * pedal),
        "pedal": -(0.1743 - 0.07734 * (pedal - 0.2889 * collective)),
    }


UH60 = ReadyModel(
    "uh60", build, "UH-60A in free flight, with an autopilot",
    source="NASA TM 85890, NASA CR-166309 (public transcriptions; partly stand-in)",
    timeline=Timeline(end=6.0, step=TURN / STEPS),
    plot=("fuselage.position", "main.rotor.thrust", "tail.rotor.thrust", "autopilot.roll.measured"),
)  # fmt: skip
