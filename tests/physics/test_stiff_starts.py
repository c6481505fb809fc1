"""Starts out of balance: states that are gone within a step, junctions whose pressure follows a square root."""

import numpy as np
import pytest

import samara as sm

OIL = sm.LinearFluid(reference_density=870.0, bulk_modulus=1.7e9, viscosity=8e-5)


@pytest.mark.parametrize("integrator", [None, sm.BDF2(), sm.CrankNicolson()])
def test_a_capacitor_is_charged_within_the_first_step(integrator):
    """Its time constant is 1e-4 of a step: after it the voltage is that of the source, and never beyond.

    What is left rings down with the formula's own damping: a ten-thousandth at first.
    """
    model = sm.Model("charge")
    e, a, b = (model.potential(name) for name in "eab")
    model.add("earth", sm.Earth(e))
    model.add("source", sm.VoltageSource(a, e, voltage=1.0))
    model.add("resistor", sm.Resistor(a, b, resistance=1.0))
    model.add("capacitor", sm.Capacitor(b, e, capacitance=1e-7))
    voltage = sm.transient(model, 0.02, 1e-3, integrator=integrator, progress=False)["b.value"]
    np.testing.assert_allclose(voltage[1:], 1.0, atol=2e-4)


def test_heat_that_is_gone_at_once_does_not_go_below_the_surroundings():
    model = sm.Model("spark")
    spark, room = model.temperature("spark", 1000.0), model.temperature("room", 300.0)
    model.add("capacity", sm.HeatCapacity(spark, capacity=1e-6))
    model.add("way", sm.ThermalResistance(spark, room, resistance=1.0))
    model.add("room_held", sm.TemperatureSource(room, temperature=300.0))
    found = sm.transient(model, 0.02, 1e-3, progress=False)["spark.value"]
    np.testing.assert_allclose(found[1:], 300.0, atol=0.005 * 700.0)  # what is left rings down with the formula


@pytest.mark.parametrize("diameter", [1e-4, 1e-3, 1e-2])
@pytest.mark.parametrize("supply", [1e5, 2e5, 3e6, 3e7])
def test_a_junction_between_orifices_finds_its_pressure(diameter, supply):
    """w = C d^2 sqrt(2 rho dp) through both, where both are turbulent: dp_1 / dp_2 = (d_2 / d_1)^4."""
    model = sm.Model("divider")
    a, b, c = model.pressure("a", supply), model.pressure("b"), model.pressure("c", 1e5)
    model.add("supply", sm.Tank(a, fluid=OIL, pressure=supply))
    model.add("back", sm.Tank(c, fluid=OIL, pressure=1e5))
    model.add("first", sm.Orifice(a, b, fluid=OIL, diameter=1e-3))
    model.add("second", sm.Orifice(b, c, fluid=OIL, diameter=diameter))
    run = sm.transient(model, 0.004, 1e-3, progress=False)
    flows = run["first.mass_flow"], run["second.mass_flow"]
    np.testing.assert_allclose(flows[0], flows[1], rtol=1e-6, atol=1e-12)
    if supply > 1e6 and diameter > 1e-4:
        ratio = (supply - run["b.value"][-1]) / (run["b.value"][-1] - 1e5)
        assert ratio == pytest.approx((diameter / 1e-3) ** 4, rel=0.05)  # density and transition of the orifice
