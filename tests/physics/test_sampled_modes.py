"""Modes of loops with sampled laws: against closed forms with a zero-order hold, python-control, and runs."""

import control
import numpy as np
import pytest
from scipy.signal import cont2discrete

import samara as sm
from samara.analysis import matrix_pencil, modes

MASS, DAMPING, STIFFNESS, PERIOD = 2.0, 0.8, 50.0, 0.02
HINGE = {"at": (0, 0, 0), "axis": (0, 0, 1)}
#: Of v_dot = (f - c v - k x) / m.
A = np.array([[0.0, 1.0], [-STIFFNESS / MASS, -DAMPING / MASS]])
B = np.array([[0.0], [1.0 / MASS]])


def plant(stiffness=STIFFNESS, damping=DAMPING, start=0.0):
    """A wheel on a bearing, held by a spring, with a sensor of its angle."""
    model = sm.Model("wheel")
    wheel = model.node("wheel", angular_velocity=(0.0, 0.0, start))
    model.add("disc", sm.Body(wheel, mass=1.0, inertia=(1.0, 1.0, MASS)))
    model.add("bearing", sm.Revolute(model.ground, wheel, **HINGE))
    if stiffness:
        model.add("spring", sm.Torsion(model.ground, wheel, law=sm.LinearLaw(stiffness, damping), **HINGE))
    return model, wheel, model.add("angle", sm.MotionSensor(model.ground, wheel, **HINGE)).output


def push(model, wheel, torque):
    """A motor."""
    model.add("motor", sm.ServoMotor(model.ground, wheel, torque, **HINGE))


def loop(law, target=0.0, held=0.0, **plant_given):
    model, wheel, place = plant(**plant_given)
    push(model, wheel, model.add("law", sm.SampledBlock([target, place], law=law, start=held)).output)
    return model


def pid_function(p, i, d, lag, h):
    """The sampled law as its docstring has it."""
    z = control.tf([1.0, 0.0], [1.0], h)
    return p + i * h / (z - 1) + d * (z - 1) / ((lag + h) * z - lag)


def exponents(z, period=PERIOD):
    """ln(z) / T of what has not died out, one of each pair, by size."""
    s = np.log(np.array([one for one in np.atleast_1d(z).astype(complex) if abs(one) > 1e-6])) / period
    s = s[s.imag > -1e-9 * np.abs(s)]
    return s[np.argsort(np.abs(s))]


PIDS = [(300.0, 0.0, 0.0, 0.01), (300.0, 400.0, 0.0, 0.01), (500.0, 800.0, 30.0, 0.01), (100.0, 50.0, 5.0, 0.0)]


@pytest.mark.parametrize("delay", [0, 1, 4])
@pytest.mark.parametrize("numbers", PIDS)
def test_a_pid_on_a_mass_with_a_hold_has_the_poles_of_python_control(numbers, delay):
    p, i, d, lag = numbers
    model, wheel, place = plant()
    law = sm.PID(proportional=p, integral=i, derivative=d, lag=lag, step=PERIOD)
    force = model.add("law", sm.SampledBlock([0.0, place], law=law)).output
    if delay:
        force = model.add("late", sm.SampledBlock([force], law=sm.Delay(delay, step=PERIOD))).output
    push(model, wheel, force)
    G = control.sample_system(control.tf([1.0], [MASS, DAMPING, STIFFNESS]), PERIOD, "zoh")
    late = control.tf([1.0], [1.0] + delay * [0.0], PERIOD)
    C = control.minreal(pid_function(p, i, d, lag, PERIOD), 1e-9, verbose=False)
    expected = exponents(control.poles(control.feedback(G * C * late, 1)))
    if not d or not lag:  # the filter is not in the loop, or has gone
        expected = expected[np.abs(expected) < 1e9]
    found = modes(model)
    assert found.sampled == PERIOD
    np.testing.assert_allclose(found.eigenvalues, expected, rtol=2e-6)  # of python-control's polynomials


def test_without_a_law_that_answers_modes_are_those_of_the_plant_alone():
    """Laws at a limit, without a gain, or whose answer nobody takes."""
    alone = modes(plant()[0]).eigenvalues
    limited = sm.PID(proportional=9.0, integral=0.0, lower=-1.0, upper=1.0, initial=5.0, step=PERIOD)
    for law, held in ((sm.PID(proportional=0.0, step=PERIOD), 0.0), (limited, 1.0)):
        found = modes(loop(law, held=held))
        np.testing.assert_allclose(found.eigenvalues, alone, rtol=1e-10)
        assert "the law of 'law' answers a constant there" in str(found)
    model, _, place = plant()
    model.add("law", sm.SampledBlock([0.0, place], law=sm.PID(proportional=1e3, integral=3.0, step=PERIOD)))
    felt = modes(model).eigenvalues
    assert np.abs(felt[:, None] - alone).min(axis=0).max() < 1e-9 * np.abs(alone).max()


def test_a_law_is_taken_as_it_is_after_its_last_sample():
    """A saturated one answers nothing; within its limits it is a spring that is sampled."""
    law = sm.PID(proportional=300.0, lower=-3.0, upper=3.0, step=PERIOD)
    for target, gain in ((1.0, 0.0), (0.005, 300.0)):
        sim = sm.Simulation(loop(law, target, damping=8.0))
        sm.transient(sim, end=20.0, step=PERIOD / 2, progress=False)
        found = modes(sim)
        assert ("answers a constant" in str(found)) == (gain == 0.0)
        damped = np.array([A[0], [A[1, 0], -8.0 / MASS]])
        Ad, Bd, *_ = cont2discrete((damped, B, np.eye(2), 0.0), PERIOD)
        expected = exponents(np.linalg.eigvals(Ad - Bd @ [[gain, 0.0]]))
        np.testing.assert_allclose(found.eigenvalues, expected, rtol=1e-9)


@pytest.mark.parametrize("formulation", ["redundant", "recursive"])
@pytest.mark.parametrize("numbers", PIDS[1:3])
def test_a_run_decays_as_its_modes_say(formulation, numbers):
    p, i, d, lag = numbers
    model = loop(sm.PID(proportional=p, integral=i, derivative=d, lag=lag, step=PERIOD))
    found = modes(model)
    moving = loop(sm.PID(proportional=p, integral=i, derivative=d, lag=lag, step=PERIOD), start=1.0)
    results = sm.transient(moving, end=100 * PERIOD, step=PERIOD / 20, formulation=formulation, progress=False)
    x = results["angle.output.value"][::20]
    told = matrix_pencil(results.time[::20], x, order=2 * len(found) - int((found.eigenvalues.imag == 0.0).sum()))
    s = max(found.eigenvalues, key=lambda s: (s.imag > 0.0, s.real))
    near = told.eigenvalues[np.argmin(np.abs(told.eigenvalues - s))]
    assert abs(near - s) < 2e-4 * abs(s)  # of the steps: (|s| h)^2 / 12 and less


def test_an_accelerometer_shows_what_was_held_before_the_sample():
    model, wheel, _ = plant()
    along_y = np.array([[1, 0, 0], [0, 0, 1], [0, -1, 0]], float)
    sensor = sm.Accelerometer(wheel, place=sm.Placement((1, 0, 0), rotation=along_y))  # of the angle, 1 m from the axis
    a = model.add("a", sensor).output
    gain = 0.6
    push(model, wheel, model.add("law", sm.SampledBlock([0.0, a], law=sm.PID(proportional=gain, step=PERIOD))).output)
    Ad, Bd, *_ = cont2discrete((A, B, np.eye(2), 0.0), PERIOD)
    answer = -gain * np.hstack([A[1:], B[1:]])  # f_k by x_k and f_(k-1)
    cycle = np.vstack([np.hstack([Ad, np.zeros((2, 1))]) + Bd @ answer, answer])
    found = modes(model)
    np.testing.assert_allclose(found.eigenvalues, exponents(np.linalg.eigvals(cycle)), rtol=1e-8)


@pytest.mark.parametrize("way", ["at once", "through a block", "late"])
def test_laws_of_several_sample_times_are_taken_over_their_common_time(way):
    """An inner loop of the rate at T, an outer of the angle at 3 T, called before it or, as the model has it, after."""
    p, d = 8.0, 20.0
    model, wheel, angle = plant()
    rate = model.add("rate", sm.MotionSensor(model.ground, wheel, quantity="angle_rate", **HINGE)).output
    outer = sm.SampledBlock([0.0, angle], law=sm.PID(proportional=p, step=3 * PERIOD))
    if way == "late":
        wanted = model.state("wanted", 0)
        push(model, wheel, _inner(model, wanted, rate, d))
        model.add("same", sm.SignalLink(wanted, model.add("outer", outer).output))
    else:
        wanted = model.add("outer", outer).output
        wanted = model.add("same", sm.Gain(wanted, gain=1.0)).output if way == "through a block" else wanted
        push(model, wheel, _inner(model, wanted, rate, d))
    found = modes(model)
    Ad, Bd, *_ = cont2discrete((A, B, np.eye(2), 0.0), PERIOD)
    cycle = np.eye(3)  # x, and what the outer law has answered
    for k in range(3):
        answer = np.vstack([np.eye(2, 3), [-p, 0.0, 0.0]]) if k == 0 else np.eye(3)
        force = d * (np.array([0.0, 0.0, 1.0]) @ (np.eye(3) if way == "late" else answer) - np.array([0.0, 1.0, 0.0]))
        moved = np.vstack([np.hstack([Ad, np.zeros((2, 1))]) + Bd @ force[None], answer[2:]])
        cycle = moved @ cycle
    assert found.sampled == pytest.approx(3 * PERIOD)
    np.testing.assert_allclose(found.eigenvalues, exponents(np.linalg.eigvals(cycle), 3 * PERIOD), rtol=1e-8)
    sim = sm.Simulation(model)
    sim.state.set_twist(wheel, (0.0, 0.0, 0.0, 0.0, 0.0, 1.0))
    results = sm.transient(sim, end=60 * PERIOD, step=PERIOD / 20, progress=False)
    told = matrix_pencil(results.time[::60], results["angle.output.value"][::60])
    oscillating = found.eigenvalues[np.argmax(found.eigenvalues.imag)]
    assert np.abs(told.eigenvalues - oscillating).min() < 1e-3 * abs(oscillating)


def _inner(model, wanted, rate, gain):
    return model.add("inner", sm.SampledBlock([wanted, rate], law=sm.PID(proportional=gain, step=PERIOD))).output


def test_what_is_faster_than_half_the_rate_of_the_samples_is_told_as_aliased():
    """A light oscillator that no law feels, at 3.7 times the rate of the samples; and one that its hold brakes."""
    model, _, _ = plant()
    small = model.node("small")
    model.add("light", sm.Body(small, mass=1.0, inertia=(1.0, 1.0, 1.0)))
    model.add("pin", sm.Revolute(model.ground, small, **HINGE))
    fast = 2.0 * np.pi * 3.7 / PERIOD
    model.add("stiff", sm.Torsion(model.ground, small, law=sm.LinearLaw(fast**2, 0.02 * fast), **HINGE))
    place = model["angle"].output
    push(model, model["wheel"], _inner(model, 0.0, place, 100.0))
    found = modes(model)
    assert "frequencies above 25 Hz, half the rate of the samples, are aliased" in str(found)
    assert found.frequencies_hz.max() == pytest.approx(3.7 / PERIOD * np.sqrt(1.0 - 1e-4), rel=1e-9)
    assert "aliased" not in str(modes(loop(sm.PID(proportional=3.0, step=PERIOD))))


def test_what_floats_freely_beside_a_loop_is_rigid_once():
    model, wheel, angle = plant()
    craft = model.node("craft", position=(5.0, 0.0, 0.0))
    model.add("free", sm.Body(craft, mass=3.0, inertia=(1.0, 2.0, 3.0)))
    push(model, wheel, _inner(model, 0.0, angle, 300.0))
    found = modes(model)
    assert found.rigid.sum() == 6 and len(found) == 7
    np.testing.assert_allclose(
        found.eigenvalues[6], modes(loop(sm.PID(proportional=300.0, step=PERIOD))).eigenvalues[0]
    )


FILTERS = {
    "mean of the last ones": (sm.MovingAverage(count=4, step=PERIOD), ([1, 1, 1, 1], [4, 0, 0, 0])),
    "transfer function": (sm.TransferFunction((0.2, 0.1), (1.0, -0.9), step=PERIOD), ([0.2, 0.1], [1.0, -0.9])),
    "a delay outside": (sm.Delay(3, step=PERIOD), ([1.0], [1.0, 0.0, 0.0, 0.0])),
}


@pytest.mark.parametrize("which", FILTERS)
def test_filters_in_the_loop_have_the_poles_of_python_control(which):
    block, (numerator, denominator) = FILTERS[which]
    model, wheel, angle = plant()
    seen = model.add("filter", sm.SampledBlock([angle], law=block)).output
    push(model, wheel, model.add("gain", sm.Gain(seen, gain=-40.0)).output)
    G = control.sample_system(control.tf([1.0], [MASS, DAMPING, STIFFNESS]), PERIOD, "zoh")
    F = control.tf(numerator, denominator, PERIOD)
    expected = exponents(control.poles(control.feedback(40.0 * G * F, 1)))
    np.testing.assert_allclose(modes(model).eigenvalues, expected, rtol=1e-6)


def test_what_is_not_known_is_refused_by_name_with_a_remedy():
    model = loop(sm.PID(proportional=3.0, step=PERIOD), target=0.1)
    with pytest.raises(sm.SolveError, match="the law of 'law' answers something else there: let it settle"):
        modes(model)
    linear = modes(model, frozen=True).eigenvalues
    np.testing.assert_allclose(linear, modes(loop(sm.PID(proportional=3.0, step=PERIOD))).eigenvalues, rtol=1e-12)
    model, wheel, angle = plant()
    push(model, wheel, model.add("own", sm.SampledBlock([angle], law=lambda q: -q, step=PERIOD)).output)
    with pytest.raises(sm.ArgumentError, match=r"the law of element 'own' .* use a Block"):
        modes(model)
    model, wheel, angle = plant()
    push(model, wheel, _inner(model, 0.0, angle, 1.0))
    model.add("odd", sm.SampledBlock([angle], law=sm.Delay(1, step=PERIOD / np.pi)))
    with pytest.raises(sm.ArgumentError, match="small integer multiples of each other"):
        modes(model)
    with pytest.raises(sm.ArgumentError, match=r"sensitivity: .* modes with sampled laws .* differences"):
        sm.sensitivity(modes(loop(sm.PID(proportional=3.0, step=PERIOD))))
