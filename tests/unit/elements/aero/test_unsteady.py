"""Thin aerofoil in unsteady flow: Theodorsen's exact function and Wagner's, and the same as states of a model."""

import numpy as np
import pytest
from scipy.special import hankel2

import samara as sm
from samara import lagged_downwash, theodorsen, wagner

SPEED, CHORD = 60.0, 0.6
B = CHORD / 2


def exact(k: float) -> complex:
    """Theodorsen's function, by Hankel functions of the second kind (NACA Report 496, equation XII)."""
    return hankel2(1, k) / (hankel2(1, k) + 1j * hankel2(0, k))


def lags_of(downwash: complex, omega: float) -> np.ndarray:
    """Harmonic lag states: those whose rates are i omega times themselves, solved from the function itself."""
    unit = [lagged_downwash(e, 0.0, SPEED, CHORD)[0] for e in np.eye(2)]
    drive = lagged_downwash(np.zeros(2), 1.0, SPEED, CHORD)[0]
    return np.linalg.solve(1j * omega * np.eye(2) - np.array(unit).T, drive * downwash)


def test_lag_states_against_the_exact_function():
    """Jones's two exponentials: their error is known, at most 0.0146 at k = 0.41, and 2.4 percent of |C|."""
    worst = 0.0
    for k in np.logspace(-3, 2, 400):
        _, effective = lagged_downwash(lags_of(1.0, k * SPEED / B), 1.0, SPEED, CHORD)
        worst = max(worst, abs(effective - exact(k)))
    assert 0.014 < worst < 0.015


@pytest.mark.parametrize("a", [-0.5, 0.0, 0.3])
@pytest.mark.parametrize("k", [0.05, 0.3, 1.0])
def test_pitch_and_plunge_against_the_published_loads(a, k, rng):
    """Lift and moment in Theodorsen's own form, about the axis at a, with the exact C(k).

    What C(k) is off is 0.015 of the quasi-steady lift, and its moment's arm is a + 1/2 semi-chords.
    """
    omega = k * SPEED / B
    h, alpha = rng.uniform(-1, 1, 2) @ [0.01, 0.02j], rng.uniform(-1, 1, 2) @ [0.1, 0.05j]
    h1, a1 = 1j * omega * h, 1j * omega * alpha
    h2, a2 = -(omega**2) * h, -(omega**2) * alpha
    w = h1 + SPEED * alpha + B * (0.5 - a) * a1
    # NACA Report 496, XVIII and XX, per unit density; lift up, moment nose up about the axis
    lift = np.pi * B**2 * (h2 + SPEED * a1 - B * a * a2) + 2 * np.pi * SPEED * B * exact(k) * w
    moment = np.pi * B**2 * (B * a * h2 - SPEED * B * (0.5 - a) * a1 - B**2 * (0.125 + a**2) * a2)
    moment += 2 * np.pi * SPEED * B**2 * (a + 0.5) * exact(k) * w

    middle = h2 + SPEED * a1 - B * a * a2
    rates, cl, cm = theodorsen(lags_of(w, omega), w, middle, a1, a2, SPEED, CHORD)
    np.testing.assert_allclose(rates, 1j * omega * lags_of(w, omega), rtol=1e-12)
    q = 0.5 * SPEED**2
    found = q * CHORD * cl
    circulatory = 2 * np.pi * SPEED * B * abs(w)
    assert abs(found - lift) < 0.015 * circulatory
    about_axis = q * CHORD**2 * cm + (a + 0.5) * B * found
    assert abs(about_axis - moment) < 0.015 * circulatory * (a + 0.5) * B + 1e-12 * abs(moment)


def test_steady_flow_has_the_steady_lift():
    rates, cl, cm = theodorsen([3.0, 3.0], 3.0, 0.0, 0.0, 0.0, SPEED, CHORD)
    np.testing.assert_allclose(rates, 0.0, atol=1e-12)
    assert cl == pytest.approx(2 * np.pi * 3.0 / SPEED)
    assert cm == 0.0


@pytest.mark.parametrize(
    ("s", "phi"), [(0.0, 0.5), (1.0, 0.6006), (2.0, 0.6693), (5.0, 0.7882), (10.0, 0.8750), (20.0, 0.9366)]
)
def test_wagner_function(s, phi):
    """Exact values by (2/pi) int Re C(k) sin(k s) / k dk, to four digits; Jones is within 0.0065 of them."""
    assert wagner(s) == pytest.approx(phi, abs=0.0066)


class Step(sm.Element):
    """Two lag states behind a constant downwash, for the tests."""

    n: sm.Node = sm.node(kw_only=False)
    downwash: float = sm.number(unit="m/s")
    speed: float = sm.number(unit="m/s")
    chord: float = sm.number(unit="m")

    def own_states(self):
        return {"y1": sm.State(1, unit="m/s", scale=1.0), "y2": sm.State(1, unit="m/s", scale=1.0)}

    def formulate(self, site):
        lags = [s.value for s in site.states]
        rates, effective = lagged_downwash(lags, self.downwash, self.speed, self.chord)
        balances = [s.rate - r for s, r in zip(site.states, rates, strict=True)]
        return sm.Contribution([np.zeros(6)], balances=balances, outputs=[sm.Output("effective", "m/s", effective)])


def test_step_response_of_the_states_is_wagners_function():
    """In a model, from rest: second order in the step, so 1e-4 at 0.02 semi-chords a step."""
    model = sm.Model("step")
    node = model.node("n")
    model.add("mass", sm.Body(node, mass=1.0, inertia=(1, 1, 1)))
    model.add("lags", Step(node, downwash=2.0, speed=SPEED, chord=CHORD))
    end = 20.0 * B / SPEED
    results = sm.transient(model, end=end, step=end / 1000, progress=False)
    expected = 2.0 * wagner(results.time * SPEED / B)
    np.testing.assert_allclose(results["lags.effective"], expected, atol=1e-4)
