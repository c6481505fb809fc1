"""Simulations and systems used more than once, and what is refused before a run instead of after it."""

import copy
import pickle

import numpy as np
import pytest

import samara as sm


def pendulum() -> sm.Model:
    model = sm.Model("pendulum", gravity=(0, 0, -9.81))
    bob = model.node("bob", position=(1, 0, 0))
    model.add("mass", sm.Body(bob, mass=1.0, inertia=(0.1, 0.1, 0.1)))
    model.add("hinge", sm.Revolute(model.ground, bob, at=(0, 0, 0), axis=(0, 1, 0)))
    return model


def run(sim, end: float) -> np.ndarray:
    return sm.transient(sim, end, 1e-3, progress=False)["hinge.angle"]


def test_a_system_starts_anew_with_every_simulation():
    system = sm.System(pendulum())
    first = sm.transient(system, 0.3, 1e-3, progress=False)["bob.position"]
    again = sm.transient(system, 0.3, 1e-3, progress=False)["bob.position"]
    np.testing.assert_array_equal(first, again)


def test_a_simulation_whose_system_was_taken_over_refuses_to_go_on():
    system = sm.System(pendulum())
    old = sm.Simulation(system)
    run(old, 0.1)
    sm.Simulation(system)
    with pytest.raises(sm.SolveError, match="belongs to a newer Simulation"):
        run(old, 0.2)


def test_a_run_in_pieces_is_the_same_run():
    whole, pieces = sm.Simulation(pendulum()), sm.Simulation(pendulum())
    run(pieces, 0.1)
    assert run(pieces, 0.2)[-1] == run(whole, 0.2)[-1]


def test_after_a_failure_the_last_good_state_is_kept():
    """A jump that no step can take: what is left is the state before it, and the time of that state."""
    model = sm.Model("cliff")
    mass = model.node("mass", position=(1, 0, 0), velocity=(1, 0, 0))
    model.add("body", sm.Body(mass, mass=1.0, inertia=(1, 1, 1)))
    model.add("load", sm.Force(mass, force=(lambda t: np.sqrt(0.05 - t), 0, 0)))
    sim = sm.Simulation(model)
    with pytest.raises(sm.Diverged) as failure:
        sm.transient(sim, 0.1, 1e-3, progress=False)
    results = failure.value.results
    # parts of the last step may have succeeded
    assert results.time[-1] == pytest.approx(0.049, abs=1e-12)
    assert 0.049 - 1e-12 < sim.time < 0.05
    position = sim.state.read(sim.system.layout.free[0], 9, 3)
    assert position == pytest.approx(results["mass.position"][-1] + [sim.time - 0.049, 0, 0], abs=1e-3)


@pytest.mark.parametrize("argument", ["save", "checkpoint"])
def test_a_file_that_cannot_be_written_is_refused_before_the_run(tmp_path, argument):
    sim = sm.Simulation(pendulum())
    with pytest.raises(sm.SolveError, match="folder does not exist"):
        sm.transient(sim, 0.1, 1e-3, progress=False, **{argument: tmp_path / "nowhere" / "x.nc"})
    assert sim.time == 0.0


def test_an_end_in_the_past_is_refused():
    sim = sm.Simulation(pendulum())
    run(sim, 0.1)
    with pytest.raises(ValueError, match="not after the present time"):
        run(sim, 0.05)


def test_a_checkpoint_beyond_the_end_is_refused(tmp_path):
    saved = tmp_path / "run.npz"
    sm.transient(pendulum(), 0.1, 1e-3, progress=False, checkpoint=saved)
    with pytest.raises(ValueError, match="not after the present time"):
        sm.transient(pendulum(), 0.05, 1e-3, progress=False, resume=saved)


def test_variable_step_in_pieces_is_not_held_back_by_the_first_piece():
    whole, pieces = sm.Simulation(pendulum()), sm.Simulation(pendulum())
    one = sm.transient(whole, 3.0, accuracy=1e-5, progress=False)
    sm.transient(pieces, 0.01, accuracy=1e-5, progress=False)
    two = sm.transient(pieces, 3.0, accuracy=1e-5, progress=False)
    assert len(two) < 1.5 * len(one)


class _Malformed(sm.Element):
    """Gives what it is told to."""

    n: sm.Node = sm.node(kw_only=False)
    what: str = sm.option()

    def formulate(self, site):
        n = site.frames[-1]
        if self.what == "wrench":
            return sm.Contribution(wrenches=[np.concatenate([n.v, n.w, n.v])])
        return sm.Contribution(wrenches=[], outputs=[sm.Output("speed", "m/s", n.v)])


@pytest.mark.parametrize(("what", "words"), [("wrench", "six numbers"), ("output", "'speed' has 3 numbers")])
def test_a_malformed_contribution_is_refused(what, words):
    model = pendulum()
    model.add("odd", _Malformed(model.nodes["bob"], what=what))
    with pytest.raises(sm.ModelError, match=words):
        sm.System(model)


def test_a_plain_field_is_refused():
    with pytest.raises(TypeError, match="declare the kind of field"):
        type("Odd", (sm.Load,), {"__annotations__": {"gain": float}, "gain": 3.0})


def test_a_parameter_must_keep_the_limits_of_its_field():
    model = sm.Model("mass")
    bob = model.node("bob")
    model.add("body", sm.Body(bob, mass=sm.Parameter("m", 1.0, "kg"), inertia=(1, 1, 1)))
    system = sm.System(model)
    with pytest.raises(sm.ModelError, match=r"'body'.*mass must be a positive number"):
        system.set_parameter("m", -1.0)
    assert model.parameters["m"].value == 1.0


@pytest.mark.parametrize("made", [sm.System, sm.Simulation])
@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, pickle.dumps])
def test_what_native_code_works_on_is_not_copied(made, copied):
    with pytest.raises(
        (sm.ModelError, sm.SolveError), match=r"of model 'pendulum' cannot be copied or pickled.*copy the"
    ):
        copied(made(pendulum()))
