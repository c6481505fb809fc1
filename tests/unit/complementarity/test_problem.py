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
    ("what", "call"),
    [
        ("solve_lcp: q", lambda: solve_lcp(M, M)),
        ("solve_lcp: M", lambda: solve_lcp(np.eye(3), Q)),
        ("solve_lcp: q", lambda: solve_lcp(M, [np.nan, 1.0])),
        ("solve_lcp: M", lambda: solve_lcp(M * np.inf, Q)),
        ("solve_lcp: method", lambda: solve_lcp(M, Q, "dantzig")),
        ("solve_lcp: most", lambda: solve_lcp(M, Q, most=0)),
        ("solve_lcp: tolerance", lambda: solve_lcp(M, Q, tolerance=0.0)),
        ("solve_lcp: relaxation", lambda: solve_lcp(M, Q, relaxation=2.0)),
        ("solve_lcp: start", lambda: solve_lcp(M, Q, start=[1.0])),
        ("solve_contact: u", lambda: solve_contact(np.eye(4), np.ones(4), 0.1)),
        ("solve_contact: W", lambda: solve_contact(np.eye(4), np.ones(3), 0.1)),
        ("solve_contact: mu", lambda: solve_contact(np.eye(3), np.ones(3), -0.1)),
        ("solve_contact: mu", lambda: solve_contact(np.eye(3), np.ones(3), [0.1, 0.2])),
        ("solve_contact: method", lambda: solve_contact(np.eye(3), np.ones(3), 0.1, "pyramid")),
        ("solve_contact: facets", lambda: solve_contact(np.eye(3), np.ones(3), 0.1, "polyhedral", facets=2)),
        ("solve_contact: tolerance", lambda: solve_contact(np.eye(3), np.ones(3), 0.1, tolerance=-1.0)),
        ("solve_lcp: tolerance", lambda: solve_lcp(M, Q, tolerance="a")),
        ("solve_lcp: tolerance", lambda: solve_lcp(M, Q, tolerance=None)),
        ("solve_lcp: relaxation", lambda: solve_lcp(M, Q, relaxation=None)),
        ("solve_lcp: most", lambda: solve_lcp(M, Q, most="a")),
        ("solve_lcp: most", lambda: solve_lcp(M, Q, most=2.5)),
        ("solve_lcp: method", lambda: solve_lcp(M, Q, ["lemke"])),
        ("solve_lcp: M", lambda: solve_lcp(1j * np.asarray(M), Q)),
        ("solve_lcp: M", lambda: solve_lcp([[1.0, 2.0], [3.0]], Q)),
        ("solve_lcp: q", lambda: solve_lcp(M, None)),
        ("solve_contact: facets", lambda: solve_contact(np.eye(3), np.ones(3), 0.1, facets="a")),
        ("solve_contact: facets", lambda: solve_contact(np.eye(3), np.ones(3), 0.1, facets=None)),
        ("solve_contact: facets", lambda: solve_contact(np.eye(3), np.ones(3), 0.1, facets=3.7)),
        ("solve_contact: facets", lambda: solve_contact(np.eye(3), np.ones(3), 0.1, facets=10**6)),
        ("solve_contact: W", lambda: solve_contact(1j * np.eye(3), np.ones(3), 0.1)),
        ("solve_contact: mu", lambda: solve_contact(np.eye(3), np.ones(3), "rough")),
    ],
)
def test_what_is_wrong_is_named(refuses, what, call):
    with refuses(what):
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
