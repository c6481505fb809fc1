"""The ideal gimbal turns the driven shaft at constant speed; a universal joint does so only on average."""

import numpy as np
import pytest

import samara as sm
from samara.rotations import rotation_x

TILT, SPEED = np.deg2rad(10.0), 8.0


def speed_of_the_driven_shaft(coupling) -> np.ndarray:
    """Speed about its own axis of a shaft tilted by 10 degrees, driven through a coupling, over four turns [rad/s]."""
    model = sm.Model("bent_shaft")
    first, second = model.node("first"), model.node("second", rotation=rotation_x(TILT))
    for node in (first, second):
        model.add(f"inertia_{node.name}", sm.Body(node, mass=1.0, inertia=(0.1, 0.1, 0.1)))
    model.add("bearing", sm.Revolute(model.ground, first))
    model.add("motor", sm.PrescribedAngle(model.ground, first, angle=lambda t: SPEED * t))
    model.add("coupling", coupling(first, second))
    model.add("outlet", sm.TotalJoint(
        model.ground, second, hold_position=(False,) * 3, hold_rotation=(True, True, False),
        place_a=sm.Placement((0, 0, 0), rotation_x(TILT)),
    ))  # fmt: skip
    run = sm.transient(model, 8 * np.pi / SPEED, 2 * np.pi / SPEED / 400, progress=False)
    axis = rotation_x(TILT)[:, 2]
    return run["second.angular_velocity"] @ axis


def test_gimbal_keeps_the_speed():
    """Equal to the driving speed to 1e-10: a steady rotation is an exact solution of the scheme."""
    np.testing.assert_allclose(speed_of_the_driven_shaft(sm.Gimbal), SPEED, rtol=1e-10)


def test_universal_joint_shows_twice_a_revolution():
    """out/in = cos(b) / (1 - sin(b)^2 sin(angle)^2): extremes cos(b) and 1/cos(b), two a turn; error (speed h)^2."""
    speed = speed_of_the_driven_shaft(sm.Universal)
    assert speed.max() == pytest.approx(SPEED / np.cos(TILT), rel=1e-4)
    assert speed.min() == pytest.approx(SPEED * np.cos(TILT), rel=1e-4)
    spectrum = np.abs(np.fft.rfft(speed[1:] - speed[1:].mean()))
    assert np.argmax(spectrum) == 8  # four turns
