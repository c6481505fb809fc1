"""The Puma's swashplate on servo-hydraulic actuators, against rigid ones and against what its loops are to do."""

import numpy as np
import pytest

import samara as sm
from samara.experiments.rotors.puma_hydraulic import first_order
from samara.models.articulated_rotors import puma, puma_hydraulic
from samara.models.articulated_rotors.puma_hydraulic import RETURN, SUPPLY, ServoActuator

STEP = 1.0 / 400.0
CYLINDERS = [f"swashplate.actuator_{k}" for k in (1, 2, 3)]


@pytest.fixture(scope="module")
def runs():
    """A rise of the collective of 1 deg in 0.05 s after the rotor has settled, on both kinds of actuators."""
    asked = sm.Cosine(1.0, duration=0.05, start=1.0, initial=puma.CONTROLS_DEG[0])
    models = [build(collective_deg=asked) for build in (puma_hydraulic.build, puma.build)]
    return [sm.transient(model, 1.8, STEP, tolerance=1e-6, progress=False) for model in models]


def test_settles_where_rigid_actuators_hold_it(runs):
    """An actuator integrates its valve: what is left of the error is leakage under load, below 1e-3 of the pitch."""
    hydraulic, rigid = (run["blade_1.pitch.angle"][-90:] for run in runs)
    assert np.abs(hydraulic - rigid).max() < 1e-3 * np.abs(rigid).max()
    thrust, expected = (run["rotor.thrust"][-90:].mean() for run in runs)
    assert thrust == pytest.approx(expected, rel=1e-3)


def test_follows_as_a_first_order_lag(runs):
    """Within a tenth of the stroke: the spool has 1/500 s and the loop 1/60 s."""
    results, _ = runs
    servo = ServoActuator()
    for name in CYLINDERS:
        stroke = results[f"{name}.stroke"]
        wanted = stroke + results[f"{name}.loop.output.value"] * servo.speed / servo.bandwidth
        expected = first_order(results.time, wanted, servo.bandwidth)
        assert np.ptp(stroke) > 2e-3
        assert np.abs(stroke - expected)[results.time > 1.0].max() < 0.1 * np.ptp(stroke)


def test_mass_and_pressure(runs):
    """All that the pump gives is in the chambers or has gone to the tank; pressures stay between both."""
    results, _ = runs
    content = sum(results[f"{name}.content"] for name in CYLINDERS)
    flow = results["pump.inflow.value"] + results["tank.inflow.value"]
    brought = np.concatenate([[0.0], np.cumsum(0.5 * (flow[1:] + flow[:-1]) * STEP)])
    settled = results.time > 0.5
    change = (content - brought)[settled]
    # sampled flows are integrated by trapezoids: of second order in the step, of 3e-3 kg that go through the valves
    assert np.ptp(change) < 1e-6
    for name in CYLINDERS:
        for chamber in (1, 2):
            pressure = results[f"{name}.chamber_{chamber}.value"]
            assert RETURN < pressure.min() < pressure.max() < SUPPLY


def test_junctions_balance(runs):
    """What leaves the valve goes into the chambers: to ten times the tolerance of the steps, 1e-6."""
    results, _ = runs
    for name in CYLINDERS:
        into = results[f"{name}.mass_flow_1"] + results[f"{name}.mass_flow_2"]
        out = results[f"{name}.valve.mass_flow_a"] + results[f"{name}.valve.mass_flow_b"]
        largest = np.abs(results[f"{name}.valve.mass_flow_a"]).max()
        assert np.abs(into + out)[1:].max() < 1e-5 * largest
