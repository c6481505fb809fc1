"""State space, transfer functions and filters against closed forms."""

import numpy as np
import pytest

from samara import (
    BlockError,
    Derivative,
    HighPass,
    LowPass,
    LowPass2,
    MovingAverage,
    Notch,
    StateSpace,
    TransferFunction,
    Unwrap,
    discretise,
)

H = 1e-3


def answer(block, frequency, samples=20_000):
    """Gain and phase [rad] of a block at a frequency [Hz], from its steady answer to a sine."""
    t = H * np.arange(samples)
    out = np.array([block(float(u)) for u in np.sin(2 * np.pi * frequency * t)])
    half = samples // 2
    basis = np.column_stack([np.sin(2 * np.pi * frequency * t), np.cos(2 * np.pi * frequency * t)])
    a, b = np.linalg.lstsq(basis[half:], out[half:], rcond=None)[0]
    return np.hypot(a, b), np.arctan2(b, a)


def test_zero_order_hold_of_a_double_integrator():
    """x'' = u, held: A = [1 h; 0 1], B = (h^2 / 2, h), exactly."""
    A, B, C, D = discretise([[0, 1], [0, 0]], [[0], [1]], [[1, 0]], [[0]], 0.1)
    assert A == pytest.approx(np.array([[1, 0.1], [0, 1]]), abs=1e-15)
    assert B == pytest.approx(np.array([[0.005], [0.1]]), abs=1e-15)
    assert C.tolist() == [[1, 0]] and D.tolist() == [[0]]


def test_zero_order_hold_of_an_oscillator_step():
    """x'' + 2 z w x' + w^2 x = w^2 u, u = 1: the samples lie on the closed form, whatever the step."""
    w, z, h = 3.0, 0.2, 0.25
    block = StateSpace([[0, 1], [-w * w, -2 * z * w]], [[0], [w * w]], [[1, 0]], initial=0.0).discretise(h)
    found = [block(1.0) for _ in range(40)]
    t, wd = h * np.arange(40), w * np.sqrt(1 - z * z)
    expected = 1 - np.exp(-z * w * t) * (np.cos(wd * t) + z * w / wd * np.sin(wd * t))
    assert found == pytest.approx(expected, abs=1e-13)
    assert StateSpace(block.A, block.B, block.C, initial=[0.5, 0.0], step=h)(0.0) == 0.5


def test_tustin_of_an_integrator_is_the_trapezoidal_rule():
    block = TransferFunction([1.0], [1.0, 0.0]).discretise(0.1, "tustin")
    found = [block(u) for u in (1.0, 2.0, 4.0)]
    assert found == pytest.approx([0.05, 0.05 + 0.15, 0.05 + 0.15 + 0.3])


@pytest.mark.parametrize("method", ["zoh", "tustin"])
def test_state_space_and_transfer_function_agree(method):
    numerator, denominator = [2.0, 3.0], [1.0, 0.4, 9.0]
    A, B, C = [[0, 1], [-9.0, -0.4]], [[0], [1]], [[3.0, 2.0]]
    one = StateSpace(A, B, C).discretise(0.05, method)
    other = TransferFunction(numerator, denominator).discretise(0.05, method)
    signal = np.random.default_rng(1).normal(size=200)
    assert [one(u) for u in signal] == pytest.approx([other(float(u)) for u in signal], abs=1e-11)


def test_a_transfer_function_at_rest_stays_there():
    block = TransferFunction([0.2, 0.1], [1.0, -0.8, 0.1], step=H)
    assert [block(3.0) for _ in range(5)] == pytest.approx([3.0] * 5)  # gain 0.3 / 0.3


def test_several_inputs_and_outputs():
    block = StateSpace(np.diag([0.5, 0.2]), np.eye(2), np.eye(2), [[0, 1], [1, 0]], initial=0.0, step=H)
    assert block((1.0, 2.0)) == [2.0, 1.0]
    assert block((0.0, 0.0)) == [1.0, 2.0]
    assert block.state == [0.5, 0.4]


@pytest.mark.parametrize("f", [5.0, 80.0, 300.0])
def test_first_order_filters_at_their_frequency(f):
    """Exactly: the frequency is bent for it."""
    assert answer(LowPass(f, step=H), f) == pytest.approx((np.sqrt(0.5), -np.pi / 4), abs=1e-9)
    assert answer(HighPass(f, step=H), f) == pytest.approx((np.sqrt(0.5), np.pi / 4), abs=1e-9)


def test_second_order_low_pass():
    """At its frequency 1 / (2 damping) and -90 degrees; two decades above, -80 dB, bent by tan: (tan a / tan b)^2."""
    assert answer(LowPass2(20.0, 0.3, step=H), 20.0) == pytest.approx((1 / 0.6, -np.pi / 2), abs=1e-9)
    ratio = np.tan(np.pi * 0.2) / np.tan(np.pi * 0.02)
    gain, _ = answer(LowPass2(20.0, step=H), 200.0)
    assert gain == pytest.approx(1 / np.sqrt(1 + ratio**4), rel=1e-9)  # Butterworth's


@pytest.mark.parametrize("f", [9.9, 50.0, 150.0])
def test_a_notch_takes_its_frequency_out(f):
    gain, _ = answer(Notch(f, 0.3, step=H), f)
    assert gain < 1e-12
    assert answer(Notch(f, 0.3, depth=0.1, step=H), f)[0] == pytest.approx(0.1, abs=1e-9)
    assert answer(Notch(f, 0.05, step=H), 3 * f)[0] > 0.98


@pytest.mark.parametrize("block", [LowPass(5.0, step=H), LowPass2(5.0, step=H), Notch(5.0, step=H)])
def test_filters_begin_at_rest(block):
    assert [block(7.0) for _ in range(4)] == pytest.approx([7.0] * 4, rel=1e-12)
    block.reset()
    assert block(-2.0) == pytest.approx(-2.0)


def test_derivative_of_a_ramp():
    """From the second sample on 1 - q^k of the slope, q = time / (time + h)."""
    block = Derivative(0.004, step=H)
    found = [block(5.0 * H * k) for k in range(40)]
    assert found == pytest.approx(5.0 * (1 - 0.8 ** np.arange(40)), abs=1e-12)


def test_moving_average_over_a_turn_takes_its_harmonics_out():
    block = MovingAverage(40, step=H)
    t = H * np.arange(200)
    turn = 2 * np.pi * t / (40 * H)
    found = [block(float(u)) for u in 3.0 + np.sin(turn) + 0.5 * np.cos(3 * turn)]
    assert found[0] == pytest.approx(3.5)
    assert found[39:] == pytest.approx([3.0] * 161, abs=1e-13)


def test_unwrap():
    path = np.linspace(0.0, -20.0, 300)
    block = Unwrap()
    assert [block(float(np.angle(np.exp(1j * q)))) for q in path] == pytest.approx(path, abs=1e-12)


@pytest.mark.parametrize(
    ("words", "make"),
    [
        (r"LowPass: frequency 500 Hz must lie below half the sample rate, 500 Hz", lambda: LowPass(500.0, step=H)),
        ("numerator has a higher degree", lambda: TransferFunction([1, 2, 3], [1, 2], step=H)),
        ("denominator must not be zero", lambda: TransferFunction([1], [0], step=H)),
        (
            r"StateSpace: B must have shape \(2, 1\), got \(1, 1\)",
            lambda: StateSpace(np.eye(2), [[1]], [[1, 0]], step=H),
        ),
        ("method must be one of zoh, tustin", lambda: discretise([[0]], [[1]], [[1]], [[0]], H, "euler")),
        ("count must be a whole number", lambda: MovingAverage(2.5, step=H)),
    ],
)
def test_wrong_numbers_are_refused(words, make):
    with pytest.raises(BlockError, match=words):
        make()
