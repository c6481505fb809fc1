"""Higher-harmonic control of a linear plant: amplitudes by Fourier, T by trying, the minimum in closed form."""

import numpy as np
import pytest

from samara import BlockError, HarmonicAnalysis, HigherHarmonicControl


def test_amplitudes_over_a_whole_turn_are_exact():
    """Mean and all other harmonics below half the sampling do not leak in."""
    analysis = HarmonicAnalysis(2, 4, 90, step=1.0)
    psi = 2 * np.pi * np.arange(1, 181) / 90 + 0.3
    for k, p in enumerate(psi):
        y = (3.0 + 2.0 * np.cos(4 * p) - np.sin(4 * p) + np.cos(3 * p), 5.0 * np.sin(p) + 0.5 * np.sin(4 * p + 0.2))
        done = analysis(y, p)
        assert done == (k in (89, 179))
    assert analysis.values == pytest.approx([2.0, 0.5 * np.sin(0.2), -1.0, 0.5 * np.cos(0.2)], abs=1e-12)


def test_missed_samples_do_no_harm():
    """A tenth of the samples is lacking: a rotor's multiples of its blades are told apart all the same."""
    chance, analysis = np.random.default_rng(2), HarmonicAnalysis(1, 4, 180, step=1.0)
    done = 0
    for k in range(360):
        if chance.uniform() < 0.1:
            continue
        p = 2 * np.pi * k / 180
        done += analysis([46000.0 + 3.0 * np.cos(4 * p) + 4.0 * np.sin(4 * p) - 20.0 * np.sin(8 * p)], p)
    assert done == 2
    assert analysis.values == pytest.approx([3.0, 4.0], abs=1e-8)


def test_a_turn_with_too_few_samples_is_left_out():
    """And what was last found stays."""
    analysis = HarmonicAnalysis(1, 4, 180, step=1.0)
    assert not any(analysis([1.0], 2 * np.pi * k / 180) for k in range(0, 181, 3))
    assert (analysis.values == 0.0).all()


def settled(law, T, z_0, calls, change=None):
    """Loads of each call on a plant that obeys the matrix."""
    theta, seen = np.zeros(law.amplitudes), []
    for k in range(calls):
        if change is not None and k == change[0]:
            T, z_0 = change[1], change[2]
        seen.append(z_0 + T @ theta)
        theta = law(seen[-1]).copy()
    return np.array(seen), theta


def test_the_matrix_is_learnt_and_the_minimum_reached(rng):
    """Weights by normal equations in physical units; exact once all amplitudes were tried."""
    T, z_0 = 1e3 * rng.normal(size=(6, 4)), 100.0 * rng.normal(size=6)
    q, r = rng.uniform(0.5, 2.0, 6), rng.uniform(0.01, 0.05, 4)
    law = HigherHarmonicControl(6, 4, step=1.0, load_scale=100.0, scale=0.1, load_weight=q, weight=r, trust=1e9)
    seen, theta = settled(law, T, z_0, 8)
    Q, R = np.diag(q) / 100.0**2, np.diag(r) / 0.1**2
    best = -np.linalg.solve(T.T @ Q @ T + R, T.T @ Q @ z_0)
    assert theta == pytest.approx(best, rel=1e-6)
    assert law.T == pytest.approx(T, rel=1e-5, abs=1e-3)
    assert law.uncontrolled == pytest.approx(z_0, rel=1e-5, abs=1e-3)
    assert seen[-1] @ Q @ seen[-1] < z_0 @ Q @ z_0


def test_as_many_amplitudes_as_loads_leave_nothing(rng):
    """And the weight of increments only makes the way there longer: what is left falls by 1 / (1 + T^2), a tenth."""
    T, z_0 = 0.3 * rng.normal(size=(4, 4)) + 3.0 * np.eye(4), rng.normal(size=4)
    for weight, calls in ((0.0, 7), (1.0, 40)):
        law = HigherHarmonicControl(4, 4, step=1.0, increment_weight=weight)
        seen, _ = settled(law, T, z_0, calls)
        assert np.abs(seen[-1]).max() < 1e-5


def test_another_flight_state_is_followed(rng):
    """Loads without control jump, and T changes by a fifth: made good to a hundredth without trying again."""
    T, z_0 = 0.3 * rng.normal(size=(4, 4)) + 3.0 * np.eye(4), rng.normal(size=4)
    law = HigherHarmonicControl(4, 4, step=1.0, forgetting=0.9)
    seen, _ = settled(law, T, z_0, 40, change=(10, T * (1.0 + 0.2 * rng.normal(size=(4, 4))), -2.0 * z_0))
    assert np.abs(seen[9]).max() < 1e-4 < np.abs(seen[10]).max()
    assert np.abs(seen[-1]).max() < 1e-2 * np.abs(seen[10]).max()


def test_the_limit_is_kept(rng):
    """Within it the loads still fall."""
    T, z_0 = rng.normal(size=(4, 2)), 10.0 * rng.normal(size=4)
    law = HigherHarmonicControl(4, 2, step=1.0, limit=0.5, probe=2.0)
    seen, theta = settled(law, T, z_0, 12)
    assert np.abs(theta).max() == 0.5
    assert np.linalg.norm(seen[-1]) < np.linalg.norm(z_0)


def test_what_is_refused():
    """By name."""
    for make, words in (
        (lambda: HarmonicAnalysis(1, 4, 8, step=1.0), "8 samples per turn do not show the harmonic 12"),
        (lambda: HigherHarmonicControl(2, 2, step=1.0, limit=0.0), "limit must be positive"),
        (lambda: HigherHarmonicControl(2, 2, step=1.0, scale=[1.0, 2.0, 3.0]), "scale must be a positive number or 2"),
        (lambda: HigherHarmonicControl(2, 2, step=1.0, load_weight=-1.0), "load_weight must be a number or 2"),
        (lambda: HigherHarmonicControl(2, 2, step=1.0, forgetting=0.0), "forgetting must be above 0"),
    ):
        with pytest.raises(BlockError) as error:
            make()
        assert words in str(error.value)
