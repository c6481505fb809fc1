"""Andrews' squeezing mechanism at 0.03 s against the Test Set for IVP Solvers (andrews.json): three loops, index 3.

In 0.03 s the crank goes from rest to 1140 rad/s, two and a half turns. What a second-order scheme leaves is a lag of
the crank: 1.05e-4 rad of 15.8 rad with the trapezoidal rule at h = 1e-5 s, 1.26e-4 with rho_inf = 0.6, so that
1e-4 rad takes a slightly shorter step (the ready model takes 5e-6 s). The other angles are a hundred times better.
"""

import json

import numpy as np
import pytest

import samara as sm
from samara.models.mechanisms import andrews


@pytest.fixture(scope="module")
def reference(data):
    return json.loads((data / "andrews.json").read_text("utf-8"))


def at_end(step, rho=0.6):
    sim = sm.Simulation(andrews.build(), sm.TwoStep(rho), tolerance=1e-11)
    run = sm.transient(sim, 0.03, step, every=1, progress=False)
    assert run.time[-1] == pytest.approx(0.03, rel=1e-12)
    assert run["model.violation"].max() < 1e-10
    return andrews.angles(run)[-1], andrews.rates(run)[-1], andrews.closure_forces(run)[-1]


@pytest.fixture(scope="module")
def ends():
    """For steps of 1e-5 s and half of it."""
    return [at_end(1e-5), at_end(5e-6)]


def test_start_is_the_published_one(reference):
    run = sm.transient(andrews.build(), 1e-6, 1e-6, progress=False)
    assert andrews.angles(run)[0] == pytest.approx(reference["q0"], abs=1e-12)
    assert andrews.rates(run)[0] == pytest.approx(reference["v0"], abs=1e-9)
    assert andrews.closure_forces(run)[0] == pytest.approx(reference["lambda0"], abs=1e-8)


def test_angles(ends, reference, orders):
    errors = [np.abs(q - reference["q_end"]) for q, _, _ in ends]
    assert errors[0].max() < 1.3e-4
    assert errors[1].max() < 1e-4
    assert errors[0][2:].max() < 2e-6  # all but the two angles of the crank's pin
    assert orders([e.max() for e in errors]) == pytest.approx([2], abs=0.05)


def test_rates(ends, reference, orders):
    errors = [np.abs(v - reference["v_end"]).max() for _, v, _ in ends]
    assert errors[0] < 1e-4 * np.abs(reference["v_end"]).max()
    assert orders(errors) == pytest.approx([2], abs=0.05)


def test_reactions(ends, reference, orders):
    # relative to the largest; the error of the start is long forgotten
    errors = [
        np.abs(force - reference["lambda_end"]).max() / np.abs(reference["lambda_end"]).max() for *_, force in ends
    ]
    assert errors[0] < 1e-3
    assert orders(errors) == pytest.approx([2], abs=0.1)
