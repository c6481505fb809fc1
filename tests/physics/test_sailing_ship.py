"""Rotor sailing on a ship: what it does to still blades on their stops, in closed form."""

import numpy as np
import pytest

import samara as sm
from samara import experiments, models
from samara.models.articulated_rotors import puma_sailing
from samara.models.articulated_rotors.puma import FLAP_HINGE, RADIUS, blade
from samara.models.ground.ship import ShipMotion

G = 9.81
OUTBOARD = blade(-1).piece(FLAP_HINGE, RADIUS)
ARM = OUTBOARD.com[0] - FLAP_HINGE
#: First and second moments of a blade about its flap hinge [kg m, kg m^2].
S, I = OUTBOARD.mass * ARM, OUTBOARD.inertia[1, 1] + OUTBOARD.mass * ARM**2
DROOP = np.radians(puma_sailing.DROOP_DEG)
#: Next to no air, rigid blades: what is left is gravity and inertia.
BARE = {"case": "gust", "blades": "rigid", "gust": 0.0, "density": 1e-9}


def run(end: float, **settings) -> sm.Results:
    return sm.transient(puma_sailing.build(**settings), end, 1e-3, tolerance=1e-7, progress=False)


def test_a_ship_that_hardly_moves_is_the_ground():
    """The hub is on a shaft then, instead of prescribed: another model of the same machine."""
    still, moved = (run(1.5, case="gust", blades="rigid", gust=30.0, heave=heave) for heave in (0.0, 1e-12))
    assert "ship.position" in moved.channels.names and "ship.position" not in still.channels.names
    for channel, size in (("blade_1.flap.angle", 1.0), ("blade_2.lag.angle", 1.0), ("blade_3.root.position", RADIUS)):
        np.testing.assert_allclose(moved[channel], still[channel], atol=1e-9 * size)  # a hundredth of the tolerance


def test_without_amplitudes_it_is_the_model_of_before():
    model = puma_sailing.build(roll_period=7.0, hub_height=3.0)
    assert list(model.nodes) == list(puma_sailing.build().nodes) and model.nodes["hub"].kind == "prescribed"


def test_heave_loads_the_stops():
    """couple = S (g + acceleration of the ship) cos(droop)."""
    found = run(10.0, **BARE, heave=1.0, heave_period=4.0)
    expected = S * (G + found["ship.acceleration"][:, 2]) * np.cos(DROOP)
    after = found.time > 0.05  # they start unloaded
    for k in (1, 2, 3, 4):
        couple = found[f"blade_{k}.droop.couple"]
        # Newton's tolerance lets couples flicker by 3e-6
        np.testing.assert_allclose(couple[after], expected[after], atol=1e-5 * S * G)
    assert np.ptp(expected) > 0.5 * S * G


def test_roll_loads_the_stops_of_blades_across_it():
    """Blades 2 and 4 move in the plane of roll: couple = S u x (a_hinge - g) + I roll''.

    The parts between the hinges, 5 cm across, are not in S and I, and blades lag by 0.01 deg.
    """
    angle, period, height = np.radians(8.0), 4.0, 10.0
    found = run(10.0, **BARE, roll_deg=8.0, roll_period=period, hub_height=height)
    w, t = 2.0 * np.pi / period, found.time
    roll, rate, second = angle * np.sin(w * t), angle * w * np.cos(w * t), -angle * w * w * np.sin(w * t)
    for k in (2, 4):
        side = np.sign(found[f"blade_{k}.root.position"][0, 1])
        out = side * FLAP_HINGE
        # in axes of the ship: to the right, up
        right = -(rate**2) * out - second * height + G * np.sin(roll)
        up = -(rate**2) * height + second * out + G * np.cos(roll)
        expected = side * (S * (side * np.cos(DROOP) * up - np.sin(DROOP) * right) + I * second)
        grown = t > period
        np.testing.assert_allclose(found[f"blade_{k}.droop.couple"][grown], expected[grown], atol=1e-4 * S * G)
        assert np.ptp(expected[grown]) > 0.15 * S * G


def test_a_deep_heave_lifts_the_blades():
    """With more than g downwards the stops would have to pull: blades fly up, and fall back on them."""
    found = run(6.0, **BARE, heave=6.0, heave_period=4.0)
    assert found["ship.acceleration"][:, 2].min() < -G
    flap = np.degrees(found["blade_1.flap.angle"])
    assert flap.max() > -5.0 and flap.min() > -10.001 and found["blade_1.droop.couple"].min() >= 0.0


def test_a_rotor_is_engaged_and_disengaged_at_sea():
    found = run(
        6.0, case="engagement", blades="rigid", windup=2.5, hold=0.5, speed=0.5, roll_deg=5.0, pitch_deg=2.0, heave=0.5
    )
    flap = np.degrees(found["blade_1.flap.angle"])
    assert flap[0] == pytest.approx(-10.0, abs=1e-6) and flap.max() > -8.0 and flap[-1] == pytest.approx(-10.0, abs=0.1)
    assert found["rotor.speed"].min() == pytest.approx(-0.5 * puma_sailing.SPEED, rel=1e-3)


def test_tips_are_seen_from_the_moving_hub():
    """What rolls with the ship has not moved: tips of blades on their stops stay 1.25 m below the hub, and sag."""
    found = experiments.find("sailing-map").run(
        strongest=1.0, speeds=1, directions=1, end=4.0, roll_deg=10.0, heave=1.0
    )
    assert -1.8 < found["lowest_tip"] < -1.4 and found["highest_tip"] == pytest.approx(-1.25, abs=0.01)


def test_a_ship_starts_still_and_comes_into_its_motion():
    roll, _, heave = ShipMotion(0.1, 0.0, 2.0, (8.0, 6.0, 5.0)).drives
    assert abs(roll(1e-2)) < 1e-9
    assert roll(8.0 + 2.0) == pytest.approx(0.1) and heave(5.0 + 3.75) == pytest.approx(-2.0)


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"roll_deg": 95.0}, "roll_deg must be from -89 to 89 deg"),
        ({"heave_period": -1.0}, "heave_period must be positive"),
    ],
)
def test_bad_ships_are_refused(wrong, words):
    with pytest.raises(sm.ModelError, match=words):
        models.find("puma-sailing").make(**wrong)
