"""The standard atmosphere against its published table."""

import numpy as np
import pytest

from samara import Air, standard_atmosphere

# U.S. Standard Atmosphere 1976 (NOAA-S/T 76-1562), table I, by geopotential altitude; as in ISO 2533:1975.
# H [m], T [K], p [Pa], rho [kg/m^3], a [m/s]
TABLE = [
    (0.0, 288.150, 1.01325e5, 1.2250, 340.294),
    (1000.0, 281.650, 8.98746e4, 1.1116, 336.434),
    (2000.0, 275.150, 7.94952e4, 1.0065, 332.529),
    (5000.0, 255.650, 5.40199e4, 0.73612, 320.529),
    (10000.0, 223.150, 2.64363e4, 0.41271, 299.463),
    (11000.0, 216.650, 2.26321e4, 0.36392, 295.069),
    (15000.0, 216.650, 1.20446e4, 0.19367, 295.069),
    (20000.0, 216.650, 5.47489e3, 0.088035, 295.069),
]


@pytest.mark.parametrize(("altitude", "temperature", "pressure", "density", "sound"), TABLE)
def test_published_table(altitude, temperature, pressure, density, sound):
    """The table has five to six digits: half a unit of the last one is at most 5e-5 of the value."""
    day = standard_atmosphere(altitude)
    assert day.temperature == pytest.approx(temperature, abs=5e-4)
    assert day.pressure == pytest.approx(pressure, rel=5e-6)
    assert day.density == pytest.approx(density, rel=5e-5)
    assert day.sound == pytest.approx(sound, abs=1e-3)


@pytest.mark.parametrize(("altitude", "viscosity"), [(0.0, 1.7894e-5), (11000.0, 1.4216e-5)])
def test_published_viscosity(altitude, viscosity):
    """Five digits in the same table."""
    assert standard_atmosphere(altitude).viscosity == pytest.approx(viscosity, rel=5e-5)


def test_pressure_balances_the_weight_of_the_air():
    """dp/dh = -rho g on the standard day, below and above the tropopause, by central differences."""
    for altitude in (500.0, 7000.0, 10900.0, 11100.0, 18000.0):
        above, below = standard_atmosphere(altitude + 1.0), standard_atmosphere(altitude - 1.0)
        slope = (above.pressure - below.pressure) / 2.0
        assert slope == pytest.approx(-9.80665 * standard_atmosphere(altitude).density, rel=1e-7)


def test_a_warm_day_is_thin_at_the_same_pressure():
    standard, warm = standard_atmosphere(1500.0), standard_atmosphere(1500.0, 20.0)
    assert warm.pressure == standard.pressure
    assert warm.density / standard.density == pytest.approx(standard.temperature / (standard.temperature + 20.0))
    assert warm.sound**2 / standard.sound**2 == pytest.approx(1.0 + 20.0 / standard.temperature)


def test_takes_arrays_and_names_what_is_out_of_range():
    heights = np.array([0.0, 5000.0, 12000.0])
    each = [standard_atmosphere(h).density for h in heights]
    np.testing.assert_array_equal(standard_atmosphere(heights).density, each)
    with pytest.raises(ValueError, match="altitude must be between"):
        standard_atmosphere(25e3)
    with pytest.raises(ValueError, match="offset"):
        standard_atmosphere(0.0, -300.0)


def test_air_of_the_standard_day():
    air = Air.standard(2000.0, offset=10.0, wind=(3.0, 0.0, 0.0))
    day = standard_atmosphere(2000.0, 10.0)
    assert (air.density, air.sound) == (day.density, day.sound)
    assert Air().density == pytest.approx(standard_atmosphere(0.0).density, rel=1e-5)
    assert Air().sound == pytest.approx(standard_atmosphere(0.0).sound, rel=1e-5)
