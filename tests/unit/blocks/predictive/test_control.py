"""Predictive control of known plants: against dense least squares, deadbeat, limits, feedforward, set points."""

import numpy as np
import pytest
from sampled_plants import STEP, decibels, two_masses

from samara import ARMAX, BlockError, Horizons, PredictiveControl


def random_model(rng, outputs=2, inputs=3, disturbances=1, errors=2):
    """A stable model of every kind of term."""
    return ARMAX(
        0.2 * rng.normal(size=(3, outputs, outputs)), rng.normal(size=(4, outputs, inputs)),
        D=rng.normal(size=(2, outputs, disturbances)), C=0.3 * rng.normal(size=(errors, outputs, outputs)),
        constant=rng.normal(size=outputs),
    )  # fmt: skip


def outputs_ahead(model, past, controls, w, count):
    """Outputs after a past of (y, u, w, e) by the difference equation as it is written, newest last."""
    y, u, ws, e = ([list(v) for v in part] for part in past)
    for k in range(count):
        u.append(controls[k])
        new = model.constant.copy()
        for i, A in enumerate(model.A):
            new = new + A @ y[-1 - i]
        for i, B in enumerate(model.B):
            new = new + B @ u[-1 - i]
        for i, D in enumerate(model.D):
            new = new + D @ ws[-1 - i]
        for i, C in enumerate(model.C):
            new = new + C @ e[-1 - i]
        y.append(list(new))
        e.append([0.0] * len(new))
        ws.append(w)
    return np.array(y[-count:])


@pytest.mark.parametrize("beyond", ["hold", "zero"])
@pytest.mark.parametrize("first", [1, 3])
def test_the_control_is_that_of_dense_normal_equations(rng, beyond, first):
    """The cost written out by simulating the difference equation, minimised by its normal equations: to rounding."""
    model, last, count = random_model(rng), 9, 4
    q, r, s = rng.uniform(0.5, 2.0, 2), rng.uniform(0.05, 0.2, 3), rng.uniform(0.05, 0.2, 3)
    gpc = PredictiveControl(
        model, Horizons(last, count, first, beyond), step=1.0, output_weight=q, control_weight=r, increment_weight=s
    )
    wanted = rng.normal(size=(last, 2))
    ys, ws = rng.normal(size=(6, 2)), rng.normal(size=(6, 1))
    us, es = [np.zeros(3)] * 6, [np.zeros(2)] * 6
    rest = [np.zeros((6, n)) for n in (2, 3, 1, 2)]
    for k in range(6):  # errors by the definition: what was seen less what was expected
        if k:
            seen = (ys[:k], us[: k - 1], ws[:k], es[:k])
            before = [np.vstack([part, *new]) for part, new in zip(rest, seen, strict=True)]
            es[k] = ys[k] - outputs_ahead(model, before, [us[k - 1]], ws[k], 1)[0]
        else:
            es[0] = ys[0] - model.constant  # it begins at rest
        us[k] = gpc(ys[k], ws[k], wanted).copy()
    past = [np.vstack([part, *seen]) for part, seen in zip(rest, (ys, us[:5], ws, es), strict=True)]

    def course(free):
        free = free.reshape(count, 3)
        beyond_it = free[-1] if beyond == "hold" else np.zeros(3)
        return outputs_ahead(model, past, [*free, *[beyond_it] * (last - count)], ws[-1], last)

    zero = course(np.zeros(3 * count))
    G = np.stack([(course(unit) - zero).ravel() for unit in np.eye(3 * count)], axis=1)
    counts = (np.arange(last) >= first - 1)[:, None] * q
    Q, R, S = np.diag(counts.ravel()), np.diag(np.tile(r, count)), np.diag(np.tile(s, count))
    steps = np.eye(3 * count) - np.eye(3 * count, k=-3)
    before = np.concatenate([us[4], np.zeros(3 * count - 3)])
    H = G.T @ Q @ G + R + steps.T @ S @ steps
    best = np.linalg.solve(H, G.T @ Q @ (wanted - zero).ravel() + steps.T @ S @ before)
    assert us[5] == pytest.approx(best[:3], rel=1e-10, abs=1e-10)


@pytest.mark.parametrize("outputs", [(0,), (1,), (0, 1)])
def test_deadbeat_of_two_masses(outputs):
    """No weight on controls, as many of them as states, outputs of the following n samples: at rest n samples later.

    The controller begins without a past: it knows the state only after as many samples as it has lags.
    """
    A, B, C = two_masses(outputs=outputs)
    model = ARMAX.from_state_space(A, B, C)
    gpc = PredictiveControl(model, Horizons(last=7, controls=4, first=4, beyond="zero"), step=STEP)
    x = np.array([0.3, -0.2, 1.0, 2.0])
    sizes = []
    for _ in range(4 + model.lags.past_outputs):
        sizes.append(np.abs(x).max())
        x = A @ x + B @ gpc(C @ x)
    # one sample is a third of a radian of the faster mode: rounding grows by the condition of that, 1e6 or so
    assert np.abs(x).max() < 1e-8 * max(sizes)
    # all poles of the loop at zero: a multiple root of n scatters by the n-th root of rounding
    assert np.abs(gpc.poles).max() < 0.05


def test_a_state_space_model_as_differences(rng):
    """The same outputs as the states give, of one and of several outputs."""
    for outputs in ((1,), (0, 1)):
        A, B, C = two_masses(damping=0.01, inputs=(0, 1), outputs=outputs)
        model = ARMAX.from_state_space(A, B, C)
        u, x, y = rng.normal(size=(50, 2)), np.zeros(4), []
        for k in range(50):
            x = A @ x + B @ u[k]
            y.append(C @ x)
        assert model.simulate(u) == pytest.approx(np.array(y), rel=1e-9, abs=1e-11)
        of_states = np.linalg.eigvals(A)
        assert all(np.abs(of_states - pole).min() < 1e-8 for pole in model.poles) == (len(model.poles) == 4)


def test_poles_are_those_of_the_loop(rng):
    """The slowest pole is the decay of the simulated loop; increments are weighted: the law needs its last control."""
    A, B, C = two_masses(damping=0.01)
    model = ARMAX.from_state_space(A, B, C)
    gpc = PredictiveControl(model, Horizons(12, 3), step=STEP, control_weight=1e-6, increment_weight=1e-5)
    x, sizes = rng.normal(size=4), []
    for _ in range(400):
        x = A @ x + B @ gpc(C @ x)
        sizes.append(np.linalg.norm(x))
    decay = (max(sizes[340:380]) / max(sizes[40:80])) ** (1 / 300)  # over the beats
    assert np.abs(gpc.poles).max() == pytest.approx(decay, rel=2e-3)
    assert decay < 0.98


def test_limits_are_told_to_the_model():
    """A plant that is pushed against the limit: the prediction is without error only if the model knows what acted."""
    A, B, C = two_masses(damping=0.01)
    model = ARMAX.from_state_space(A, B, C)
    errors = {}
    for told in (True, False):
        limit = 1.0 if told else np.inf  # cut by the law, or behind its back
        gpc = PredictiveControl(model, Horizons(12, 3), step=STEP, lower=-limit, upper=limit, control_weight=1e-6)
        x, worst = np.array([1.0, 1.0, 0.0, 0.0]), 0.0
        for k in range(60):
            y = C @ x
            if k > 4:
                worst = max(worst, float(np.abs(y - gpc.phi @ model.theta).max()))
            u = gpc(y)
            assert (np.abs(u) <= limit).all()
            x = A @ x + B @ np.clip(u, -1.0, 1.0)
        errors[told] = worst
    assert errors[True] < 1e-10 < 1e-2 < errors[False]


def test_a_set_point_is_reached_without_error_where_increments_are_weighted():
    """Nothing asks for a small control: the plant is exact, and so is its rest."""
    A, B, C = two_masses(damping=0.01)
    gpc = PredictiveControl(ARMAX.from_state_space(A, B, C), Horizons(20, 4), step=STEP, increment_weight=1e-6)
    x = np.zeros(4)
    for _ in range(400):
        x = A @ x + B @ gpc(C @ x, r=[0.02])
    assert x[1] == pytest.approx(0.02, rel=1e-6)
    assert gpc.control[0] == pytest.approx(2.0, rel=1e-6)  # 100 N/m, the force on the inner mass


def test_feedforward_of_a_measured_disturbance():
    """A harmonic force on the outer mass: measured, it is countered better; known how it goes on, better still.

    A wave that is taken to stand still is off by its phase over the horizon, and one that is known by nothing: what is
    left then is the weight of the control.
    """
    A, B, C, Bw = two_masses(damping=0.005, forces=(1,))
    both = ARMAX.from_state_space(A, np.hstack([B, Bw]), C)
    turn = 5.0 * STEP  # rad per sample

    def left(model, ahead=None):
        gpc = PredictiveControl(model, Horizons(15, 15), step=STEP, control_weight=1e-9, disturbance=ahead)
        x, seen = np.zeros(4), []
        for k in range(600):
            w = np.array([np.sin(turn * k)])
            y = C @ x
            seen.append(float(y[0]))
            x = A @ x + B @ gpc(y, w if model.lags.disturbances else None) + Bw @ w
        return seen[300:]

    fed = ARMAX(both.A, both.B[:, :, :1], both.B[:, :, 1:])
    unfed, held, known = left(ARMAX(both.A, fed.B)), left(fed), left(fed, [[[2 * np.cos(turn)]], [[-1.0]]])
    assert decibels(held, unfed) < -3.0
    assert decibels(known, held) < -20.0


def test_weights_and_horizons_change_while_it_runs():
    """A tuned law is the law that is made so; what cannot be is refused, and changes nothing."""
    A, B, C = two_masses(damping=0.01)
    model = ARMAX.from_state_space(A, B, C)
    made = PredictiveControl(model, Horizons(15, 5, 2), step=STEP, control_weight=1e-4, increment_weight=1e-5)
    tuned = PredictiveControl(model, Horizons(9, 2), step=STEP)
    tuned.tune(last=15, controls=5, first=2, control_weight=1e-4, increment_weight=1e-5)
    assert tuned.gains.regressor == pytest.approx(made.gains.regressor, rel=1e-13)
    for wrong, words in (
        ({"last": 1}, "first (2) must not be after last (1)"),
        ({"controls": 16}, "controls (16) must not be more than last (15)"),
        ({"last": 12, "control_weight": -1.0}, "control_weight must be a number or 1 numbers, none negative"),
    ):
        with pytest.raises(BlockError, match=r"Horizons|PredictiveControl") as error:
            tuned.tune(**wrong)
        assert words in str(error.value)
        assert tuned.horizons == made.horizons
        assert tuned.gains.regressor == pytest.approx(made.gains.regressor, rel=1e-13)


def test_what_is_refused():
    """By name, with the remedy."""
    model = ARMAX([0.5], [1.0])
    for make, words in (
        (lambda: Horizons(5, 2, beyond="stop"), "beyond must be one of hold, zero"),
        (lambda: PredictiveControl(model, Horizons(5, 2), step=0.0), "step must be positive"),
        (lambda: PredictiveControl(model, Horizons(5, 2), step=1.0, lower=2.0, upper=1.0), "lower must be less"),
        (lambda: PredictiveControl(model, Horizons(5, 2), step=1.0)([0.0], r=np.zeros((4, 1))), "5 samples of them"),
        (lambda: PredictiveControl(model, Horizons(5, 2), step=1.0, disturbance=[[[1.0]]]), "disturbance must have"),
        (lambda: ARMAX([0.5], [[1.0]]), "B must be numbers or matrices, one a lag"),
        (lambda: ARMAX([[[0.5]]], [[[1.0], [2.0]]]), "B must have shape"),
        (lambda: ARMAX.from_state_space(np.diag([0.5, 0.4]), [[1.0], [1.0]], [[1.0, 0.0]]), "do not tell the state"),
    ):
        with pytest.raises(BlockError) as error:
            make()
        assert words in str(error.value)
