"""Triggers find crossings, cursors read traces."""

import itertools
import math

import numpy as np
import pytest

from samara.dashboard.traces.cursors import read
from samara.dashboard.traces.trigger import Mode, Trigger, crossings

TIMES = np.arange(0, 10.0, 1e-3)
WAVE = np.sin(2 * np.pi * TIMES)


@pytest.mark.parametrize(
    ("level", "rising", "phase"),
    [(0.0, True, 0.0), (0.0, False, 0.5), (0.5, True, 1 / 12), (0.5, False, 5 / 12), (-0.5, True, 11 / 12)],
)
def test_crossings_of_a_sine(level, rising, phase):
    """Those of sin(2 pi t); a straight line between samples is wrong by at most (2 pi h)^2 / 8 of the amplitude."""
    found = crossings(TIMES, WAVE, level, rising)
    wanted = [k + phase for k in range(10) if 1e-6 < k + phase < 9.999]
    assert np.allclose(found, wanted, atol=5e-6)


def test_a_constant_on_the_level_does_not_trigger():
    assert crossings(TIMES, np.zeros_like(TIMES), 0.0, True).size == 0


def test_the_crossing_lies_where_it_should_in_the_sweep():
    trigger = Trigger(Mode.NORMAL, level=0.5, before=0.25)
    begin, end = trigger.look(TIMES, WAVE, 2.0)
    assert end - begin == pytest.approx(2.0)
    assert math.sin(2 * math.pi * (begin + 0.25 * 2.0)) == pytest.approx(0.5, abs=1e-4)
    assert end <= TIMES[-1]


def test_sweeps_do_not_overlap_as_time_goes_on():
    trigger, found = Trigger(Mode.NORMAL), []
    for count in range(100, len(TIMES), 40):
        if (sweep := trigger.look(TIMES[:count], WAVE[:count], 0.5)) is not None:
            found.append(sweep)
    assert len(found) >= 8
    assert all(b[0] >= a[1] - 0.5 * 0.2 - 1e-9 for a, b in itertools.pairwise(found))


def test_single_is_once_until_armed_again():
    trigger = Trigger(Mode.SINGLE)
    trigger.arm(3.2)
    begin, _ = trigger.look(TIMES, WAVE, 0.5)
    assert begin + 0.2 * 0.5 == pytest.approx(4.0, abs=1e-5)  # the first after it was armed
    assert trigger.look(TIMES, WAVE, 0.5) is None
    trigger.arm(6.5)
    assert trigger.look(TIMES, WAVE, 0.5)[0] + 0.1 == pytest.approx(7.0, abs=1e-5)


def test_without_a_crossing_auto_draws_and_normal_waits():
    flat = np.full_like(TIMES, 2.0)
    assert Trigger(Mode.NORMAL).look(TIMES, flat, 1.0) is None
    assert Trigger(Mode.AUTO).look(TIMES, flat, 1.0) == pytest.approx((TIMES[-1] - 1.0, TIMES[-1]))


def test_a_trigger_survives_a_reset_of_time():
    trigger = Trigger(Mode.NORMAL)
    assert trigger.look(TIMES, WAVE, 0.5) is not None
    assert trigger.look(TIMES[:2000], WAVE[:2000], 0.5) is not None


def test_cursors_on_a_parabola():
    """v = t^2 from a to b: mean (b^3 - a^3) / 3 (b - a), mean square (b^5 - a^5) / 5 (b - a)."""
    a, b = 1.2345, 3.4567
    found = read(TIMES, TIMES**2, a, b)
    assert found.a == pytest.approx(a**2, abs=1e-6) and found.b == pytest.approx(b**2, abs=1e-6)
    assert found.slope == pytest.approx(a + b, abs=1e-5)
    assert found.mean == pytest.approx((b**3 - a**3) / (3 * (b - a)), abs=1e-6)
    assert found.rms**2 == pytest.approx((b**5 - a**5) / (5 * (b - a)), rel=1e-6)
    assert (found.minimum, found.maximum) == pytest.approx((a**2, b**2), abs=1e-6)


def test_cursors_in_the_other_order_and_outside():
    back = read(TIMES, TIMES, 5.0, 2.0)
    assert (back.difference, back.slope, back.mean) == pytest.approx((-3.0, 1.0, 3.5))
    outside = read(TIMES, TIMES, 20.0, 30.0)
    assert all(math.isnan(x) for x in (outside.a, outside.b, outside.mean))
    assert math.isnan(read(np.zeros(0), np.zeros(0), 0.0, 1.0).a)
