"""The ideal gimbal turns the driven shaft at constant speed; a universal joint does so only on average."""

import numpy as np
import pytest

import samara as sm
from samara.rotations import exp_so3, rotation_x, rotation_z

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


def test_the_five_equations_of_the_paper_hold():
    """Equations 7, 9 and 10 of the real-time paper, in a free motion: rotation exp(t e2) exp(f e1) exp(t e2), and a
    couple that does no work in the two angles. As printed, 9 and 10 hold for its components in axes of b (11 and 12
    project them with the rotation of a).
    """
    model = sm.Model("free gimbal")
    mast = model.prescribed("mast", sm.Motion(rotation=(0, 0, lambda t: 20.0 * t + 5.0 * t**2)))
    hub = model.node("hub", angular_velocity=(4.0, -2.0, 20.0))
    model.add("body", sm.Body(hub, mass=5.0, com=(0.02, 0, 0.02), inertia=(0.3, 0.5, 0.7)))
    model.add("springs", sm.DeformableHinge(mast, hub, law=sm.LinearLaw3((60.0, 60.0, 0.0))))
    model.add("gimbal", sm.Gimbal(mast, hub))
    run = sm.transient(model, 1.0, 1e-3, progress=False)
    e1, e2, _ = np.eye(3)
    checked = 0
    for t, R_hub, couple in zip(run.time, run["hub.rotation"].reshape(-1, 3, 3), run["gimbal.couple"], strict=True):
        R = rotation_z(20.0 * t + 5.0 * t**2).T @ R_hub
        if np.hypot(R[1, 0], R[1, 2]) < 0.02:
            continue  # the first angle is not defined without the second
        checked += 1
        theta, phi = np.arctan2(R[1, 0], -R[1, 2]), np.arctan2(np.hypot(R[1, 0], R[1, 2]), R[1, 1])
        T, F = exp_so3(theta * e2), exp_so3(phi * e1)
        np.testing.assert_allclose(R, T @ F @ T, atol=1e-9)
        size = np.linalg.norm(couple)
        assert abs(e2 @ (np.eye(3) + F @ T) @ couple) < 1e-9 * size
        assert abs(e1 @ T @ couple) < 1e-9 * size
    assert checked > 500
