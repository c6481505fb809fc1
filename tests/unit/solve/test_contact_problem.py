"""Closed contacts, island by island, against the law of contact of all of them at once."""

import numpy as np

from samara.solve.contact.impulses import CLOSED
from samara.solve.contact.islands import NUMBER
from samara.solve.contact.problem import contact_problem, find_impulses_by, predict_closed
from samara.solve.native.codes import Status

BODIES, CONTACTS = 12, 10
#: Of the law, by speeds of about 1 m/s: the solver of cones leaves 1e-9 of it.
LEFT = 1e-7


def between_bodies(rng):
    """Sides of contacts, and Delassus' operator of three rows each, for bodies of unit inertia."""
    sides = rng.integers(-1, BODIES, size=(CONTACTS, 2))
    sides[:, 1] = rng.integers(0, BODIES, size=CONTACTS)
    G = np.zeros((3 * CONTACTS, 6 * BODIES))
    for i, pair in enumerate(sides):
        for part in pair[pair >= 0]:
            G[3 * i : 3 * i + 3, 6 * part : 6 * part + 6] += rng.normal(size=(3, 6))
    return sides, G @ G.T


def test_islands_together_satisfy_the_law_of_the_whole(rng):
    """Contacts with and without friction, with one force or three, closed or not, in islands of any size."""
    most = 0
    for _ in range(30):
        sides, W = between_bodies(rng)
        dimension = rng.choice([1, 3], size=CONTACTS)
        mu = np.where(dimension == 3, rng.choice([0.0, 0.4], size=CONTACTS), 0.0)
        u = rng.normal(size=3 * CONTACTS)
        p = contact_problem(dimension, sides, parts=BODIES)
        is_closed = rng.random(CONTACTS) < 0.7
        predict_closed(p, np.where(is_closed, -1.0, 1.0), np.zeros(CONTACTS), 1e-3)
        order = p.closed[: p.counts[CLOSED]]
        assert set(order) == set(np.flatnonzero(is_closed))
        most = max(most, p.islands.counts[NUMBER])
        p.mu[: order.size], p.restitution[: order.size] = mu[order], 0.0
        rows = (3 * order[:, None] + np.arange(3)).ravel()
        P = np.full(rows.size, np.nan)
        status = find_impulses_by(p, W[np.ix_(rows, rows)], u[rows], u[rows], P)
        assert status == Status.OK
        v, P = (W[np.ix_(rows, rows)] @ P + u[rows]).reshape(-1, 3), P.reshape(-1, 3)
        assert P[:, 0].min(initial=0.0) >= 0.0 and v[:, 0].min(initial=0.0) > -LEFT
        assert np.abs(P[:, 0] * v[:, 0]).max(initial=0.0) < LEFT
        slip, friction = np.linalg.norm(v[:, 1:], axis=1), np.linalg.norm(P[:, 1:], axis=1)
        assert (friction <= mu[order] * P[:, 0] + LEFT).all()
        # friction takes all that it can from what slips
        taken = -(P[:, 1:] * v[:, 1:]).sum(axis=1)
        np.testing.assert_allclose(taken, mu[order] * P[:, 0] * slip, atol=LEFT)
    assert most > 2
