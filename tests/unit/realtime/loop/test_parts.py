"""Steps that are too long for one: in real time they are taken in parts, as off-line, within a bound."""

import numpy as np
import pytest

import samara as sm
from samara.realtime.loop import RealTime, made_up

#: What `transient` has by default: bounds, and the correction below which a step is taken that has not converged.
AS_OFFLINE, CEILING = {"tolerance": 1e-10, "iterations": 20}, 1e-8


class Wall(sm.Load):
    """A force that grows without limit at x = 1, F = -1 / (1 - x)^3, and is no number beyond."""

    def load(self, n, world):
        gap = 1.0 - world.see(np.zeros(3))[0]
        return np.array([-1.0 / np.sqrt(gap) ** 6, 0.0, 0.0]), np.zeros(3)


def wall() -> sm.Model:
    """A mass that turns round within a step: its energy, 450.5 J, is all potential, 1 / (2 gap^2), at 0.033 m."""
    model = sm.Model("wall")
    node = model.node("mass", velocity=(30.0, 0.0, 0.0))
    model.add("body", sm.Body(node, mass=1.0, inertia=(1.0, 1.0, 1.0)))
    model.add("wall", Wall(node))
    return model


def rectifier(resistance=0.5) -> sm.Model:
    """A diode that opens within a step: ten steps in each wave of 50 Hz."""
    model = sm.Model("rectifier")
    e, a, b = (model.potential(name) for name in "eab")
    model.add("earth", sm.Earth(e))
    model.add("winding", sm.VoltageSource(a, e, voltage=sm.Sine(10.0, 2 * np.pi * 50.0)))
    model.add("diode", sm.Diode(a, b, resistance=resistance))
    model.add("capacitor", sm.Capacitor(b, e, capacitance=1e-4))
    model.add("load", sm.Resistor(b, e, resistance=100.0))
    return model


def sharp() -> sm.Model:
    """The same with hardly a resistance, which takes more iterations."""
    return rectifier(1e-3)


def servo() -> sm.Model:
    """A wide valve that turns a heavy cylinder about every few steps."""
    oil = sm.LinearFluid(reference_density=870.0, bulk_modulus=1.7e9, viscosity=0.07, vapour_pressure=100.0)
    model = sm.Model("servo")
    load = model.node("load", position=(1, 0, 0))
    model.add("mass", sm.Body(load, mass=500.0, inertia=(1, 1, 1)))
    model.add("guide", sm.Prismatic(model.ground, load, at=(1, 0, 0), axis=(1, 0, 0)))
    supply, back = model.pressure("supply", 1e7), model.pressure("back", 1e6)
    a, b = model.pressure("a", 5e6), model.pressure("b", 5e6)
    model.add("pump", sm.PressureSource(supply, fluid=oil, pressure=1e7))
    model.add("tank", sm.Tank(back, fluid=oil, pressure=1e6))
    chambers = {"area_1": 1e-3, "volume_1": 1e-3, "leakage": 1e-9}
    model.add("cylinder", sm.LinearActuator(model.ground, load, a, p2=b, fluid=oil, **chambers))
    spool = {"area": 1e-4, "frequency": 600.0, "command": sm.Sine(1.0, 100.0)}
    model.add("valve", sm.ServoValve(supply, back, a, b, fluid=oil, **spool))
    return model


STEP, END = 2e-3, 0.2


def off_line(model, names, finer=1):
    """States after every step. finer: steps in one."""
    results = sm.transient(model, END, STEP / finer, integrator=sm.TwoStep(0.6), progress=False)
    return np.column_stack([results[f"{name}.value"][::finer] for name in names])


def in_real_time(model, names, ceiling=None, **options):
    """States after every step, and the report; the clock is made up, so that no step is late."""
    with RealTime(model, 1.0 / STEP, clock=made_up(), **options) as runner:
        if ceiling is not None:
            runner.sim.settings.ceiling = ceiling
        rows = [runner.sim.system.layout.state_index[name] for name in names]
        found = [np.array(runner.sim.state.values)[rows]]
        for _ in range(round(END / STEP)):
            report = runner.run(STEP)
            assert report.ended == "done", report.message
            found.append(np.array(runner.sim.state.values)[rows])
    return np.array(found), report


def thrown(ceiling=None, work=(), **options):
    """The mass in real time, at 50 Hz for ten steps: its place and speed at the end, and the report."""
    with RealTime(wall(), 50.0, clock=made_up(work=work), **options) as runner:
        if ceiling is not None:
            runner.sim.settings.ceiling = ceiling
        report = runner.run(0.2)
        state, node = runner.sim.system.state, runner.sim.model.nodes["mass"]
        return (state.pose(node).p[0], state.twist(node)[0]), report


def test_a_step_in_parts_is_that_of_a_run_off_line():
    """With the same bounds, to rounding."""
    run = sm.transient(wall(), 0.2, 0.02, integrator=sm.TwoStep(0.6), progress=False)
    (x, v), report = thrown(CEILING, substeps=1024, **AS_OFFLINE)
    assert report.ended == "done"
    assert report.accounts["divided"] == run.attrs.counters["divided"] >= 1
    assert (x, v) == pytest.approx((run["mass.position"][-1, 0], run["mass.velocity"][-1, 0]), rel=1e-12)
    assert v < 0.0  # it has come back


@pytest.mark.parametrize("policy", ["stop", "skip", "slip", "degrade"])
def test_every_policy_divides(policy):
    """The energy is that of the throw, by the few steps of the turn: parts are not chosen by accuracy."""
    (x, v), report = thrown(policy=policy)
    assert report.ended == "done" and report.accounts["divided"] >= 1
    assert 0.5 * v * v + 0.5 / (1.0 - x) ** 2 == pytest.approx(450.5, rel=0.2)


def test_the_bound_is_kept_and_named():
    """Undivided the mass is beyond the wall; the run ends before that step."""
    _, report = thrown(substeps=1)
    assert report.ended in ("not_converged", "not_finite") and report.accounts["divided"] == 0
    assert "more" in report.message and "substeps (substeps=, --substeps)" in report.message
    assert report.simulated < 0.2


def let_out(**options):
    """A vessel at 5 MPa that an orifice empties within the first of ten steps; its pressure then, and the report."""
    oil = sm.LinearFluid(reference_density=870.0, bulk_modulus=1.7e9, viscosity=0.07, vapour_pressure=100.0)
    model = sm.Model("vessel")
    a, t = model.pressure("a", 5e6), model.pressure("t")
    model.add("tank", sm.Tank(t, fluid=oil))
    model.add("oil", sm.Volume(a, fluid=oil, volume=1e-4))
    model.add("hole", sm.Orifice(a, t, fluid=oil, diameter=5e-3))
    with RealTime(model, 1000.0, clock=made_up(), iterations=20, **options) as runner:
        report = runner.run(0.01)
        return float(runner.sim.state.values[runner.sim.system.layout.state_index["a"]]), report


@pytest.mark.parametrize("policy", ["stop", "skip", "slip", "degrade"])
def test_a_step_that_ends_below_a_floor_is_divided(policy):
    """The pressure ends at that of the atmosphere, not at -0.8 MPa, where the liquid would boil."""
    pressure, report = let_out(policy=policy)
    assert report.ended == "done" and report.accounts["divided"] >= 1
    assert pressure == pytest.approx(101325.0, abs=1.0)
    _, report = let_out(policy=policy, substeps=1)
    assert report.ended == "below_floor" and "'a' fell to -" in report.message
    assert "boils" in report.message and "or use a shorter step" in report.message
    assert "substeps (substeps=, --substeps)" in report.message


def test_steps_that_catch_up_are_divided_only_where_nothing_else_helps():
    """Always late by half a period: all but the first are degraded, and tried again before they are divided."""
    _, report = thrown(work=[30_000_000] * 20, policy="degrade")
    assert report.ended == "done"
    assert report.accounts["degraded"] == 9 and report.accounts["skipped"] == 0
    assert report.accounts["repeated"] >= report.accounts["divided"] > 0


@pytest.mark.parametrize(
    ("make", "names", "size"), [(rectifier, ["capacitor.voltage"], 10.0), (servo, ["a", "b"], 1e7)]
)
def test_circuits_are_those_of_a_run_off_line(make, names, size):
    """With the same bounds, to 1e-9 of the size: Newton's tolerance, of some steps."""
    found, _ = in_real_time(make(), names, CEILING, **AS_OFFLINE)
    np.testing.assert_allclose(found, off_line(make(), names), rtol=0, atol=1e-9 * size)
    assert np.ptp(found, axis=0).min() > 0.5 * size  # it moves


@pytest.mark.parametrize(("make", "names", "size"), [(sharp, ["capacitor.voltage"], 10.0), (servo, ["a", "b"], 1e7)])
def test_the_bounds_of_real_time_cost_no_more_than_the_step(make, names, size):
    """The error, by steps of a fortieth, is that of the same step off-line and 1e-3 of the size: the ceiling."""
    true, plain = off_line(make(), names, finer=40), off_line(make(), names)
    found, _ = in_real_time(make(), names)
    assert np.abs(found - true).max() < 1.1 * np.abs(plain - true).max() + 1e-3 * size
