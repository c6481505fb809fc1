"""What users give to a run: refused by name before any work is done, or converted to what native code takes."""

import numpy as np
import pytest

import samara as sm
from samara.solve.native.kernels import set_time
from samara.solve.redundant.scheme import prepare
from samara.solve.step.march import march, record


def falling() -> sm.Model:
    model = sm.Model("falling", gravity=(0, 0, -9.81))
    model.add("mass", sm.Body(model.node("bob"), mass=1.0, inertia=(0.1, 0.1, 0.1)))
    return model


def hanging() -> sm.Model:
    model = sm.Model("hanging", gravity=(0, 0, -9.81))
    bob = model.node("bob", position=(0, 0, -1))
    model.add("mass", sm.Body(bob, mass=1.0, inertia=(0.1, 0.1, 0.1)))
    model.add("hinge", sm.Revolute(model.ground, bob, at=(0, 0, 0), axis=(0, 1, 0)))
    return model


def run(model=None, end=0.1, step=1e-2, **options):
    return sm.transient(falling() if model is None else model, end, step, progress=False, **options)


def nothing_compiled(*_):
    pytest.fail("the model was compiled before its arguments were looked at")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"end": "10"}, "transient: end must be a positive number, got '10'"),
        ({"end": None}, "transient: give end, the simulated time"),
        ({"end": -1.0}, "transient: end must be a positive number, got -1.0"),
        ({"end": np.nan}, "transient: end must be a positive number, got nan"),
        ({"step": "1e-3"}, "transient: step must be a positive number, got '1e-3'"),
        ({"step": 0}, "transient: step must be a positive number, got 0"),
        ({"step": True}, "transient: step must be a positive number, got True"),
        ({"step": 0.2}, "transient: step = 0.2 s is longer than the whole run, 0.1 s"),
        ({"step": 1e-300}, "transient: step = 1e-300 s is too short for a run of 0.1 s: time would not advance"),
        ({"every": 10**30}, "transient: every must be at most 1e+18, got 10"),
        ({"step": None}, "transient: give either a fixed step or an accuracy"),
        ({"step": None, "accuracy": "fine"}, "transient: accuracy must be a positive number below 1, got 'fine'"),
        ({"step": None, "accuracy": 1e3}, "transient: accuracy must be a positive number below 1, got 1000.0"),
        ({"step": None, "accuracy": 1e-6, "every": 2}, "transient: every = 2 needs a fixed step"),
        ({"every": 2.5}, "transient: every must be a whole number, got 2.5"),
        ({"every": 0}, "transient: every must be at least 1, got 0"),
        ({"every": "2"}, "transient: every must be a whole number, got '2'"),
        ({"outputs": ()}, "transient: outputs is empty: give at least one channel"),
        ({"outputs": []}, "transient: outputs is empty"),
        ({"outputs": 3}, "transient: outputs must be a name or pattern, or several, got 3"),
        ({"save": "run.npz", "checkpoint": "run.npz"}, "run.npz: results are written as NetCDF"),
        ({"save": "run.nc", "checkpoint": "run.nc"}, "save and checkpoint must be different files"),
    ],
)
def test_refused_before_the_model_is_compiled(arguments, words, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sm.System, "__init__", nothing_compiled)
    with pytest.raises((sm.ArgumentError, OSError)) as error:
        run(**arguments)
    assert words in str(error.value)


@pytest.mark.parametrize("name", ["run.csv", "run", "run.nc.gz", "run.dump.npz"])
def test_results_are_saved_as_what_their_name_says(name, tmp_path):
    with pytest.raises(OSError, match=r"results are written as NetCDF: use a name ending in \.nc"):
        run(save=tmp_path / name)
    with pytest.raises(OSError, match=r"results are written as NetCDF"):
        run().save(tmp_path / name)
    assert not list(tmp_path.iterdir())
    assert run().save(tmp_path / "RUN.NC") == tmp_path / "RUN.NC"


@pytest.mark.parametrize(
    ("integrator", "shown"),
    [(sm.BDF2, "<class "), (0.6, "0.6"), (True, "True")],
)
def test_an_integrator_is_an_integrator(integrator, shown):
    with pytest.raises(sm.ArgumentError) as error:
        run(integrator=integrator)
    assert "samara.TwoStep()" in str(error.value) and f"or a user-defined one, got {shown}" in str(error.value)


@pytest.mark.parametrize("radius", ["0.6", None, True])
def test_radius(radius):
    with pytest.raises(sm.ArgumentError, match="TwoStep: radius must be"):
        sm.TwoStep(radius)


def test_options_of_a_simulation_are_yes_or_no():
    with pytest.raises(sm.ArgumentError, match="Simulation: stabilise must be True or False, got 'no'"):
        sm.Simulation(falling(), stabilise="no")


def test_progress_is_yes_or_no():
    with pytest.raises(sm.ArgumentError, match="transient: progress must be True or False, got 'no'"):
        sm.transient(falling(), 0.1, 1e-2, progress="no")


@pytest.mark.parametrize("tolerance", [1.0, 1e3])
def test_tolerances_are_small(tolerance):
    for call in (lambda: run(tolerance=tolerance), lambda: sm.static(hanging(), tolerance=tolerance)):
        with pytest.raises(sm.ArgumentError, match="tolerance must be a positive number below 1, got"):
            call()


@pytest.mark.parametrize("tolerance", [-1e-10, 0.0, np.nan, "1e-10"])
def test_tolerances_are_positive(tolerance):
    for call in (
        lambda: run(tolerance=tolerance),
        lambda: sm.Simulation(falling(), tolerance=tolerance),
        lambda: sm.Stepper(falling(), 1e-2, tolerance=tolerance),
        lambda: sm.static(hanging(), tolerance=tolerance),
        lambda: sm.assemble(sm.Simulation(hanging()), tolerance=tolerance),
    ):
        with pytest.raises(sm.ArgumentError, match="tolerance must be a positive number"):
            call()


MODELS = {
    "transient": lambda m: run(m),
    "static": sm.static,
    "Stepper": lambda m: sm.Stepper(m, 1e-2),
    "modes": sm.modes,
    "steady_rotation": lambda m: sm.steady_rotation(m, 1.0),
    "state_space": sm.state_space,
    "campbell": lambda m: sm.campbell(m, [1.0]),
    "craig_bampton": lambda m: sm.craig_bampton(m, "bob"),
    "periodic": lambda m: sm.periodic(m, 1.0, 0.1),
    "trim": lambda m: sm.trim(m, {"a": 1.0}, {"b": 1.0}, period=1.0, steps=10),
}


@pytest.mark.parametrize("who", MODELS)
def test_a_model_is_a_model(who):
    message = f"{who}: the model must be a Model, a System or a Simulation, got"
    with pytest.raises(sm.ArgumentError) as error:
        MODELS[who]("pendulum")
    assert f"{message} 'pendulum'; samara.models.find('pendulum').make() builds a ready model" in str(error.value)
    with pytest.raises(sm.ArgumentError) as error:
        MODELS[who](3)
    assert f"{message} 3" in str(error.value)


def test_systems_and_simulations_are_made_of_models():
    with pytest.raises(sm.ArgumentError, match="System: the model must be a Model, got 'pendulum'"):
        sm.System("pendulum")
    with pytest.raises(sm.ArgumentError, match="Simulation: the model must be a Model or a System, got <samara"):
        sm.Simulation(sm.Simulation(falling()))
    for function in (sm.assemble, sm.linearise):
        with pytest.raises(sm.ArgumentError, match=r"give a Simulation, such as Simulation\(model\), got Model"):
            function(falling())


def test_a_simulation_has_its_integrator_already():
    """It would go unused, and the run be another than was asked for."""
    for call in (
        lambda sim: sm.Stepper(sim, 1e-2, tolerance=1e-3),
        lambda sim: sm.Stepper(sim, 1e-2, integrator=sm.BDF2()),
        lambda sim: sm.periodic(sim, 1.0, 0.1, integrator=sm.BDF2()),
        lambda sim: sm.trim(sim, {"a": 1}, {"b": 1}, period=1.0, steps=10, integrator=sm.BDF2()),
    ):
        with pytest.raises(sm.ArgumentError, match="a Simulation has its own method"):
            call(sm.Simulation(falling()))


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"time": "0"}, "static: time must be a finite number, got '0'"),
        ({"steps": 2.5}, "static: steps must be a whole number, got 2.5"),
        ({"steps": 0}, "static: steps must be at least 1, got 0"),
        ({"along": "tine"}, "static: along must be one of 'loads', 'time', got 'tine'"),
        ({"along": "time"}, "static: along='time' runs from 0 to `time`"),
        ({"iterations": 0}, "static: iterations must be at least 1, got 0"),
        ({"outputs": ()}, "static: outputs is empty"),
    ],
)
def test_static(arguments, words):
    with pytest.raises(sm.ArgumentError) as error:
        sm.static(hanging(), **arguments)
    assert words in str(error.value)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"step": "1e-3"}, "Stepper: step must be a positive number, got '1e-3'"),
        ({"step": -1e-3}, "Stepper: step must be a positive number, got -0.001"),
        ({"end": 0.0}, "Stepper: end must be a positive number, got 0.0"),
        ({"outputs": ()}, "Stepper: outputs is empty"),
    ],
)
def test_stepper(arguments, words):
    with pytest.raises(sm.ArgumentError) as error:
        sm.Stepper(falling(), **{"step": 1e-2, **arguments})
    assert words in str(error.value)


def test_a_stepper_takes_whole_steps_and_known_inputs():
    stepper = sm.Stepper(falling(), 1e-2)
    for wrong in (1.5, "3", -1):
        with pytest.raises(sm.ArgumentError, match="Stepper: count must be"):
            stepper.advance(wrong)
    with pytest.raises(KeyError, match=r"has no measure 'bob\.posision\.x'.*did you mean 'bob\.position\.x'"):
        stepper.measure("bob.posision.x")


def test_inputs_are_finite_numbers():
    model = falling()
    model.add("push", sm.Force(model["bob"], force=(sm.Input("push"), 0, 0)))
    system = sm.System(model)
    for wrong in ("3", np.nan, None):
        with pytest.raises(sm.ArgumentError, match="input 'push' of model 'falling' must be a finite number"):
            system.set_input("push", wrong)


def test_a_step_that_does_not_fit_into_what_is_left():
    """Of a run that goes on: it would take none, and say nothing."""
    sim = sm.Simulation(falling())
    run(sim, 1.0, 0.1)
    with pytest.raises(sm.ArgumentError, match=r"step = 0\.1 s is longer than the whole run, 0\.04 s"):
        run(sim, 1.04, 0.1)
    assert run(sim, 1.1, 0.1).time[-1] == pytest.approx(1.1)  # one step, but for rounding


def drivers():
    """How many variants of the native functions there are that a run calls with numbers of the user's."""
    return {f.py_func.__name__: len(f.signatures) for f in (march, record, set_time, prepare)}


def test_no_type_of_number_compiles_the_driver_anew():
    """A variant costs a minute. All that differs here is what kind of Python or NumPy number was given."""
    sim = sm.Simulation(hanging())
    run(sim), run(sim, 0.2, None, accuracy=1e-6), sm.static(sim), sm.Stepper(sm.Simulation(falling()), 1e-2).advance()
    before = drivers()
    assert run(end=3, step=1)["bob.position"][-1, 2] == pytest.approx(-0.5 * 9.81 * 3**2)
    short = np.float32(0.125)  # exact in single precision
    single = run(end=np.float32(1.0), step=short, every=np.int32(2))
    np.testing.assert_array_equal(single.time, run(end=1, step=0.125, every=2.0).time)
    assert len(single.time) == 5
    assert type(single.attrs.options["step"]) is float and type(single.attrs.options["every"]) is int
    run(end=np.int64(1), step=None, accuracy=np.float32(1e-3))
    sm.static(hanging(), time=1, steps=np.int32(2), tolerance=np.float32(1e-6), iterations=50.0)
    stepper = sm.Stepper(falling(), short)
    stepper.advance(np.int32(2))
    stepper.advance(2.0)
    assert stepper.time == 0.5
    sm.steady_rotation(hanging(), 0, time=0, iterations=np.int16(50))
    assert drivers() == before
