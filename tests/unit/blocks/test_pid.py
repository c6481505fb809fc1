"""The PID block against its difference equation solved by hand, and against what anti-windup and tuning promise."""

import numpy as np
import pytest

from samara import PID, BlockError, MultiPID

H = 0.01


def test_answer_to_a_constant_error():
    """y = 0, r = 1: P = kp b, I grows by h ki a sample from the second on, D = 0 as c = 0."""
    kp, ki, kd, Tf, b, c = 2.0, 3.0, 0.5, 0.04, 0.7, 0.0
    pid = PID(proportional=kp, integral=ki, derivative=kd, step=H, lag=Tf, b=b, c=c)
    found = [pid(1.0, 0.0) for _ in range(50)]
    assert found == pytest.approx(kp * b + ki * H * np.arange(50), rel=1e-13)


def test_derivative_of_a_step_and_of_a_ramp():
    """A step of y at sample 1: D_k = -kd / (Tf + h) (Tf / (Tf + h))^(k-1). A ramp: -kd slope in the end."""
    kd, Tf = 0.5, 0.04
    pid = PID(derivative=kd, step=H, lag=Tf, c=0.0)
    found = [pid(0.0, y) for y in [0.0] + [1.0] * 30]
    expected = -kd / (Tf + H) * (Tf / (Tf + H)) ** np.arange(30)
    assert found[0] == 0.0
    assert found[1:] == pytest.approx(expected, rel=1e-12)
    pid.reset()
    ramp = [pid(0.0, 3.0 * H * k) for k in range(300)]
    assert ramp[-1] == pytest.approx(-kd * 3.0, rel=1e-12)


def test_a_jump_of_the_set_point_passes_the_derivative_by_its_weight():
    calm, sharp = (PID(proportional=1.0, derivative=1.0, step=H, lag=0.02, c=c) for c in (0.0, 1.0))
    for pid in (calm, sharp):
        pid(0.0, 0.0)
    assert calm(1.0, 0.0) == 1.0
    assert sharp(1.0, 0.0) == pytest.approx(1.0 + 1.0 / 0.03)


def closed(pid, samples=4000, gain=1.0, lag=1.0):
    """A lag, gain / (lag s + 1), held input, exact at the samples; the output over time."""
    a = np.exp(-H / lag)
    y, path = 0.0, []
    for k in range(samples):
        u = pid(1.0 if k < samples // 2 else 0.0, y)
        path.append(y)
        y = a * y + (1 - a) * gain * u
    return np.array(path)


def test_the_integral_takes_the_error_away():
    path = closed(PID(proportional=2.0, integral=2.0, step=H))
    assert path[1999] == pytest.approx(1.0, abs=1e-9)
    assert path[-1] == pytest.approx(0.0, abs=1e-9)


@pytest.mark.parametrize("way", ["clamping", "back-calculation"])
def test_anti_windup(way):
    """The output can hardly hold the value wanted (1.05 of 1): an integral that goes on takes it past."""
    limited = {"lower": -1.05, "upper": 1.05}
    free = closed(PID(proportional=2.0, integral=8.0, step=H, anti_windup="none", **limited))
    held = closed(PID(proportional=2.0, integral=8.0, step=H, anti_windup=way, tracking=0.1, **limited))
    assert free[:2000].max() > 1.03  # wound up, it stays at its limit, whose steady answer is 1.05
    assert held[:2000].max() < 1.01
    assert abs(held[-1]) < 1e-6


def test_an_integral_beyond_its_limits_for_long():
    """An error of 1 that nothing can mend for 100 s, then one of -0.1: the output soon leaves its limit."""
    for way, stuck in (("clamping", 2), ("back-calculation", 200), ("none", 20_000)):
        pid = PID(proportional=1.0, integral=1.0, step=H, lower=-2.0, upper=2.0, anti_windup=way, tracking=0.5)
        for _ in range(10_000):
            pid(1.0, 0.0)
        left = next((k for k in range(100_000) if pid(-0.1, 0.0) < 2.0), None)
        assert left is not None
        if way == "none":
            assert left > stuck
        else:
            assert left <= stuck


@pytest.mark.parametrize("way", ["clamping", "back-calculation", "none"])
def test_without_an_integral_a_limit_leaves_nothing_behind(way):
    """After any time at a limit the output is the gain times the error again."""
    pid = PID(proportional=1.0, derivative=0.2, step=H, lower=-0.1, upper=0.1, anti_windup=way)
    for _ in range(100):
        pid(1.0, 0.0)
    for _ in range(500):
        last = pid(0.05, 0.0)
    assert last == pytest.approx(0.05, rel=1e-9)


def test_a_change_of_gains_does_not_bump():
    pid = PID(proportional=2.0, integral=1.0, derivative=0.3, step=H, lag=0.05, c=0.0)
    for _ in range(500):
        before = pid(1.0, 0.4)
    pid.tune(proportional=7.0, integral=3.0, derivative=0.9)
    after = pid(1.0, 0.4)
    assert after - before == pytest.approx(
        1.0 * 0.6 * H, rel=1e-9
    )  # the integral of the sample before, by its old gain
    assert pid(1.0, 0.4) - after == pytest.approx(3.0 * 0.6 * H, rel=1e-9)
    plain = PID(proportional=2.0, step=H)  # nothing to take the jump over
    plain(1.0, 0.4)
    plain.tune(proportional=7.0)
    assert plain(1.0, 0.4) == pytest.approx(7.0 * 0.6)


def test_taking_over_from_a_hand():
    pid = PID(proportional=2.0, integral=1.0, step=H)
    pid.track(0.8, r=1.0, y=0.3)
    assert pid(1.0, 0.3) == pytest.approx(0.8)


def test_axes_do_not_meet():
    axes = MultiPID([PID(proportional=1.0, step=H), PID(proportional=2.0, integral=1.0, step=H, upper=0.5)])
    assert axes((1.0, 1.0), (0.5, 0.9)) == pytest.approx([0.5, 0.2])
    assert axes((1.0, 1.0), (0.5, 0.0), (0.1, 0.0)) == pytest.approx([0.6, 0.5])
    axes.reset()
    assert axes.memory is None


@pytest.mark.parametrize(
    ("words", "make"),
    [
        ("PID: step must be positive", lambda: PID(proportional=1.0, step=0.0)),
        (
            r"PID: lower \(2\) must be less than upper \(1\)",
            lambda: PID(proportional=1.0, step=H, lower=2.0, upper=1.0),
        ),
        ("anti_windup must be one of back-calculation, clamping, none", lambda: PID(step=H, anti_windup="hope")),
        ("proportional must be a finite number", lambda: PID(proportional=np.nan, step=H)),
        (
            "MultiPID: all axes must have the same sample time",
            lambda: MultiPID([PID(proportional=1, step=H), PID(proportional=1, step=2 * H)]),
        ),
        ("MultiPID: axes must be a list of PID", lambda: MultiPID([])),
    ],
)
def test_wrong_numbers_are_refused(words, make):
    with pytest.raises(BlockError, match=words):
        make()


@pytest.mark.parametrize("anti_windup", ["clamping", "none"])
def test_missed_samples_do_not_slow_the_integral(anti_windup):
    """y is a staircase, five samples per step: one that sees one sample per step answers as one that sees all."""
    y = np.repeat([0.0, -0.4, 0.3, 0.8, -0.1, 0.6], 5)
    every, some = (PID(proportional=1.0, integral=2.0, step=H, upper=0.9, anti_windup=anti_windup) for _ in range(2))
    expected = [every(0.5, value) for value in y]
    found = [some(0.5, y[k], elapsed=5 * H if k else H) for k in range(0, len(y), 5)]
    assert found == pytest.approx(expected[::5], rel=1e-12)


def test_the_derivative_knows_how_long_ago_the_last_sample_was():
    """A ramp, seen now and then: its slope, without a filter at once."""
    pid = PID(derivative=1.0, step=H, c=0.0, lag=0.0)
    pid(0.0, 0.0)
    assert [pid(0.0, 3.0 * H * k, elapsed=n * H) for n, k in ((1, 1), (4, 5), (2, 7))] == pytest.approx([-3.0] * 3)


def test_what_there_is_not_is_not_tuned():
    law = PID(proportional=1.0, step=0.1)
    with pytest.raises(
        BlockError, match=r"PID: tune has no parameter 'gain', only lower, upper, corner, proportional, integral"
    ):
        law.tune(gain=3.0)
    assert law.proportional == 1.0
