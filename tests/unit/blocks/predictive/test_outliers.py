"""Spikes below the largest sample do not spoil what is learnt; a plant that changes is learnt all the same."""

import numpy as np
import pytest
from sampled_plants import STEP, decibels, two_masses

from samara import (
    ARMAX,
    AdaptivePredictiveControl,
    BlockError,
    Horizons,
    Lags,
    PredictiveControl,
    RecursiveIdentification,
)
from samara.blocks.predictive.harmonic import HigherHarmonicControl

NONE = np.zeros(0)
PLANT = ARMAX([1.5, -0.81], [0.5, 0.3])
NOISE = 0.05


def learnt(rng, spikes, samples=1500, plant=PLANT, after=None, **options):
    """Largest error of the coefficients, and the identification, after a record with spikes {sample: size}."""
    u, e = rng.normal(size=(samples, 1)), NOISE * rng.normal(size=(samples, 1))
    y = plant.simulate(u, e=e)
    if after is not None:
        y[samples // 2 :] = after.simulate(u[samples // 2 :], e=e[samples // 2 :])
    found = RecursiveIdentification(plant.lags, step=1.0, forgetting=0.99, **options)
    found(np.zeros(1), NONE, learn=False)
    for k in range(samples):
        found.control(u[k])
        found(y[k] + spikes.get(k, 0.0), NONE)
    return np.abs(found.theta - (after or plant).theta).max(), found


@pytest.mark.parametrize("size", [5.0, 50.0, 1e5])
def test_spikes_are_not_learnt_from(rng, size):
    """One sample in thirty of the last memory of 100: without the guard coefficients are off by far more than noise.

    Noise of 0.05 over a memory of 100 samples: deviations of 0.05 / sqrt(100) by a regressor of one; four of them.
    """
    spikes = {k: size * (-1.0) ** (k // 30) for k in range(1000, 1500, 30)}
    bound = 4.0 * NOISE / np.sqrt(100.0)
    state = rng.bit_generator.state
    guarded, found = learnt(rng, spikes)
    rng.bit_generator.state = state
    plain, _ = learnt(rng, spikes, outlier=np.inf)
    assert guarded < bound < 0.1 < plain
    assert found.outliers == len(spikes) and found.bad == 0


def test_clean_records_are_learnt_from_wholly(rng):
    """No sample is taken for an outlier: the coefficients are those without the guard, to the last bit."""
    state = rng.bit_generator.state
    _, guarded = learnt(rng, {})
    rng.bit_generator.state = state
    _, plain = learnt(rng, {}, outlier=np.inf)
    assert guarded.outliers == 0
    assert (guarded.theta == plain.theta).all()


def test_a_change_of_the_plant_is_no_outlier_for_long(rng):
    """Errors stay large: the third in a row is learnt from; the plant after it is found as without the guard."""
    after = ARMAX([0.4, -0.3], [-2.0, 1.5])
    off, found = learnt(rng, {}, after=after)
    assert off < 4.0 * NOISE / np.sqrt(100.0)
    assert 0 < found.outliers <= 4


def test_a_plant_at_rest_that_is_woken_up(rng):
    """Exact zeros tell no size of errors: what comes then is news."""
    found = RecursiveIdentification(PLANT.lags, step=1.0)
    u = np.vstack([np.zeros((200, 1)), rng.normal(size=(200, 1))])
    y = PLANT.simulate(u)
    found(np.zeros(1), NONE, learn=False)
    for k in range(400):
        found.control(u[k])
        found(y[k], NONE)
    assert found.outliers == 0
    assert found.theta == pytest.approx(PLANT.theta, abs=1e-3)


def learner(**options):
    settings = {"output_scale": 0.05, "control_weight": 1e-3, "forgetting": 0.998, "closed": False, "dither": 0.5}
    return AdaptivePredictiveControl(Lags(1, 1, 8, 8), Horizons(12, 12), step=STEP, **(settings | options))


def shaken(gpc, spikes):
    """Vibration of the outer mass under a harmonic force, seen with spikes and a little noise; closed at 600."""
    A, B, C, Bw = two_masses(damping=0.005, outputs=(1,), forces=(1,))
    x, chance, seen = np.zeros(4), np.random.default_rng(3), []
    for k in range(2000):
        if k == 600:
            gpc.close()
        noise = 0.001 * 0.05 * chance.standard_normal(1)
        u = gpc(C @ x + noise + spikes.get(k, 0.0)).copy()
        seen.append(float((C @ x)[0]))
        x = A @ x + B @ u + Bw @ [np.sin(5.5 * STEP * k)]
    return np.array(seen)


def test_a_closed_loop_stands_spikes():
    """A spike of twenty times the vibration once in 100 samples, until 400 before the end: as quiet as without.

    Within 3 dB; the loop without the guard is worse by more than 10 dB.
    """
    spikes = dict.fromkeys(range(150, 1600, 100), 1.0)
    limits = {"lower": -3.0, "upper": 3.0}
    whole = shaken(learner(**limits), {})[1700:]
    gpc = learner(**limits)
    guarded, plain = shaken(gpc, spikes)[1700:], shaken(learner(outlier=np.inf, **limits), spikes)[1700:]
    assert gpc.outliers == len(spikes)
    assert decibels(guarded, whole) < 3.0
    assert decibels(plain, whole) > 10.0


def test_what_is_no_measure_of_an_outlier_is_refused():
    for value in (0.5, 0.0, -8.0, np.nan, "a", None):
        with pytest.raises(BlockError, match="RecursiveIdentification: outlier must be"):
            RecursiveIdentification(PLANT.lags, step=1.0, outlier=value)


def wholly(law, names):
    """All that a tuning may touch."""
    return {name: np.array(getattr(law, name), copy=True) if name != "horizons" else law.horizons for name in names}


WEIGHTS = ("output_weight", "control_weight", "increment_weight")


@pytest.mark.parametrize("kind", ["known", "adaptive"])
def test_a_design_that_is_refused_leaves_all_as_it_was(kind):
    """A pole at 100 is not finite over 400 samples: horizons, weights, gains and answers stay."""
    model = ARMAX([100.0], [1.0])
    if kind == "known":
        laws = [PredictiveControl(model, Horizons(5, 2), step=1.0, control_weight=0.1) for _ in range(2)]
    else:
        laws = [AdaptivePredictiveControl(model.lags, Horizons(5, 2), step=1.0, learn=False) for _ in range(2)]
        for law in laws:
            law.identification.theta[:] = model.theta
            law.redesign()
    law, twin = laws
    before, gains = wholly(law, WEIGHTS), law.gains
    with pytest.raises(BlockError, match=r"not finite: the largest pole .* magnitude 100"):
        law.tune(last=400, controls=7, control_weight=3.0, output_weight=2.0, beyond="zero")
    with pytest.raises(BlockError, match="increment_weight must be"):
        law.tune(last=4, control_weight=3.0, increment_weight=-1.0)
    assert law.horizons == Horizons(5, 2) and all(map(np.array_equal, law.gains, gains))
    for name, value in before.items():
        assert np.all(getattr(law, name) == value)
    if kind == "adaptive":
        assert law.refused == 0
    for y in (0.1, -0.2, 0.3):
        assert np.array_equal(law([y], r=[1.0]), twin([y], r=[1.0]))


def test_tuning_harmonic_control_in_part():
    """What is not given stays; what is wrong changes nothing."""
    law = HigherHarmonicControl(2, 2, step=1.0, forgetting=0.9, limit=2.0, weight=0.1)
    with pytest.raises(BlockError, match="HigherHarmonicControl: forgetting must be above 0"):
        law.tune(load_weight=3.0, limit=1.0, forgetting=1.5)
    assert (law.limit, law.forgetting) == (2.0, 0.9) and (law.load_weight == 1.0).all()
    law.tune(limit=1.0)
    assert (law.limit, law.forgetting) == (1.0, 0.9) and (law.weight == 0.1).all()
