"""Relative motion that joints report, against poses that are known."""

import numpy as np
import pytest

import samara as sm
from samara.rotations import exp_so3, rotation_x, rotation_y, rotation_z


def at_start(make, position=(0, 0, 0), rotation=None, velocity=(0, 0, 0), spin=(0, 0, 0)):
    """Outputs at t = 0 of a joint between a turned frame on the ground and a body in this motion against it."""
    model = sm.Model("start")
    X_WA = sm.Placement((0.3, -0.2, 0.5), exp_so3([0.4, -1.1, 0.8]))
    X_AB = sm.Placement(position, np.eye(3) if rotation is None else rotation)
    X_WB, R = X_WA @ X_AB, X_WA.rotation
    b = model.node("b", X_WB.position, X_WB.rotation, velocity=R @ velocity, angular_velocity=R @ spin)
    model.add("mass", sm.Body(b, mass=1.0, inertia=(1.0, 1.0, 1.0)))
    model.add("j", make(model.ground, b, place_a=X_WA))
    run = sm.transient(model, 1e-4, 1e-4, progress=False)
    return {name.removeprefix("j."): run[name][0] for name in run.channels.names if name.startswith("j.")}


def check(found, **expected):
    for name, value in expected.items():
        np.testing.assert_allclose(found[name], value, atol=1e-11, err_msg=name)


def test_revolute():
    found = at_start(sm.Revolute, rotation=rotation_z(2.5), spin=(0, 0, 1.5))
    check(found, angle=2.5, angle_rate=1.5)


def test_prismatic():
    found = at_start(sm.Prismatic, position=(0, 0, 0.7), velocity=(0, 0, -0.4))
    check(found, displacement=0.7, displacement_rate=-0.4)


def test_cylindrical():
    found = at_start(sm.Cylindrical, (0, 0, 0.7), rotation_z(-0.9), velocity=(0, 0, 0.2), spin=(0, 0, 3.0))
    check(found, displacement=0.7, displacement_rate=0.2, angle=-0.9, angle_rate=3.0)


@pytest.mark.parametrize(("alpha", "beta"), [(0.0, 0.0), (0.7, -0.4), (2.9, 1.5), (-3.0, -2.0)])
def test_universal(alpha, beta):
    rate_a, rate_b = 0.3, -0.8
    R = rotation_x(alpha) @ rotation_y(beta)
    spin = rate_a * np.array([1, 0, 0]) + rate_b * R[:, 1]
    found = at_start(sm.Universal, rotation=R, spin=spin)
    check(found, angle_a=alpha, angle_b=beta, angle_a_rate=rate_a, angle_b_rate=rate_b)


def test_spherical():
    phi = np.array([0.5, -1.2, 0.8])
    found = at_start(sm.Spherical, rotation=exp_so3(phi), spin=2.0 * phi)
    check(found, rotation=phi, rotation_rate=2.0 * phi)


def test_in_line():
    phi = np.array([0.5, -1.2, 0.8])
    found = at_start(sm.InLine, (0, 0, -0.6), exp_so3(phi), velocity=(0, 0, 1.1), spin=phi)
    check(found, displacement=-0.6, displacement_rate=1.1, rotation=phi, rotation_rate=phi)


def test_in_plane():
    phi = np.array([0.5, -1.2, 0.8])
    found = at_start(sm.InPlane, (0.2, -0.6, 0), exp_so3(phi), velocity=(1.1, -0.3, 0), spin=-phi)
    check(found, x=0.2, x_rate=1.1, y=-0.6, y_rate=-0.3, rotation=phi, rotation_rate=-phi)


def test_distance():
    found = at_start(sm.Distance, (0.3, 0.4, 1.2), velocity=(4.0, -3.0, 0.0))
    check(found, distance=1.3, distance_rate=0.0)


def test_screw():
    found = at_start(
        lambda a, b, **at: sm.Screw(a, b, lead=0.1, **at),
        (0, 0, 0.325), rotation_z(3.25 * 2 * np.pi), velocity=(0, 0, 0.2), spin=(0, 0, 4 * np.pi),
    )  # fmt: skip
    check(found, displacement=0.325, displacement_rate=0.2, angle=6.5 * np.pi, angle_rate=4 * np.pi)


def test_prescribed_angle_counts_turns():
    found = at_start(
        lambda a, b, **at: sm.PrescribedAngle(a, b, angle=lambda t: 40.0 + 3.0 * t, **at),
        (0.1, 0.2, 0.3), rotation_z(40.0), spin=(0.4, 0.5, 3.0),
    )  # fmt: skip
    check(found, angle=40.0, angle_rate=3.0)


@pytest.mark.filterwarnings("ignore::samara.solve.start_report.ChangedStart")  # thrown roughly on purpose
def test_prescribed_rate():
    found = at_start(
        lambda a, b, **at: sm.PrescribedRate(a, b, rate=7.0, **at),
        (0.1, 0.2, 0.3), rotation_z(-1.2), spin=(0.4, 0.5, 3.0),
    )  # fmt: skip
    check(found, angle=-1.2, angle_rate=7.0)


def test_total():
    phi, spin = np.array([0.0, 0.0, 1.3]), np.array([0.0, 0.0, 0.6])
    hold = {"hold_position": (True, False, False), "hold_rotation": (True, True, False)}
    found = at_start(
        lambda a, b, **at: sm.TotalJoint(a, b, **hold, **at),
        (0.0, 0.5, -0.7), exp_so3(phi), velocity=(0.0, 0.1, 0.2), spin=spin,
    )  # fmt: skip
    check(found, position=(0.0, 0.5, -0.7), position_rate=(0.0, 0.1, 0.2), rotation=phi, rotation_rate=spin, power=0.0)


def test_world_point_and_axis():
    """`at` and `axis` in the world are the same as frames on the nodes; b may start turned."""
    model = sm.Model("door", gravity=(0, 0, -9.81))
    b = model.node("b", (1, 0, 0), exp_so3([0.3, 0.2, 0.1]), velocity=(0, 0, -2), angular_velocity=(0, 2, 0))
    model.add("mass", sm.Body(b, mass=1.0, inertia=(1.0, 1.0, 1.0)))
    hinge = model.add("hinge", sm.Revolute(model.ground, b, at=(0, 0, 0), axis=(0, 5, 0), axis_x=(1, 1, 0)))
    for node, place in ((model.ground, hinge.place_a), (b, hinge.place_b)):
        X_WP = node.place @ place
        np.testing.assert_allclose(X_WP.position, 0.0, atol=1e-15)
        np.testing.assert_allclose(X_WP.rotation[:, 2], [0, 1, 0], atol=1e-15)
        np.testing.assert_allclose(X_WP.rotation[:, 0], [1, 0, 0], atol=1e-15)
    run = sm.transient(model, 1e-4, 1e-4, progress=False)
    assert run["hinge.angle"][0] == pytest.approx(0.0, abs=1e-14)
    assert run["hinge.angle_rate"][0] == pytest.approx(2.0, abs=1e-12)
