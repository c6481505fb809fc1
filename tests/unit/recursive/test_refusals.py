"""What is no tree, or cannot be had with one, is refused by name, with the remedy."""

from __future__ import annotations

import re

import numpy as np
import pytest

import samara as sm
from samara import Body, Distance, Friction, InLine, Model, Revolute, RigidTree, Spherical, Tree, TreeError
from samara.models import find
from samara.models.mechanisms.chain import build as chain


def body(model: Model, name: str, at=(0.0, 0.0, 0.0), **fields):
    node = model.node(name, at)
    model.add(f"{name}.mass", Body(node, mass=1.0, inertia=(0.1, 0.1, 0.1), **fields))
    return node


def triangle() -> Model:
    model = Model("triangle")
    a, b, c = (body(model, name, at) for name, at in (("a", (0, 0, 0)), ("b", (1, 0, 0)), ("c", (0, 1, 0))))
    for name, one, other in (("ab", a, b), ("bc", b, c), ("ca", c, a)):
        model.add(name, Spherical(one, other, at=0.5 * (one.position + other.position)))
    return model


def test_a_loop_names_its_joints():
    with pytest.raises(TreeError, match="'triangle' is no tree") as error:
        Tree(triangle())
    assert all(repr(name) in str(error.value) for name in ("ab", "bc", "ca"))
    assert "cut one of them (cut=(" in str(error.value) and "redundant formulation" in str(error.value)


def test_a_cut_loop_is_a_tree():
    assert Tree(triangle(), cut=("ca",)).speeds == 6 + 3 + 3


def test_two_parents_through_the_ground():
    model = Model("table")
    top = body(model, "top")
    for k, at in enumerate(((0.0, 0.0, 0.0), (1.0, 0.0, 0.0))):
        model.add(f"leg_{k}", Spherical(model.ground, top, at=at))
    with pytest.raises(TreeError, match="join the same two nodes"):
        Tree(model)
    stand = model.prescribed("stand", sm.Motion(), (2.0, 0.0, 0.0))
    other = Model("bridge")
    deck = body(other, "deck")
    pier = other.prescribed("pier", sm.Motion(), (2.0, 0.0, 0.0))
    other.add("left", Spherical(other.ground, deck, at=(0, 0, 0)))
    other.add("right", Spherical(pier, deck, at=(2, 0, 0)))
    with pytest.raises(TreeError, match="a closed loop through the ground, so 'deck' would hang on two parents"):
        Tree(other)
    assert stand.name == "stand"


def test_a_leaf_without_inertia():
    model = Model("twig")
    trunk = body(model, "trunk")
    leaf = model.node("leaf", static=True)
    model.add("stalk", Revolute(trunk, leaf, axis=(0, 0, 1)))
    with pytest.raises(TreeError, match="node 'leaf', which hangs on joint 'stalk', has no inertia"):
        Tree(model)


def test_constraints_without_a_map():
    model = Model("rod")
    a, b = body(model, "a"), body(model, "b", (1, 0, 0))
    model.add("rod", Distance(a, b, length=1.0))
    with pytest.raises(TreeError, match=r"element 'rod' \(Distance\) holds 'a' and 'b' by a constraint"):
        Tree(model)
    assert Tree(model, cut=("rod",)).speeds == 12


def test_friction_that_depends_on_the_reaction():
    model = Model("rubbing")
    a = body(model, "a", com=(0.3, 0, 0))
    model.add("hinge", Revolute(model.ground, a, axis=(0, 1, 0), radius=0.01, friction=Friction(0.2)))
    for cut in ((), ("hinge",)):
        with pytest.raises(TreeError, match="element 'hinge' has friction that depends on its reaction"):
            Tree(model, cut=cut)


def test_flexible_masses():
    with pytest.raises(TreeError, match="is a flexible or spread-out mass"):
        Tree(find("rotating-beam").make())


def test_cut_joints_that_repeat_the_tree():
    """A plane four-bar closed by a hinge holds three things too many."""
    model = Model("plane")
    bars = [body(model, f"bar_{k}", at) for k, at in enumerate(((0, 0, 0), (0, 1, 0), (1, 1, 0)))]
    points = ((0, 0, 0), (0, 1, 0), (1, 1, 0), (1, 0, 0))
    ends = [model.ground, *bars, model.ground]
    for k, at in enumerate(points):
        model.add(f"hinge_{k}", Revolute(ends[k], ends[k + 1], at=at, axis=(0, 0, 1)))
    model.redundant = "least-squares"
    sim = sm.Simulation(model, formulation="recursive", cut=("hinge_3",))
    with pytest.raises(TreeError, match="'hinge_3', repeat each other or hold what the tree holds already"):
        sm.transient(sim, 0.1, 0.01, progress=False)


def test_an_in_line_closes_the_same_loop():
    model = Model("plane", gravity=(0, -9.81, 0))
    bars = [body(model, f"bar_{k}", at) for k, at in enumerate(((0, 0, 0), (0, 1, 0), (1, 1, 0)))]
    ends = [model.ground, *bars]
    for k, at in enumerate(((0, 0, 0), (0, 1, 0), (1, 1, 0))):
        model.add(f"hinge_{k}", Revolute(ends[k], ends[k + 1], at=at, axis=(0, 0, 1)))
    model.add("last", InLine(bars[2], model.ground, at=(1, 0, 0), axis=(0, 0, 1)))
    sim = sm.Simulation(model, formulation="recursive", cut=("last",))
    run = sm.transient(sim, 0.1, 0.01, progress=False)
    assert run["model.violation"].max() < 1e-12


def test_angles_of_euler_at_their_singularity():
    """The tree itself has none; who asks for angles there is told, and gets those of another order."""
    tree = RigidTree(_ball())
    q = tree.integrate(tree.rest()[0], (0.0, 0.5 * np.pi, 0.0))
    assert np.isfinite(tree.forward_dynamics(q, (1.0, 2.0, 3.0))).all()
    with pytest.raises(sm.ArgumentError, match=r"node 'ball' is in gimbal lock: .* 90 deg .* take another order"):
        tree.euler_angles("ball", q, (1.0, 2.0, 3.0))
    angles, _ = tree.euler_angles("ball", q, (1.0, 2.0, 3.0), order="XYX")
    np.testing.assert_allclose(angles, (0.0, 0.5 * np.pi, 0.0), atol=1e-12)


def test_rates_of_euler_angles():
    """Against differences along the motion."""
    tree, rng, h = RigidTree(_ball()), np.random.default_rng(3), 1e-6
    q, s = tree.integrate(tree.rest()[0], rng.normal(size=3)), rng.normal(size=3)
    for order in ("ZYX", "XYZ", "ZXZ"):
        _, rates = tree.euler_angles("ball", q, s, order=order)
        ahead, behind = (tree.euler_angles("ball", tree.integrate(q, sign * h * s), order=order)[0] for sign in (1, -1))
        np.testing.assert_allclose((ahead - behind) / (2.0 * h), rates, atol=1e-8)


def _ball() -> Model:
    model = Model("ball")
    model.add("joint", Spherical(model.ground, body(model, "ball")))
    return model


# ---- numbers
def test_numbers_that_do_not_fit():
    tree = RigidTree(_ball())
    q, s = tree.start()
    with pytest.raises(sm.ArgumentError, match="s must have 3 numbers, got 4"):
        tree.forward_dynamics(q, [0.0] * 4)
    with pytest.raises(sm.ArgumentError, match=r"is a quaternion .* of length 1"):
        tree.forward_dynamics(2.0 * q, s)
    with pytest.raises(sm.ArgumentError, match="must be finite"):
        tree.forward_dynamics(q, [0.0, np.nan, 0.0])
    with pytest.raises(sm.ArgumentError, match="has no node 'bal'"):
        tree.jacobian("bal", q)


# ---- runs
def test_options_that_do_not_go_together():
    with pytest.raises(sm.ArgumentError, match="formulation must be one of 'redundant', 'recursive', got 'minimal'"):
        sm.Simulation(chain(links=1), formulation="minimal")
    with pytest.raises(
        sm.ArgumentError,
        match=re.escape("RungeKutta4() is for the recursive formulation: give formulation='recursive'"),
    ):
        sm.Simulation(chain(links=1), sm.RungeKutta4())
    with pytest.raises(sm.ArgumentError, match="RungeKutta4 has no error estimate"):
        sm.transient(chain(links=1), 0.1, accuracy=1e-6, integrator=sm.RungeKutta4(), formulation="recursive")
    with pytest.raises(sm.ArgumentError, match="partition applies to the redundant formulation only"):
        sm.Simulation(chain(links=4), formulation="recursive", partition=2)
    with pytest.raises(sm.ArgumentError, match="cut applies to the recursive formulation only"):
        sm.Simulation(chain(links=4), cut=("hinge_1",))


@pytest.mark.parametrize("analysis", [sm.modes, sm.static, sm.linearise], ids=lambda f: f.__name__)
def test_analyses_are_of_the_redundant_formulation(analysis):
    sim = sm.Simulation(chain(links=1), formulation="recursive")
    with pytest.raises(sm.ArgumentError, match="needs the redundant formulation: give the model itself"):
        analysis(sim)


def test_a_step_that_is_too_long_loses_nothing():
    model = chain(links=3)
    with pytest.raises(sm.Diverged) as error:
        sm.transient(model, 2000.0, 2.0, formulation="recursive", progress=False)
    assert error.value.results is not None and len(error.value.results.time) >= 1
