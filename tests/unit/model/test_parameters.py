"""Parameters: one name, used anywhere, changed without compiling."""

import pytest

import samara as sm
from samara.system.memory.blocks import ACC
from samara.tracing.kernels import native


def two_springs(stiffness, force):
    """A mass between two springs of one stiffness, pushed by a drive that also knows it."""
    model = sm.Model("parametric", gravity=(0, 0, sm.Parameter("gravity", -9.81, unit="m/s^2")))
    bob = model.node("bob", position=(0.1, 0, 0))
    model.add("body", sm.Body(bob, mass=sm.Parameter("mass", 2.0, unit="kg", lower=0.1), inertia=(1, 1, 1)))
    model.add("left", sm.Spring(model.ground, bob, ends=((-1, 0, 0), (0.1, 0, 0)), stiffness=stiffness, length=1.0))
    law = sm.LinearLaw(stiffness) + sm.DamperLaw(1.0)
    model.add("right", sm.Rod(model.ground, bob, ends=((1, 0, 0), (0.1, 0, 0)), law=law, length=1.0))
    model.add("push", sm.Force(bob, force=(0, sm.Sine(force, 1.0, phase=1.57079632679489662) * stiffness, 0)))
    return model


@pytest.fixture
def system():
    return sm.System(two_springs(sm.Parameter("k", 100.0, "N/m", 0.0, 1e4), sm.Parameter("force", 0.5)))


def acceleration(system):
    sim = sm.Simulation(system)
    sm.assemble(sim)
    return system.state.read(system.model["bob"], ACC, 3)


def test_a_change_reaches_elements_laws_drives_and_gravity(system, monkeypatch):
    assert acceleration(system) == pytest.approx([-(100.0 * 0.1 * 2) / 2.0, 0.5 * 100.0 / 2.0, -9.81])
    monkeypatch.setattr(native, "load", lambda *_: pytest.fail("compiled again"))
    system.set_parameter("k", 30.0)
    assert acceleration(system) == pytest.approx([-(30.0 * 0.1 * 2) / 2.0, 0.5 * 30.0 / 2.0, -9.81])
    system.set_parameter("mass", 4.0)
    system.set_parameter("force", -1.0)
    system.set_parameter("gravity", -1.62)
    assert acceleration(system) == pytest.approx([-(30.0 * 0.1 * 2) / 4.0, -30.0 / 4.0, -1.62])


def test_models_of_other_numbers_share_kernels(system):
    other = sm.System(two_springs(sm.Parameter("k", 250.0), sm.Parameter("force", 2.0)))
    assert all(kernel.from_cache for kernel in other.kernels)


def test_parameters_are_listed_by_name(system):
    assert set(system.model.parameters) == {"k", "force", "mass", "gravity"}
    assert system.model.parameters["k"].value == 100.0


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (-1.0, r"parameter 'k': -1 N/m is outside \[0, 10000\]"),
        (2e4, r"parameter 'k': 20000 N/m is outside \[0, 10000\]"),
        (float("nan"), "parameter 'k' must be a finite number, got nan"),
        (float("inf"), "parameter 'k' must be a finite number, got inf"),
    ],
)
def test_limits_are_kept(system, value, message):
    with pytest.raises(sm.ModelError, match=message):
        system.set_parameter("k", value)
    assert system.model.parameters["k"].value == 100.0


def test_an_initial_value_outside_the_limits():
    with pytest.raises(sm.ModelError, match=r"parameter 'k': -1 N/m is outside \[0, inf\]"):
        sm.Parameter("k", -1.0, unit="N/m", lower=0.0)


def test_an_unknown_parameter_names_those_that_exist(system):
    with pytest.raises(sm.ModelError, match=r"no parameter 'stiffness' .*mass.*k"):
        system.set_parameter("stiffness", 1.0)


def test_two_parameters_of_one_name():
    model = two_springs(sm.Parameter("k", 1.0), sm.Parameter("k", 2.0))
    with pytest.raises(sm.ModelError, match="two parameters of model 'parametric' are called 'k': rename one"):
        _ = model.parameters


def test_a_natural_length_may_be_a_parameter():
    model = sm.Model("length")
    bob = model.node("bob", position=(2, 0, 0))
    model.add("body", sm.Body(bob, mass=1.0, inertia=(1, 1, 1)))
    length = sm.Parameter("length", 1.5, unit="m", lower=0.0)
    model.add("spring", sm.Spring(model.ground, bob, stiffness=10.0, length=length))
    system = sm.System(model)
    assert acceleration(system)[0] == pytest.approx(-5.0)
    system.set_parameter("length", 2.5)
    assert acceleration(system)[0] == pytest.approx(5.0)


def test_a_checked_field_looks_at_the_parameter_too():
    model = sm.Model("checked")
    with pytest.raises(sm.ModelError, match="element 'body': Body: mass must be a positive number"):
        model.add("body", sm.Body(model.node("bob"), mass=sm.Parameter("mass", -2.0), inertia=(1, 1, 1)))


def parameter():
    return sm.Parameter("s", 0.3)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda model: model.add("lag", sm.Lag(command=1.0, time=0.5, start=parameter())), "'lag': Lag: start must be"),
        (lambda model: model.add("lag", sm.Lag(command=1.0, time=0.5, scale=parameter())), "state's scale must be"),
        (lambda model: model.state("x", value=parameter()), "a state's value must be"),
        (lambda model: model.state("x", rate=parameter()), "a state's rate must be"),
        (
            lambda model: model.add(
                "speed",
                sm.SpeedRegulator(
                    model.ground,
                    model.node("n"),
                    law=sm.Integral(gain=1.0),
                    target=1.0,
                    start=parameter(),
                ),
            ),
            "SpeedRegulator: start must be",
        ),
        (
            lambda model: model.add("push", sm.Force(model.node("n"), force=(sm.Input("f", parameter()), 0, 0))),
            "Input: initial must be",
        ),
        (lambda model: sm.Curve([0.0, 1.0], [0.0, parameter()]), "the points of a table must be"),
        (lambda model: sm.Surface([0.0, 1.0], [0.0, 1.0], [[0.0, 1.0], [parameter(), 0.0]]), "the points of a table"),
        (lambda model: sm.Span(station=[0, 1], mass=1, GJ=1, EI_y=1, EI_z=1, EA=parameter()), "Span: .* must be"),
    ],
)
def test_a_number_that_is_read_once_is_no_parameter(make, words):
    """It would be listed, and a change of it would be accepted and do nothing."""
    with pytest.raises(ValueError, match=f"{words}.* numbers?, got Parameter"):
        make(sm.Model("starts"))


def test_systems_that_share_a_parameter_may_have_it_differ():
    """Each goes on with its own value, says so in its records, and starts where that one puts it."""
    length = sm.Parameter("length", 2.0, "m")

    def hanging():
        model = sm.Model("hanging", gravity=(0, 0, -9.81))
        bob = model.node("bob", position=(0, 0, -1.0))
        model.add("body", sm.Body(bob, mass=1.0, inertia=(1, 1, 1)))
        model.add("rope", sm.Distance(model.ground, bob, length=length))
        return sm.Simulation(model)

    one, other = hanging(), hanging()
    one.system.set_parameter("length", 3.0)
    for sim, wanted in ((other, 2.0), (one, 3.0)):
        sm.transient(sim, 0.1, 1e-2, progress=False)
        again = sm.transient(sm.Simulation(sim.system), 0.1, 1e-2, progress=False)
        assert again["bob.position"][0, 2] == pytest.approx(-wanted)
        assert again.attrs.parameters["length"] == (wanted, "m")
        assert sm.static(sm.Simulation(sim.system), stable=False).attrs.parameters["length"] == (wanted, "m")
    assert length.value == 3.0


def test_a_value_that_another_system_has_already_is_a_change_here():
    """The matrix of the old number is not used again."""
    stiffness = sm.Parameter("k", 100.0)
    one, other = (sm.System(two_springs(stiffness, sm.Parameter("force", 0.5))) for _ in range(2))
    for system in (one, other):
        system.set_parameter("k", 30.0)
        assert system.parameters.changes[0] == 1
    assert acceleration(other) == pytest.approx(acceleration(one))


def test_a_parameter_and_an_input_of_one_name():
    model = two_springs(sm.Parameter("k", 100.0), sm.Parameter("force", 0.5))
    model.add("pull", sm.Force(model["bob"], force=(sm.Input("force"), 0, 0)))
    with pytest.raises(sm.ModelError, match="'parametric': a parameter and an input are both called 'force': rename"):
        sm.System(model)


def test_the_name_of_a_parameter_is_a_text(system):
    for name in (["k"], 5, None):
        with pytest.raises(ValueError, match="set_parameter: name must be a non-empty string"):
            system.set_parameter(name, 1.0)
