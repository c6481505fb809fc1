"""Prescribed nodes: pose, twist and acceleration follow from the drives."""

import numpy as np
import pytest

import samara as sm
from samara.rotations import exp_so3, log_so3, rotation_z
from samara.solve.native.kernels import set_time
from samara.system.blocks import ACC, ETA, POSITION, ROTATION

R0, P0 = exp_so3([0.3, -1.1, 0.6]), np.array([0.5, -2.0, 1.0])


def moved(motion, **place):
    model = sm.Model("moved")
    carried = model.node("bob", position=(1, 0, 0))
    model.add("body", sm.Body(carried, mass=1.0, inertia=(1, 1, 1)))
    shaker = model.prescribed("shaker", motion, **place)
    model.add("spring", sm.Spring(shaker, carried, stiffness=10.0))
    return model, shaker


class Reader:
    """The shaker's block at any time."""

    def __init__(self, motion):
        model, self.node = moved(motion, position=P0, rotation=R0)
        self.sim = sm.Simulation(model)

    def __call__(self, t):
        set_time(self.sim.machine, t)
        read = self.sim.state.read
        R = read(self.node, ROTATION, 9).reshape(3, 3)
        return R, read(self.node, POSITION, 3), read(self.node, ETA, 6), read(self.node, ACC, 6)


@pytest.mark.parametrize(
    ("position", "rotation"),
    [
        ((sm.Sine(0.2, 5.0), lambda t: t**2, sm.Cosine(1.0, 2.0)), (0, 0, 0)),
        ((0, 0, 0), (0, 0, lambda t: 30.0 * t)),
        ((0.1, sm.Ramp(2.0), 0), (sm.Sine(0.7, 3.0), lambda t: 0.5 * t, sm.Sine(1.9, 2.0, phase=1.0))),
        ((0, 0, 0), (lambda t: 1e-9 * t, 0, 0)),  # near no rotation at all
    ],
)
def test_motion_is_the_derivative_of_the_pose(position, rotation):
    at, h = Reader(sm.Motion(position, rotation)), 1e-5
    drives = [d if callable(d) else (lambda t, d=d: d) for d in (*position, *rotation)]
    for t in (0.05, 0.4, 1.3):
        R, p, twist, acceleration = at(t)
        values = np.array([float(d(t)) for d in drives])
        assert p == pytest.approx(P0 + values[:3], abs=1e-14)
        assert R == pytest.approx(R0 @ exp_so3(values[3:]), abs=1e-13)
        (R_a, p_a, twist_a, _), (R_b, p_b, twist_b, _) = at(t - h), at(t + h)
        assert twist[:3] == pytest.approx(R.T @ (p_b - p_a) / (2 * h), abs=1e-7)
        assert twist[3:] == pytest.approx(log_so3(R_a.T @ R_b) / (2 * h), abs=1e-6)
        assert acceleration == pytest.approx((twist_b - twist_a) / (2 * h), abs=1e-5)


def test_a_spin_about_its_own_axis():
    R, _, twist, acceleration = Reader(sm.Motion(rotation=(0, 0, lambda t: 4.0 * t)))(0.5)
    assert R == pytest.approx(R0 @ rotation_z(2.0), abs=1e-14)
    assert twist == pytest.approx([0, 0, 0, 0, 0, 4.0], abs=1e-13)
    assert acceleration == pytest.approx(np.zeros(6), abs=1e-12)


def test_it_drives_what_hangs_on_it():
    """x'' + w^2 (x - s) = 0 with s = a sin(W t): x = a (W w sin(w t) - w^2 sin(W t)) / (W^2 - w^2)."""
    a, W, k = 0.05, 3.0, 40.0
    model = sm.Model("shaken")
    mass = model.node("mass", position=(0, 0, 0))
    model.add("body", sm.Body(mass, mass=1.0, inertia=(1, 1, 1)))
    shaker = model.prescribed("shaker", sm.Motion(position=(0, 0, sm.Sine(a, W))), position=(0, 0, 1))
    model.add("spring", sm.Spring(shaker, mass, stiffness=k))
    results = sm.transient(model, 2.0, 1e-3, progress=False)
    w, t = np.sqrt(k), results.time
    expected = a * (W * w * np.sin(w * t) - w**2 * np.sin(W * t)) / (W**2 - w**2)
    assert results["mass.position"][:, 2] == pytest.approx(expected, abs=1e-5)
    assert results["shaker.position"][:, 2] == pytest.approx(1 + a * np.sin(W * t), abs=1e-14)
    assert results["shaker.velocity"][:, 2] == pytest.approx(a * W * np.cos(W * t), abs=1e-13)
    assert results["shaker.acceleration"][:, 2] == pytest.approx(-a * W**2 * np.sin(W * t), abs=1e-12)


def test_velocity_at_the_start_is_that_of_the_motion():
    """w x r, and that of the point that it turns about; a drive's rate is taken from its values, to 1e-8."""
    model, spin = sm.Model("hub"), 240.0
    motion = sm.Motion(position=(0.0, sm.Sine(0.01, 30.0), 0.0), rotation=(0.0, 0.0, lambda t: spin * t))
    hub = model.prescribed("hub", motion, position=(1.0, 0.0, 0.0))
    assert hub.velocity_at((1.5, 0.0, 0.0)) == pytest.approx([0.0, 0.3 + 0.5 * spin, 0.0], abs=1e-7)
    leaning = model.prescribed("leaning", sm.Motion(rotation=(0.0, 0.0, lambda t: spin * t)), rotation=R0)
    expected = np.cross(spin * R0[:, 2], (1.0, 0.0, 0.0))
    assert leaning.velocity_at((1.0, 0.0, 0.0)) == pytest.approx(expected, abs=1e-7)
    assert not np.any(model.ground.velocity_at((1.0, 2.0, 3.0)))
