"""`RigidTree` as users call it: results are theirs, parameters count at once, and mistakes are named."""

import numpy as np
import pytest

import samara as sm
from samara.recursive import RigidTree


@pytest.fixture(scope="module")
def tree() -> RigidTree:
    """A body that floats, and one on a hinge whose mass is a parameter."""
    model = sm.Model("two", gravity=(0.0, 0.0, -9.81))
    base, arm = model.node("base"), model.node("arm", (1.0, 0.0, 0.0))
    model.add("base.body", sm.Body(base, mass=2.0, inertia=(1.0, 1.0, 1.0)))
    mass = sm.Parameter("arm.mass", 1.0, "kg")
    model.add("arm.body", sm.Body(arm, mass=mass, com=(0.3, 0.0, 0.0), inertia=(0.1, 0.1, 0.1)))
    model.add("hinge", sm.Revolute(base, arm, at=(1.0, 0.0, 0.0), axis=(0.0, 1.0, 0.0)))
    return RigidTree(model)


def test_single_calls_keep_their_results(tree):
    q, s = tree.rest()
    first = tree.forward_dynamics(q, s)
    kept = first.copy()
    second = tree.forward_dynamics(q, s, np.arange(1.0, 8.0))
    assert np.abs(second - first).max() > 1.0
    np.testing.assert_array_equal(first, kept)
    first[:] = 0.0
    np.testing.assert_array_equal(tree.forward_dynamics(q, s), kept)


def test_parameters_count_in_single_calls(tree):
    """A push on the base, straight through both centres of mass: force over mass."""
    q, s = tree.rest()
    push = np.eye(7)[0]
    for mass in (1.0, 3.0):
        tree.system.set_parameter("arm.mass", mass)
        # the hinge's axis is across the push: it moves nothing else
        assert tree.forward_dynamics(q, s, push)[0] == pytest.approx(1.0 / (2.0 + mass), rel=1e-12)
    tree.system.set_parameter("arm.mass", 1.0)


def test_mistakes_are_named(tree):
    q, s = tree.rest()
    with pytest.raises(sm.ArgumentError, match="q must have 8 numbers, got 7"):
        tree.forward_dynamics(q[1:], s)
    with pytest.raises(sm.ArgumentError, match=r"s must be of shape \(2, 7\), got \(3, 7\)"):
        tree.forward_dynamics([q, q], [s, s, s])
    for k, name in enumerate(("q", "s", "efforts")):
        given = [q.copy(), s.copy(), s.copy()]
        given[k][0] = np.nan
        with pytest.raises(sm.ArgumentError, match=f"{name} must be finite"):
            tree.forward_dynamics(*given)
    with pytest.raises(sm.ArgumentError, match="rates must be finite"):
        tree.inverse_dynamics(q, s, np.inf)
    for many in (False, True):
        long = 2.0 * q
        with pytest.raises(sm.ArgumentError, match=r"base.rotation is a quaternion .* got 2"):
            tree.forward_dynamics([q, long] if many else long, s)
    with pytest.raises(sm.ArgumentError, match="time"):
        tree.forward_dynamics(q, s, time=np.nan)


def test_rows_of_any_kind_give_the_same(tree):
    """Rows of floats in one piece take a short way; lists, whole numbers, strides and batches the long one."""
    rng = np.random.default_rng(5)
    q, s, efforts = tree.rest()[0], rng.normal(size=7), rng.normal(size=7)
    q[:3] = rng.normal(size=3)
    short = tree.forward_dynamics(q, s, efforts)
    spread = np.zeros((7, 2))
    spread[:, 0] = s
    for given in ((q.tolist(), s, efforts), (q, spread[:, 0], efforts), (q, s, efforts.tolist())):
        np.testing.assert_array_equal(tree.forward_dynamics(*given), short)
    many = tree.forward_dynamics(*(np.array([row, row, row]) for row in (q, s, efforts)))
    np.testing.assert_allclose(many, [short] * 3, rtol=1e-12)
    whole = np.arange(7)
    np.testing.assert_array_equal(
        tree.forward_dynamics(q, whole, whole), tree.forward_dynamics(q, whole.astype(float), whole.astype(float))
    )
