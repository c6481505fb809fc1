"""The robot with motors, gears and current loops in its joints."""

import numpy as np
import pytest
from scipy.integrate import trapezoid

import samara as sm
from samara import experiments
from samara.experiments.mechanisms import robot_motors
from samara.models.robots import robot


@pytest.fixture(scope="module")
def outcome():
    return experiments.find("robot-motors").run()


def test_the_impulse_of_the_first_gear_is_the_angular_momentum():
    """Nothing else turns the arms about the first hinge; the rotors' own momentum is felt through the gears alone."""
    model = robot.build(motor="current", gear_friction=0.1)
    run = sm.transient(model, end=3.0, step=1 / 1000, progress=False)
    momentum = robot.angular_momentum(model, run)
    impulse = np.concatenate([[0.0], np.cumsum(np.diff(run.time) * _mean(run["motor_1.torque"]))])
    assert np.ptp(momentum) > 0.3
    np.testing.assert_allclose(
        momentum, impulse, atol=1e-4 * np.ptp(momentum)
    )  # (w h)^2 of the first bending: 7e-4 / 12


def test_motors_without_friction_differ_by_the_inertia_of_their_rotors():
    """The torque that the current makes, less what turns the rotor, is the torque on the joint."""
    model = robot.build(motor="current", gear_friction=0.0)
    run = sm.transient(model, end=2.4, step=1 / 1000, progress=False)
    for k, drive in zip((1, 2), robot.DRIVES, strict=True):
        rotor = drive.ratio * drive.inertia * run[f"motor_{k}.speed.rate"]
        rubbed = drive.viscous * run[f"motor_{k}.rotor_speed"] / drive.ratio
        made = drive.per_ampere * run[f"motor_{k}.current.value"]
        np.testing.assert_allclose(made - rotor - rubbed, run[f"motor_{k}.torque"], atol=1e-8)
        wanted = {1: 1.0, 2: 0.1}[k]
        # the loop lags 1 ms behind a torque that changes by pi wanted / 0.8 s: 4 parts in a thousand
        assert np.abs(made).max() == pytest.approx(wanted, rel=5e-3)


def test_the_same_controller_leads_both_robots(outcome):
    errors = {k: outcome.sheet[f"error {k} deg"] for k in (1, 2)}
    for k, (ideal, motors, rubbing) in errors.items():
        assert motors == pytest.approx(ideal, rel=0.03)  # rotors are some per cent of the inertia that the joints feel
        assert 0.8 * ideal < rubbing < 1.2 * ideal
        assert outcome[f"loop_error_{k}"] < 0.01
        assert outcome[f"largest_voltage_{k}"] < 24.0


def test_friction_ends_the_swing_after_the_path(outcome):
    """And leaves the joints where they stick, some tenths of a degree off."""
    path = robot_motors.TwoParabolas(0.0, np.pi / 2, 5.0, begin=0.5)
    late = outcome.results.time > 6.0
    frictionless = robot_motors._follow(330.0, 9.0, motor="current", gear_friction=0.0)
    for k in (1, 2):
        swing = np.ptp(robot_motors.error(frictionless, k, path)[late])
        stuck = np.ptp(robot_motors.error(outcome.results, k, path)[late])
        assert stuck < 0.25 * swing
        assert 0.02 < abs(outcome.sheet[f"rest {k} deg"][-1]) < 0.5


def test_energy_goes_where_it_is_accounted_for(outcome):
    """Gear friction alone explains the heat of the gears; what is left over is that of sums over samples."""
    assert outcome["budget"] < 2e-3
    run = outcome.results
    rubbed = 0.0
    for k, friction, viscous in ((1, 0.3, 0.05), (2, 0.06, 0.01)):
        rate = np.abs(run[f"joint_{k}.angle_rate"])
        rubbed += trapezoid(friction * rate + viscous * rate**2, run.time)
    assert outcome.sheet["gear J"][-1] == pytest.approx(
        rubbed, rel=0.03
    )  # smooth about rest, and the arms' own damping
    fed = outcome.sheet["energy in J"]
    assert fed[0] < 0.05 * fed[1] < 0.05 * fed[2]  # ideal torques get back what they gave


def _mean(values: np.ndarray) -> np.ndarray:
    return 0.5 * (values[1:] + values[:-1])
