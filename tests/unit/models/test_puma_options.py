"""The Puma is open: controls that move, air, ground, tips and sections by choice, and what is refused by name."""

from dataclasses import replace

import numpy as np
import pytest

import samara as sm
from samara.elements.aero.aerofoils.linear_aerofoil import ThinAerofoil
from samara.elements.aero.inflow.inflow import NoInflow, PittPeters
from samara.elements.aero.surfaces.station_flow import DynamicStall, Theodorsen
from samara.elements.aero.wind.atmosphere import standard_atmosphere
from samara.model import ModelError, Parameter
from samara.models.articulated_rotors import puma
from samara.models.articulated_rotors.puma_blade import CHORD, TIPS, blade, planform, table

STEPS = 36
CHANNELS = ("rotor.*", "blade_1.*.angle")


def fly(turns=1.0, **options):
    end = turns * puma.TURN
    model = puma.build(**options)
    return sm.transient(model, end, puma.TURN / STEPS, tolerance=1e-8, outputs=CHANNELS, progress=False)


@pytest.fixture(scope="module")
def plain():
    return fly()


# ---- controls
@pytest.mark.parametrize(
    "options",
    [
        {"collective_deg": lambda t: 13.2 + 0.0 * t, "airspeed": lambda t: puma.AIRSPEED + 0.0 * t},
        {"collective_deg": Parameter("mine", 13.2, "deg"), "theta1s_deg": Parameter("other", np.radians(-7.15), "rad")},
        {"speed": lambda t: puma.SPEED + 0.0 * t},
        {"speed": puma.SPEED, "wind": (lambda t: 0.0 * t, 0.0, 0.0)},
    ],
    ids=["functions", "parameters", "speed as a rate", "wind"],
)
def test_a_drive_that_stands_still_is_the_number(plain, options):
    """The same equations told otherwise: to Newton's tolerance, 1e-8 of the tip speed, over a turn."""
    found = fly(**options)
    for channel in ("rotor.thrust", "rotor.torque", "blade_1.flap.angle", "blade_1.pitch.angle"):
        assert np.abs(found[channel] - plain[channel]).max() < 1e-6 * np.abs(plain[channel]).max(), channel


def test_a_doublet_of_the_collective_turns_the_blades():
    """The link lifts the horn by sin(pitch) cos(flap), as it was told, but for its lean: horn pitch^4 / (8 link)."""
    doublet = sm.Constant(8.0) + sm.Sine(2.0, 2 * np.pi / puma.TURN, start=0.25 * puma.TURN)
    still = {"theta1c_deg": 0.0, "theta1s_deg": 0.0, "airspeed": 0.0, "shaft_deg": 0.0}
    run = fly(1.2, collective_deg=doublet, lag="locked", **still)
    told = np.radians([doublet(t) for t in run.time])
    lifted = np.sin(run["blade_1.pitch.angle"]) * np.cos(run["blade_1.flap.angle"])
    assert lifted == pytest.approx(np.sin(told), abs=5e-5)
    assert np.ptp(np.degrees(told)) == pytest.approx(4.0, abs=0.05)


def test_a_run_up_is_led_by_its_speed():
    rise = sm.Cosine(8.0, 2 * puma.TURN, initial=20.0)
    run = fly(1.5, speed=rise)
    assert run["rotor.speed"] == pytest.approx([-rise(t) for t in run.time], abs=1e-6)
    turned = np.trapezoid([rise(t) for t in run.time], run.time)  # second order: as the scheme
    last = -np.unwrap(run["rotor.azimuth"])[-1]
    assert last == pytest.approx(turned, abs=1e-3)


# ---- air
def test_the_standard_day_is_that_of_the_table(plain):
    day = standard_atmosphere(1550.0)
    high = fly(0.2, atmosphere="standard", altitude=1550.0)
    same = fly(0.2, density=float(day.density), sound=float(day.sound))
    assert np.array_equal(high["rotor.thrust"], same["rotor.thrust"])


def test_gusts_and_wind_are_felt_alike():
    """The rising half of 1 - cos that a gust brings, or a drive: the same air at every station, to rounding."""
    ramp = sm.Cosine(3.0, 0.5 * puma.TURN)
    wind = fly(0.5, wind=(0.0, 0.0, ramp))
    gust = fly(0.5, gusts=sm.OneMinusCosine((0.0, 0.0, 3.0), puma.TURN, 0.0))
    assert wind["rotor.thrust"] == pytest.approx(gust["rotor.thrust"], rel=1e-9)
    assert wind["rotor.thrust"][-1] > 1.05 * fly(0.5)["rotor.thrust"][-1]


def test_the_ground_is_felt_in_hover():
    """At the same collective there is more thrust near the ground, and less the higher the hub."""
    hover = {"airspeed": 0.0, "shaft_deg": 0.0, "theta1c_deg": 0.0, "theta1s_deg": 0.0, "collective_deg": 9.0}
    thrust = [fly(6, **hover, **more)["rotor.thrust"][-1] for more in ({}, {"ground": True, "height": 14.0},
              {"ground": True, "height": 7.0})]  # fmt: skip
    assert thrust[0] < thrust[1] < thrust[2] < 1.25 * thrust[0]


# ---- blades
@pytest.mark.parametrize("tip", TIPS)
def test_the_structure_is_that_of_the_tables(tip):
    """Mass and static moment of the blade against the trapezoidal rule on the file, exact for straight pieces."""
    x, mass = table(f"{TIPS[tip].tables}mass")
    span = blade(tip=tip)
    piece = span.piece(x[0], TIPS[tip].radius)
    assert x[-1] == TIPS[tip].radius
    assert piece.mass == pytest.approx(np.trapezoid(mass, x), rel=1e-12)
    # mass is constant in each piece of these tables, so that the moment is exact too
    assert piece.mass * piece.com[0] == pytest.approx(np.trapezoid(mass * x, x), rel=1e-4)


def test_what_the_swept_tip_adds_lies_on_a_straight_line():
    """4.5 kg/m more than the plain blade from 6.707 m on, centres straight back: how the planform was inferred.

    The tables print offsets to 0.001 chords, of a mass three times that of the addition: 0.003 chords, 0.0016 m; its
    plain blade is 8.929 kg/m at -0.01 chords up to 7.402 m and 6.93 kg/m at zero beyond.
    """
    line = []
    for x, side in ((6.758, "left"), (7.02, "right"), (7.07, "left"), (7.216, "right"), (7.402, "left")):
        span = blade(tip="swept")
        mass, offset = span.at("mass", x, side), span.at("com_y", x, side)
        assert mass == pytest.approx(8.929 + 4.5, abs=1e-6)
        line.append((x, (mass * offset + 8.929 * 0.01 * CHORD) / 4.5))
    x, back = np.array(line).T
    slope, start = np.polyfit(x - 6.707, back, 1)
    assert np.degrees(np.arctan(-slope)) == pytest.approx(22.0, abs=1.0)
    assert np.abs(np.polyval((slope, start), x - 6.707) - back).max() < 0.02
    assert abs(start) < 0.03 * CHORD


def test_the_swept_planform_lies_behind_its_axis():
    shape, surface = TIPS["swept"], planform(tip="swept")
    assert surface.ends == (puma.CUTOUT, 7.536)
    p = surface.points(shape.start, shape.radius, 6)
    assert p["centre"] == pytest.approx(-np.tan(shape.sweep) * (p["x"] - shape.start), abs=1e-9)
    assert p["control"] - p["centre"] == pytest.approx(-0.5 * CHORD)
    assert p["sweep"] == pytest.approx(shape.sweep)
    inner = surface.points(puma.CUTOUT, shape.start, 6)
    assert np.abs(inner["sweep"]).max() < 1e-9 and np.abs(inner["centre"]).max() < 1e-9


def test_a_swept_tip_lifts_as_simple_sweep_theory_has_it():
    """Thin sections in still air, against the lift of a straight tip with the same tables.

        dL ~ (theta x + beta y) (x cos(sweep) + y sin(sweep)) dx,   y: behind the axis;   straight: theta x^2 dx

    The first factor is the flow normal to the section, which a coned blade's turning about its own axis adds to, the
    second that along it, normal to the swept quarter chord. Small angles leave 3 % of the difference.
    """
    still = {"lag": "locked", "airspeed": 0.0, "shaft_deg": 0.0, "controls_deg": (8.0, 0.0, 0.0), "gravity": 0.0}
    thrust, outputs = [], ("rotor.thrust", "blade_1.flap.angle")
    for shape in (replace(TIPS["swept"], sweep=0.0), TIPS["swept"]):
        surface = planform(ThinAerofoil(slope=5.7, cd_0=0.0), tip=shape, downwash="quarter")
        model = puma.turning(surface, tip="swept", inflow=NoInflow(), **still)
        run = sm.transient(model, 8 * puma.TURN, puma.TURN / STEPS, outputs=outputs, progress=False)
        thrust.append(run["rotor.thrust"][-STEPS:].mean())
    sweep, coning = TIPS["swept"].sweep, run["blade_1.flap.angle"][-STEPS:].mean()
    p = surface.points(*surface.ends, 200)
    theta, x, y = np.radians(8.0) + p["twist"], p["x"], -p["centre"]
    straight, tip = theta * x**2, x > TIPS["swept"].start
    swept = np.where(tip, (theta * x + coning * y) * (x * np.cos(sweep) + y * np.sin(sweep)), straight)
    less = 1.0 - (swept @ p["length"]) / (straight @ p["length"])
    assert 1.0 - thrust[1] / thrust[0] == pytest.approx(less, rel=0.03)


def test_stiff_pitch_links_are_rigid_ones(plain):
    """A thousand times the stiffness of a real control system: pitch differs by moment / stiffness, 1e-5 rad."""
    stiff = fly(control_stiffness=3e7)
    assert stiff["blade_1.pitch.angle"] == pytest.approx(plain["blade_1.pitch.angle"], abs=1e-4)
    assert stiff["rotor.thrust"] == pytest.approx(plain["rotor.thrust"], rel=2e-3)


@pytest.mark.parametrize("option", ["theodorsen", Theodorsen(), "dynamic-stall", DynamicStall()])
def test_sections_by_name_or_record(option):
    flow = puma.build(unsteady=option).elements["blade_1.air1"].unsteady
    assert type(flow) is (Theodorsen if "odorsen" in str(option) else DynamicStall)


def test_inflow_by_name_or_record():
    assert isinstance(puma.build(inflow="pitt-peters").elements["rotor"].inflow, PittPeters)
    assert isinstance(puma.build(inflow=PittPeters()).elements["rotor"].inflow, PittPeters)
    for name in ("momentum", "annular"):
        assert puma.build(inflow=name, gradient="drees").elements["rotor"].inflow.gradient == "drees"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"tip": "round"}, "puma: tip must be one of straight, swept, got 'round'"),
        ({"inflow": "wake"}, "puma: inflow must be one of momentum, annular, pitt-peters, peters-he, .* got 'wake'"),
        ({"gradient": "steep"}, "puma: gradient must be one of uniform, glauert, .* got 'steep'"),
        ({"inflow": "pitt-peters", "gradient": "drees"}, "inflow 'pitt-peters' has no gradient option, got 'drees'"),
        ({"inflow": PittPeters(), "gradient": "drees"}, "pass 'drees' to"),
        (
            {"unsteady": "wagner"},
            "puma: unsteady must be one of quasi-steady, theodorsen, dynamic-stall or an Unsteady",
        ),
        ({"unsteady": Theodorsen(), "yaw": "drag"}, "pass yaw='drag' to Theodorsen"),
        ({"atmosphere": "mars"}, "puma: atmosphere must be one of given, standard, got 'mars'"),
        (
            {"altitude": 100.0},
            "altitude has no effect without atmosphere=standard: give that too, or omit altitude, got 100",
        ),
        ({"atmosphere": "standard", "altitude": 1e5}, "puma: altitude must be from -2000 to 20000 m, got 100000 m"),
        ({"atmosphere": "standard", "density": 1.2}, "density and sound are those of the altitude when"),
        ({"ground": True}, "the ground is level with the disk: give shaft_deg=0"),
        ({"control_stiffness": -1.0}, "control_stiffness must not be negative, got -1 N m/rad"),
        ({"wind": 3.0}, "puma: wind must be three components along x, y and z, each a number, a Parameter"),
        ({"collective_deg": sm.Step(2.0, 1.0)}, "collective_deg jumps at t = 1 s, and the links"),
        ({"collective_deg": "up"}, "collective_deg must be a number, a Parameter, a drive"),
        ({"speed": sm.Step(2.0, 1.0)}, "speed jumps at t = 1 s"),
        ({"airspeed": Parameter("a", 3.0, "kt")}, "airspeed is in m/s, but Parameter.'a'"),
    ],
)
def test_refused_by_name(options, message):
    with pytest.raises(ModelError, match=message):
        puma.build(**options)
