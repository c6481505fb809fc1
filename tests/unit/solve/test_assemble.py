"""Consistent start: what the user gave roughly is closed, and accelerations and reactions follow."""

import itertools
from typing import Any

import numpy as np
import pytest

import samara as sm
from samara.rotations import arctan2, dot
from samara.system.memory.blocks import ACC, ETA, ROTATION

GRAVITY = 9.81
AXIS = (0, 1, 0)


class DrivenHinge(sm.Joint):
    """A hinge about z whose angle is a drive."""

    angle: Any = sm.driven(unit="rad")

    def constraint(self, a, b):
        angle = arctan2(dot(a.y, b.x), dot(a.x, b.x))
        return [*b.see(a.p), dot(a.z, b.x), dot(a.z, b.y), angle - self.angle]


def assembled(model: sm.Model) -> sm.Simulation:
    sim = sm.Simulation(model)
    sm.assemble(sim)
    return sim


def first_record(model: sm.Model) -> sm.Results:
    """The state at t = 0, as a run records it."""
    return sm.transient(model, 1e-6, 1e-6, progress=False)


def test_a_consistent_state_is_left_alone():
    model = sm.Model("pendulum", gravity=(0, 0, -GRAVITY))
    bob = model.node("bob", (1, 0, 0), velocity=(0, 0, -2.0), angular_velocity=(0, 2.0, 0))
    model.add("body", sm.Body(bob, mass=2.0, inertia=(0.1, 0.2, 0.3)))
    model.add("hinge", sm.Revolute(model.ground, bob, at=(0, 0, 0), axis=AXIS))
    sim = assembled(model)
    assert sim.state.pose(bob).p == pytest.approx([1, 0, 0], abs=1e-15)
    assert sim.state.read(bob, ETA, 6) == pytest.approx([0, 0, -2, 0, 2, 0], abs=1e-14)


def test_gap_along_the_arm_is_closed_by_moving_the_body():
    # turning would not help: the point at 0.1 m in front of the ground's has to come back along x
    model = sm.Model("gap")
    bob = model.node("bob", (1.1, 0, 0))
    model.add("body", sm.Body(bob, mass=1.0, inertia=(1, 1, 1)))
    model.add("ball", sm.Spherical(model.ground, bob, place_b=(-1, 0, 0)))
    sim = assembled(model)
    assert sim.state.pose(bob).p == pytest.approx([1, 0, 0], abs=1e-12)
    assert sim.state.read(bob, ROTATION, 9) == pytest.approx(np.eye(3).ravel(), abs=1e-12)


def test_loop_given_roughly_is_closed_with_proper_rotations(rng):
    model = sm.Model("rough loop")
    corners = np.array([[0, 0, 0], [0, 0, 0.4], [1.2, 0, 0.9], [1.0, 0, 0]])
    nodes = []
    for k, (p, q) in enumerate(itertools.pairwise(corners)):
        nodes.append(model.node(f"bar{k}", (p + q) / 2 + rng.uniform(-0.05, 0.05, 3)))
        model.add(f"body{k}", sm.Body(nodes[-1], mass=1.0, inertia=(0.1, 0.1, 0.1)))
    arm = [(q - p) / 2 for p, q in itertools.pairwise(corners)]
    hinge = sm.Placement(rotation=[[1, 0, 0], [0, 0, 1], [0, -1, 0]])  # its z is the world's y
    model.add("A", sm.Revolute(model.ground, nodes[0], place_a=hinge, place_b=sm.Placement(-arm[0], hinge.rotation)))
    model.add("B", sm.Spherical(nodes[0], nodes[1], place_a=arm[0], place_b=-arm[1]))
    model.add("C", sm.Spherical(nodes[1], nodes[2], place_a=arm[1], place_b=-arm[2]))
    end = sm.Placement(corners[3], hinge.rotation)
    model.add("D", sm.Revolute(model.ground, nodes[2], place_a=end, place_b=sm.Placement(arm[2], hinge.rotation)))
    sim = assembled(model)
    pose = [(sim.state.pose(n)) for n in nodes]
    ends = [[p - R @ a, p + R @ a] for (R, p), a in zip(pose, arm, strict=True)]
    gaps = [ends[0][0], ends[0][1] - ends[1][0], ends[1][1] - ends[2][0], ends[2][1] - corners[3]]
    assert np.abs(gaps).max() < 1e-11
    assert all(R.T @ R == pytest.approx(np.eye(3), abs=1e-12) for R, _ in pose)
    assert all(abs(p[1]) < 0.06 for _, p in pose)  # not thrown far away


def test_velocities_are_projected_by_the_smallest_change():
    # bob at distance r on a hinge, given a spin w0 but no velocity. Afterwards v = r w, with v^2 + L^2 (w - w0)^2
    # least, L being the size of the mechanism
    r, w0 = 1.0, 3.0
    model = sm.Model("pendulum")
    bob = model.node("bob", (r, 0, 0), angular_velocity=(0, w0, 0))
    model.add("body", sm.Body(bob, mass=2.0, inertia=(0.1, 0.2, 0.3)))
    model.add("hinge", sm.Revolute(model.ground, bob, at=(0, 0, 0), axis=AXIS))
    sim = assembled(model)
    w = sim.length**2 * w0 / (r**2 + sim.length**2)
    assert sim.state.read(bob, ETA, 6) == pytest.approx([0, 0, -r * w, 0, w, 0], abs=1e-12)


def test_accelerations_and_reactions_of_a_moving_pendulum():
    m, l, J, angle, rate = 1.7, 0.8, 0.25, 0.6, 3.0  # angle from the downward vertical
    d, n = np.array([np.sin(angle), 0, -np.cos(angle)]), np.array([np.cos(angle), 0, np.sin(angle)])
    gravity = np.array([0, 0, -GRAVITY])
    model = sm.Model("pendulum", gravity=gravity)
    bob = model.node("bob", l * d, velocity=l * rate * n, angular_velocity=(0, -rate, 0))
    model.add("body", sm.Body(bob, mass=m, inertia=(0.3, J, 0.3)))
    model.add("hinge", sm.Revolute(model.ground, bob, at=(0, 0, 0), axis=AXIS))
    run = first_record(model)
    angular = -m * GRAVITY * l * np.sin(angle) / (J + m * l**2)
    acceleration = l * (angular * n - rate**2 * d)
    assert run["bob.angular_acceleration"][0] == pytest.approx([0, -angular, 0], abs=1e-11)
    assert run["bob.acceleration"][0] == pytest.approx(acceleration, abs=1e-11)
    force = model.elements["hinge"].place_b.rotation @ run["hinge.force"][0]
    assert force == pytest.approx(m * (acceleration - gravity), abs=1e-11)


def test_driven_joint_starts_with_the_drive_s_rate_and_acceleration():
    # angle 0.3 + 0.5 t + 0.2 t^2 about the vertical: w = 0.5 rad/s, dw = 0.4 rad/s^2, and the torque that this takes
    m, r, J = 2.0, 0.5, 0.3
    model = sm.Model("turntable")
    node = model.node("table", (r, 0, 0))
    model.add("body", sm.Body(node, mass=m, inertia=(0.2, 0.2, J)))
    drive = sm.Expression(lambda t: 0.3 + 0.5 * t + 0.2 * t**2)
    model.add("drive", DrivenHinge(model.ground, node, place_b=(-r, 0, 0), angle=drive))
    run = first_record(model)
    d, n = np.array([np.cos(0.3), np.sin(0.3), 0]), np.array([-np.sin(0.3), np.cos(0.3), 0])
    assert run["table.position"][0] == pytest.approx(r * d, abs=1e-11)
    assert run["table.velocity"][0] == pytest.approx(0.5 * r * n, abs=1e-11)
    assert run["table.angular_velocity"][0] == pytest.approx([0, 0, 0.5], abs=1e-11)
    assert run["table.angular_acceleration"][0] == pytest.approx([0, 0, 0.4], abs=1e-10)
    assert run["table.acceleration"][0] == pytest.approx(r * (0.4 * n - 0.25 * d), abs=1e-10)
    assert run["drive.couple"][0][2] == pytest.approx(0.4 * (J + m * r**2), rel=1e-10)


def test_a_prescribed_hub_sets_its_blade_in_motion():
    speed = 30.0
    model = sm.Model("hub")
    hub = model.prescribed("hub", sm.Motion(rotation=(0, 0, lambda t: speed * t)))
    blade = model.node("blade", (2.0, 0, 0))
    model.add("body", sm.Body(blade, mass=5.0, inertia=(0.1, 4.0, 4.0)))
    model.add("hinge", sm.Revolute(hub, blade, at=(0.5, 0, 0), axis=AXIS))
    sim = assembled(model)
    # the flap hinge leaves only rotation about y: the spin and the velocity it takes are the hub's
    v, w = np.split(sim.state.read(blade, ETA, 6), 2)
    assert w[[0, 2]] == pytest.approx([0, speed], abs=1e-10)
    assert v + np.cross(w, [-1.5, 0, 0]) == pytest.approx([0, 0.5 * speed, 0], abs=1e-10)
    acceleration = sim.state.read(blade, ACC, 3) + np.cross(w, v)
    assert acceleration == pytest.approx([-2.0 * speed**2, 0, 0], abs=1e-8)


# ---- what cannot be started


def door(second) -> sm.Model:
    model = sm.Model("door")
    leaf = model.node("leaf")
    model.add("body", sm.Body(leaf, mass=1.0, inertia=(1, 1, 1)))
    model.add("lower", sm.Revolute(model.ground, leaf, at=(0, 0, 0), axis=(0, 0, 1)))
    model.add("upper", second(model.ground, leaf, at=(0, 0, 1), axis=(0, 0, 1)))
    return model


@pytest.mark.parametrize(("second", "count"), [(sm.Revolute, 5), (sm.Spherical, 3)])
def test_redundant_constraints_are_counted_and_named(second, count):
    with pytest.raises(
        sm.SingularModel, match=rf"'door' has {count} redundant constraint\(s\) among .*'lower'.*'upper'"
    ):
        assembled(door(second))


def test_redundant_planar_loop():
    # four parallel hinges in a loop: three constraints out of the plane repeat each other
    model, corners = sm.Model("planar loop"), np.array([[0, 0, 0], [0, 0, 1], [1, 0, 1.2], [1, 0, 0]], float)
    before = model.ground
    for k, (p, q) in enumerate(itertools.pairwise(corners)):
        node = model.node(f"bar{k}", (p + q) / 2)
        model.add(f"body{k}", sm.Body(node, mass=1.0, inertia=(0.1, 0.1, 0.1)))
        model.add(f"hinge{k}", sm.Revolute(before, node, at=p, axis=AXIS))
        before = node
    model.add("last", sm.Revolute(before, model.ground, at=corners[3], axis=AXIS))
    with pytest.raises(sm.SingularModel, match=r"3 redundant constraint\(s\) among .*'hinge0'.*'last'"):
        assembled(model)


def test_a_static_node_that_nothing_holds_is_named():
    model = sm.Model("loose")
    body, loose = model.node("body"), model.node("loose", static=True)
    model.add("mass", sm.Body(body, mass=1.0, inertia=(1, 1, 1)))
    model.add("ball", sm.Spherical(body, loose))  # its rotation is nobody's business
    with pytest.raises(sm.SingularModel, match=r"nothing determines node 'loose'"):
        sm.transient(model, 0.1, 0.01, progress=False)


def test_joints_that_cannot_meet_are_named():
    model = sm.Model("too short")
    bar = model.node("bar", (1, 0, 0))
    model.add("body", sm.Body(bar, mass=1.0, inertia=(1, 1, 1)))
    model.add("left", sm.Spherical(model.ground, bar, place_b=(-1, 0, 0)))
    model.add("right", sm.Spherical(model.ground, bar, place_a=(3, 0, 0), place_b=(1, 0, 0)))
    with pytest.raises(sm.SolveError, match=r"cannot be assembled: element '(left|right)' stays open by 0\.5"):
        assembled(model)


def test_redundant_joints_are_closed_first_and_named_then():
    # both hinges of a door are off by the same shift, which moving the leaf can mend
    model = sm.Model("door")
    leaf = model.node("leaf", (0.1, -0.05, 0.2))
    model.add("body", sm.Body(leaf, mass=1.0, inertia=(1, 1, 1)))
    for name, height in (("lower", 0.0), ("upper", 1.0)):
        model.add(name, sm.Revolute(model.ground, leaf, place_a=(0, 0, height), place_b=(0, 0, height)))
    with pytest.raises(sm.SingularModel, match=r"5 redundant constraint\(s\) among .*'lower'.*'upper'"):
        assembled(model)


def test_a_static_node_out_of_balance_has_no_wild_acceleration():
    """It has no mass: its force settles its pose in the first step; its acceleration at the start is left at zero."""
    model = sm.Model("slack")
    knot = model.node("knot", position=(0.5, 0.1, 0), static=True)
    mass = model.node("mass", position=(1, 0, 0))
    model.add("body", sm.Body(mass, mass=1.0, inertia=(1, 1, 1)))
    model.add("ties", sm.TotalJoint(model.ground, knot, hold_position=(False,) * 3, hold_rotation=(True,) * 3))
    for name, other in (("left", model.ground), ("right", mass)):
        model.add(name, sm.Spring(other, knot, stiffness=100.0, length=0.4))
    run = sm.transient(model, 0.01, 1e-3, progress=False)
    assert np.abs(run["knot.acceleration"][0]).max() == 0.0
    assert abs(run["knot.position"][-1, 1]) < 1e-3


class Rootless(sm.Element):
    """y^2 + 1 = 0: no state y does that."""

    def own_states(self):
        return {"y": sm.State(0, value=0.7, unit="1", scale=1.0)}

    def formulate(self, site):
        y = site.states[0].value
        return sm.Contribution(wrenches=[], balances=[y * y + 1.0])


class Root(Rootless):
    """sqrt(y) + 3 = 0: Newton's method leaves where the square root is real."""

    def formulate(self, site):
        return sm.Contribution(wrenches=[], balances=[np.sqrt(site.states[0].value) + 3.0])


def test_a_start_that_does_not_converge_names_its_element():
    model = sm.Model("rootless")
    model.add("valve", Rootless())
    message = r"'rootless': state 'valve\.y' has no initial value: .* of the equations of 'valve' was found"
    with pytest.raises(sm.SolveError, match=message):
        assembled(model)


def test_a_start_that_is_not_finite_names_its_element():
    model = sm.Model("root")
    model.add("pump", Root())
    with pytest.raises(sm.SolveError, match=r"'root'.* not finite.* first found at element 'pump'"):
        assembled(model)


@pytest.mark.parametrize("direction", [(1.0, 0.0, 0.0), (1.0, 2.0, 0.3)], ids=["x", "askew"])
@pytest.mark.parametrize(("links", "size"), [(2, 1.0), (10, 1.0), (120, 1.0), (120, 300.0)])
def test_a_chain_stretched_out_straight_is_assembled_with_its_end_nearer(links, size, direction):
    """At first sight no motion of its links brings the end nearer: the joints' matrix has lost rank."""
    u, length = np.array(direction) / np.linalg.norm(direction), size / links
    model = sm.Model("straight")
    inner = model.ground
    for k in range(links):
        link = model.node(f"link{k}", (k + 0.5) * length * u)
        model.add(f"body{k}", sm.Body(link, mass=length, inertia=np.full(3, length**3)))
        model.add(f"joint{k}", sm.Spherical(inner, link, at=k * length * u))
        inner = link
    model.add("end", sm.Spherical(model.ground, inner, place_a=0.7 * size * u, place_b=0.5 * length * u))
    sim = sm.Simulation(model)
    sm.assemble(sim)
    tip = sim.state.pose(inner).p + sim.state.pose(inner).R @ (0.5 * length * u)
    np.testing.assert_allclose(tip, 0.7 * size * u, atol=1e-9 * size)
