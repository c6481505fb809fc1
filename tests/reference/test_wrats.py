"""WRATS-like rotor: no data to compare with; thirty seconds of hover against momentum theory, and the count."""

import numpy as np
import pytest

from samara import Air
from samara.models import wrats
from samara.solve import Simulation, TwoStep, transient
from samara.solve.codes import Counter
from samara.system import System


def test_fewer_equations_than_in_the_source():
    counts = wrats.equations("rigid")
    assert counts["source"] == 174
    assert counts["samara"] < 174


def _hover(blades):
    sim = Simulation(System(wrats.build(blades=blades)), TwoStep(0.6), tolerance=wrats.TOLERANCE)
    outputs = ("rotor.*", "governor.*", "blade_*.spring.rotation")
    results = transient(sim, 30.0, 1.0 / wrats.RATE, outputs=outputs, every=30, progress=False)
    assert sim.counters[Counter.STEPS] == 18_000
    assert sim.counters[Counter.STALLED] == sim.counters[Counter.RETRIED] == 0
    return results


def _check(results):
    """Momentum theory is what the inflow model has, so thrust and induced velocity agree to what is left of transients.

    The air's torque is what the drive gives; all blades cone and lag alike.
    """
    thrust, induced = results["rotor.thrust"][-1], results["rotor.induced"][-1, 0]
    area = np.pi * wrats.BLADE.radius**2
    assert induced == pytest.approx(np.sqrt(thrust / (2 * Air.standard().density * area)), rel=2e-3)
    assert results["rotor.speed"][-1] == pytest.approx(875.0 * np.pi / 30, rel=1e-4)
    assert results["rotor.torque"][-1] == pytest.approx(results["governor.output.value"][-1], rel=1e-2)
    angles = np.array([results[f"blade_{k}.spring.rotation"][-1] for k in range(1, 5)])
    assert np.ptp(angles, axis=0).max() < np.deg2rad(0.02)
    assert angles[0, 1] < 0.0  # cones up: a turn about y lowers the tip
    assert angles[0, 2] < 0.0  # lags behind


def test_rigid_blades_hover_for_thirty_seconds():
    _check(_hover("rigid"))


@pytest.mark.slow
def test_elastic_blades_hover_for_thirty_seconds():
    _check(_hover("elastic"))
