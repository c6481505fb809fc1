"""Laws of the tiltrotor's manoeuvres: speeds by differences of angles, ends, and no jumps."""

import numpy as np
import pytest

from samara.models.tiltrotors.tiltrotor_manoeuvres import conversion, pulse, wind_up


def rate(law, t: float, h: float = 1e-5) -> float:
    return (law(t + h) - law(t - h)) / (2 * h)


def test_wind_up_rises_along_half_a_cosine():
    """20.6 % at 3 s, half at 5 s, all of it from 10 s on; with the source's sign it would end at rest."""
    law = wind_up(90.0, 10.0)
    parts = [rate(law, t) / 90.0 for t in (1e-4, 3.0, 5.0, 10.0, 20.0)]
    assert parts == pytest.approx([0.0, 0.206107, 0.5, 1.0, 1.0], abs=1e-6)
    assert law(20.0) == pytest.approx(90.0 * 15.0)
    steady = wind_up(90.0, 0.0)
    assert steady(2.0) == pytest.approx(180.0)


def test_conversion_goes_at_its_rate_and_stops_there():
    law = conversion(np.pi / 2, np.deg2rad(9.0), 12.0, 1.0)
    times = np.linspace(11.0, 25.0, 1401)
    angles = np.array([law(t) for t in times])
    rates = np.gradient(angles, times)
    assert law(12.0) == 0.0 and law(23.0) == pytest.approx(np.pi / 2)
    assert rates.max() == pytest.approx(np.deg2rad(9.0)) and rates.min() > -1e-12
    between = (times > 13.02) & (times < 21.98)
    np.testing.assert_allclose(rates[between], np.deg2rad(9.0), rtol=1e-9)
    # half cosines at the ends: the largest angular acceleration is pi / 2 of the mean one
    assert np.abs(np.gradient(rates, times)).max() == pytest.approx(np.deg2rad(9.0) * np.pi / 2, rel=1e-3)
    back = conversion(-0.5, 0.2, 0.0, 0.5)
    assert back(10.0) == pytest.approx(-0.5)


def test_a_pulse_begins_and_ends_at_nothing():
    push = pulse(3.0, 2.0, 0.1)
    assert [push(t) for t in (1.9, 2.0, 2.05, 2.1, 3.0)] == pytest.approx([0.0, 0.0, 3.0, 0.0, 0.0], abs=1e-12)
