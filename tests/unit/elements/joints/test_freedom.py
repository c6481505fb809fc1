"""What each joint leaves free: assembly from a wrong start, and the rank of its constraints there."""

import numpy as np
import pytest

import samara as sm
from samara.rotations import exp_so3

ROWS = {
    "Clamp": (6, lambda a, b, **at: sm.Clamp(a, b, **at)),
    "Spherical": (3, lambda a, b, **at: sm.Spherical(a, b, **at)),
    "Revolute": (5, lambda a, b, **at: sm.Revolute(a, b, **at)),
    "Prismatic": (5, lambda a, b, **at: sm.Prismatic(a, b, **at)),
    "Cylindrical": (4, lambda a, b, **at: sm.Cylindrical(a, b, **at)),
    "Gimbal": (4, lambda a, b, **at: sm.Gimbal(a, b, **at)),
    "GimbalRotation": (1, lambda a, b, **at: sm.GimbalRotation(a, b, **at)),
    "Universal": (4, lambda a, b, **at: sm.Universal(a, b, **at)),
    "InLine": (2, lambda a, b, **at: sm.InLine(a, b, **at)),
    "InPlane": (1, lambda a, b, **at: sm.InPlane(a, b, **at)),
    "Distance": (1, lambda a, b, **at: sm.Distance(a, b, length=0.7, **at)),
    "PrescribedAngle": (1, lambda a, b, **at: sm.PrescribedAngle(a, b, angle=0.4, **at)),
    "PrescribedRate": (1, lambda a, b, **at: sm.PrescribedRate(a, b, rate=3.0, **at)),
    "Screw": (5, lambda a, b, **at: sm.Screw(a, b, lead=0.5, **at)),
    "TotalJoint 3+3": (6, lambda a, b, **at: sm.TotalJoint(a, b, rotation=(0.1, 0.2, 0.3), **at)),
    "TotalJoint 3+2": (5, lambda a, b, **at: sm.TotalJoint(a, b, hold_rotation=(True, False, True), **at)),
    "TotalJoint 2+1": (
        3,
        lambda a, b, **at: sm.TotalJoint(
            a, b, hold_position=(True, True, False), hold_rotation=(False, True, False), rotation=(0, 0.3, 0), **at
        ),
    ),
    "TotalJoint 0+2": (
        2,
        lambda a, b, **at: sm.TotalJoint(a, b, hold_position=(False,) * 3, hold_rotation=(True, True, False), **at),
    ),
}


def constraint_matrix(sim: sm.Simulation) -> np.ndarray:
    """G of all constraints by the twists of the nodes, at the present state."""
    s = sim.system
    moving = float(any(g.kind.constraint_count < g.kind.multiplier_count for g in s.groups))
    sim.state.weigh(1.0 - moving, 1.0, 1.0, moving)
    values, nodes = sim.matrix_values(), 6 * len(s.layout.free)
    J = np.zeros((s.unknowns.size, s.unknowns.size))
    J[np.repeat(np.arange(s.unknowns.size), np.diff(s.pattern.indptr)), s.pattern.indices] = values
    return J[nodes:, :nodes]


def scattered(make, rng) -> sm.Model:
    """Two bodies, thrown a little off from where the joint wants them."""
    model = sm.Model("scattered", gravity=(0, 0, -9.81))
    frames = [sm.Placement(rng.uniform(-0.3, 0.3, 3), exp_so3(rng.uniform(-2, 2, 3))) for _ in range(2)]
    a = model.node("a", (0.3, 0.2, 0.1), exp_so3(rng.uniform(-2, 2, 3)), angular_velocity=(1, 2, 3))
    off = sm.Placement(rng.uniform(-0.2, 0.2, 3), exp_so3(rng.uniform(-0.4, 0.4, 3)))
    meeting = a.place @ frames[0] @ off @ frames[1].inverse()
    b = model.node("b", meeting.position, meeting.rotation, velocity=(0.3, 0.2, -0.5))
    for node in (a, b):
        model.add(f"mass_{node.name}", sm.Body(node, mass=1.0, inertia=(0.1, 0.2, 0.25)))
    model.add("joint", make(a, b, place_a=frames[0], place_b=frames[1]))
    return model


@pytest.mark.parametrize("name", ROWS)
def test_degrees_of_freedom(name, rng):
    rows, make = ROWS[name]
    sim = sm.Simulation(scattered(make, rng))
    sm.assemble(sim)
    assert sim.system.layout.multiplier_count == rows
    G = constraint_matrix(sim)
    sigma = np.linalg.svd(G, compute_uv=False)
    assert np.linalg.matrix_rank(G) == rows
    # rows of metres and radians: none of them is close to vanishing or to another one
    assert sigma[-1] > 0.2 and sigma[0] < 5.0


@pytest.mark.parametrize("name", ROWS)
@pytest.mark.filterwarnings("ignore::samara.solve.start_report.ChangedStart")  # thrown roughly on purpose
def test_assembled_motion_satisfies_the_constraint(name, rng):
    _, make = ROWS[name]
    run = sm.transient(scattered(make, rng), 0.02, 1e-3, progress=False)
    assert run["model.violation"].max() < 1e-11


@pytest.mark.parametrize(
    ("make", "turn"),
    [
        (lambda a, b: sm.Clamp(a, b), 0.0),
        (lambda a, b: sm.TotalJoint(a, b), 0.0),
        (lambda a, b: sm.TotalJoint(a, b, rotation=(0.0, 30.0, 0.0)), 30.0),
    ],
    ids=["clamp", "total", "total, turned"],
)
@pytest.mark.filterwarnings("ignore::samara.Implausible")  # 30 rad are meant
def test_no_wrong_assembly_far_off(make, turn):
    """From almost half a turn off: the skew part of R would go to its other zero."""
    model = sm.Model("far off")
    wanted = exp_so3([0.0, turn, 0.0])
    start = wanted @ exp_so3(2.9 * np.array([2.0, -1.0, 2.0]) / 3.0)
    b = model.node("b", (0.1, 0, 0), start)
    model.add("mass", sm.Body(b, mass=1.0, inertia=(1.0, 1.0, 1.0)))
    model.add("joint", make(model.ground, b))
    sim = sm.Simulation(model)
    sm.assemble(sim)
    np.testing.assert_allclose(sim.state.read(b, 0, 9).reshape(3, 3), wanted, atol=1e-11)


def test_angle_is_found_from_almost_half_a_turn_off():
    model = sm.Model("far off")
    b = model.node("b", rotation=exp_so3([0, 0, 3.0]))
    model.add("mass", sm.Body(b, mass=1.0, inertia=(1.0, 1.0, 1.0)))
    model.add("hinge", sm.Revolute(model.ground, b))
    model.add("angle", sm.PrescribedAngle(model.ground, b, angle=12 * np.pi))
    run = sm.transient(model, 1e-3, 1e-3, progress=False)
    assert run["hinge.angle"][0] == pytest.approx(0.0, abs=1e-11)
    assert run["angle.angle"][0] == pytest.approx(12 * np.pi, abs=1e-11)
