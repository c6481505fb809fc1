"""Random trees against Pinocchio: an outside code, from the same description."""

from __future__ import annotations

import numpy as np
import pytest
from evaluated import PlainTree
from random_trees import PinocchioTwin, random_tree, samara_model

from samara.recursive import RigidTree

pin = pytest.importorskip("pinocchio", reason="the oracle is the package pin, of the extra dev")

#: Accelerations and efforts to this part of the largest.
ACCURACY = 1e-10
TREES, BATCH = 200, 25


def close(found, wanted, accuracy: float = ACCURACY) -> None:
    np.testing.assert_allclose(found, wanted, rtol=0.0, atol=accuracy * max(1.0, np.abs(wanted).max()))


def base_of(members) -> str | None:
    """Pinocchio's base is the first body."""
    return "body_0" if members[0].kind == "free" else None


def twins(seed: int):
    """A random tree as a model of ours and as Pinocchio's, with a state."""
    rng = np.random.default_rng(seed)
    members = random_tree(rng, int(rng.integers(1, 9)), free=bool(seed % 2))
    tree = PlainTree(samara_model(members), base=base_of(members))
    twin = PinocchioTwin(members, tree.tree.coordinate_names, tree.tree.speed_names)
    return tree, twin, rng


@pytest.mark.parametrize("first", range(0, TREES, BATCH))
def test_forward_and_inverse_dynamics_and_mass_matrix(first: int):
    for seed in range(first, first + BATCH):
        tree, twin, rng = twins(seed)
        q, s = tree.random(rng)
        n = tree.tree.speeds
        efforts, rates = rng.normal(size=(2, n))
        theirs, A, turning = twin.coordinates(q), twin.speed_map(q), twin.speed_map_rate(q, s)
        block = tree.block(q, s, efforts)
        found = tree.run("forward", block)
        close(A @ found + turning, pin.aba(twin.model, twin.data, theirs, A @ s, np.linalg.solve(A.T, efforts)))
        block[tree.graph.block.results : tree.graph.block.results + n] = rates
        wanted = A.T @ pin.rnea(twin.model, twin.data, theirs, A @ s, A @ rates + turning)
        close(tree.run("inverse", block), wanted)
        H = np.triu(pin.crba(twin.model, twin.data, theirs))
        close(tree.run("mass_matrix", block).reshape(n, n), A.T @ (H + np.triu(H, 1).T) @ A)


@pytest.mark.parametrize("seed", range(1000, 1010))
def test_native_code_is_the_same(seed: int):
    """The kernels of users, one state at a time and several, and Jacobians of nodes."""
    rng = np.random.default_rng(seed)
    members = random_tree(rng, int(rng.integers(2, 6)), free=bool(seed % 2))
    tree = RigidTree(samara_model(members), base=base_of(members))
    twin = PinocchioTwin(members, tree.coordinate_names, tree.speed_names)
    n = tree.tree.speeds
    q = np.array([tree.integrate(tree.rest()[0], rng.normal(size=n)) for _ in range(7)])
    s, efforts = rng.normal(size=(2, 7, n))
    found = tree.forward_dynamics(q, s, efforts)
    for k in range(7):
        theirs, A, turning = twin.coordinates(q[k]), twin.speed_map(q[k]), twin.speed_map_rate(q[k], s[k])
        wanted = pin.aba(twin.model, twin.data, theirs, A @ s[k], np.linalg.solve(A.T, efforts[k]))
        close(A @ found[k] + turning, wanted)
        np.testing.assert_allclose(tree.forward_dynamics(q[k], s[k], efforts[k]), found[k], rtol=1e-9, atol=1e-9)
    last = len(members) - 1
    pin.computeJointJacobians(twin.model, twin.data, theirs)
    J = pin.getJointJacobian(twin.model, twin.data, twin.joints[last], pin.LOCAL)
    X = twin.frames[last].toActionMatrixInverse()
    close(tree.jacobian(f"body_{last}", q[-1])[0], X @ J @ A)


@pytest.mark.parametrize("seed", range(2000, 2008))
def test_derivatives(seed: int):
    """By coordinates, speeds and efforts, against Pinocchio's, for a fixed base: coordinates are then the same.

    Without universal joints: composites whose directions depend on their coordinates are not in its derivatives (those
    of 4.1 miss them by 10 % where differences agree with ours to 1e-11).
    """
    rng = np.random.default_rng(seed)
    kinds = ("revolute", "prismatic", "cylindrical", "spherical", "clamp")
    members = random_tree(rng, int(rng.integers(2, 5)), free=False, kinds=kinds)
    tree = RigidTree(samara_model(members), base=base_of(members))
    twin = PinocchioTwin(members, tree.coordinate_names, tree.speed_names)
    n = tree.tree.speeds
    q, s, efforts = tree.integrate(tree.rest()[0], rng.normal(size=n)), rng.normal(size=n), rng.normal(size=n)
    A = twin.speed_map(q)  # constant: signs alone
    back = np.linalg.inv(A)
    theirs = pin.computeABADerivatives(twin.model, twin.data, twin.coordinates(q), A @ s, np.linalg.solve(A.T, efforts))
    found = tree.derivatives(q, s, efforts)
    close(found.coordinates, back @ theirs[0] @ A, 1e-8)
    close(found.speeds, back @ theirs[1] @ A, 1e-8)
    inverse = np.triu(theirs[2])
    close(found.efforts, back @ (inverse + np.triu(inverse, 1).T) @ np.linalg.inv(A.T), 1e-8)


@pytest.mark.parametrize(("seed", "free"), [(3000, True), (3001, True), (3002, False), (3003, False)])
def test_derivatives_against_differences(seed: int, free: bool):
    """All sorts of joints, and floating bases: central differences along the coordinates, extrapolated."""
    rng = np.random.default_rng(seed)
    tree = RigidTree(samara_model(random_tree(rng, 3, free, kinds=("universal", "spherical", "cylindrical"))))
    n = tree.tree.speeds
    q, s = tree.integrate(tree.rest()[0], rng.normal(size=n)), rng.normal(size=n)
    found = tree.derivatives(q, s)

    def slope(k: int, h: float) -> np.ndarray:
        ahead, behind = (tree.integrate(q, sign * h * np.eye(n)[k]) for sign in (1.0, -1.0))
        return (tree.forward_dynamics(ahead, s) - tree.forward_dynamics(behind, s)) / (2.0 * h)

    wanted = np.column_stack([(4 * slope(k, 5e-4) - slope(k, 1e-3)) / 3 for k in range(n)])
    close(found.coordinates, wanted, 1e-8)
