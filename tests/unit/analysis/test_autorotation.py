"""Trim of a rotor that no engine turns: pitch or wind for a given speed, and the speed for given pitch and wind."""

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.optimize import brentq

import samara as sm
from samara import AeroBody, Air, Momentum, NoInflow, Rotor, Stations, ThinAerofoil
from samara.analysis import Harmonic, periodic, trim
from samara.rotations import rotation_z

RADIUS, CHORD, BLADES, SLOPE, CD = 2.0, 0.1, 3, 5.7, 0.012
SPEED, RISE, PITCH = 60.0, 8.0, -0.05  # rad/s, m/s of air from below, rad
AREA = np.pi * RADIUS**2
SIGMA = BLADES * CHORD / (np.pi * RADIUS)


def falling(*, driven=True, inflow=None, speed=SPEED, wind=0.0) -> sm.Model:
    """A rotor with fixed blades on a bearing, air rising through it; its rate is held, or it turns as it likes.

    Parameters: pitch (a joint between hub and each blade holds it), rise, and speed where it is held.
    """
    model = sm.Model("falling", stand_in="numbers are made up")
    hub = model.node("hub")
    model.add("hub.body", sm.Body(hub, mass=2.0, inertia=(0.1, 0.1, 0.2)))
    start = {} if driven else {"angle_rate": speed}
    model.add("bearing", sm.Revolute(model.ground, hub, at=(0, 0, 0), axis=(0, 0, 1), start=start))
    if driven:
        rate = sm.Constant(sm.Parameter("speed", speed, unit="rad/s"))
        model.add("drive", sm.PrescribedRate(model.ground, hub, rate=rate))
    air = Air(wind=(wind, 0.0, sm.Parameter("rise", RISE, unit="m/s")))
    support = Rotor(model.ground, hub, radius=RADIUS, speed=SPEED, air=air, inflow=inflow or NoInflow(), start=0.0)
    model.add("rotor", support)
    pitch = sm.Parameter("pitch", PITCH, unit="rad")
    section = ThinAerofoil(slope=SLOPE, cd_0=CD, stall=3.2)
    for k in range(BLADES):
        R = rotation_z(2 * np.pi * k / BLADES)
        blade = model.node(f"blade_{k + 1}", rotation=R)
        model.add(f"blade_{k + 1}.body", sm.Body(blade, mass=1.0, com=(1.0, 0, 0), inertia=(1e-3, 0.4, 0.4)))
        held = sm.Placement((0, 0, 0), R)
        turn = (sm.Constant(pitch), 0, 0)
        model.add(f"blade_{k + 1}.pitch", sm.TotalJoint(hub, blade, place_a=held, rotation=turn, start={}))
        along = Stations.gauss(0.2 * RADIUS, RADIUS, 10, CHORD)
        model.add(f"blade_{k + 1}.air", AeroBody(blade, stations=along, aerofoil=section, rotor=support))
    return model


def torque(pitch: float, inflow: float) -> float:
    """CQ / sigma of blade elements with a straight lift curve, flow inflow * tip speed down through the disk."""

    def along(r: float) -> float:
        phi = np.arctan2(inflow, r)
        U2 = r**2 + inflow**2
        return 0.5 * r * U2 * (SLOPE * (pitch - phi) * np.sin(phi) + CD * np.cos(phi))

    return quad(along, 0.2, 1.0)[0]


def free_speed(pitch: float, through: float) -> float:
    """Speed [rad/s] of a rotor without torque, air rising through it at `through` [m/s]; the fast one of the two."""
    inflow = brentq(lambda x: torque(pitch, x), -0.3, -1e-4, xtol=1e-12)
    return -through / (inflow * RADIUS)


def turn(controls) -> float:
    return 2 * np.pi / controls["speed"]


def test_speed_of_a_free_shaft_against_blade_elements():
    """No wake: int cl sin(phi) + cd cos(phi) = 0 gives the inflow ratio, and that the speed; 1e-4, the trim's own.

    The textbook's form of it, lambda (theta / 3 - lambda / 2) = -cd / (4 a) without cut-out, is 1 % off: small angles
    and the root.
    """
    found = trim(
        falling(), {"speed": 50.0}, {"rotor.torque": 0.0}, period=turn, steps=24, sizes={"rotor.torque": 1.0},
        nudges={"speed": 1.0},
    )  # fmt: skip
    assert found.met and found.residual < 1e-6, found
    assert found.controls["speed"] == pytest.approx(free_speed(PITCH, RISE), rel=2e-4)
    inflow = -RISE / (found.controls["speed"] * RADIUS)
    small = PITCH / 3 - np.sqrt((PITCH / 3) ** 2 + CD / (2 * SLOPE))
    assert inflow == pytest.approx(small, rel=0.03)


def test_pitch_and_wind_for_a_given_speed():
    """The same state by another control each: pitch for zero torque, and wind for zero torque."""
    speed = free_speed(PITCH, RISE)
    period = 2 * np.pi / speed
    for control, guess, expected in (("pitch", 0.0, PITCH), ("rise", 6.0, RISE)):
        model = falling(speed=speed)
        found = trim(
            model, {control: guess}, {"rotor.torque": 0.0}, period=period, steps=24, sizes={"rotor.torque": 1.0}
        )
        assert found.met, found
        assert found.controls[control] == pytest.approx(expected, rel=5e-4)


def test_with_a_wake():
    """Momentum theory in the wind-mill state: the closed form holds with the air that the rotor reports."""
    found = trim(
        falling(inflow=Momentum()), {"speed": 50.0}, {"rotor.torque": 0.0}, period=turn, steps=24,
        sizes={"rotor.torque": 1.0}, nudges={"speed": 1.0}, outputs="rotor.*",
    )  # fmt: skip
    assert found.met, found
    u = found.results["rotor.induced"][-1, 0]
    assert 0.1 < u < 0.5 * RISE
    assert found.controls["speed"] == pytest.approx(free_speed(PITCH, RISE - u), rel=2e-4)
    assert 2 * 1.225 * AREA * (RISE - u) * u == pytest.approx(found.results["rotor.thrust"][-1], rel=1e-3)


def test_the_shaft_set_free_keeps_the_speed_and_comes_back_to_it():
    """In edgewise flow too: the mean over a turn of the free speed is the trimmed one, to 1e-3.

    The speed comes back with a time constant of 1.8 s: 3 % are 2e-4 after 9 s. It swings by 2e-6 three times a turn.
    """
    found = trim(
        falling(wind=15.0), {"speed": 50.0}, {"rotor.torque": 0.0}, period=turn, steps=36,
        sizes={"rotor.torque": 1.0}, nudges={"speed": 1.0},
    )  # fmt: skip
    assert found.met, found
    speed = found.controls["speed"]
    for start, end in ((speed, 1.0), (0.97 * speed, 9.0)):
        free = falling(driven=False, speed=start, wind=15.0)
        run = sm.transient(free, end, 2 * np.pi / speed / 36, progress=False, outputs="rotor.speed")
        assert run["rotor.speed"][-36:].mean() == pytest.approx(speed, rel=1e-3)


def test_harmonics_by_the_azimuth():
    """Load of a station in edgewise wind: by the azimuth channel, by the time, and by a least-squares fit."""
    model = falling(wind=15.0)
    found = periodic(model, 2 * np.pi / SPEED, 2 * np.pi / SPEED / 36)
    load = "blade_1.air.normal.5"
    waves = {part: Harmonic(load, part, azimuth="rotor.azimuth")(found.results) for part in ("cos", "sin")}
    for part, by_angle in waves.items():
        assert by_angle == pytest.approx(Harmonic(load, part)(found.results), rel=1e-6)
    psi, x = np.unwrap(found.results["rotor.azimuth"]), found.results["blade_1.air.normal"][:, 4]
    basis = np.column_stack([np.ones_like(psi), *(f(n * psi) for n in (1, 2, 3) for f in (np.cos, np.sin))])
    fit = np.linalg.lstsq(basis, x, rcond=None)[0]
    assert (waves["cos"], waves["sin"]) == pytest.approx((fit[1], fit[2]), rel=1e-6)


def test_what_is_refused():
    with pytest.raises(sm.ArgumentError, match="either a step or the number of steps"):
        trim(falling(), {"speed": 50.0}, {"rotor.torque": 0.0}, period=turn)
    with pytest.raises(sm.ModelError, match=r"the period must be a positive number .* it is -0\.1"):
        trim(falling(), {"speed": 50.0}, {"rotor.torque": 0.0}, period=lambda c: -0.1, steps=24)


@pytest.mark.parametrize("rise", [6.0, 12.0, 20.0])
def test_a_rotor_that_is_let_go_in_rising_air_settles(rise):
    """Blades at zero pitch: the speed of blade elements without torque, in the air that is left of the rising one.

    It is between the turbulent wake and the windmill, at twice the induced velocity of hover: what Gessow and Myers
    give for autorotation in vertical descent is 1.7 to 2.
    """
    model = falling(driven=False, inflow=Momentum(), speed=40.0)
    model.parameters["rise"].value, model.parameters["pitch"].value = rise, 0.0
    run = sm.transient(model, 20.0, 2e-3, progress=False, outputs="rotor.*", every=50)
    u, thrust, speed = run["rotor.induced"][-1, 0], run["rotor.thrust"][-1], run["rotor.speed"][-1]
    assert speed == pytest.approx(free_speed(0.0, rise - u), rel=1e-3)
    assert 1.7 < rise / np.sqrt(thrust / (2 * 1.225 * AREA)) < 2.05
    assert run["rotor.speed"][-20:] == pytest.approx(speed, rel=1e-3)
