"""What control blocks are given: wrong things are refused by name, when they join a model."""

import numpy as np
import pytest

import samara as sm

LIMITS = {"command": 0.0, "time": 1.0, "rate": 1.0, "lower": -1.0, "upper": 1.0}
MATRICES = {"A": -1.0, "B": 1.0, "C": 1.0, "D": 0.0}
#: no real number, nor an array of them
NO_NUMBERS = [{}, "1", 1j, [1.0, 2j], [[1.0], [1.0, 2.0]], lambda t: t, sm.Sine(1.0, 1.0), sm.State(1), [None], [True]]


def refused(make, words):
    model = sm.Model("given")
    n = model.node("n", position=(1.0, 0.0, 0.0))
    with pytest.raises(sm.ModelError, match=f"element 'e': .*{words}"):
        model.add("e", make(model.ground, n))


@pytest.mark.parametrize("wrong", [*NO_NUMBERS, sm.Parameter("p", 1.0)])
def test_coefficients_are_real_numbers(wrong):
    for law, name, given in (
        (sm.TransferFunction, "numerator", {"numerator": wrong, "denominator": (1, 1)}),
        (sm.TransferFunction, "denominator", {"denominator": wrong}),
        (sm.PadeDelay, "time", {"time": wrong}),
        *((sm.StateSpace, name, MATRICES | {name: wrong}) for name in MATRICES),
    ):
        with pytest.raises(sm.BlockError, match=f"^{law.__name__}: {name} (must be|is missing)"):
            law(**given)


@pytest.mark.parametrize(
    "empty", [{"A": [], "B": [], "C": []}, {"A": np.zeros((0, 0)), "B": np.zeros((0, 2)), "C": []}]
)
def test_a_system_without_states_is_its_gain(empty):
    model = sm.Model("gain")
    model.add("e", sm.ContinuousBlock([lambda t: t, 3.0], law=sm.StateSpace(**empty, D=[[2.0, -1.0], [0.0, 1.0]])))
    results = sm.transient(model, end=0.1, step=0.01, progress=False)
    np.testing.assert_allclose(results["e.y1.value"], 2.0 * results.time - 3.0, atol=1e-9)
    np.testing.assert_allclose(results["e.y2.value"], 3.0, atol=1e-9)


@pytest.mark.parametrize("wrong", [None, [1.0], sm.State(1), sm.Sine(1.0, 1.0), 1, ""])
def test_a_unit_is_a_text(wrong):
    for make in (
        lambda: sm.Gain(1.0, gain=1.0, unit=wrong),
        lambda: sm.Lag(command=1.0, time=1.0, unit=wrong),
        lambda: sm.LimitedServo(**LIMITS, unit=wrong),
        lambda: sm.SignalRegulator(target=1.0, law=sm.PID(), unit=wrong),
        lambda: sm.SignalRegulator(target=1.0, law=sm.PID(), measured_unit=wrong),
    ):
        refused(lambda a, b, make=make: make(), "unit .*must be a string")


@pytest.mark.parametrize("wrong", [None, "1", [1.0, 2.0], sm.State(1), sm.Sine(1.0, 1.0)])
def test_a_scale_is_a_number(wrong):
    for make in (
        lambda: sm.Gain(1.0, gain=1.0, scale=wrong),
        lambda: sm.Lag(command=1.0, time=1.0, scale=wrong),
        lambda: sm.LimitedServo(**LIMITS, scale=wrong),
        lambda: sm.SignalRegulator(target=1.0, law=sm.PID(), scale=wrong),
        lambda: sm.ContinuousBlock([1.0], law=sm.TransferFunction(denominator=(1.0, 1.0)), scale=wrong),
    ):
        refused(lambda a, b, make=make: make(), "scale of a state must be a number, got ")


@pytest.mark.parametrize("wrong", [[], (), None, 5.0, "a", [sm.State(1)]])
def test_a_command_is_one_state(wrong):
    for make in (
        lambda a, b: sm.Engine(a, b, wrong, power=1.0, slow=1.0),
        lambda a, b: sm.ServoMotor(a, b, wrong),
        lambda a, b: sm.RotaryServo(a, b, wrong, stiffness=1.0),
        lambda a, b: sm.ValueRegulator(wrong, law=sm.PID(), target=1.0),
    ):
        refused(make, "x must be one state, such as regulator.output")


def test_several_commands_are_a_list_of_states():
    for wrong in (None, 5.0, "ab", sm.State(1)):
        refused(lambda a, b, wrong=wrong: sm.LimitedServo(**LIMITS, y=wrong), "y must be a sequence")
        refused(lambda a, b, wrong=wrong: sm.LinearServo(a, b, stiffness=1.0, x=wrong), "x must be a sequence")


def test_a_governor_starts_within_limits_that_its_corner_fits():
    given = {"target": 1.0, "proportional": 1.0, "upper": 0.01}
    refused(lambda a, b: sm.Governor(a, b, **given, corner=1e-3, start=5.0), r"start \(5\) must be from lower \(0\)")
    refused(lambda a, b: sm.Governor(a, b, **given, corner=0.02), r"corner \(0.02\) must not be wider")


@pytest.mark.parametrize("wrong", [-1.0, float("nan"), "a", None])
def test_noise_says_what_of_it_is_wrong(wrong):
    with pytest.raises(sm.ArgumentError, match="BandLimitedNoise: deviation must be a number that is not negative"):
        sm.BandLimitedNoise(wrong, bandwidth=10.0, period=2.0)
