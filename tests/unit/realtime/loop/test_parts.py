"""Steps that are too long for one: in real time they are taken in parts, as off-line, within a bound."""

import numpy as np
import pytest

import samara as sm
from samara.realtime.loop import RealTime, made_up
from samara.solve.codes import Setting

STEP, END = 2e-3, 0.2
#: What `transient` has by default.
AS_OFFLINE = {"tolerance": 1e-10, "iterations": 20}


def rectifier() -> sm.Model:
    """A diode that opens within a step: ten steps in each wave of 50 Hz."""
    model = sm.Model("rectifier")
    e, a, b = (model.potential(name) for name in "eab")
    model.add("earth", sm.Earth(e))
    model.add("winding", sm.VoltageSource(a, e, voltage=sm.Sine(10.0, 2 * np.pi * 50.0)))
    model.add("diode", sm.Diode(a, b, resistance=0.5))
    model.add("capacitor", sm.Capacitor(b, e, capacitance=1e-4))
    model.add("load", sm.Resistor(b, e, resistance=100.0))
    return model


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


def off_line(model, names, finer=1):
    """States after every step, and how many were divided. finer: steps in one."""
    results = sm.transient(model, END, STEP / finer, integrator=sm.TwoStep(0.6), progress=False)
    return np.column_stack([results[f"{name}.value"][::finer] for name in names]), results.attrs.counters["divided"]


def in_real_time(model, names, ceiling=None, **options):
    """States after every step, and the report; the clock is made up, so that no step is late."""
    with RealTime(model, 1.0 / STEP, clock=made_up(), **options) as runner:
        if ceiling is not None:
            runner.sim.settings[Setting.CEILING] = ceiling
        rows = [runner.sim.system.layout.state_index[name] for name in names]
        found = [np.array(runner.sim.state.values)[rows]]
        while len(found) <= round(END / STEP):
            report = runner.run(STEP)
            if report.failed:
                break
            found.append(np.array(runner.sim.state.values)[rows])
    return np.array(found), report


def test_a_rectifier_is_that_of_a_run_off_line():
    """With the same bounds, and nothing taken that has not converged: to 1e-9 of the voltage."""
    wanted, divided = off_line(rectifier(), ["capacitor.voltage"])
    found, report = in_real_time(rectifier(), ["capacitor.voltage"], ceiling=1e-8, **AS_OFFLINE)
    assert report.ended == "done"
    assert report.accounts["divided"] == divided >= 10  # once in a wave, at least
    np.testing.assert_allclose(found, wanted, rtol=0, atol=1e-9 * 10.0)
    assert wanted.max() > 8.0  # it charges


@pytest.mark.parametrize(
    ("make", "names", "size"), [(rectifier, ["capacitor.voltage"], 10.0), (servo, ["a", "b"], 1e7)]
)
def test_the_bounds_of_real_time_cost_no_more_than_the_step(make, names, size):
    """The error by steps of a fortieth is that of the same step off-line, and 1e-3 of the size: the ceiling."""
    true, _ = off_line(make(), names, finer=40)
    plain, _ = off_line(make(), names)
    found, report = in_real_time(make(), names)
    assert report.ended == "done" and report.accounts["divided"] > 0
    assert np.abs(found - true).max() < 1.1 * np.abs(plain - true).max() + 1e-3 * size


@pytest.mark.parametrize("parts", [1, 4])
def test_the_bound_is_kept_and_named(parts):
    """Off-line the first step takes parts of a sixteenth."""
    found, report = in_real_time(rectifier(), ["capacitor.voltage"], parts=parts)
    assert (report.ended, len(found)) == ("not_converged", 1)
    assert f"more than {parts} parts (parts=, --parts)" in report.message
    assert report.accounts["divided"] == (0 if parts == 1 else 2)  # with few iterations, and with all


@pytest.mark.parametrize("policy", ["stop", "skip", "slip", "degrade"])
def test_every_policy_divides(policy):
    found, report = in_real_time(rectifier(), ["capacitor.voltage"], policy=policy)
    assert report.ended == "done" and report.accounts["divided"] > 0
    assert found.max() > 8.0


def test_steps_that_catch_up_are_divided_only_where_nothing_else_helps():
    """Always late by half a period: all but the first are degraded, and tried again before they are divided."""
    late = [round(1.5 * STEP * 1e9)] * 200
    with RealTime(rectifier(), 1.0 / STEP, policy="degrade", clock=made_up(work=late)) as runner:
        report = runner.run(END)
    assert report.ended == "done"
    assert report.accounts["degraded"] == 99 and report.accounts["skipped"] == 0
    assert report.accounts["repeated"] >= report.accounts["divided"] > 0
