"""Junctions and networks that cannot start as they are given, refused by name."""

import numpy as np
import pytest

import samara as sm

OIL = sm.LinearFluid(reference_density=870.0, bulk_modulus=1.4e9, viscosity=0.07, vapour_pressure=2000.0)


@pytest.mark.parametrize(
    ("kind", "value", "words"),
    [
        ("pressure", "5e6", r"junction 'n'.*got '5e6'"),
        ("potential", None, r"junction 'n'.*got None"),
        ("pressure", -1.0, "junction 'n': a pressure is absolute and cannot be below 0 Pa, got -1"),
        ("temperature", -20.0, "junction 'n': a temperature is absolute and cannot be below 0 K, got -20"),
    ],
)
def test_values_of_junctions(kind, value, words):
    with pytest.raises(sm.ModelError, match=words):
        getattr(sm.Model("m"), kind)("n", value)


@pytest.mark.parametrize("scale", [0.0, -1.0, np.nan, "1"])
def test_scales_of_junctions(scale):
    with pytest.raises(sm.ModelError, match=r"'n'.*scale|'n'.*got '1'"):
        sm.Model("m").potential("n", scale=scale)


def ringing(scale, size=1e-3, accuracy=1e-6):
    """An LC circuit of 1 rad/s that starts with a charged capacitor: how far off it is after 20 s, of its size."""
    model = sm.Model("ringing")
    e, a = model.potential("e"), model.potential("a", size, scale=scale)
    model.add("earth", sm.Earth(e))
    model.add("capacitor", sm.Capacitor(a, e, capacitance=1.0, start=size))
    model.add("inductor", sm.Inductor(a, e, inductance=1.0))
    results = sm.transient(model, 20.0, accuracy=accuracy, progress=False)
    return np.abs(results["capacitor.voltage.value"] - size * np.cos(results.time)).max() / size


def test_small_voltages_want_a_small_scale():
    """What matters is a millivolt: then all is as of a volt by a volt, step for step; else it is far less accurate."""
    good = ringing(1.0, size=1.0)
    assert ringing(1e-3) == pytest.approx(good, rel=1e-6)
    assert ringing(1.0) > 10.0 * good


def vessel(model, start):
    model.add("volume", sm.Volume(model.pressure("p", start), fluid=OIL, volume=1e-3))
    model.add("feed", sm.Orifice(model.pressure("q"), model.states["p"], fluid=OIL, diameter=1e-3))
    model.add("tank", sm.Tank(model.states["q"], fluid=OIL))
    return model


def test_a_vessel_of_vapour_is_refused_before_the_run():
    with pytest.raises(sm.ModelError, match=r"'volume'.*pressure of 'p' at the start is 1000 Pa, below the vapour"):
        sm.transient(vessel(sm.Model("boiling"), 1000.0), 0.01, 1e-3, progress=False)
    sm.transient(vessel(sm.Model("liquid"), 2001.0), 1e-5, 1e-6, progress=False)


@pytest.mark.parametrize(
    "kind", [lambda n: sm.Tank(n, fluid=OIL, pressure=1e3), lambda n: sm.PressureSource(n, fluid=OIL, pressure=1e3)]
)
def test_sources_of_vapour(kind):
    model = sm.Model("boiling")
    with pytest.raises(sm.ModelError, match=r"'source'.*pressure is 1000 Pa, below the vapour pressure"):
        model.add("source", kind(model.pressure("p")))


def test_temperatures_are_absolute():
    model = sm.Model("cold")
    with pytest.raises(sm.ModelError, match=r"'air': TemperatureSource: temperature is absolute.* got -1 K"):
        model.add("air", sm.TemperatureSource(model.temperature("t"), temperature=-1.0))


def test_wrong_junctions_are_named_by_their_argument():
    model, other = sm.Model("m"), sm.Model("other")
    a, t = model.potential("a"), model.temperature("t")
    numbers = {"resistance": 1.0}
    for bad, words in (
        (3, "b: 3 is not a junction"),
        (t, "b: junction 't' is thermal"),
        (other.potential("x"), "b: state 'x' does not belong to model 'm'"),
    ):
        with pytest.raises(sm.ModelError, match=f"element 'r'.*{words}"):
            model.add("r", sm.Resistor(a, bad, **numbers))
    body = other.node("n")
    with pytest.raises(sm.ModelError, match="element 'hinge': b: node 'n' does not belong to model 'm'"):
        model.add("hinge", sm.Revolute(model.ground, body))
    with pytest.raises(sm.ModelError, match="element 'hinge': b: 5 is not a node"):
        model.add("hinge", sm.Revolute(model.ground, 5))
