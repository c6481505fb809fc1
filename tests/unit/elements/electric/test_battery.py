"""Batteries beyond their range."""

import pytest

import samara as sm


def charged(start, current=100.0, voltages=(20.0, 24.0)):
    """A battery of 1000 C that a source charges."""
    model = sm.Model("charger")
    e, a = model.potential("e"), model.potential("a", 24.0)
    model.add("earth", sm.Earth(e))
    curve = sm.Curve([0.0, 1.0], voltages)
    model.add("battery", sm.Battery(a, e, voltage=curve, capacity=1000.0, resistance=0.01, start=start))
    model.add("source", sm.CurrentSource(e, a, current=current))
    return model


def test_more_than_full_is_warned_of():
    """100 A for 2 s are 0.2 of 1000 C."""
    with pytest.warns(UserWarning, match=r"'battery'.*state of charge rose to 1\.1, beyond full"):
        sm.transient(charged(0.9), 2.0, 0.1, progress=False)


@pytest.mark.filterwarnings("error")
def test_full_is_not():
    results = sm.transient(charged(0.8), 2.0, 0.1, progress=False)
    assert results["battery.charge.value"][-1] == pytest.approx(1.0, rel=1e-9)


def test_negative_voltages_are_refused():
    with pytest.raises(sm.ModelError, match=r"'battery': Battery: voltage must not be negative"):
        charged(0.9, voltages=(-20.0, -24.0))
