"""Analyses of models that are nothing but a network: a resonant circuit against its closed forms."""

import numpy as np
import pytest

import samara as sm
from samara.elements.electric.circuits.capacitor import Capacitor
from samara.elements.electric.circuits.earth import Earth
from samara.elements.electric.circuits.inductor import Inductor
from samara.elements.electric.circuits.resistor import Resistor
from samara.elements.electric.circuits.voltage_source import VoltageSource

R, L, C = 2.0, 0.1, 1e-3
#: Of L C u'' + R C u' + u = v: eigenvalue, and the ratio u / v at a frequency.
EIGENVALUE = -0.5 * R / L + 1j * np.sqrt(1.0 / (L * C) - (0.5 * R / L) ** 2)


def gain(omega: float) -> complex:
    return 1.0 / (1.0 - L * C * omega**2 + 1j * omega * R * C)


def circuit(voltage=1.0) -> sm.Model:
    model = sm.Model("rlc")
    earth, *points = (model.potential(name) for name in ("earth_end", "p", "q", "r"))
    model.add("earth", Earth(earth))
    model.add("source", VoltageSource(points[0], earth, voltage=voltage))
    model.add("R", Resistor(*points[:2], resistance=R))
    model.add("L", Inductor(*points[1:], inductance=L))
    model.add("C", Capacitor(points[2], earth, capacitance=C))
    return model


@pytest.mark.parametrize("step", [2e-4, 1e-4])
def test_step_response(step):
    """Of second order in the step."""
    results = sm.transient(circuit(), 0.2, step, progress=False)
    a, w, t = -EIGENVALUE.real, EIGENVALUE.imag, results.time
    exact = 1.0 - np.exp(-a * t) * (np.cos(w * t) + a / w * np.sin(w * t))
    assert np.abs(results["C.voltage.value"] - exact).max() < 4e3 * step**2


def test_modes():
    np.testing.assert_allclose(sm.modes(circuit()).eigenvalues[0], EIGENVALUE, rtol=1e-9)


def test_multipliers_of_a_forced_circuit():
    """Of second order in the step: 200 a period leave 1e-3."""
    period = 2.0 * np.pi / 100.0
    found = sm.floquet(circuit(sm.Sine(1.0, 100.0)), period, period / 200)
    np.testing.assert_allclose(found.eigenvalues[0], EIGENVALUE, rtol=1e-3)


def test_resonance():
    """A driven circuit settles at the amplitude that its transfer function has."""
    omega = 90.0
    period = 2.0 * np.pi / omega
    found = sm.periodic(circuit(sm.Sine(1.0, omega)), period, period / 400, tolerance=1e-8)
    u = found.results["C.voltage.value"]
    assert np.abs(u).max() == pytest.approx(abs(gain(omega)), rel=1e-3)


def test_static_solution():
    results = sm.static(circuit(3.0))
    assert results["C.voltage.value"][-1] == pytest.approx(3.0)
    assert results["L.current.value"][-1] == pytest.approx(0.0, abs=1e-12)


def test_state_space():
    system = sm.state_space(circuit(sm.Input("v", unit="V")), inputs=("v",), outputs=("C.voltage.value",))
    for omega in (10.0, 100.0, 1000.0):
        n = system.A.shape[0]
        ratio = system.C @ np.linalg.solve(1j * omega * np.eye(n) - system.A, system.B) + system.D
        np.testing.assert_allclose(np.ravel(ratio)[0], gain(omega), rtol=1e-6)


def test_a_long_ladder():
    """A thousand sections: the first node follows diffusion into a half space, 1 - sqrt(R C / (pi t)) later on."""
    model = sm.Model("ladder")
    earth, before = model.potential("earth_end"), model.potential("n0")
    model.add("earth", Earth(earth))
    model.add("source", VoltageSource(before, earth, voltage=1.0))
    for k in range(1000):
        here = model.potential(f"n{k + 1}")
        model.add(f"R{k}", Resistor(before, here, resistance=1.0))
        model.add(f"C{k}", Capacitor(here, earth, capacitance=1e-3))
        before = here
    results = sm.transient(model, 0.5, 1e-3, outputs="n1.value", progress=False)
    assert results["n1.value"][-1] == pytest.approx(1.0 - np.sqrt(1e-3 / (np.pi * 0.5)), abs=1e-4)


def test_what_does_not_come_to_rest_is_no_equilibrium():
    """Heat that nothing leads off has no balance; with a way out the temperature is that of Ohm's law."""
    model = sm.Model("kettle")
    water = model.temperature("water")
    model.add("capacity", sm.HeatCapacity(water, capacity=10.0))
    model.add("heater", sm.HeatSource(water, heat=1.0))
    with pytest.raises(sm.SolveError, match="the equation of state 'water' has no solution at rest"):
        sm.static(model)
    room = model.temperature("room")
    model.add("room_held", sm.TemperatureSource(room, temperature=300.0))
    model.add("wall", sm.ThermalResistance(water, room, resistance=5.0))
    assert sm.static(model)["water.value"][-1] == pytest.approx(305.0)


def test_a_store_at_a_source_that_changes_is_refused():
    """How fast a held value changes is no part of the equations: what it would take up is not known."""
    model = sm.Model("held")
    wall = model.temperature("wall")
    model.add("capacity", sm.HeatCapacity(wall, capacity=10.0))
    model.add("air", sm.TemperatureSource(wall, temperature=sm.Sine(1.0, 1.0, offset=300.0)))
    with pytest.raises(sm.ModelError, match=r"'air', whose temperature may change: .* put a ThermalResistance between"):
        sm.System(model)
