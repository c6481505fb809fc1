"""Reactions of joints against statics and closed forms of the dynamics."""

import numpy as np
import pytest

import samara as sm
from samara.rotations import exp_so3, rotation_x, rotation_y

G = 9.81


@pytest.mark.parametrize("turned", [False, True], ids=["axes of the world", "turned joint axes"])
@pytest.mark.parametrize("cls", [sm.Clamp, sm.TotalJoint])
def test_clamped_arm(cls, turned):
    """A mass m at the end of an arm r held at one end: the joint lifts it, and holds the moment -r x m g."""
    model = sm.Model("arm", gravity=(0, 0, -G))
    R = exp_so3([0.3, -0.8, 1.9]) if turned else np.eye(3)
    r = np.array([0.5, 0.2, 0.0])
    b = model.node("b", r)
    model.add("mass", sm.Body(b, mass=2.0, inertia=(1.0, 1.0, 1.0)))
    model.add("j", cls(model.ground, b, place_a=sm.Placement((0, 0, 0), R), place_b=sm.Placement(-r, R)))
    run = sm.transient(model, 0.01, 1e-3, progress=False)
    lift = np.array([0.0, 0.0, 2.0 * G])
    for k in (0, -1):
        np.testing.assert_allclose(run["j.force"][k], R.T @ lift, atol=1e-9)
        np.testing.assert_allclose(run["j.couple"][k], R.T @ np.cross(r, lift), atol=1e-9)
        assert run["model.supplied"][k] == pytest.approx(0.0, abs=1e-12)


def test_hanging_from_a_ball():
    model = sm.Model("hanging", gravity=(0, 0, -G))
    b = model.node("b", (0, 0, -1))
    model.add("mass", sm.Body(b, mass=2.0, inertia=(1.0, 1.0, 1.0)))
    model.add("ball", sm.Spherical(model.ground, b, at=(0, 0, 0)))
    run = sm.transient(model, 1e-3, 1e-3, progress=False)
    np.testing.assert_allclose(run["ball.force"][0], [0, 0, 2.0 * G], atol=1e-12)
    np.testing.assert_allclose(run["ball.couple"][0], 0.0, atol=1e-12)


def test_reaction_is_that_on_b_whichever_comes_first():
    """With ground and body exchanged, the reported force is that on the ground: the weight."""
    model = sm.Model("hanging", gravity=(0, 0, -G))
    n = model.node("n", (0, 0, -1))
    model.add("mass", sm.Body(n, mass=2.0, inertia=(1.0, 1.0, 1.0)))
    model.add("ball", sm.Spherical(n, model.ground, at=(0, 0, 0)))
    run = sm.transient(model, 1e-3, 1e-3, progress=False)
    np.testing.assert_allclose(run["ball.force"][0], [0, 0, -2.0 * G], atol=1e-12)


def test_slope_without_friction():
    """Sliding down a plane inclined by theta: a = g sin(theta), N = m g cos(theta)."""
    theta, m, t = 0.4, 2.0, 0.3
    model = sm.Model("slope", gravity=(0, 0, -G))
    b = model.node("b")
    model.add("mass", sm.Body(b, mass=m, inertia=(1.0, 1.0, 1.0)))
    model.add("plane", sm.InPlane(model.ground, b, place_a=sm.Placement((0, 0, 0), rotation_y(theta))))
    run = sm.transient(model, t, 1e-3, progress=False)
    assert run["plane.x"][-1] == pytest.approx(0.5 * G * np.sin(theta) * t**2, rel=1e-9)
    assert run["plane.x_rate"][-1] == pytest.approx(G * np.sin(theta) * t, rel=1e-9)
    normal = rotation_y(theta)[:, 2]
    np.testing.assert_allclose(run["plane.force"][-1], m * G * np.cos(theta) * normal, atol=1e-8)


def test_bead_on_a_spinning_line():
    """r = r0 cosh(W t), and the line pushes with the Coriolis force 2 m W dr/dt. Second order in h."""
    W, r0, m, t = 3.0, 0.4, 0.5, 0.5
    model = sm.Model("bead")
    arm = model.prescribed("arm", sm.Motion(rotation=(0, lambda t: W * t, 0)), rotation=rotation_y(np.pi / 2))
    b = model.node("b", (r0, 0, 0), velocity=(0, 0, -W * r0))
    model.add("mass", sm.Body(b, mass=m, inertia=(1.0, 1.0, 1.0)))
    model.add("line", sm.InLine(arm, b))
    run = sm.transient(model, t, 1e-3, progress=False)
    assert run["line.displacement"][-1] == pytest.approx(r0 * np.cosh(W * t), rel=1e-5)
    push = 2 * m * W * r0 * W * np.sinh(W * t)
    across = np.array([-np.sin(W * t), 0.0, -np.cos(W * t)])  # of the arm, the way it turns; the bead does not turn
    np.testing.assert_allclose(run["line.force"][-1], push * across, atol=1e-4 * push)


def test_pulled_up_on_a_bar():
    """A mass under a bar whose length is driven: tension m (g - d2L/dt2), power -tension dL/dt."""
    m = 2.0
    length = lambda t: 1.0 + 0.1 * np.sin(5.0 * t)  # noqa: E731
    model = sm.Model("winch", gravity=(0, 0, -G))
    b = model.node("b", (0, 0, -1.1))
    model.add("mass", sm.Body(b, mass=m, inertia=(1.0, 1.0, 1.0)))
    model.add("bar", sm.Distance(model.ground, b, length=length))
    run = sm.transient(model, 1.0, 1e-3, progress=False)
    t = run.time
    np.testing.assert_allclose(run["bar.distance"], length(t), atol=1e-11)
    tension = m * (G + 2.5 * np.sin(5.0 * t))
    # second order, h^2 times the fourth derivative of the length; the error of the first step dies out like 0.6^n
    np.testing.assert_allclose(run["bar.force"][40:, 2], tension[40:], atol=2e-4)
    np.testing.assert_allclose(run["bar.power"][40:], (-tension * 0.5 * np.cos(5.0 * t))[40:], atol=2e-4)


def test_length_defaults_to_the_start():
    model = sm.Model("bar")
    b = model.node("b", (3, 0, 0), rotation_x(np.pi / 2))
    bar = model.add("bar", sm.Distance(model.ground, b, place_a=(0, 0, 1), place_b=sm.Placement((0, 1, 4))))
    assert float(bar.length.value) == pytest.approx(np.sqrt(3**2 + 4**2 + 0**2))


def test_nut_sinks_on_a_screw():
    """Under its weight: a = g m / (m + J (2 pi / lead)^2); the thread's couple J alpha spins it up. Six turns."""
    m, J, lead, t = 2.0, 0.03, 0.2, 2.0
    k = 2 * np.pi / lead
    a = G * m / (m + J * k**2)
    model = sm.Model("nut", gravity=(0, 0, -G))
    b = model.node("b")
    model.add("mass", sm.Body(b, mass=m, inertia=(0.02, 0.02, J)))
    model.add("screw", sm.Screw(model.ground, b, lead=lead))
    run = sm.transient(model, t, 1e-3, progress=False)
    assert 0.5 * a * t**2 > 6 * lead
    assert run["screw.displacement"][-1] == pytest.approx(-0.5 * a * t**2, rel=1e-6)
    assert run["screw.angle"][-1] == pytest.approx(-0.5 * a * t**2 * k, rel=1e-6)
    assert run["screw.couple"][-1, 2] == pytest.approx(-J * k * a, rel=1e-6)
    assert run["screw.force"][-1, 2] == pytest.approx(m * (G - a), rel=1e-6)
    assert run["screw.displacement_rate"][-1] * k == pytest.approx(run["screw.angle_rate"][-1], rel=1e-9)


def test_bent_shaft():
    """Angles of two shafts joined at an angle beta by a universal joint: tan(out) = tan(in) cos(beta), all turns."""
    beta, speed = 0.6, 8.0
    model = sm.Model("bent shaft")
    first, second = model.node("first"), model.node("second", rotation=rotation_x(beta))
    for node in (first, second):
        model.add(f"inertia_{node.name}", sm.Body(node, mass=1.0, inertia=(0.1, 0.1, 0.1)))
    model.add("bearing", sm.Revolute(model.ground, first))
    model.add("motor", sm.PrescribedAngle(model.ground, first, angle=lambda t: speed * t))
    model.add("cross", sm.Universal(first, second))
    direction = sm.TotalJoint(
        model.ground, second, hold_position=(False,) * 3, hold_rotation=(True, True, False),
        place_a=sm.Placement((0, 0, 0), rotation_x(beta)),
    )  # fmt: skip
    model.add("outlet", direction)
    run = sm.transient(model, 2.0, 1e-3, progress=False)
    angle_in = speed * run.time
    angle_out = np.arctan2(np.sin(angle_in) * np.cos(beta), np.cos(angle_in))
    found = run["outlet.rotation"][:, 2]
    np.testing.assert_allclose(np.cos(found - angle_out), 1.0, atol=1e-12)
    assert run["motor.angle"][-1] == pytest.approx(16.0, abs=1e-10)
    # the power that goes in is the change of kinetic energy: trapezoidal rule over whole turns, error h^2
    work = np.trapezoid(run["motor.power"], run.time)
    assert work == pytest.approx(run["model.kinetic"][-1] - run["model.kinetic"][0], abs=1e-3)
