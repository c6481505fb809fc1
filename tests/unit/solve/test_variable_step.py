"""The step follows the local error: the error of a run goes with the accuracy that was asked for."""

import numpy as np
import pytest
from scipy.special import ellipj

import samara as sm

GRAVITY = 9.81
FREQUENCY = np.sqrt(GRAVITY)  # of a point on a rod of 1 m


def pendulum() -> sm.Model:
    model = sm.Model("pendulum", gravity=(0, 0, -GRAVITY))
    bob = model.node("bob", position=(-1, 0, 0))
    model.add("mass", sm.Body(bob, mass=1.0, inertia=(1e-9, 1e-9, 1e-9)))
    model.add("hinge", sm.Revolute(model.ground, bob, at=(0, 0, 0), axis=(0, 1, 0)))
    return model


def exact(t):
    k = np.sin(np.pi / 4)
    _, cn, dn, _ = ellipj(FREQUENCY * t, k**2)
    angle = 2 * np.arcsin(k * cn / dn)
    return np.column_stack([-np.sin(angle), np.zeros_like(t), -np.cos(angle)])


def swing(accuracy, integrator=None, end=4.0):
    sim = sm.Simulation(pendulum(), integrator, tolerance=1e-11)
    run = sm.transient(sim, end, accuracy=accuracy, outputs="bob.position", progress=False)
    return run, np.linalg.norm(run["bob.position"] - exact(run.time), axis=1).max()


@pytest.mark.parametrize("integrator", [sm.TwoStep(0.6), sm.TwoStep(0.0), sm.CrankNicolson()], ids=lambda i: i.name)
def test_error_goes_with_the_accuracy(integrator):
    # accuracy bounds the local error C h^3, so that the error of the run goes as h^2 = accuracy^(2/3), and the number
    # of steps as accuracy^(-1/3)
    accuracies = np.array([1e-5, 1e-6, 1e-7, 1e-8])
    found = [swing(a, integrator) for a in accuracies]
    assert np.polyfit(np.log(accuracies), np.log([error for _, error in found]), 1)[0] == pytest.approx(2 / 3, abs=0.08)
    assert np.polyfit(np.log(accuracies), np.log([len(run) for run, _ in found]), 1)[0] == pytest.approx(
        -1 / 3, abs=0.04
    )


def test_local_errors_are_what_was_asked_for():
    # they add up, and the pendulum turns an error of speed into one of position that grows for a quarter of a swing:
    # error = steps * accuracy, within a factor of five
    accuracy = 1e-7
    run, error = swing(accuracy)
    assert 0.2 < error / (len(run) * accuracy) < 5.0


def test_steps_follow_the_motion():
    # shortest where the pendulum is fastest, and never beyond what was asked for at the end
    run, _ = swing(1e-6)
    steps, speed = np.diff(run.time), np.linalg.norm(np.gradient(run["bob.position"], run.time, axis=0), axis=1)[1:]
    settled = run.time[1:] > 0.5
    fast, slow = settled & (speed > 4.0), settled & (speed < 0.5)
    assert np.median(steps[slow]) > 1.5 * np.median(steps[fast])
    assert run.time[-1] == pytest.approx(4.0, rel=1e-13)
    assert np.all(steps > 0)


def test_rejected_steps_are_counted_and_taken_back():
    run, _ = swing(1e-6)
    counters = run.attrs.counters
    assert counters["rejected"] > 0
    assert counters["rejected"] < 0.2 * counters["steps"]
    assert counters["steps"] == len(run) - 1


def test_a_sudden_load_is_met_when_it_comes():
    # at rest until 0.5 s, then pushed: a step ends there by itself, and the motion is right
    class Push(sm.Load):
        force: object = sm.driven(unit="N")

        def load(self, n, world):
            return np.array([1.0, 0, 0]) * self.force, np.zeros(3)

    model = sm.Model("pushed")
    node = model.node("block")
    model.add("body", sm.Body(node, mass=2.0, inertia=(1, 1, 1)))
    model.add("push", Push(node, force=sm.Step(8.0, time=0.5)))
    run = sm.transient(model, 1.0, accuracy=1e-6, progress=False)
    # two steps of Euler's formula, 1/64 of the longest, 0.05 s: each is off by half its square times 4 m/s^2
    assert run["block.position"][-1, 0] == pytest.approx(0.5 * 4.0 * 0.5**2, abs=4.0 * (0.05 / 64) ** 2 + 1e-9)
    assert np.abs(run.time - 0.5).min() < 1e-9
    assert run.attrs.counters["events"] == 1
