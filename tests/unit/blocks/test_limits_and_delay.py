"""Saturation, dead zone, rate limit, delay."""

import pytest

from samara import BlockError, DeadZone, Delay, RateLimit, Saturation


def test_saturation_and_dead_zone_add_up():
    inside, beyond = Saturation(-1.0, 2.0), DeadZone(-1.0, 2.0)
    for u in (-3.0, -1.0, 0.3, 2.0, 5.0):
        assert inside(u) + beyond(u) == pytest.approx(u)
    assert (inside(5.0), beyond(5.0), beyond(0.3)) == (2.0, 3.0, 0.0)


def test_rate_limit():
    block = RateLimit(rise=10.0, fall=20.0, step=0.1)
    assert [block(u) for u in (0.0, 5.0, 5.0, 1.2, -9.0, -9.0)] == pytest.approx([0.0, 1.0, 2.0, 1.2, -0.8, -2.8])
    assert block(-9.0, elapsed=0.2) == pytest.approx(-6.8)  # a sample was missed


@pytest.mark.parametrize("samples", [0, 1, 7])
def test_delay(samples):
    block = Delay(samples, initial=-1.0)
    signal = [float(k) for k in range(30)]
    found = [block(u) for u in signal]
    assert found == [-1.0] * samples + signal[: 30 - samples]
    block.reset()
    assert block(4.0) == (4.0 if samples == 0 else -1.0)


@pytest.mark.parametrize(
    ("words", "make"),
    [
        ("Delay: samples must be a whole number of at least 0, got 1.5", lambda: Delay(1.5)),
        ("RateLimit: rise must be a positive number", lambda: RateLimit(0.0, step=0.1)),
        (r"Saturation: lower \(1\) must be less than upper \(0\)", lambda: Saturation(1.0, 0.0)),
    ],
)
def test_wrong_numbers_are_refused(words, make):
    with pytest.raises(BlockError, match=words):
        make()
