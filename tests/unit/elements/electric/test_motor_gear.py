"""Gears of motors on plain numbers."""

import numpy as np
import pytest

from samara import ElasticMotorGear, MotorGear
from samara.model import StateMotion


def test_a_rigid_gear_passes_power_less_friction(rng):
    gear = MotorGear(ratio=-7.0, friction=0.3, viscous=0.02, transition=0.1)
    for _ in range(5):
        torque, rate = rng.uniform(-2.0, 2.0, 2)
        passed = gear.transmit([], torque, rate)
        assert torque * gear.rotor_speed([], rate) == pytest.approx(passed.torque * rate + passed.dissipated)
        assert passed.dissipated >= 0


def test_friction_is_that_of_coulomb_beyond_its_transition():
    gear = MotorGear(friction=0.3, transition=0.1)
    np.testing.assert_allclose([gear.rub(r) for r in (-5.0, -0.1, 0.0, 0.1, 5.0)], [-0.3, -0.3, 0.0, 0.3, 0.3])
    assert gear.rub(0.05) == pytest.approx(0.3 * 0.5 * (3 - 0.25) / 2)


def test_an_elastic_gear_in_steady_rotation_is_the_rigid_one():
    numbers = {"ratio": 4.0, "friction": 0.3, "viscous": 0.02, "transition": 0.1}
    rigid, elastic = MotorGear(**numbers), ElasticMotorGear(**numbers, inertia=0.1, stiffness=50.0, damping=0.3)
    torque, rate = 0.7, 1.3
    passed = rigid.transmit([], torque, rate)
    twist = passed.torque / 50.0
    states = [StateMotion(4.0 * rate, 0.0, 0.0), StateMotion(twist, 0.0, 0.0)]
    found = elastic.transmit(states, torque, rate)
    assert found.torque == pytest.approx(passed.torque)
    np.testing.assert_allclose(found.balances, 0.0, atol=1e-15)
    assert found.dissipated == pytest.approx(passed.dissipated)


def test_the_rotor_starts_with_the_shaft():
    states = ElasticMotorGear(ratio=20.0, inertia=1.0, stiffness=1.0, start=0.5).own_states()
    assert states["speed"].value == 10.0
    assert states["twist"].value == 0.0
