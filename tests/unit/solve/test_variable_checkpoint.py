"""A run that follows an accuracy and is interrupted goes on as if it had not been, to the last bit."""

import contextlib
import importlib

import numpy as np
import pytest

import samara as sm

END = 1.0
#: Steps, or records, in a native call, so that a run can be stopped anywhere; accuracies at which there are enough.
STEPS_IN_A_CALL = 7
ACCURACY = {"redundant": 1e-5, "recursive": 1e-11}


def counted(t, memory, u, y):
    """A law with a memory."""
    memory[0] += u[0]
    y[0] = memory[0]


def eventful():
    """Jumps that are known, one that is looked for, a sampled law, a prescribed node, impacts, spin."""
    model = sm.Model("eventful", gravity=(0, 0, -9.81))
    plate = model.prescribed("plate", sm.Motion(position=(0, 0, sm.Sine(0.01, 9.0))))
    ball = model.node("ball", position=(0, 0, 0.2))
    ball.begin(angular_velocity=(1.0, 2.0, 30.0))
    model.add("body", sm.Body(ball, mass=1.0, inertia=(1e-3, 1e-3, 2e-3)))
    model.add("contact", sm.Contact(plate, ball, restitution=0.7))
    bob = model.node("bob", position=(0.5, 0, 0))
    model.add("mass", sm.Body(bob, mass=1.0, inertia=(1e-2, 1e-2, 1e-2)))
    model.add("hinge", sm.Revolute(model.ground, bob, at=(0, 0, 0), axis=(0, 1, 0)))
    law = model.add("law", sm.SampledBlock([sm.Step(0.1, time=0.29)], law=counted, step=0.03, memory=1))
    model.add("lag", sm.Lag(command=law.output, time=0.05))
    when = sm.Parameter("when", 0.62, unit="s")
    model.add("push", sm.Force(bob, force=(0.0, 0.0, sm.Step(3.0, time=0.41) + sm.Step(2.0, time=when))))
    return model


def tree():
    """The same without contact, which trees meet by time stepping."""
    model = sm.Model("tree", gravity=(0, 0, -9.81))
    bob = model.node("bob", position=(0.5, 0, 0))
    model.add("mass", sm.Body(bob, mass=1.0, inertia=(1e-2, 1e-2, 1e-2)))
    model.add("hinge", sm.Revolute(model.ground, bob, at=(0, 0, 0), axis=(0, 1, 0)))
    model.add("push", sm.Force(bob, force=(0.0, 0.0, sm.Step(3.0, time=0.41))))
    return model


def stopping(monkeypatch, calls):
    """Runs stop after so many native calls of a few steps each; never for None."""
    module = importlib.import_module("samara.solve.transient")
    whole = module.Run.advance

    def few(self, count):
        return whole(self, min(count, STEPS_IN_A_CALL))

    @contextlib.contextmanager
    def stub():
        left = iter([False] * calls + [True]) if calls is not None else None
        yield lambda: left is not None and next(left)

    monkeypatch.setattr(module.Run, "advance", few)
    monkeypatch.setattr(module, "noting_interrupts", stub)


@pytest.mark.parametrize("interval", [None, 0.013], ids=["steps", "dense"])
@pytest.mark.parametrize(("make", "formulation"), [(eventful, "redundant"), (tree, "recursive")])
def test_an_interrupted_run_goes_on_bitwise(make, formulation, interval, monkeypatch, tmp_path):
    options = {"accuracy": ACCURACY[formulation], "step": interval, "formulation": formulation, "progress": False}
    stopping(monkeypatch, None)
    straight = sm.transient(make(), END, **options)
    for calls in (0, 2, 7):
        stopping(monkeypatch, calls)
        with pytest.raises(sm.Interrupted) as stop:
            sm.transient(make(), END, checkpoint=tmp_path / "run.npz", **options)
        stopping(monkeypatch, None)
        first, second = stop.value.results, sm.transient(make(), END, resume=tmp_path / "run.npz", **options)
        assert 0.0 < first.time[-1] < END
        np.testing.assert_array_equal(np.append(first.time, second.time), straight.time)
        for name in (channel.name for channel in straight.channels):
            joined = np.concatenate([first[name], second[name]])
            np.testing.assert_array_equal(joined, straight[name], err_msg=f"{name} after {calls} calls")


@pytest.mark.parametrize(("make", "formulation"), [(eventful, "redundant"), (tree, "recursive")])
def test_a_run_to_a_later_end_is_the_same_in_one_process_and_in_two(make, formulation, tmp_path):
    options = {"accuracy": ACCURACY[formulation], "progress": False}
    integrator = sm.DormandPrince() if formulation == "recursive" else None
    sim = sm.Simulation(make(), integrator, formulation=formulation)
    sm.transient(sim, 0.5, checkpoint=tmp_path / "run.npz", **options)
    one = sm.transient(sim, END, **options)
    two = sm.transient(make(), END, resume=tmp_path / "run.npz", formulation=formulation, **options)
    for name in (channel.name for channel in one.channels):
        np.testing.assert_array_equal(one[name], two[name], err_msg=name)
