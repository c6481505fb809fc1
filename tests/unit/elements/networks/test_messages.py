"""What cannot be solved is told by the element and the remedy: trees, steady rotations, flows without a way out."""

import numpy as np
import pytest

import samara as sm
from samara.recursive.tree import TreeError

OIL = {"viscosity": 0.01, "reference_density": 850.0, "bulk_modulus": 1.4e9}


def turning(name):
    """A disc in a hinge, beside which networks stand."""
    model = sm.Model(name)
    disc = model.node("disc")
    model.add("body", sm.Body(disc, mass=1.0, inertia=(1.0, 1.0, 1.0)))
    model.add("hinge", sm.Revolute(model.ground, disc, axis=(0, 0, 1)))
    return model


def filled(pressure=5e6):
    """A tank under pressure that fills a volume through an orifice."""
    model, oil = turning("filled"), sm.LinearFluid(**OIL)
    p, q = model.pressure("p", pressure), model.pressure("q", 1e5)
    model.add("tank", sm.PressureSource(p, fluid=oil, pressure=pressure))
    model.add("orifice", sm.Orifice(p, q, fluid=oil, diameter=1e-3))
    model.add("volume", sm.Volume(q, fluid=oil, volume=1e-3))
    return model


def test_junctions_that_sources_hold_in_minimal_coordinates():
    """Their equations are not linear in the pressures, but these are given: both formulations agree."""
    runs = [
        sm.transient(filled(), end=0.05, step=1e-4, progress=False, **options)
        for options in ({}, {"formulation": "recursive", "integrator": sm.RungeKutta4()})
    ]
    assert runs[0]["q.value"][-1] > 1e6
    for channel in ("p.value", "q.value", "tank.inflow.value"):
        size = np.abs(runs[0][channel]).max()
        np.testing.assert_allclose(runs[1][channel][1:], runs[0][channel][1:], rtol=0, atol=2e-4 * size)  # h^2


def test_circuits_in_minimal_coordinates():
    """A source between two junctions, one of them at earth: an inductor's current, 1 - exp(-R t / L)."""
    model = turning("circuit")
    e, a, b = (model.potential(name) for name in "eab")
    model.add("earth", sm.Earth(e))
    model.add("source", sm.VoltageSource(a, e, voltage=5.0))
    model.add("resistor", sm.Resistor(a, b, resistance=2.0))
    model.add("coil", sm.Inductor(b, e, inductance=0.1))
    run = sm.transient(
        model, end=0.1, step=1e-3, formulation="recursive", integrator=sm.RungeKutta4(), progress=False
    )  # fmt: skip
    expected = 2.5 * (1.0 - np.exp(-20.0 * run.time))
    np.testing.assert_allclose(run["coil.current.value"], expected, rtol=0, atol=1e-8)  # (R h / L)^4 / 120 per unit
    np.testing.assert_allclose(run["source.current.value"], -expected, rtol=0, atol=1e-8)


def test_a_junction_that_no_tree_can_solve_is_named():
    model, oil = turning("algebraic"), sm.LinearFluid(**OIL)
    p, q, r = (model.pressure(name, 1e5) for name in "pqr")
    model.add("tank", sm.Tank(p, fluid=oil))
    model.add("first", sm.Orifice(p, q, fluid=oil, diameter=1e-3))
    model.add("second", sm.Orifice(q, r, fluid=oil, diameter=1e-3))
    model.add("volume", sm.Volume(r, fluid=oil, volume=1e-3))
    words = r"junction 'q' \(order 0, at 'first', 'second'\): its equation is not linear in its value: put there what"
    with pytest.raises(TreeError, match=words):
        sm.Simulation(model, formulation="recursive")


def pumped(amount, make=sm.FlowSource, **numbers):
    """From a tank into a volume that nothing leads out of."""
    model, oil = turning("pumped"), sm.LinearFluid(**OIL)
    t, q = model.pressure("t", 1e5), model.pressure("q", 1e5)
    model.add("tank", sm.Tank(t, fluid=oil))
    given = {"amount": amount} if make is sm.FlowSource else {"speed": amount}
    model.add("source", make(t, q, fluid=oil, **given, **numbers))
    model.add("volume", sm.Volume(q, fluid=oil, volume=1e-3))
    return model


@pytest.mark.parametrize("kind", ["source", "pump"])
def test_a_flow_into_a_closed_network_is_warned_of(kind):
    """What no liquid bears: 5 kg/s into a litre."""
    more = {} if kind == "source" else {"make": sm.Pump, "displacement": 1e-3}
    amount = 5.0 if kind == "source" else 6.0
    words = r"'source': the pressure of 'q' rose to .* Pa, which no liquid bears: .*an Orifice or a ReliefValve"
    with pytest.warns(UserWarning, match=words):
        sm.transient(pumped(amount, **more), end=0.1, step=1e-3, progress=False)


@pytest.mark.filterwarnings("error")
def test_usual_pressures_are_not():
    run = sm.transient(pumped(0.01), end=0.1, step=1e-3, progress=False)
    assert 1e6 < run["q.value"].max() < 1e8


@pytest.mark.parametrize("amount", [5.0, 1e-3, -1e3])
def test_a_flow_that_does_not_end_has_no_steady_rotation(amount):
    """The message names the state and what is there, and does not speak of poses; none is a silent answer."""
    with pytest.raises(sm.SolveError, match=r"no steady rotation.*'(source|volume)'.*flows in there or drives it") as e:
        sm.steady_rotation(pumped(amount), 10.0)
    assert "pose" not in str(e.value)


def test_networks_that_rest_turn_steadily():
    """A capacitor is charged to what its source has; the disc turns."""
    model = turning("charged")
    e, a, b = (model.potential(name) for name in "eab")
    model.add("earth", sm.Earth(e))
    model.add("source", sm.VoltageSource(a, e, voltage=5.0))
    model.add("resistor", sm.Resistor(a, b, resistance=2.0))
    model.add("capacitor", sm.Capacitor(b, e, capacitance=1e-3))
    state = sm.steady_rotation(model, 10.0).system
    values = dict(zip([s.name for s in state.layout.states], state.state.values, strict=True))
    assert values["b"] == pytest.approx(5.0, rel=1e-9)
    assert values["capacitor.voltage"] == pytest.approx(5.0, rel=1e-9)


def test_a_motor_that_asks_for_another_speed():
    """12 V at 0.05 V s/rad turn at 240 rad/s, without a current: at any other speed it does not go on."""
    model = turning("motor")
    e, a = model.potential("e"), model.potential("a")
    model.add("earth", sm.Earth(e))
    model.add("feed", sm.VoltageSource(a, e, voltage=12.0))
    numbers = {"constant": 0.05, "resistance": 1.0, "inductance": 1e-3}
    model.add("motor", sm.Motor(model.ground, model.nodes["disc"], a, e, **numbers))
    with pytest.raises(sm.SingularModel, match="asks for another speed"):
        sm.steady_rotation(model, 10.0)
    sm.steady_rotation(model, 240.0)


def test_a_flow_that_does_not_end_has_no_equilibrium():
    """The element that makes it flow is among those that are named."""
    words = r"no solution at rest: what flows in or drives .* does not end \(look at .*'source'.*\); lead it off"
    with pytest.raises(sm.SingularModel, match=words):
        sm.static(pumped(5.0))
