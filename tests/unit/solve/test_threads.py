"""A simulation is of one thread at a time: its arrays would be ruined by two, and the interpreter with them."""

import threading

import pytest

import samara as sm
from samara.realtime.loop.simulator import RealTime

MESSAGE = r"the Simulation of model 'ball' is in use by another thread: create one for each thread"


def ball() -> sm.Model:
    model = sm.Model("ball", gravity=(0, 0, -9.81))
    model.add("body", sm.Body(model.node("node"), mass=1.0, inertia=(1, 1, 1)))
    return model


@pytest.fixture
def elsewhere():
    """A function that runs another in a thread and gives the error that it ended by."""

    def run(work):
        found = []

        def body():
            try:
                work()
            except Exception as error:
                found.append(error)

        thread = threading.Thread(target=body)
        thread.start()
        thread.join()
        return found[0] if found else None

    return run


@pytest.mark.parametrize(
    "use",
    [
        lambda sim: sm.transient(sim, sim.time + 0.1, 1e-3, progress=False),
        sm.static,
        sm.assemble,
        lambda sim: sm.Stepper(sim, 1e-3),
        lambda sim: sim.matrix_values(),
    ],
    ids=["transient", "static", "assemble", "Stepper", "matrix"],
)
def test_a_simulation_in_use_is_refused(use, elsewhere):
    sim = sm.Simulation(ball())
    with sim.alone():
        error = elsewhere(lambda: use(sim))
        assert isinstance(error, sm.SolveError)
        assert error.args[0] == MESSAGE
        sim.claim()  # the thread that has it may go on
    assert elsewhere(lambda: sm.transient(sim, 0.1, 1e-3, progress=False)) is None


def test_a_stepper_and_a_real_time_run_hold_it(elsewhere, monkeypatch):
    stepper, errors = sm.Stepper(ball(), 1e-3), []
    live = RealTime(ball(), rate=1000.0)
    for owner, name, sim, use in (
        (stepper._run, "attempt", stepper.sim, stepper.advance),
        (live, "_show", live.sim, lambda: live.run(0.01)),
    ):
        method = getattr(owner, name)

        def looked_at(*args, method=method, sim=sim):
            errors.append(elsewhere(sim.claim))
            return method(*args)

        monkeypatch.setattr(owner, name, looked_at)
        use()
    assert {str(error) for error in errors} == {MESSAGE}
    assert len(errors) >= 2
