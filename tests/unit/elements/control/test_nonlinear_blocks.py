"""Blocks with limits and play against their closed forms, and the PID against SciPy."""

import numpy as np
import pytest
from scipy import signal
from scipy.integrate import solve_ivp

import samara as sm


def run(add, step, end=1.0, **options):
    model = sm.Model("block")
    add(model)
    return sm.transient(model, end=end, step=step, progress=False, **options)


def sine(model, amplitude=1.0, frequency=2.0 * np.pi):
    return model.add("u", sm.Gain(sm.Sine(amplitude, frequency=frequency), gain=1.0)).output


def test_a_saturation_is_exact_away_from_its_corners_and_a_parabola_in_them():
    results = run(
        lambda m: m.add("y", sm.ContinuousBlock([sine(m)], law=sm.Saturation(lower=-0.6, upper=0.3, corner=0.1))), 1e-3
    )
    u, y = results["u.output.value"], results["y.output.value"]
    away = (np.abs(u - 0.3) > 0.05) & (np.abs(u + 0.6) > 0.05)
    np.testing.assert_allclose(y[away], np.clip(u, -0.6, 0.3)[away], atol=1e-9)  # Newton's tolerance
    near, half = np.abs(u - 0.3) < 0.05, 0.05
    parabola = u[near] - (u[near] - 0.3 + half) ** 2 / (4.0 * half)
    np.testing.assert_allclose(y[near], parabola, atol=1e-9)  # C1 at both ends, corner / 8 below the limit at u = upper
    assert y.max() <= 0.3 + 1e-9 and y.min() >= -0.6 - 1e-9


def test_a_dead_zone_and_a_saturation_add_up_to_the_signal():
    """u = clip(u) + dead(u), corners included: both round them off in the same way."""

    def add(model):
        u = sine(model)
        model.add("a", sm.ContinuousBlock([u], law=sm.Saturation(lower=-0.6, upper=0.3, corner=0.2)))
        model.add("b", sm.ContinuousBlock([u], law=sm.DeadZone(lower=-0.6, upper=0.3, corner=0.2)))

    results = run(add, 1e-3)
    total = results["a.output.value"] + results["b.output.value"]
    np.testing.assert_allclose(total, results["u.output.value"], atol=1e-9)
    inside = np.abs(results["u.output.value"]) < 0.19
    np.testing.assert_allclose(results["b.output.value"][inside], 0.0, atol=1e-12)


def test_a_rate_limit_ramps_and_then_follows_with_its_lag():
    """After a step of 2 with rise 4: y = 4 (t - 0.1) while the lag asks for more than the bend, then exponentially."""
    rise, time = 4.0, 0.02
    results = run(
        lambda m: m.add(
            "y", sm.ContinuousBlock([sm.Step(2.0, time=0.1)], law=sm.RateLimit(rise=rise, fall=2.0, time=time))
        ),
        1e-3,
    )
    t, y = results.time, results["y.output.value"]
    np.testing.assert_allclose(y[t < 0.1 - 1e-9], 0.0, atol=1e-12)
    ramp = (t > 0.1) & (2.0 - y > time * 1.1 * rise)
    assert ramp.sum() > 400
    np.testing.assert_allclose(y[ramp], rise * (t[ramp] - 0.1), atol=2e-5)  # the start after a jump: h^2 of it
    assert np.abs(np.diff(y)).max() <= rise * 1e-3 + 1e-10  # the tolerance of Newton's method
    assert y[-1] == pytest.approx(2.0, abs=1e-6)


def test_a_rate_limit_stays_behind_a_slow_ramp_by_its_lag():
    results = run(lambda m: m.add("y", sm.ContinuousBlock([sm.Ramp(1.0)], law=sm.RateLimit(rise=4.0, time=0.05))), 1e-3)
    late = results.time > 0.6
    np.testing.assert_allclose(results["y.output.value"][late], results.time[late] - 0.05, atol=1e-5)


@pytest.mark.parametrize("far", [1.0, -7.0])
def test_a_rate_limit_starts_at_its_signal_however_far_that_is(far):
    """|u(0)| is ten times and more what the limit lets pass in `time`."""
    results = run(lambda m: m.add("y", sm.ContinuousBlock([far], law=sm.RateLimit(rise=1.0, time=0.1))), 1e-3, end=0.02)
    np.testing.assert_allclose(results["y.output.value"], far, rtol=1e-9)


def test_a_rate_limit_starts_at_a_signal_of_another_block():
    def add(model):
        ahead = model.add("u", sm.Gain(5.0, gain=2.0)).output
        model.add("y", sm.ContinuousBlock([ahead], law=sm.RateLimit(rise=1.0, fall=3.0, time=0.1)))

    np.testing.assert_allclose(run(add, 1e-3, end=0.02)["y.output.value"], 10.0, rtol=1e-9)


def test_a_rate_limit_with_a_slow_side_comes_to_rest_at_its_signal():
    """The corners of a fast fall do not reach into a slow rise."""
    results = run(
        lambda m: m.add(
            "y", sm.ContinuousBlock([sm.Step(0.1, time=0.01)], law=sm.RateLimit(rise=1.0, fall=100.0, time=0.02))
        ),
        1e-3,
    )
    assert results["y.output.value"][-1] == pytest.approx(0.1, abs=1e-9)


def play(u, gap, y):
    """The play operator: y = max(min(y, u + gap / 2), u - gap / 2), sample by sample."""
    found = []
    for value in u:
        y = max(min(y, value + 0.5 * gap), value - 0.5 * gap)
        found.append(y)
    return np.array(found)


def test_backlash_is_the_play_operator_as_its_time_goes_to_zero():
    """Two and a half periods of a sine: y stands still at each turn until the gap is crossed."""
    gap, rate, errors = 0.4, 2.0 * np.pi, []
    for time in (2e-3, 1e-3, 5e-4):
        results = run(
            lambda m, time=time: m.add(
                "y", sm.ContinuousBlock([sine(m)], law=sm.Backlash(gap=gap, time=time, corner=2.5e-3))
            ),
            2e-4,
            end=2.5,
        )
        exact = play(results["u.output.value"], gap, 0.0)
        errors.append(np.abs(results["y.output.value"] - exact).max())
        assert errors[-1] < rate * time + 1e-3  # rate times time, and the corner
    assert errors[2] < 0.6 * errors[0]
    assert np.ptp(results["y.output.value"][results.time > 1.0]) == pytest.approx(2.0 - gap, abs=5e-3)


def test_backlash_behind_a_ramp_stays_by_half_a_gap_and_its_time():
    results = run(lambda m: m.add("y", sm.ContinuousBlock([sm.Ramp(3.0)], law=sm.Backlash(gap=0.4, time=0.01))), 1e-3)
    late = results.time > 0.5
    np.testing.assert_allclose(results["y.output.value"][late], 3.0 * results.time[late] - 0.2 - 0.03, atol=1e-5)


def test_a_quantiser_rounds_to_whole_steps():
    step, width = 0.25, 0.01
    results = run(
        lambda m: m.add("y", sm.ContinuousBlock([sm.Ramp(1.0)], law=sm.Quantiser(quantum=step, width=width))), 1e-3
    )
    x, y = results.time / step, results["y.output.value"] / step
    middle = np.abs(x - np.round(x)) < 0.3
    off = np.abs(y - np.round(x))[middle]
    assert off.max() < 2.0 * width  # width x at small x; tan grows it towards the riser
    risers = np.abs(np.abs(x - np.round(x)) - 0.5) < 1e-9
    np.testing.assert_allclose(y[risers], x[risers], atol=1e-6)


def test_a_pid_has_the_step_response_of_its_transfer_function():
    """kp + ki / s + kd s / (lag s + 1) on a plant 1 / (0.2 s + 1): the closed loop by SciPy, to second order."""
    kp, ki, kd, lag = 3.0, 8.0, 0.15, 0.02
    controller = (np.polyadd(np.polymul([kp, ki], [lag, 1.0]), [kd, 0.0, 0.0]), np.polymul([1.0, 0.0], [lag, 1.0]))
    loop = (controller[0], np.polymul(controller[1], [0.2, 1.0]))
    closed = (loop[0], np.polyadd(loop[0], loop[1]))
    errors = []
    for step in (2e-3, 1e-3, 5e-4):
        model = sm.Model("loop")
        x = model.state("x", 1)
        law = sm.PID(proportional=kp, integral=ki, derivative=kd, lag=lag)
        pid = model.add("pid", sm.SignalRegulator(u=x, target=sm.Step(1.0, time=0.1), law=law))
        model.add("plant", Plant(x, u=pid.output, time=0.2))
        results = sm.transient(model, end=1.0, step=step, progress=False)
        late = results.time > 0.1 + 1e-9
        _, exact = signal.step(closed, T=np.concatenate([[0.0], results.time[late] - 0.1]))
        errors.append(np.abs(results["x.value"][late] - exact[1:]).max())
    assert errors[-1] < 1e-3
    assert np.all(np.log2(np.array(errors[:-1]) / errors[1:]) > 1.7), errors


class Plant(sm.Element):
    """time dx/dt + x = u of a state that is there already: so loops are closed."""

    x: sm.State = sm.state(kw_only=False)
    u: object = sm.signal()
    time: float = sm.number()

    def formulate(self, site):
        x = site.states[0]
        return sm.Contribution(wrenches=[], balances=[self.time * x.rate + x.value - self.received(site, "u")])


def test_anti_windup_follows_its_equations_and_brings_the_integral_back():
    """Against SciPy's integrator on the same equations with sharp limits; without it the integral runs away."""
    kp, ki, upper, tracking = 2.0, 10.0, 1.2, 0.05

    def rates(t, state):
        x, integral = state
        e = (1.0 if t < 1.0 else 0.3) - x
        v = kp * e + integral
        u = min(max(v, 0.0), upper)
        return [(u - x) / 0.5, ki * e - (v - u) / tracking]

    exact = solve_ivp(rates, (0.0, 2.0), [0.0, 0.0], max_step=1e-3, rtol=1e-9, atol=1e-11, dense_output=True)
    model = sm.Model("loop")
    x = model.state("x", 1)
    law = sm.PID(proportional=kp, integral=ki, lower=0.0, upper=upper, corner=1e-3, tracking=tracking)
    pid = model.add("pid", sm.SignalRegulator(u=x, target=sm.Step(0.3, time=1.0, before=1.0), law=law))
    model.add("plant", Plant(x, u=pid.output, time=0.5))
    results = sm.transient(model, end=2.0, step=1e-3, progress=False)
    np.testing.assert_allclose(results["x.value"], exact.sol(results.time)[0], atol=1e-3)  # corner and steps
    np.testing.assert_allclose(results["pid.integral.value"], exact.sol(results.time)[1], atol=2e-2)
    assert results["pid.output.value"].max() <= upper + 1e-9


def test_a_transfer_function_of_degree_zero_is_a_gain():
    model = sm.Model("gain")
    model.add(
        "block", sm.ContinuousBlock([sm.Sine(1.0, 3.0)], law=sm.TransferFunction(numerator=[2.0], denominator=[4.0]))
    )
    run = sm.transient(model, 1.0, 1e-2, progress=False)
    np.testing.assert_allclose(run["block.output.value"], 0.5 * np.sin(3.0 * run.time), atol=1e-8)
