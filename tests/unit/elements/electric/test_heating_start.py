"""Ohm's law at the start, whatever the heat is."""

import pytest

import samara as sm


@pytest.mark.parametrize("current", [50.0, 100.0, 3e3])
def test_a_heating_resistor_finds_its_voltage_at_the_start(current):
    model = sm.Model("heater")
    e, a, t = model.potential("e"), model.potential("a"), model.temperature("t")
    model.add("source", sm.CurrentSource(e, a, current=current))
    model.add("heater", sm.HeatingResistor(a, e, t, resistance=0.5))
    model.add("earth", sm.Earth(e))
    model.add("mass", sm.HeatCapacity(t, capacity=1e5))
    results = sm.transient(model, 1.0, 0.1, progress=False)
    assert results["heater.voltage"] == pytest.approx(0.5 * current, rel=1e-9)
    assert results["t.value"][-1] == pytest.approx(293.15 + 0.5 * current**2 / 1e5, rel=1e-9)
