"""First-order form along a motion: bases that follow each other."""

import numpy as np

import samara as sm
from samara.analysis.reduction import first_order


def chain():
    model = sm.Model("chain", gravity=(0.0, 1.0, -9.81))
    last = model.ground
    for k in range(3):
        node = model.node(f"n{k}", position=(k + 0.5, 0, 0))
        model.add(f"body{k}", sm.Body(node, mass=1.0 + k, inertia=(0.1, 0.2, 0.3)))
        model.add(f"joint{k}", sm.Spherical(last, node, at=(float(k), 0, 0)))
        last = node
    return model


def test_bases_are_continuous_along_a_motion():
    """A(t) moves by its own rate times the time between two instants, although its basis is one of many."""
    sim, step, found = sm.Simulation(chain()), 5e-3, []
    like = None
    for k in range(1, 60):
        sm.transient(sim, k * step, step, progress=False, outputs="model.violation")
        lin = sm.linearise(sim)
        like = first_order(lin, like=like)
        found.append((like.A, first_order(lin).A))
    along, anew = (np.array(each) for each in zip(*found, strict=True))
    first, second = (np.abs(np.diff(along, n, axis=0)).max() for n in (1, 2))
    assert second < 0.2 * first  # smooth: 0.05 is what a motion of a second does in steps of 5 ms
    assert np.abs(np.diff(anew, 2, axis=0)).max() > 3.0 * first  # what is avoided
    for A, B in found:  # and the same system all the while
        a, b = np.poly(A), np.poly(B)
        np.testing.assert_allclose(a, b, atol=1e-6 * np.abs(a).max())
