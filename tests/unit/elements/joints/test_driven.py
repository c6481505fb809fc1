"""Driven joints follow their drives through several turns, with the reactions and the power of closed forms."""

import numpy as np
import pytest

import samara as sm
from samara.rotations import exp_so3

G, M, L, J = 9.81, 1.5, 0.4, 0.02


def eccentric(hold) -> sm.Model:
    """A body with its centre of mass L off the axis z, gravity along -y; `hold` adds what holds it."""
    model = sm.Model("eccentric", gravity=(0, -G, 0))
    b = model.node("b")
    model.add("mass", sm.Body(b, mass=M, inertia=(J, J, J), com=(L, 0, 0)))
    hold(model, b)
    return model


def hinge_and_angle(drive):
    def hold(model, b):
        model.add("hinge", sm.Revolute(model.ground, b))
        model.add("motor", sm.PrescribedAngle(model.ground, b, angle=drive))

    return hold


def hinge_and_rate(drive):
    def hold(model, b):
        model.add("hinge", sm.Revolute(model.ground, b))
        model.add("motor", sm.PrescribedRate(model.ground, b, rate=drive))

    return hold


def total(drive):
    return lambda model, b: model.add("motor", sm.TotalJoint(model.ground, b, rotation=(0, 0, drive)))


SPEED = 9.0


@pytest.mark.parametrize(
    "hold",
    [
        hinge_and_angle(lambda t: SPEED * t),
        hinge_and_rate(SPEED),
        total(lambda t: SPEED * t),
    ],
    ids=["angle", "rate", "total"],
)
def test_steady_rotation(hold):
    """Torque m g L cos(angle), force on the hinge -m L W^2 towards the axis plus the weight: exact, no order of h."""
    run = sm.transient(eccentric(hold), 2.0, 2e-3, progress=False)
    angle = SPEED * run.time
    assert angle[-1] > 2.5 * 2 * np.pi
    torque = M * G * L * np.cos(angle)
    force = M * np.column_stack([G * np.sin(angle) - L * SPEED**2, G * np.cos(angle), 0 * angle])
    bearing = "hinge" if "hinge.force" in run else "motor"
    np.testing.assert_allclose(run["motor.couple"][:, 2], torque, atol=1e-7)
    np.testing.assert_allclose(run[f"{bearing}.force"], force, atol=1e-7 * M * L * SPEED**2)
    # what the motor puts in is what the weight takes: power of the drive = d(potential)/dt
    np.testing.assert_allclose(run["motor.power"], torque * SPEED, atol=1e-6)
    np.testing.assert_allclose(run["model.supplied"], torque * SPEED, atol=1e-6)
    np.testing.assert_allclose(run["b.rotation"][:, 0], np.cos(angle), atol=1e-9)


@pytest.mark.parametrize("hold", [hinge_and_angle, total], ids=["angle", "total"])
def test_spin_up(hold):
    """angle = alpha t^2 / 2: torque (J + m L^2) alpha + m g L cos(angle), more than three turns."""
    alpha = 12.0
    run = sm.transient(eccentric(hold(lambda t: 0.5 * alpha * t * t)), 2.0, 1e-3, progress=False)
    angle = 0.5 * alpha * run.time**2
    assert angle[-1] > 3 * 2 * np.pi
    torque = (J + M * L**2) * alpha + M * G * L * np.cos(angle)
    # second order; one-step start. The largest speed is 24 rad/s: (W h)^2 = 6e-4
    np.testing.assert_allclose(run["motor.couple"][:, 2], torque, atol=5e-3)
    np.testing.assert_allclose(run["b.rotation"][:, 0], np.cos(angle), atol=1e-11)


def test_total_joint_turns_about_any_axis():
    """Rotation vector W t n about a slanted axis n, five turns: R = exp(W t n), torque-free for a sphere."""
    n = np.array([2.0, -1.0, 2.0]) / 3.0
    model = sm.Model("ball")
    b = model.node("b")
    model.add("mass", sm.Body(b, mass=1.0, inertia=(1.0, 1.0, 1.0)))
    model.add("j", sm.TotalJoint(model.ground, b, rotation=tuple(lambda t, c=c: 16.0 * c * t for c in n)))
    run = sm.transient(model, 2.0, 1e-3, progress=False)
    for k in (0, 500, 1999, 2000):
        R = run["b.rotation"][k].reshape(3, 3)
        np.testing.assert_allclose(R, exp_so3(16.0 * run.time[k] * n), atol=1e-10)
        np.testing.assert_allclose(run["b.angular_velocity"][k], 16.0 * n, atol=1e-8)
    assert np.abs(run["j.couple"]).max() < 1e-6


def test_driven_slide_with_free_turn():
    """Slides along z as told and spins freely through several turns, as a driven cylindrical joint."""
    model = sm.Model("slide", gravity=(0, 0, -G))
    b = model.node("b", angular_velocity=(0, 0, 11.0))
    model.add("mass", sm.Body(b, mass=2.0, inertia=(0.1, 0.1, 0.1)))
    model.add(
        "j",
        sm.TotalJoint(
            model.ground, b, hold_rotation=(True, True, False), position=(0, 0, lambda t: 0.3 * np.sin(2.0 * t))
        ),
    )
    run = sm.transient(model, 2.0, 1e-3, progress=False)
    t = run.time
    np.testing.assert_allclose(run["j.position"][:, 2], 0.3 * np.sin(2.0 * t), atol=1e-11)
    lift = 2.0 * (G - 1.2 * np.sin(2.0 * t))
    # second order, h^2 times the fourth derivative of the drive; the error of the first step dies out like 0.6^n
    np.testing.assert_allclose(run["j.force"][40:, 2], lift[40:], atol=2e-5)
    np.testing.assert_allclose(run["j.power"][40:], (lift * 0.6 * np.cos(2.0 * t))[40:], atol=2e-5)
    np.testing.assert_allclose(run["b.rotation"][:, 0], np.cos(11.0 * t), atol=1e-9)


@pytest.mark.parametrize(
    ("make", "hold_position", "hold_rotation"),
    [
        (sm.Clamp, (True, True, True), (True, True, True)),
        (sm.Revolute, (True, True, True), (True, True, False)),
        (sm.Prismatic, (True, True, False), (True, True, True)),
        (sm.Cylindrical, (True, True, False), (True, True, False)),
        (sm.Spherical, (True, True, True), (False, False, False)),
        (sm.InLine, (True, True, False), (False, False, False)),
        (sm.InPlane, (False, False, True), (False, False, False)),
    ],
)
@pytest.mark.filterwarnings("ignore::samara.solve.start_report.ChangedStart")  # thrown roughly on purpose
def test_total_joint_reproduces(make, hold_position, hold_rotation):
    """The same motion and the same reactions as the joint that it stands for, over a lively run."""

    def run(joint):
        model = sm.Model("twin", gravity=(1.0, -3.0, -G))
        a = model.node("a", (0.2, 0, 0), angular_velocity=(0.5, 2.0, -1.0))
        b = model.node("b", (0.5, 0.1, 0), exp_so3([0.2, 0.1, 0.3]), velocity=(0.1, 0.4, 0.2))
        for node in (a, b):
            model.add(f"mass_{node.name}", sm.Body(node, mass=1.0, inertia=(0.03, 0.02, 0.04), com=(0.1, 0, 0.05)))
        model.add("ball", sm.Spherical(model.ground, a, at=(0, 0, 0)))
        model.add("j", joint(a, b, at=(0.3, 0, 0), axis=(0.3, 1.0, 0.2)))
        return sm.transient(model, 0.2, 1e-3, progress=False, tolerance=1e-11)

    one = run(make)
    other = run(lambda a, b, **at: sm.TotalJoint(a, b, hold_position=hold_position, hold_rotation=hold_rotation, **at))
    for name in ("b.position", "b.rotation", "b.angular_velocity", "j.force", "j.couple"):
        scale = np.abs(one[name]).max() + 1.0
        np.testing.assert_allclose(other[name], one[name], atol=1e-6 * scale, err_msg=name)
