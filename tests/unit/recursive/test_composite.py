"""Mass matrix and efforts along the tree are the sums of the body decomposition."""

import numpy as np
import pytest

import samara as sm
from samara import models
from samara.model import RigidMass
from samara.recursive.dynamics.inertia import Inertia


def mixed() -> sm.Model:
    """A base that floats, with a ball, a slide, a screw and a universal joint on it, and a driven hinge."""
    model = sm.Model("mixed", gravity=(0.3, -0.2, -9.81))
    rng = np.random.default_rng(5)
    hull = model.node("hull", velocity=(3.0, 1.0, -2.0), angular_velocity=(0.3, -0.4, 0.5))
    nodes = [hull]
    for k in range(5):
        nodes.append(model.node(f"n{k}", position=rng.normal(size=3)))
    for node in nodes:
        inertia = np.diag(rng.uniform(1.0, 1.5, 3))
        model.add(f"{node.name}.body", sm.Body(node, mass=rng.uniform(1, 3), inertia=inertia, com=rng.normal(size=3)))
    model.add("ball", sm.Spherical(hull, nodes[1], at=(1, 0, 0)))
    model.add("slide", sm.Prismatic(nodes[1], nodes[2], axis=(0, 1, 1)))
    model.add("screw", sm.Screw(nodes[3], nodes[2], axis=(1, 0, 1), lead=0.2))
    model.add("cross", sm.Universal(nodes[2], nodes[4], at=(0, 1, 0), axis=(0, 0, 1), axis_x=(1, 0, 0)))
    model.add("hinge", sm.Revolute(nodes[4], nodes[5], at=(0, 0, 1), axis=(1, 1, 0)))
    model.add("motor", sm.PrescribedAngle(nodes[4], nodes[5], at=(0, 0, 1), axis=(1, 1, 0), angle=sm.Sine(0.5, 2.0)))
    return model


@pytest.mark.parametrize("build", [mixed, lambda: models.find("chain").make(links=9)], ids=["mixed", "chain"])
def test_they_are_sums_over_bodies(build):
    """H = sum J^T M J; H s_dot + h, with h at s_dot = 0, is linear in s_dot."""
    model = build()
    tree = sm.RigidTree(model)
    rng = np.random.default_rng(1)
    q, s = tree.start()
    q, s = tree.integrate(q, 0.3 * rng.normal(size=s.size)), rng.normal(size=s.size)
    H = np.zeros((s.size, s.size))
    for body in model.elements.values():
        if not isinstance(body, RigidMass):
            continue
        mass, com, J_c = body.rigid_inertia()
        J, _ = tree.jacobian(body.nodes()[0], q, s)
        H += J.T @ Inertia.of_body(mass, com, J_c).matrix().astype(float) @ J
    found = tree.mass_matrix(q)
    np.testing.assert_allclose(found, H, atol=1e-12 * np.abs(H).max())
    rates = rng.normal(size=s.size)
    efforts = tree.inverse_dynamics(q, s, rates, time=0.4)
    np.testing.assert_allclose(
        efforts, tree.mass_matrix(q, time=0.4) @ rates + tree.bias(q, s, time=0.4), atol=1e-11 * np.abs(efforts).max()
    )
    np.testing.assert_allclose(tree.forward_dynamics(q, s, efforts, time=0.4), rates, atol=1e-10)


def test_a_robot_of_forty_joints_is_asked_in_seconds():
    """The sums have n^2 entries of n bodies; along the tree arithmetic grows with n^2 for H, with n for efforts."""
    from samara.recursive.graph.kernel import TreeGraph
    from samara.recursive.native.functions import inverse, mass_matrix

    counts = {}
    for links in (10, 20, 40):
        tree = sm.RigidTree(models.find("chain").make(links=links))
        for name, make in (("efforts", inverse), ("matrix", mass_matrix)):
            asked = make(TreeGraph(tree.tree, tree.system))
            counts[name, links] = asked.function.graph.operations(node for _, node in asked.function.outputs)
    assert counts["efforts", 40] < 2.2 * counts["efforts", 20] < 2.2 * 2.2 * counts["efforts", 10]
    assert counts["matrix", 40] < 4.5 * counts["matrix", 20]
