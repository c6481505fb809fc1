"""Networks that cannot be solved are refused, and what is to blame is named."""

import numpy as np
import pytest

import samara as sm


@pytest.fixture
def model() -> sm.Model:
    return sm.Model("circuit")


def refused(model: sm.Model, *words: str) -> None:
    with pytest.raises(sm.ModelError) as caught:
        sm.System(model)
    for word in words:
        assert word in str(caught.value), str(caught.value)


def test_a_network_without_earth_floats(model):
    a, b = model.potential("a"), model.potential("b")
    model.add("source", sm.VoltageSource(a, b, voltage=1.0))
    model.add("load", sm.Resistor(a, b, resistance=1.0))
    refused(model, "'circuit'", "'a', 'b'", "is floating", "potential", "Earth")


def test_of_two_networks_the_one_that_floats_is_named(model):
    e, a, x, y = (model.potential(name) for name in "eaxy")
    model.add("earth", sm.Earth(e))
    model.add("source", sm.VoltageSource(a, e, voltage=1.0))
    model.add("load", sm.Resistor(a, e, resistance=1.0))
    model.add("far", sm.Resistor(x, y, resistance=1.0))
    with pytest.raises(sm.ModelError, match="network of 'x', 'y' is floating") as caught:
        sm.System(model)
    assert "'a'" not in str(caught.value)


def test_a_floating_thermal_network_asks_for_a_temperature(model):
    a, b = model.temperature("a"), model.temperature("b")
    model.add("wall", sm.ThermalResistance(a, b, resistance=1.0))
    refused(model, "'a', 'b'", "is floating", "temperature", "TemperatureSource")


@pytest.mark.parametrize(
    ("name", "make"),
    [
        ("feed", lambda a, b: sm.CurrentSource(a, b, current=1.0)),
        ("coil", lambda a, b: sm.Inductor(a, b, inductance=1.0)),
    ],
)
def test_a_flow_that_leads_nowhere_is_an_open_circuit(model, name, make):
    e, a = model.potential("e"), model.potential("a")
    model.add("earth", sm.Earth(e))
    model.add(name, make(e, a))
    refused(model, "open circuit at 'a'", f"'{name}'", "resistor")


def test_a_motor_at_an_open_end_too(model):
    e, a, rotor = model.potential("e"), model.potential("a"), model.node("rotor")
    model.add("disc", sm.Body(rotor, mass=1.0, inertia=(1, 1, 1)))
    model.add("hinge", sm.Revolute(model.ground, rotor))
    model.add("earth", sm.Earth(e))
    model.add("motor", sm.Motor(model.ground, rotor, a, e, constant=1.0, resistance=1.0, inductance=1.0))
    refused(model, "open circuit at 'a'", "'motor'")


def test_two_coils_in_series_leave_the_point_between_them_open(model):
    e, a, b = (model.potential(name) for name in "eab")
    model.add("earth", sm.Earth(e))
    model.add("source", sm.VoltageSource(a, e, voltage=1.0))
    model.add("first", sm.Inductor(a, b, inductance=1.0))
    model.add("second", sm.Inductor(b, e, inductance=1.0))
    refused(model, "open circuit at 'b'", "'first', 'second'")


def test_sources_that_contradict_each_other(model):
    e, a = model.potential("e"), model.potential("a")
    model.add("earth", sm.Earth(e))
    model.add("first", sm.VoltageSource(a, e, voltage=1.0))
    model.add("second", sm.VoltageSource(a, e, voltage=2.0))
    refused(model, "'second' closes a loop with", "'first'", "resistance in series")


def test_a_capacitor_right_at_a_source(model):
    e, a = model.potential("e"), model.potential("a")
    model.add("earth", sm.Earth(e))
    model.add("source", sm.VoltageSource(a, e, voltage=1.0))
    model.add("capacitor", sm.Capacitor(a, e, capacitance=1.0))
    refused(model, "'capacitor' closes a loop with", "'source'")


def test_a_second_earth_in_a_loop(model):
    e, a = model.potential("e"), model.potential("a")
    model.add("earth", sm.Earth(e))
    model.add("other", sm.Earth(a))
    model.add("source", sm.VoltageSource(a, e, voltage=1.0))
    refused(model, "closes a loop", "'source'")


def test_a_junction_is_held_once(model):
    e = model.potential("e")
    model.add("earth", sm.Earth(e))
    with pytest.raises(sm.ModelError, match="'e' already has a source: 'other'"):
        model.add("other", sm.Earth(e))


def test_a_long_list_is_cut(model):
    row = [model.potential(f"j{k}") for k in range(9)]
    for k in range(8):
        model.add(f"r{k}", sm.Resistor(row[k], row[k + 1], resistance=1.0))
    refused(model, "'j5' and 3 more is floating")


def test_junctions_of_two_kinds_do_not_meet(model):
    warm, live = model.temperature("warm"), model.potential("live")
    with pytest.raises(sm.ModelError, match="'warm' is thermal, and this is an element of electric networks"):
        model.add("load", sm.Resistor(warm, live, resistance=1.0))


def test_what_is_sound_is_solved(model):
    """A bridge of four resistors with a fifth across: Kirchhoff's equations by linear algebra."""
    e, a, b, c = (model.potential(name) for name in "eabc")
    numbers = {(a, b): 1.0, (a, c): 2.0, (b, e): 3.0, (c, e): 4.0, (b, c): 5.0}
    model.add("earth", sm.Earth(e))
    model.add("source", sm.VoltageSource(a, e, voltage=10.0))
    for k, ((x, y), resistance) in enumerate(numbers.items()):
        model.add(f"r{k}", sm.Resistor(x, y, resistance=resistance))
    matrix, right = np.zeros((2, 2)), np.zeros(2)
    for (x, y), resistance in numbers.items():
        for one, other in ((x, y), (y, x)):
            if one in (b, c):
                row = (b, c).index(one)
                matrix[row, row] += 1 / resistance
                if other in (b, c):
                    matrix[row, (b, c).index(other)] -= 1 / resistance
                right[row] += (10.0 if other is a else 0.0) / resistance
    found = sm.static(model)
    expected = np.linalg.solve(matrix, right)
    np.testing.assert_allclose([found["b.value"][0], found["c.value"][0]], expected, rtol=1e-12)
    fed = (10.0 - expected[0]) / 1.0 + (10.0 - expected[1]) / 2.0
    assert found["source.current.value"][0] == pytest.approx(-fed, rel=1e-12)
    assert found["earth.inflow.value"][0] == pytest.approx(0.0, abs=1e-12)  # a circuit that is closed takes nothing
