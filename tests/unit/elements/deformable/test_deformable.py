"""Deformable connections against closed forms."""

import numpy as np
import pytest

import samara as sm
from samara.rotations import exp_so3
from samara.system.kernels.plain_equations import NodeState, PlainSite


def wrenches(element, cls_nodes, poses):
    """What an element adds to the equations of its nodes in these poses (R, p), at rest."""
    model, nodes = cls_nodes
    model.add("element", element)
    still = [(0.0, 0.0) for leaf in element.leaves() if isinstance(leaf, sm.Drive)]
    return PlainSite(element, [NodeState(*poses[n.name]) for n in nodes], signals=still).formulate().wrenches


def two_nodes():
    model = sm.Model("pair")
    return model, [model.node("a", static=True), model.node("b", static=True)]


@pytest.mark.parametrize("angle", np.deg2rad([-170.0, -90.0, -1.0, 0.0, 1e-4, 30.0, 120.0, 170.0]))
def test_an_isotropic_hinge_turns_back_by_its_angle_about_any_axis(angle, rng):
    """C = k x e, whatever the axis e: of all vectors along e only the rotation vector gives that up to half a turn."""
    axis = rng.normal(size=3)
    axis /= np.linalg.norm(axis)
    model, (a, b) = two_nodes()
    hinge = sm.DeformableHinge(a, b, law=sm.LinearLaw3((40.0,) * 3))
    pose = {"a": (np.eye(3), np.zeros(3)), "b": (exp_so3(angle * axis), np.zeros(3))}
    w_a, w_b = wrenches(hinge, (model, (a, b)), pose)
    np.testing.assert_allclose(w_b[3:], 40.0 * angle * axis, atol=1e-12)  # in the equations: minus the load
    np.testing.assert_allclose(w_a[3:], -40.0 * angle * axis, atol=1e-12)
    np.testing.assert_allclose([w_a[:3], w_b[:3]], 0.0, atol=1e-13)


def test_midway_axes_prefer_no_node(rng):
    """Exchanging a and b gives the same element; axes of one of them do not."""
    A = rng.uniform(-1.0, 1.0, (6, 6))
    law = sm.LinearLaw6(A @ A.T)
    poses = {name: (exp_so3(rng.uniform(-0.8, 0.8, 3)), rng.uniform(-0.3, 0.3, 3)) for name in "ab"}

    def on_a_and_b(axes):
        model, (a, b) = two_nodes()
        there = wrenches(sm.DeformableJoint(a, b, law=law, axes=axes), (model, (a, b)), poses)
        model, (a, b) = two_nodes()
        back = wrenches(sm.DeformableJoint(b, a, law=law, axes=axes), (model, (b, a)), poses)
        return np.array(there), np.array(back[::-1])

    there, back = on_a_and_b("midway")
    np.testing.assert_allclose(there, back, rtol=0, atol=1e-13 * np.abs(there).max())
    there, back = on_a_and_b("d")
    assert np.abs(there - back).max() > 0.05 * np.abs(there).max()


def test_a_cantilever_in_one_element():
    """Stiffness of a clamped beam at its tip: deflection P L^3 / 3 E I, slope P L^2 / 2 E I; error of order slope."""
    length, EI = 2.0, 500.0
    flexibility = np.diag([1e-6, 1e-6, length**3 / (3 * EI), 1e-6, length / EI, 1e-6])
    flexibility[2, 4] = flexibility[4, 2] = -(length**2) / (2 * EI)  # a load along z turns about -y
    model = sm.Model("cantilever")
    tip = model.node("tip", position=(length, 0, 0))
    model.add("mass", sm.Body(tip, mass=1.0, inertia=(1, 1, 1)))
    model.add(
        "beam", sm.DeformableJoint(model.ground, tip, at=(length, 0, 0), law=sm.LinearLaw6(np.linalg.inv(flexibility)))
    )
    load = 0.1
    model.add("load", sm.Force(tip, force=(0, 0, load)))
    rest = sm.static(model)
    deflection, slope = load * length**3 / (3 * EI), load * length**2 / (2 * EI)
    assert rest["tip.position"][0, 2] == pytest.approx(deflection, rel=2 * slope)
    assert rest["beam.rotation"][0, 1] == pytest.approx(-slope, rel=2 * slope)


def test_torsional_frequency_and_decay():
    """sqrt(k / J), and half of it times `damping` omega^2 as decay: proportional damping."""
    model = sm.Model("flywheel")
    disc = model.node("disc")
    model.add("inertia", sm.Body(disc, mass=1.0, inertia=(0.5, 0.5, 0.8)))
    model.add("centre", sm.Spherical(model.ground, disc))
    law = sm.LinearLaw3((1e4, 1e4, 200.0), damping=1e-3)
    model.add("shaft", sm.DeformableHinge(model.ground, disc, law=law))
    found = sm.modes(model).eigenvalues
    omega2 = 200.0 / 0.8
    expected = -0.5e-3 * omega2 + 1j * np.sqrt(omega2 - (0.5e-3 * omega2) ** 2)
    assert np.abs(found - expected).min() < 1e-8 * abs(expected)


def test_a_driven_rest_is_a_control_input():
    """Slowly driven, the body follows the rotation exactly; what the drive puts in is what energy changes by."""
    model = sm.Model("pitch through stiffness")
    blade = model.node("blade")
    model.add("body", sm.Body(blade, mass=1.0, inertia=(0.1, 0.2, 0.3)))
    pitch = sm.Cosine(2.8, duration=1.0)  # 160 degrees
    law = sm.LinearLaw6((1e3,) * 3 + (200.0,) * 3)
    model.add("root", sm.DeformableJoint(model.ground, blade, law=law, rest_rotation=(pitch, 0, 0)))
    run = sm.transient(model, 2.0, 1e-3, integrator=sm.CrankNicolson(), progress=False)
    energy = run["model.kinetic"] + run["model.potential"]
    power = run["model.supplied"]
    work = np.concatenate([[0.0], np.cumsum(0.5e-3 * (power[1:] + power[:-1]))])
    # the trapezoidal rule errs by (h omega)^2 / 12 with omega^2 = 200 / 0.1
    assert np.abs(energy - work).max() < 1e-3 * energy.max()
    model = sm.Model("pitch at rest")
    blade = model.node("blade")
    model.add("body", sm.Body(blade, mass=1.0, inertia=(0.1, 0.2, 0.3)))
    model.add("root", sm.DeformableJoint(model.ground, blade, law=law, rest_rotation=(0.4, -1.2, 2.0)))
    R = sm.static(model)["blade.rotation"].reshape(3, 3)
    np.testing.assert_allclose(R, exp_so3(np.array([0.4, -1.2, 2.0])), atol=1e-8)


def test_components_are_the_laws_themselves():
    stop, spring = sm.OneSidedLaw(sm.LinearLaw(50.0, damping=2.0), gap=0.1), sm.CubicLaw(3.0, 4.0)
    law = sm.ComponentLaw((stop, None, spring))
    q, rate = np.array([0.05, 1.0, 2.0]), np.array([-0.3, 1.0, 0.5])
    np.testing.assert_allclose(law(q, rate), [stop(0.05, -0.3), 0.0, spring(2.0, 0.5)])
    assert law.potential(q) == pytest.approx(stop.potential(0.05) + spring.potential(2.0))
    both = law + sm.LinearLaw3((1.0, 2.0, 3.0), damping=0.1)
    np.testing.assert_allclose(both(q, rate), law(q, rate) + [1, 2, 3] * (q + 0.1 * rate))
    assert both.dissipation(q, rate) == pytest.approx(law.dissipation(q, rate) + 0.1 * ([1, 2, 3] * rate) @ rate)
