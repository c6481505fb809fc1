"""The face of the room: shapes, words, start and bounds."""

import numpy as np
import pytest

from samara.complementarity import ComplementarityError, LCPStatus, NoSolution, solve_contact, solve_lcp

M, Q = np.array([[2.0, 1.0], [1.0, 2.0]]), np.array([-5.0, -6.0])


@pytest.mark.parametrize("method", ["lemke", "gauss-seidel", "semismooth"])
def test_textbook_example(method):
    """Murty, 1988, section 1.1: z = (4, 7) / 3."""
    found = solve_lcp(M, Q, method)
    np.testing.assert_allclose(found.z, [4.0 / 3.0, 7.0 / 3.0], rtol=1e-11)
    assert found.status == LCPStatus.SOLVED and found.residual < 1e-11 and (found.w == 0.0).all()


@pytest.mark.parametrize(
    ("message", "call"),
    [
        ("q must be a vector", lambda: solve_lcp(M, M)),
        (r"M must have the shape \(2, 2\), not \(3, 3\)", lambda: solve_lcp(np.eye(3), Q)),
        ("q must be finite", lambda: solve_lcp(M, [np.nan, 1.0])),
        ("M must be finite", lambda: solve_lcp(M * np.inf, Q)),
        ("method must be one of lemke, ", lambda: solve_lcp(M, Q, "dantzig")),
        ("most must be at least 1", lambda: solve_lcp(M, Q, most=0)),
        ("tolerance must be positive", lambda: solve_lcp(M, Q, tolerance=0.0)),
        ("relaxation must be between 0 and 2", lambda: solve_lcp(M, Q, relaxation=2.0)),
        (r"start must have the shape \(2,\)", lambda: solve_lcp(M, Q, start=[1.0])),
        ("three components per contact", lambda: solve_contact(np.eye(4), np.ones(4), 0.1)),
        (r"W must have the shape \(3, 3\)", lambda: solve_contact(np.eye(4), np.ones(3), 0.1)),
        ("mu must not be negative", lambda: solve_contact(np.eye(3), np.ones(3), -0.1)),
        (r"mu must have the shape \(1,\)", lambda: solve_contact(np.eye(3), np.ones(3), [0.1, 0.2])),
        ("method must be one of cone, ", lambda: solve_contact(np.eye(3), np.ones(3), 0.1, "pyramid")),
        ("facets must be at least 3", lambda: solve_contact(np.eye(3), np.ones(3), 0.1, "polyhedral", facets=2)),
        ("tolerance must be positive", lambda: solve_contact(np.eye(3), np.ones(3), 0.1, tolerance=-1.0)),
        ("tolerance must be positive, not 'a'", lambda: solve_lcp(M, Q, tolerance="a")),
        ("tolerance must be positive, not None", lambda: solve_lcp(M, Q, tolerance=None)),
        ("relaxation must be between 0 and 2, not None", lambda: solve_lcp(M, Q, relaxation=None)),
        ("most must be a whole number, not 'a'", lambda: solve_lcp(M, Q, most="a")),
        ("most must be a whole number, not 2.5", lambda: solve_lcp(M, Q, most=2.5)),
        (r"method must be one of lemke, .*, not \['lemke'\]", lambda: solve_lcp(M, Q, ["lemke"])),
        ("M must be real numbers", lambda: solve_lcp(1j * np.asarray(M), Q)),
        ("M must be real numbers", lambda: solve_lcp([[1.0, 2.0], [3.0]], Q)),
        ("q must be real numbers, not None", lambda: solve_lcp(M, None)),
        ("facets must be a whole number, not 'a'", lambda: solve_contact(np.eye(3), np.ones(3), 0.1, facets="a")),
        ("facets must be a whole number, not None", lambda: solve_contact(np.eye(3), np.ones(3), 0.1, facets=None)),
        (r"facets must be a whole number, not 3\.7", lambda: solve_contact(np.eye(3), np.ones(3), 0.1, facets=3.7)),
        ("facets must be at most 1000", lambda: solve_contact(np.eye(3), np.ones(3), 0.1, facets=10**6)),
        ("W must be real numbers", lambda: solve_contact(1j * np.eye(3), np.ones(3), 0.1)),
        ("mu must be real numbers", lambda: solve_contact(np.eye(3), np.ones(3), "rough")),
    ],
)
def test_what_is_wrong_is_named(message, call):
    with pytest.raises(ValueError, match=message):
        call()


def test_outcomes_are_put_in_words():
    with pytest.raises(ComplementarityError, match="no solution within 3 sweeps"):
        solve_lcp(M, Q, "gauss-seidel", most=3)
    with pytest.raises(ComplementarityError, match="diagonal of M must be positive"):
        solve_lcp([[0.0, 1.0], [-1.0, 0.0]], [-1.0, 1.0], "gauss-seidel")
    with pytest.raises(ComplementarityError, match="minimum that is no solution"):
        solve_lcp(-np.eye(3), -np.ones(3), "semismooth")
    with pytest.raises(ComplementarityError, match="no impulse can move"):
        solve_contact(np.zeros((3, 3)), [-1.0, 0.0, 0.0], 0.3)


@pytest.mark.parametrize("method", ["cone", "polyhedral", "frictionless"])
def test_planes_that_contradict(method):
    """A point between two walls that close on it."""
    G = np.array([[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]] * 2)
    G[3] *= -1.0
    with pytest.raises(NoSolution, match="contradict"):
        solve_contact(G @ G.T, [-1.0, 0.0, 0.0, -1.0, 0.0, 0.0], 0.3, method, most=200)


@pytest.mark.parametrize("method", ["gauss-seidel", "semismooth"])
def test_a_good_start_is_used(method, rng):
    A = rng.normal(size=(8, 8))
    big, q = A @ A.T + 0.1 * np.eye(8), rng.normal(size=8)
    cold = solve_lcp(big, q, method)
    warm = solve_lcp(big, q, method, start=cold.z)
    assert warm.iterations <= 2 < cold.iterations
    np.testing.assert_allclose(warm.z, cold.z, atol=1e-10)


def test_arguments_are_left_alone():
    kept = M.copy(), Q.copy(), np.array([1.0, 1.0])
    for method in ("lemke", "gauss-seidel", "semismooth"):
        solve_lcp(M, Q, method, start=kept[2])
    assert (kept[0] == M).all() and (kept[1] == Q).all() and (kept[2] == 1.0).all()


@pytest.mark.parametrize("method", ["cone", "polyhedral", "frictionless"])
def test_no_contacts(method):
    found = solve_contact(np.zeros((0, 0)), [], 0.3, method)
    assert found.impulses.shape == (0, 3) and found.status == LCPStatus.SOLVED
