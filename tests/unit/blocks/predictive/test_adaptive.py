"""Predictive control that learns its plant: vibration in decibels, harmonic and random, with and without noise."""

import numpy as np
import pytest
from sampled_plants import STEP, decibels, two_masses

from samara import ARMAX, AdaptivePredictiveControl, BlockError, Horizons, Lags, PredictiveControl

SIZE = 0.05  # m, of the vibration without control


def harmonic(k, chance):
    """Two waves, near the two natural frequencies of 6.2 and 16.2 rad/s."""
    return np.sin(5.5 * STEP * k) + 0.5 * np.sin(14.0 * STEP * k)


def random(k, chance):
    """White."""
    return 2.0 * chance.standard_normal()


def shaken(gpc, disturbance, *, noise=0.0, samples=4000, closed_at=1000, feed=False, stiffer_at=None, inputs=(0,)):
    """Positions of both masses, shaken at the outer one and controlled at `inputs` from a sample on; and controls."""
    A, B, C, Bw = two_masses(damping=0.005, inputs=inputs, outputs=(0, 1), forces=(1,))
    x, chance = np.zeros(4), np.random.default_rng(7)
    seen, given = [], []
    for k in range(samples):
        w = np.array([disturbance(k, chance)])
        y = C @ x
        u = np.zeros(len(inputs))
        if gpc is not None:
            if k == closed_at:
                gpc.close()
            measured = y[-gpc.lags.outputs :] + noise * SIZE * chance.standard_normal(gpc.lags.outputs)
            u = gpc(measured, w if feed else None).copy()
        elif noise:
            chance.standard_normal(1)
        seen.append(y)
        given.append(u)
        x = A @ x + B @ u + Bw @ w
    return np.array(seen), np.array(given)


def controller(outputs=1, inputs=1, lags=8, **options):
    """Scaled to the plant: outputs of 5 cm, forces of a newton."""
    more = {"disturbances": 1, "past_disturbances": lags} if options.pop("feed", False) else {}
    more["past_errors"] = options.pop("past_errors", 0)
    settings = {"output_scale": SIZE, "control_weight": 1e-3, "forgetting": 0.998, "closed": False, "dither": 0.5}
    return AdaptivePredictiveControl(
        Lags(outputs, inputs, lags, lags, **more), Horizons(12, 12), step=STEP, **(settings | options)
    )


@pytest.mark.parametrize(("noise", "least"), [(0.0, 40.0), (0.05, 10.0)])
def test_harmonic_vibration(noise, least):
    """Waves become part of the model: what is left is what the weight of the control asks for; noise of 5 % costs."""
    before, _ = shaken(None, harmonic)
    after, _ = shaken(controller(control_weight=1e-3 if noise else 1e-4), harmonic, noise=noise)
    assert -decibels(after[3000:, 1], before[3000:, 1]) > least


def test_more_lags_stand_more_noise():
    """The same noise is averaged over more samples."""
    left = [shaken(controller(lags=lags), harmonic, noise=0.1)[0][3000:, 1] for lags in (8, 24)]
    assert decibels(left[1], left[0]) < -3.0


def by_the_true_plant():
    """Fall of the random vibration with the true model, by the same weights [dB]."""
    A, B, C, Bw = two_masses(damping=0.005, outputs=(1,), forces=(1,))
    gpc = PredictiveControl(
        ARMAX.from_state_space(A, B, C), Horizons(12, 12), step=STEP, output_weight=SIZE**-2, control_weight=1e-2
    )
    x, chance, seen = np.zeros(4), np.random.default_rng(7), []
    for k in range(4000):
        seen.append(float((C @ x)[0]))
        x = A @ x + B @ gpc(C @ x) + Bw @ [random(k, chance)]
    return -decibels(seen[2000:], shaken(None, random)[0][2000:, 1])


def test_random_vibration_falls_by_what_the_true_plant_allows():
    """White forces cannot be foretold: damping is what is left to do.

    The force reaches the output through the plant: as coloured noise. Few lags are led astray by it; more lags, or as
    few with past errors (ARMAX), do as well as the true plant, within 1 dB.
    """
    before, _ = shaken(None, random)
    settings = {"control_weight": 1e-2, "forgetting": 0.9995}

    def fall(gpc, noise=0.0):
        return -decibels(shaken(gpc, random, noise=noise)[0][2000:, 1], before[2000:, 1])

    few, many, errors = (
        fall(controller(**(settings | more))) for more in ({"lags": 4}, {"lags": 10}, {"lags": 4, "past_errors": 3})
    )
    wanted = by_the_true_plant()
    assert wanted > 10.0
    assert many > wanted - 1.0 and errors > wanted - 1.0
    assert few < wanted - 1.0
    assert 3.0 < fall(controller(lags=10, **settings), noise=0.1) < many


def test_feedforward_of_a_random_force_that_is_measured():
    """What is seen in time is countered further than what has to be felt first."""
    felt, _ = shaken(controller(lags=6), random)
    fed, _ = shaken(controller(lags=6, feed=True), random, feed=True)
    assert decibels(fed[2000:, 1], felt[2000:, 1]) < -2.0


def test_several_outputs_and_inputs():
    """Both masses held still by two forces, though one alone could not hold both."""
    before, _ = shaken(None, harmonic)
    one, _ = shaken(controller(outputs=2, inputs=1), harmonic)
    both, _ = shaken(controller(outputs=2, inputs=2), harmonic, inputs=(0, 1))
    falls = [-decibels(seen[3000:], before[3000:]) for seen in (one, both)]
    assert falls[1] > 40.0
    assert falls[1] > falls[0] + 20.0


def test_limits_hold_and_the_model_stays_true():
    """The controls are cut, by the model's knowledge: its prediction goes on to be right."""
    gpc = controller(lags=8, lower=-0.5, upper=0.5, dither=0.2)
    before, _ = shaken(None, harmonic)
    after, u = shaken(gpc, harmonic)
    assert np.abs(u).max() == 0.5
    assert (np.abs(u[3000:]) == 0.5).mean() > 0.2  # it is cut much of the time
    assert np.abs(gpc.identification.error[0]) < 1e-3
    assert decibels(after[3000:, 1], before[3000:, 1]) < -3.0


def test_the_model_in_its_own_units():
    """Scales are inside alone: the learnt model is that of metres and newtons."""
    A, B, C = two_masses(damping=0.01)
    wanted = ARMAX.from_state_space(A, B, C)
    gpc = AdaptivePredictiveControl(
        wanted.lags, Horizons(10, 3), step=STEP, output_scale=SIZE, input_scale=10.0, dither=1.0, closed=False,
        start=1e6, ceiling=1e6, forgetting=1.0,
    )  # fmt: skip
    x = np.zeros(4)
    for _ in range(2000):
        x = A @ x + B @ gpc(C @ x)
    assert gpc.model.A == pytest.approx(wanted.A, abs=1e-3)
    assert gpc.model.B == pytest.approx(wanted.B, abs=1e-3 * np.abs(wanted.B).max())


def test_tuning_while_it_runs():
    """A larger weight of the control asks for less of it, from that sample on."""
    gpc = controller(lags=6, control_weight=1e-2)
    _, u = shaken(gpc, random, samples=2000)
    A, B, C, Bw = two_masses(damping=0.005, outputs=(1,), forces=(1,))
    gpc.tune(control_weight=10.0, last=20, controls=8)
    chance, x, after = np.random.default_rng(3), np.zeros(4), []
    for k in range(1000):
        after.append(gpc(C @ x).copy())
        x = A @ x + B @ after[-1] + Bw @ [random(k, chance)]
    assert np.std(after) < 0.5 * np.std(u[1000:])
    assert gpc.refused == 0


def test_nothing_is_learnt_of_a_past_with_gaps():
    """Samples that do not follow each other by a period tell another plant: they are left out, and it goes on."""
    A, B, C = two_masses(damping=0.01)
    wanted = ARMAX.from_state_space(A, B, C)
    found = {}
    for told in (True, False):
        gpc = AdaptivePredictiveControl(
            wanted.lags, Horizons(10, 3), step=STEP, output_scale=SIZE, input_scale=10.0, dither=1.0, closed=False,
            start=1e6, ceiling=1e6, forgetting=1.0,
        )  # fmt: skip
        x = np.zeros(4)
        for k in range(3000):
            u = gpc(C @ x).copy()
            x = A @ x + B @ u
            if k % 20 == 19:
                x = A @ x + B @ u  # a sample that nobody saw
                if told:
                    gpc.missed()
        found[told] = np.abs(gpc.model.A - wanted.A).max()
    assert found[True] < 1e-3 < 0.1 < found[False]


def test_a_design_that_is_not_finite_is_refused():
    """The gains before stay, and it is counted."""
    gpc = controller()
    shaken(gpc, random, samples=1500)
    kept = gpc.gains
    gpc.identification.theta[0] = 1e200
    gpc.redesign()
    assert gpc.refused == 1 and gpc.gains is kept


def test_what_is_refused():
    """By name."""
    lags, horizons = Lags(1, 2, 2, 2), Horizons(5, 2)
    for options, words in (
        ({"output_scale": 0.0}, "output_scale must be a positive number"),
        ({"input_scale": [1.0, 1.0, 1.0]}, "input_scale must be a positive number or 2 of them"),
        ({"every": 0}, "every must be a whole number of at least 1"),
        ({"dither": -1.0}, "dither must not be negative"),
    ):
        with pytest.raises(BlockError) as error:
            AdaptivePredictiveControl(lags, horizons, step=1.0, **options)
        assert words in str(error.value)
