"""Recursive identification: true coefficients with and without noise, changes, coloured noise, windup, channels."""

import numpy as np
import pytest
from sampled_plants import STEP, two_masses

from samara import ARMAX, BlockError, Lags, RecursiveIdentification

NONE = np.zeros(0)
#: A stable plant of size one, second order: poles at a radius of 0.9.
PLANT = ARMAX([1.5, -0.81], [0.5, 0.3])


def learn(identification, u, y, w=None):
    """Feeds a record of inputs and of the outputs one sample later."""
    w = np.zeros((len(u), 0)) if w is None else w
    identification(np.zeros(y.shape[1]), w[0], learn=False)
    for k in range(len(u)):
        identification.control(u[k])
        identification(y[k], w[min(k + 1, len(u) - 1)])
    return identification.theta


def test_it_is_least_squares_of_the_whole_record(rng):
    """With forgetting: the solution of the weighted normal equations, the start's P as a first equation each."""
    lags, f, start = Lags(2, 2, 2, 2, constant=True), 0.97, 10.0
    plant = ARMAX(0.3 * rng.normal(size=(2, 2, 2)), rng.normal(size=(2, 2, 2)), constant=[0.5, -1.0])
    u, e = rng.normal(size=(80, 2)), 0.1 * rng.normal(size=(80, 2))
    y = plant.simulate(u, e=e)
    found = RecursiveIdentification(lags, step=1.0, forgetting=f, start=start, ceiling=1e12)
    learn(found, u, y)
    past_y, past_u = np.vstack([np.zeros((2, 2)), y]), np.vstack([np.zeros((1, 2)), u])
    rows = np.array([np.r_[past_y[k + 1], past_y[k], past_u[k + 1], past_u[k], 1.0] for k in range(80)])
    weight = f ** np.arange(79, -1, -1)
    H = rows.T @ (weight[:, None] * rows) + f**79 * np.eye(9) / start
    assert found.theta == pytest.approx(np.linalg.solve(H, rows.T @ (weight[:, None] * y)), rel=1e-9, abs=1e-10)
    assert found.covariance == pytest.approx(np.linalg.inv(f * H), rel=1e-8, abs=1e-10)


def test_true_coefficients_without_noise(rng):
    """Two outputs, three inputs, a measured disturbance: exact, but for the trust in the first guess, 1e-9 of it."""
    plant = ARMAX(
        0.3 * rng.normal(size=(2, 2, 2)), rng.normal(size=(3, 2, 3)), D=rng.normal(size=(2, 2, 1)), constant=[1.0, 2.0]
    )
    u, w = rng.normal(size=(300, 3)), rng.normal(size=(300, 1))
    found = RecursiveIdentification(plant.lags, step=1.0, start=1e9, ceiling=1e9)
    learn(found, u, plant.simulate(u, w), w)
    assert found.theta == pytest.approx(plant.theta, abs=1e-7)
    assert found.model.B == pytest.approx(plant.B, abs=1e-7)


def test_true_coefficients_with_white_noise(rng):
    """They come as near as their covariance says: errors by its roots are of size one, and shrink as 1 / sqrt(n)."""
    sizes = []
    for n in (500, 8000):
        u, e = rng.normal(size=(n, 1)), 0.3 * rng.normal(size=(n, 1))
        found = RecursiveIdentification(PLANT.lags, step=1.0)
        learn(found, u, PLANT.simulate(u, e=e))
        deviation = 0.3 * np.sqrt(np.diag(found.covariance))
        assert (np.abs(found.theta - PLANT.theta)[:, 0] < 4.0 * deviation).all()  # four deviations: one in 16 000
        sizes.append(deviation.mean())
    assert sizes[0] / sizes[1] == pytest.approx(4.0, rel=0.1)


def test_a_change_is_tracked_by_forgetting(rng):
    """After the change, those who remember all have a mean of both plants; those who forget have the new one."""
    after = ARMAX([1.2, -0.7], [0.2, 0.6])
    u, e = rng.normal(size=(2000, 1)), 0.05 * rng.normal(size=(2000, 1))
    y = np.vstack([PLANT.simulate(u[:1000], e=e[:1000]), after.simulate(u[1000:], e=e[1000:])])
    off = {}
    for forgetting in (1.0, 0.98):
        found = RecursiveIdentification(PLANT.lags, step=1.0, forgetting=forgetting)
        learn(found, u, y)
        off[forgetting] = np.abs(found.theta - after.theta).max()
    # memory of 50 samples, four coefficients, noise 0.05 on regressors of one: deviations of 0.05 / sqrt(50)
    assert off[0.98] < 4 * 0.05 / np.sqrt(50) < 0.1 < off[1.0]


def test_armax_is_not_led_astray_by_coloured_noise(rng):
    """Noise with a moving average correlates with past outputs: ARX is biased by it, ARMAX is not, and learns it."""
    plant = ARMAX(PLANT.A, PLANT.B, C=[0.8])  # 1 / C - 1/2 is positive real for any |C| < 1 of first order
    u, e = rng.normal(size=(20000, 1)), 1.0 * rng.normal(size=(20000, 1))
    y = plant.simulate(u, e=e)
    arx, armax = (RecursiveIdentification(lags, step=1.0) for lags in (PLANT.lags, plant.lags))
    learn(arx, u, y)
    learn(armax, u, y)
    bias = np.abs(arx.theta - PLANT.theta).max()
    off = np.abs(armax.theta - plant.theta)
    assert bias > 0.05
    assert off[:4].max() < 0.2 * bias
    assert off[4, 0] < 0.05  # of its own coefficient: extended least squares converges slower there
    # what ARMAX cannot foretell is the noise's own size; ARX is left with more
    fresh_u, fresh_e = rng.normal(size=(4000, 1)), rng.normal(size=(4000, 1))
    fresh = plant.simulate(fresh_u, e=fresh_e)
    left = {}
    for name, found in (("arx", arx), ("armax", armax)):
        found.history.reset()
        errors = []
        for k in range(4000):
            found.control(fresh_u[k])
            errors.append(float(found(fresh[k], NONE, learn=False)[0]))
        left[name] = np.std(errors)
    assert left["armax"] == pytest.approx(1.0, rel=0.05)
    assert left["arx"] > 1.1 * left["armax"]


def test_windup_is_bounded(rng):
    """A plant at rest for long tells nothing: P stops at its ceiling, stays positive, and a restart does no harm."""
    lags, ceiling = Lags(1, 1, 2, 2), 1e4
    u = np.vstack([rng.normal(size=(300, 1)), np.zeros((5000, 1)), rng.normal(size=(300, 1))])
    e = 0.01 * rng.normal(size=(len(u), 1))
    y = PLANT.simulate(u, e=e)
    found = RecursiveIdentification(lags, step=1.0, forgetting=0.95, start=100.0, ceiling=ceiling)
    largest = 0.0
    found(np.zeros(1), NONE, learn=False)
    for k in range(len(u)):
        found.control(u[k])
        found(y[k], NONE)
        largest = max(largest, np.trace(found.covariance))
        assert (found.d > 0.0).all()
    assert ceiling * 0.5 < largest <= ceiling * lags.size
    assert found.theta == pytest.approx(PLANT.theta, abs=0.02)
    assert np.isfinite(found.U).all()


def test_directions_that_are_excited_are_forgotten_though_others_are_not(rng):
    """Two inputs, one at rest: the plant of the other is tracked when it changes."""
    before, after = (ARMAX([0.5], [[[b, 1.0]]]) for b in (1.0, 2.0))
    u = np.column_stack([rng.normal(size=4000), np.zeros(4000)])
    y = np.vstack([before.simulate(u[:3800]), after.simulate(u[3800:])])
    found = RecursiveIdentification(Lags(1, 2, 1, 1), step=1.0, forgetting=0.95, ceiling=1e4)
    learn(found, u, y)
    assert found.model.B[0, 0, 0] == pytest.approx(2.0, abs=1e-3)  # 0.95 ** 200 of the old one is left


def test_a_structure_from_its_motion(rng):
    """Two masses under random forces: the model that is learnt has their frequencies and their damping."""
    A, B, C = two_masses(damping=0.01)
    x, model = np.zeros(4), ARMAX.from_state_space(A, B, C)
    found = RecursiveIdentification(model.lags, step=STEP, start=1e6, ceiling=1e6)
    size = 0.05  # m: outputs are scaled to one
    for _ in range(4000):
        found(C @ x / size, NONE)
        u = rng.normal(size=1)
        found.control(u)
        x = A @ x + 10.0 * B @ u
    wanted, seen = np.log(np.linalg.eigvals(A)) / STEP, np.log(found.model.poles) / STEP
    for pole in wanted:
        assert np.abs(seen - pole).min() < 1e-4 * abs(pole)


def test_switching_learning_off_keeps_the_model(rng):
    """The past goes on being kept."""
    u = rng.normal(size=(50, 1))
    y = PLANT.simulate(u)
    found = RecursiveIdentification(PLANT.lags, step=1.0)
    learn(found, u, y)
    theta, U = found.theta.copy(), found.U.copy()
    found.control(u[0])
    found(np.ones(1), NONE, learn=False)
    assert (found.theta == theta).all() and (found.U == U).all()
    assert found.history.phi[0] == 1.0
    found.relearn()
    assert (found.theta == theta).all() and (found.d == found.start).all()


def test_what_is_refused():
    """By name."""
    for make, words in (
        (lambda: Lags(1, 0, 2, 2), "inputs must be a whole number of at least 1"),
        (lambda: Lags(1, 1, 2, 2, disturbances=1), "go together"),
        (lambda: RecursiveIdentification(PLANT.lags, step=1.0, forgetting=1.1), "forgetting must be above 0"),
        (lambda: RecursiveIdentification(PLANT.lags, step=1.0, start=10.0, ceiling=1.0), "must not be above"),
        (lambda: RecursiveIdentification(PLANT.lags, step=1.0, theta=np.zeros(3)), "theta must have shape (4, 1)"),
    ):
        with pytest.raises(BlockError) as error:
            make()
        assert words in str(error.value)
