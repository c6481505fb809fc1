"""Liquids: density and enthalpy belong together, and follow temperature by their laws."""

import re
import warnings

import numpy as np
import pytest
from scipy.integrate import quad

import samara as sm
from samara.elements.hydraulic.fluids.linear_fluid import artanh

PRESSURES = np.array([0.0, 1e6, 5e6, 2e7])
FLUIDS = {
    "incompressible": sm.IncompressibleFluid(
        reference_density=870.0, viscosity=0.07, temperature=320.0, expansion=7e-4
    ),
    "linear": sm.LinearFluid(
        reference_density=870.0, bulk_modulus=1.4e9, viscosity=0.07, temperature=320.0, expansion=7e-4
    ),
    "table": sm.TableFluid.of(PRESSURES, 850.0 * (1.0 + PRESSURES / 2e8) ** 0.2, viscosity=0.07),
}


@pytest.mark.parametrize("fluid", FLUIDS.values(), ids=FLUIDS.keys())
@pytest.mark.parametrize("ends", [(1e5, 3e6), (2e7, 4e5), (1e6, 1.0001e6), (1e7, 5e7)])
def test_enthalpy_is_the_integral_of_the_specific_volume(fluid, ends):
    inside = [p for p in PRESSURES if min(ends) < p < max(ends)]
    exact = quad(lambda p: 1.0 / fluid.density(p), *ends, points=inside or None, epsabs=0, epsrel=1e-12)[0]
    assert fluid.enthalpy_drop(ends[1], ends[0]) == pytest.approx(exact, rel=1e-10)
    assert fluid.enthalpy(ends[1]) - fluid.enthalpy(ends[0]) == pytest.approx(exact, rel=1e-9)


def test_artanh_by_its_two_ways():
    for u in (1e-12, 1e-3, 0.0999, 0.1001, 0.7):
        assert artanh(u) == pytest.approx(np.arctanh(u), rel=2e-15)


def test_speed_of_sound_is_that_of_density():
    fluid = FLUIDS["linear"]
    step = 1e5
    slope = (fluid.density(1e6 + step) - fluid.density(1e6 - step)) / (2.0 * step)
    assert fluid.sound_speed() == pytest.approx(slope**-0.5, rel=1e-9)


def test_temperature():
    """Reynolds' law of viscosity; the volume grows by expansion."""
    numbers = {"reference_density": 870.0, "viscosity": 0.07, "expansion": 7e-4, "thinning": 0.04}
    cold, warm = (sm.IncompressibleFluid(temperature=T, **numbers) for T in (293.15, 323.15))
    assert warm.shear_viscosity() == pytest.approx(cold.shear_viscosity() * np.exp(-1.2), rel=1e-12)
    assert warm.density(1e5) == pytest.approx(870.0 / 1.021, rel=1e-12)
    assert cold.density(1e5) == 870.0


def test_temperature_may_be_a_parameter():
    """Laminar flow through a pipe follows it: half the viscosity, half the drop."""
    temperature = sm.Parameter("temperature", 293.15, unit="K")
    fluid = sm.IncompressibleFluid(reference_density=870.0, viscosity=0.07, temperature=temperature, thinning=0.04)
    model = sm.Model("warm")
    a, b = model.pressure("a"), model.pressure("b")
    model.add("tank", sm.Tank(a, fluid=fluid))
    model.add("source", sm.FlowSource(a, b, fluid=fluid, amount=0.01))
    model.add("pipe", sm.Pipe(b, a, fluid=fluid, length=1.0, radius=5e-3))
    cold = sm.static(model)["pipe.drop"][-1]
    temperature.value = 293.15 + np.log(2.0) / 0.04
    assert sm.static(model)["pipe.drop"][-1] == pytest.approx(0.5 * cold, rel=1e-9)


def test_tables_that_are_refused():
    falling = sm.Curve([0.0, 1e6], [1e-3, 2e-3], outside="linear")
    with pytest.raises(sm.ModelError, match="must be positive and fall"):
        sm.TableFluid(specific_volume=falling, viscosity=1.0).validate()
    held = sm.Curve([0.0, 1e6], [2e-3, 1e-3])
    with pytest.raises(sm.ModelError, match="must go on beyond its points"):
        sm.TableFluid(specific_volume=held, viscosity=1.0).validate()


@pytest.mark.parametrize(
    ("pressures", "densities", "words"),
    [
        ([1e5, 1e6], [-870.0, -860.0], "TableFluid.of: density must be positive, got -870"),
        ([1e5, 1e6], [870.0, 0.0], "TableFluid.of: density must be positive, got 0"),
        ([1e5, 1e6], [870.0, 860.0], "TableFluid: specific_volume must be positive and fall.*density rises"),
        ([1e5, 1e6], [870.0, 870.0], "TableFluid: specific_volume must be positive and fall"),
        ([1e6, 1e5], [870.0, 871.0], "TableFluid.of: the x of a table must increase"),
        ([1e5], [870.0], "TableFluid.of: a table needs at least two points"),
        ([1e5, 1e6], "oil", "TableFluid.of: "),
    ],
)
def test_tables_that_are_no_liquid(pressures, densities, words):
    with pytest.raises(sm.ModelError, match=words):
        sm.TableFluid.of(pressures, densities, viscosity=0.07)


def test_a_fluid_with_parameters_tells_its_properties_now():
    """As one with the numbers, and with the new ones after a change."""
    T = sm.Parameter("T", 320.0, unit="K")
    numbers = {
        "reference_density": 870.0,
        "bulk_modulus": 1.4e9,
        "viscosity": 0.07,
        "expansion": 7e-4,
        "thinning": 0.04,
    }
    given = sm.LinearFluid(temperature=T, **numbers)
    for value in (320.0, 350.0):
        T.value = value
        plain = sm.LinearFluid(temperature=value, **numbers)
        for what in ("density", "enthalpy"):
            assert getattr(given, what)(5e6) == getattr(plain, what)(5e6)
        assert given.shear_viscosity() == plain.shear_viscosity()


@pytest.mark.parametrize(("last", "told"), [(3e7, 0), (3e6, 1)])
def test_a_run_beyond_the_table_is_told_once(last, told):
    """A vessel at 20 MPa that empties into the tank, with four elements about it."""
    fluid = sm.TableFluid.of([0.0, last], [850.0, 850.0 * (1.0 + last / 1.7e9)], viscosity=0.07)
    model = sm.Model("table")
    a, b = model.pressure("a", 2e7), model.pressure("b")
    model.add("tank", sm.Tank(b, fluid=fluid))
    model.add("vessel", sm.Volume(a, fluid=fluid, volume=1e-3))
    model.add("line", sm.Volume(a, fluid=fluid, volume=1e-4))
    model.add("hole", sm.Orifice(a, b, fluid=fluid, diameter=1e-3))
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        sm.transient(model, 0.01, 1e-4, progress=False)
    words = r"'vessel': the pressure of 'a' went from .* to 2e\+07 Pa, beyond the table of its fluid, 0 to 3e\+06 Pa"
    assert [bool(re.search(words, str(warning.message))) for warning in caught] == [True] * told
