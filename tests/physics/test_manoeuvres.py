"""Trims in steady manoeuvres against closed forms: coordinated turns, climb, sideslip, autorotation."""

import numpy as np
import pytest

import samara as sm
from samara.models.helicopters import coaxial
from samara.models.parts import Flight, between, turn_rate_of

SPEED, GRAVITY = 30.0, 9.81
ROTORS = ("upper.rotor", "lower.rotor")


def total(found, what):
    """Mean of a channel of both rotors together."""
    assert found.met, found.message
    return sum(found.results[f"{rotor}.{what}"].mean() for rotor in ROTORS)


@pytest.fixture(scope="module")
def level():
    return coaxial.trim(SPEED)


@pytest.fixture(scope="module")
def turns():
    """By load factor, those to the left negative."""
    return {n: coaxial.trim(SPEED, turn_rate=np.sign(n) * turn_rate_of(abs(n), SPEED)) for n in (1.15, -1.15, 1.5)}


@pytest.mark.parametrize("n", [1.15, -1.15, 1.5])
def test_coordinated_turn(level, turns, n):
    """tan(phi) = V psi' / g, thrust n times that of level flight.

    The rotors' axis is the craft's, and side forces of hub and fuselage are small: 0.5 degrees and 1 %.
    """
    found = turns[n]
    phi = np.sign(n) * np.arccos(1.0 / abs(n))
    assert np.tan(phi) == pytest.approx(SPEED * np.sign(n) * turn_rate_of(abs(n), SPEED) / GRAVITY)
    assert found.controls["roll"] == pytest.approx(phi, abs=np.radians(0.5))
    assert total(found, "thrust") == pytest.approx(abs(n) * total(level, "thrust"), rel=0.01)


def test_the_craft_goes_round(turns):
    """Speed, acceleration and path of the fuselage are those of the circle: the joint does not hold it on another."""
    rate, results = turn_rate_of(1.5, SPEED), turns[1.5].results
    p, v, a = (results[f"fuselage.{what}"] for what in ("position", "velocity", "acceleration"))
    assert np.linalg.norm(v, axis=1) == pytest.approx(SPEED, rel=1e-6)
    assert np.linalg.norm(a, axis=1) == pytest.approx(SPEED * rate, rel=1e-3)
    assert np.hypot(p[:, 0], p[:, 1]) == pytest.approx(SPEED / rate, rel=1e-6)
    assert np.cross(v, a)[:, 2].max() < 0.0  # to the right, seen from above clockwise
    right = results["fuselage.rotation"].reshape(-1, 3, 3)[:, :, 1]
    assert right[:, 2].max() < -0.5  # right side down


def test_power_rises_with_the_load_factor(level, turns):
    """The induced part, u T with u ~ T at this speed, as n^2; the rest rises less."""
    induced = sum((level.results[f"{r}.thrust"] * level.results[f"{r}.induced"][:, 0]).mean() for r in ROTORS)
    first = total(level, "power")
    for n in (1.15, 1.5):
        excess = total(turns[n], "power") - first
        assert 0.8 < excess / (induced * (n**2 - 1.0)) < 1.6
    assert total(turns[-1.15], "power") == pytest.approx(total(turns[1.15], "power"), rel=0.02)


def test_climb_takes_the_power_that_lifts_the_weight(level):
    """At least W V sin(gamma) more; beyond that the wake of the rotors holds the fuselage down."""
    climb = np.radians(4.0)
    found = coaxial.trim(SPEED, climb=climb)
    lifting = coaxial.WEIGHT * SPEED * np.sin(climb)
    assert 0.95 < (total(found, "power") - total(level, "power")) / lifting < 1.35


def test_sideslip_leans_the_craft(level):
    """Air from the right pushes it to the left, so it leans to the right; air from the left the other way."""
    right, left = (coaxial.trim(SPEED, sideslip=angle) for angle in (0.1, -0.1))
    assert right.met and left.met
    assert right.controls["roll"] > 0.01 > -0.01 > left.controls["roll"]
    assert right.controls["roll"] == pytest.approx(-left.controls["roll"], rel=0.1)


def test_engines_off(level):
    """In autorotation the weight does the work: the sink is about the power of level flight over the weight."""
    found = coaxial.trim(SPEED, {"collective": 0.0}, sink=10.0)
    assert abs(total(found, "power")) < 1e-3 * total(level, "power")
    assert found.controls["wind_z"] == pytest.approx(total(level, "power") / coaxial.WEIGHT, rel=0.1)


def test_what_is_refused():
    with pytest.raises(sm.ModelError, match="a craft that turns is held"):
        Flight(between(coaxial.TRIM, SPEED), SPEED, turn_rate=0.1)
    model = coaxial.coaxial(Flight(between(coaxial.TRIM, SPEED), SPEED, SPEED, np.inf))
    with pytest.raises(sm.ArgumentError, match="found by marching"):
        sm.trim(
            model, {"pitch": 0.0}, {"hold.force.x": 0.0}, period=coaxial.TURN, steps=36, method="orbit", turning=0.1
        )
    with pytest.raises(sm.ArgumentError, match="marched to"):
        sm.periodic(model, coaxial.TURN, coaxial.TURN / 36, method="shooting", turning=0.1)
