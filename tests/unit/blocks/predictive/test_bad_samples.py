"""One sample that is no finite number, or an outlier, does not end predictive control: it is held, counted and left."""

import numpy as np
import pytest
from sampled_plants import STEP, decibels, two_masses

from samara import (
    ARMAX,
    AdaptivePredictiveControl,
    BlockError,
    HarmonicAnalysis,
    HigherHarmonicControl,
    Horizons,
    Lags,
    PredictiveControl,
    RecursiveIdentification,
)

BAD = [[np.nan], [np.inf], [-np.inf], [None], None, [1e200], [-1e308]]
NONE = np.zeros(0)
SIZE = 0.05  # m, of the vibration


def masses(**options):
    A, B, C = two_masses(damping=0.01)
    model = ARMAX.from_state_space(A, B, C)
    settings = {"control_weight": 1e-4} | options
    return A, B, C, PredictiveControl(model, Horizons(12, 4), step=STEP, **settings)


@pytest.mark.parametrize("bad", BAD, ids=str)
def test_a_known_plant_is_brought_to_rest_all_the_same(bad):
    """The answer to a bad sample is the last one; the exact model knows what the sample was.

    Without disturbance the expected output is the true one, and the past stays whole: predictions go on without error.
    """
    A, B, C, gpc = masses()
    x = np.array([0.3, -0.2, 0.0, 0.0])
    for k in range(400):
        y, before = C @ x, gpc.control
        u = gpc(bad if k == 20 else y).copy()
        assert np.isfinite(u).all()
        if k == 20:
            assert (u == before).all()
            assert gpc.phi[0] == pytest.approx(y[0], abs=1e-10)
        x = A @ x + B @ u
    assert (gpc.bad, gpc.held) == (1, 1)
    assert np.abs(x).max() < 1e-3
    gpc.reset()
    assert (gpc.bad, gpc.held) == (0, 0)


def test_many_bad_samples_of_an_unstable_model_do_not_run_away():
    """The expected output grows by 1.5 each; what stands in the past stays within what was seen."""
    gpc = PredictiveControl(ARMAX([1.5], [1.0]), Horizons(5, 2), step=1.0, control_weight=0.1)
    first = gpc([2.0]).copy()
    for _ in range(5000):
        assert gpc([np.nan]) == first
    assert np.abs(gpc.phi[0]) <= 2.0
    assert gpc.bad == gpc.held == 5000


def test_a_largest_sample_that_fits_the_sensor():
    """An outlier below the default is answered by the linear law; with `largest` it is held."""
    _, _, _, free = masses()
    _, _, _, bound = masses(largest=1.0)
    for gpc in (free, bound):
        gpc([0.1])
    before = bound.control
    assert np.abs(free([1e6])).max() > 1e3
    assert (bound([1e6]) == before).all()
    assert (free.bad, bound.bad) == (0, 1)


def test_a_set_point_and_a_disturbance_that_are_not_finite():
    """Held; a set point is no sample: what was measured is kept. The disturbance stays as it was last."""
    gpc = PredictiveControl(ARMAX([0.5], [1.0], D=[0.3]), Horizons(5, 2), step=1.0, control_weight=0.1)
    first = gpc([1.0], [2.0], [0.5]).copy()
    assert gpc([0.7], [2.0], [np.nan]) == first
    assert (gpc.bad, gpc.held) == (0, 1) and gpc.phi[0] == 0.7
    assert gpc([0.7], [np.inf], [0.5]) == first
    assert (gpc.bad, gpc.held) == (1, 2) and gpc.phi[gpc.lags.newest["w"]] == 2.0
    assert np.isfinite(gpc([0.7], [2.0], [0.5])).all()


@pytest.mark.parametrize("bad", BAD, ids=str)
def test_nothing_is_learnt_from_a_bad_sample(bad, rng):
    """Coefficients and covariance stay until it has left the past; then it is learnt on, to the true ones."""
    plant = ARMAX([1.5, -0.81], [0.5, 0.3])
    u = rng.normal(size=(400, 1))
    y = plant.simulate(u)
    found = RecursiveIdentification(plant.lags, step=1.0, start=1e6, ceiling=1e6)
    found(np.zeros(1), NONE, learn=False)
    for k in range(400):
        found.control(u[k])
        theta = found.theta.copy()
        found(bad if k == 100 else y[k], NONE)
        assert found.learns == (not 100 <= k <= 103)  # two lags, and one more for the errors
        if not found.learns:
            assert (found.theta == theta).all()
    assert found.bad == 1
    assert found.theta == pytest.approx(plant.theta, abs=1e-5)


def shaken(gpc, bad=None, at=(), feed=False, samples=2000):
    """Vibration of the outer mass under a harmonic force; the loop is closed at sample 600."""
    A, B, C, Bw = two_masses(damping=0.005, outputs=(1,), forces=(1,))
    x, seen, given = np.zeros(4), [], []
    for k in range(samples):
        w = np.array([np.sin(5.5 * STEP * k)])
        if k == 600:
            gpc.close()
        measured = bad if k in at else C @ x
        u = gpc(measured, w if feed else None).copy()
        seen.append(float((C @ x)[0]))
        given.append(float(u[0]))
        x = A @ x + B @ u + Bw @ w
    return np.array(seen), np.array(given)


def learner(**options):
    settings = {"output_scale": SIZE, "control_weight": 1e-3, "forgetting": 0.998, "closed": False, "dither": 0.5}
    return AdaptivePredictiveControl(Lags(1, 1, 8, 8), Horizons(12, 12), step=STEP, **(settings | options))


@pytest.mark.parametrize("bad", [[np.nan], None, [1e200]], ids=str)
def test_a_learning_loop_goes_on(bad):
    """One bad sample in the closed loop: the vibration is as small in the end as without it, within 3 dB."""
    whole, _ = shaken(learner())
    gpc = learner()
    seen, u = shaken(gpc, bad, at=(700,))
    assert np.isfinite(u).all() and u[700] == u[699]
    assert (gpc.bad, gpc.held) == (1, 1)
    assert gpc.learnt == 2000 - 1 - 9  # the sample, and those whose past holds it: eight lags, and one more
    assert decibels(seen[1500:], whole[1500:]) < 3.0
    assert np.abs(u[700:]).max() < 2.0 * np.abs(u[600:700]).max()


def test_one_sample_in_fifty_is_bad():
    """Such a sensor still lets it quiet the vibration: by 20 dB of what the open loop has."""
    open_loop, _ = shaken(learner(dither=0.0), samples=600)
    gpc = learner()
    seen, u = shaken(gpc, [np.nan], at=range(49, 2000, 50))
    assert gpc.bad == 40
    assert np.isfinite(u).all()
    assert decibels(seen[1500:], open_loop[300:]) < -20.0


def test_a_bad_disturbance_is_not_kept():
    """After it the calls without one go on with the last good one."""
    gpc = AdaptivePredictiveControl(Lags(1, 1, 2, 2, 1, 2), Horizons(5, 2), step=1.0)
    gpc([0.1], [0.5])
    gpc([0.1], [np.nan])
    assert gpc.bad == 1 and gpc.stream.bad == 1
    assert np.isfinite(gpc([0.1])).all()
    assert gpc.bad == 1
    assert gpc.identification.history.phi[gpc.lags.newest["w"]] == 0.5


def test_samples_of_another_size_or_kind_are_refused_by_name():
    """They are no faults of a sensor."""
    known = PredictiveControl(ARMAX(0.1 * np.ones((1, 2, 2)), np.ones((1, 2, 1))), Horizons(5, 2), step=1.0)
    learnt = AdaptivePredictiveControl(Lags(2, 1, 1, 1), Horizons(5, 2), step=1.0)
    found = RecursiveIdentification(Lags(2, 1, 1, 1), step=1.0)
    two = np.zeros(2)
    for call, words in (
        (lambda: known([1.0]), "PredictiveControl: y must be 2 numbers, got 1 number"),
        (lambda: known(1.0), "PredictiveControl: y must be 2 numbers"),
        (lambda: known(["a", "b"]), "PredictiveControl: y must be numbers"),
        (lambda: known(two, [1.0]), "PredictiveControl: w must be 0 numbers, got 1 number"),
        (lambda: known(two, None, [1.0]), "PredictiveControl: r must be the set points of 2 outputs"),
        (lambda: known(two, None, 1.0), "PredictiveControl: r must be the set points of 2 outputs"),
        (lambda: known.acted([1.0, 2.0]), "PredictiveControl: u must be 1 number, got 2"),
        (lambda: known.acted([np.nan]), "PredictiveControl: u must be finite"),
        (lambda: learnt([1.0, 2.0, 3.0]), "AdaptivePredictiveControl: y must be 2 numbers, got 3"),
        (lambda: learnt(two, [1.0]), "AdaptivePredictiveControl: w must be 0 numbers"),
        (lambda: learnt(two, None, [1.0]), "AdaptivePredictiveControl: r must be the set points of 2"),
        (lambda: learnt.acted([np.inf]), "AdaptivePredictiveControl: u must be finite"),
        (lambda: found([1.0], NONE), "RecursiveIdentification: y must be 2 numbers"),
        (lambda: found.control([1.0, 1.0]), "RecursiveIdentification: u must be 1 number"),
        (lambda: HigherHarmonicControl(2, 2, step=1.0)([1.0]), "HigherHarmonicControl: z must be 2 numbers, got 1"),
        (lambda: HarmonicAnalysis(2, 4, 90, step=1.0)([1.0], 0.0), "HarmonicAnalysis: y must be 2 numbers, got 1"),
    ):
        with pytest.raises(BlockError) as error:
            call()
        assert words in str(error.value)


@pytest.mark.parametrize("when", [2, 8])
@pytest.mark.parametrize("bad", [[np.nan] * 4, None, [1.0, np.inf, 0.0, 0.0], [1e200] * 4], ids=str)
def test_loads_that_are_bad_are_measured_again(rng, when, bad):
    """While it tries and after: the same amplitudes once more, then all as without it."""
    T, z_0 = 0.3 * rng.normal(size=(4, 4)) + 3.0 * np.eye(4), rng.normal(size=4)
    law, other = HigherHarmonicControl(4, 4, step=1.0), HigherHarmonicControl(4, 4, step=1.0)
    theta = np.zeros(4)
    for k in range(12):
        if k == when:
            assert law(bad) == pytest.approx(theta, abs=0.0)
        z = z_0 + T @ theta
        theta = law(z).copy()
        assert (theta == other(z)).all()
    assert law.bad == 1
    assert np.abs(z_0 + T @ theta).max() < 1e-5


def test_a_bad_sample_of_a_turn_is_left_out():
    """As one that was missed."""
    analysis, done = HarmonicAnalysis(1, 4, 180, step=1.0), 0
    for k in range(360):
        p = 2 * np.pi * k / 180
        y = np.nan if k % 40 == 7 else 5.0 + 3.0 * np.cos(4 * p) + 4.0 * np.sin(4 * p)
        done += analysis([y], p)
    assert (done, analysis.bad) == (2, 9)
    assert analysis.values == pytest.approx([3.0, 4.0], abs=1e-8)
