"""Families of networks, as an author of elements meets them."""

import numpy as np
import pytest
from made_elements import Leak, Level, Vessel

import samara as sm


class Wheel(sm.FlowBranch):
    """a - b = inertia d flow / dt."""

    inertia: float = sm.number(positive=True)

    def difference(self, a, b, flow):
        return self.inertia * flow.rate


class Membrane(sm.DifferenceBranch):
    """flow = give du/dt."""

    kept = "bulge"
    give: float = sm.number(positive=True)

    def flow_of(self, u):
        return self.give * u.rate


def test_a_vessel_fills_through_a_leak():
    model = sm.Model("vessel")
    source, vessel = model.junction("source"), model.junction("vessel", value=0.5)
    model.add("level", Level(source, level=2.0))
    model.add("leak", Leak(source, vessel, rate=3.0))
    model.add("content", Vessel(vessel, size=6.0))
    assert (source.order, vessel.order) == (0, 1)
    run = sm.transient(model, end=4.0, step=0.01, progress=False)
    np.testing.assert_allclose(run["vessel.value"], 2.0 - 1.5 * np.exp(-0.5 * run.time), atol=1e-5)
    np.testing.assert_allclose(run["level.inflow.value"], run["leak.flow"], atol=1e-12)
    np.testing.assert_allclose(run["content.flow"], run["leak.flow"], atol=1e-9)


def test_the_rate_of_a_content_is_derived():
    """A vessel that widens: what flowed in is what it contains, whatever its shape, to second order in the step."""
    apart = []
    for step in (0.02, 0.01):
        model = sm.Model("vessel")
        vessel, source = model.junction("vessel", value=0.5), model.junction("source")
        model.add("level", Level(source, level=2.0))
        model.add("leak", Leak(source, vessel, rate=3.0))
        model.add("content", Vessel(vessel, size=6.0, bend=4.0))
        run = sm.transient(model, end=4.0, step=step, progress=False)
        flow, kept = run["content.flow"], run["content.content"]
        assert kept[0] == pytest.approx(6.0 * 0.5 + 2.0 * 0.25)
        apart.append(abs(kept[-1] - kept[0] - np.sum(0.5 * step * (flow[1:] + flow[:-1]))))
    assert apart[1] < 1e-4
    assert apart[0] / apart[1] == pytest.approx(4.0, rel=0.2)


def test_wheel_and_membrane_swing():
    model = sm.Model("swing")
    base, a = model.junction("base"), model.junction("a")
    model.add("level", Level(base, level=1.0))
    model.add("wheel", Wheel(a, base, inertia=2.0))
    model.add("membrane", Membrane(a, base, give=0.5))
    linear = sm.modes(model)
    np.testing.assert_allclose(np.abs(linear.eigenvalues.imag), 1.0, rtol=1e-9)  # 1 / sqrt(inertia give)


@pytest.mark.parametrize(
    ("family", "count", "words"),
    [
        (sm.Branch, 2, "define a method flow(a, b)"),
        (sm.FlowBranch, 2, "define a method difference(a, b, flow)"),
        (sm.DifferenceBranch, 2, "define a method flow_of(u)"),
        (sm.Storage, 1, "define a method content(n)"),
        (sm.Hold, 1, "define a method given()"),
    ],
)
def test_what_is_missing_is_named(family, count, words):
    model = sm.Model("missing")
    ends = [model.junction(f"end_{k}") for k in range(count)]
    if family not in (sm.Hold, sm.Storage):
        model.add("level", Level(ends[0], level=1.0))
        if count == 2:
            model.add("leak", Leak(*ends, rate=1.0))
    with pytest.raises(sm.ModelError) as caught:
        model.add("half", type("Half", (family,), {"__doc__": "Without equations."})(*ends))
        sm.System(model)
    assert words in str(caught.value)
    assert "Half" in str(caught.value)
