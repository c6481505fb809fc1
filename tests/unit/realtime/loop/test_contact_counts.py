"""What a run in real time counts of contacts, and the bound on sweeps over them."""

import numpy as np
import pytest

import samara as sm
from samara.cli.simulator.realtime import page
from samara.realtime.loop.clock import made_up
from samara.realtime.loop.simulator import RealTime
from samara.solve.native.codes import Counter


def sledge(feet: int = 20) -> sm.Model:
    """It falls on its feet by a millimetre, slides and turns."""
    model = sm.Model("sledge", gravity=(0, 0, -9.81))
    node = model.node("sledge", position=(0, 0, 0.101), velocity=(1.0, 0.3, 0.0), angular_velocity=(0, 0, 2.0))
    model.add("body", sm.Body(node, mass=2.0, inertia=(0.02, 0.02, 0.03)))
    for k in range(feet):
        at = (0.2 * np.cos(k), 0.3 * np.sin(2.0 * k), -0.1)
        model.add(f"foot{k}", sm.Contact(model.ground, node, place_a=(0, 0, 0), place_b=at, friction=0.4))
    return model


@pytest.mark.parametrize("formulation", ["redundant", "recursive"])
def test_contacts_are_counted_and_told_of(formulation):
    with RealTime(sledge(), 1000.0, clock=made_up(), formulation=formulation) as runner:
        report = runner.run(0.2)
        assert report.ended == "done" and report.contacts["impacts"] >= 20
        assert report.contacts["contact_sweeps"] > report.contacts["contact_problems"] >= 180
        assert 0.0 < report.contacts["contact_residual"] < 1e-3
        assert f"{report.contacts['impacts']} impacts" in page(report)
        assert report.as_dict()["contacts"] == report.contacts


def test_a_model_without_contacts_says_nothing_of_them():
    model = sm.Model("bob", gravity=(0, 0, -9.81))
    model.add("body", sm.Body(model.node("bob"), mass=1.0, inertia=(1, 1, 1)))
    with RealTime(model, 100.0, clock=made_up()) as runner:
        report = runner.run(0.1)
    assert report.contacts == {} and "contacts" not in page(report)


@pytest.mark.parametrize("sweeps", [2, 5, 20])
def test_sweeps_are_bounded(sweeps):
    """Each problem of a step has at most so many; what that leaves is taken up to 1e-3, and counted."""
    with RealTime(sledge(4), 1000.0, clock=made_up(), formulation="recursive", sweeps=sweeps) as runner:
        for _ in range(100):
            before = runner.sim.counters.copy()
            report = runner.run(1e-3)
            made = runner.sim.counters - before
            assert made[Counter.CONTACT_SWEEPS] <= sweeps * made[Counter.CONTACT_PROBLEMS]
            if report.ended != "done":
                break
        total = runner.sim.counters
        assert report.ended == "done" or "sweeps" in report.message
        assert total[Counter.CONTACTS_UNCONVERGED] > 0 or report.ended != "done" or sweeps == 20
        assert runner.sim.memory.contact_residual <= 1e-3
