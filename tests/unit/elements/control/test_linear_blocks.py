"""Linear blocks against SciPy: responses to the order of the integrator, starts at rest, delays."""

from math import factorial

import numpy as np
import pytest
from scipy import signal

import samara as sm
from samara.analysis import state_space

#: When steps come [s].
AT = 0.05
NUMERATOR, DENOMINATOR = (0.4, 30.0, 500.0), (1.0, 12.0, 400.0)
A = np.array([[-3.0, 20.0, 0.0], [-20.0, -3.0, 5.0], [0.0, 0.0, -8.0]])
B = np.array([[1.0, 0.0], [0.0, 2.0], [3.0, -1.0]])
C = np.array([[1.0, 0.0, 2.0], [0.0, -1.0, 1.0]])
D = np.array([[0.0, 0.5], [0.0, 0.0]])


def run(add, step, end=0.6, **options):
    model = sm.Model("block")
    block = add(model)
    return sm.transient(model, end=end, step=step, progress=False, **options), block


def orders(errors):
    return np.log2(np.array(errors[:-1]) / np.array(errors[1:]))


def test_a_transfer_function_has_the_step_response_of_scipy_to_second_order():
    errors = []
    for step in (2e-3, 1e-3, 5e-4):
        results, _ = run(
            lambda model: model.add(
                "G",
                sm.ContinuousBlock(
                    [sm.Step(2.0, time=AT)], law=sm.TransferFunction(numerator=NUMERATOR, denominator=DENOMINATOR)
                ),
            ),
            step,
        )
        late = results.time > AT + 1e-9
        since = results.time[late] - AT
        grid, exact = signal.step((NUMERATOR, DENOMINATOR), T=np.concatenate([[0.0], since]))
        assert grid[0] == 0.0
        errors.append(np.abs(results["G.output.value"][late] - 2.0 * exact[1:]).max())
    assert errors[-1] < 1e-3  # of 2.5
    assert np.all(orders(errors) > 1.8), errors


def test_a_mimo_state_space_has_the_response_of_scipy_to_second_order():
    """To sines, from a start that is given: forced response by SciPy on the same grid, its input 40 times finer."""
    x0, errors = np.array([0.3, -0.2, 0.5]), []
    fine = np.linspace(0.0, 0.6, 24001)
    inputs = np.column_stack([np.sin(9.0 * fine), np.cos(5.0 * fine)])
    _, exact, _ = signal.lsim((A, B, C, D), inputs, fine, X0=x0)  # linear between points: exact to 1e-8
    for step in (2e-3, 1e-3, 5e-4):
        results, block = run(
            lambda model: model.add(
                "S",
                sm.ContinuousBlock(
                    [lambda t: np.sin(9.0 * t), lambda t: np.cos(5.0 * t)],
                    law=sm.StateSpace(A=A, B=B, C=C, D=D, initial=x0),
                ),
            ),
            step,
        )
        assert [y.name for y in block.outputs] == ["S.y1", "S.y2"]
        found = np.column_stack([results["S.y1.value"], results["S.y2.value"]])
        every = round(step / (fine[1] - fine[0]))
        errors.append(np.abs(found - exact[::every]).max())
    assert errors[-1] < 2e-5
    assert np.all(orders(errors) > 1.8), errors


def test_both_forms_of_one_system_are_the_same():
    """SciPy's own conversion from one to the other, both in one model, one behind a state."""
    matrices = signal.tf2ss(NUMERATOR, DENOMINATOR)

    def add(model):
        u = model.add("u", sm.Gain(sm.Sine(1.0, frequency=15.0), gain=2.0)).output
        model.add("G", sm.ContinuousBlock([u], law=sm.TransferFunction(numerator=NUMERATOR, denominator=DENOMINATOR)))
        S = dict(zip("ABCD", matrices, strict=True))
        return model.add("S", sm.ContinuousBlock([u], law=sm.StateSpace(**S)))

    results, block = run(add, 1e-3)
    assert block.output.name == "S.output"
    np.testing.assert_allclose(results["S.output.value"], results["G.output.value"], atol=1e-8)  # Newton's tolerance


def test_blocks_start_settled_and_stay_so():
    def add(model):
        u = model.add("u", sm.Gain(3.0, gain=1.0)).output
        model.add("G", sm.ContinuousBlock([u], law=sm.TransferFunction(numerator=NUMERATOR, denominator=DENOMINATOR)))
        model.add("S", sm.ContinuousBlock([u, 1.0], law=sm.StateSpace(A=A, B=B, C=C, D=D)))
        return model.add("T", sm.ContinuousBlock([u], law=sm.PadeDelay(time=0.2, order=4)))

    results, _ = run(add, 1e-2)
    np.testing.assert_allclose(results["G.output.value"], 3.0 * 500.0 / 400.0, rtol=1e-10)
    at_rest = (D - C @ np.linalg.solve(A, B)) @ np.array([3.0, 1.0])
    np.testing.assert_allclose(results["S.y1.value"], at_rest[0], rtol=1e-10)
    np.testing.assert_allclose(results["S.y2.value"], at_rest[1], rtol=1e-10)
    np.testing.assert_allclose(results["T.output.value"], 3.0, rtol=1e-10)


def test_integrators_start_at_zero():
    """1 / s^2 of a constant, and the same in state space: t^2 / 2, which the scheme integrates exactly."""

    def add(model):
        model.add("G", sm.ContinuousBlock([4.0], law=sm.TransferFunction(denominator=(2.0, 0.0, 0.0))))
        return model.add(
            "S", sm.ContinuousBlock([2.0], law=sm.StateSpace(A=[[0, 1], [0, 0]], B=[[0], [1]], C=[[1, 0]]))
        )

    results, _ = run(add, 1e-2)
    for name in ("G", "S"):
        np.testing.assert_allclose(results[f"{name}.output.value"], results.time**2, atol=1e-4)  # start: h^2


def test_the_frequency_response_of_the_linear_form_is_that_of_the_polynomials():
    """Analyses see blocks as they see all else."""
    model = sm.Model("block")
    u = sm.Input("u")
    model.add("G", sm.ContinuousBlock([u], law=sm.TransferFunction(numerator=NUMERATOR, denominator=DENOMINATOR)))
    sim = sm.Simulation(model)
    sm.assemble(sim)
    linear = state_space(sim, inputs=["u"], outputs=["G.output.value"])
    s = 1j * 17.0
    found = linear.C @ np.linalg.solve(s * np.eye(len(linear.A)) - linear.A, linear.B) + linear.D
    np.testing.assert_allclose(found[0, 0], np.polyval(NUMERATOR, s) / np.polyval(DENOMINATOR, s), rtol=1e-9)


@pytest.mark.parametrize("order", [1, 2, 3, 6])
def test_a_delay_by_pade_has_gain_one_and_the_phase_of_the_delay(order):
    """The phase error to leading order: n!^2 / ((2n)! (2n+1)!) (omega time)^(2n+1), from the remainder of Pade."""
    block, size = sm.ContinuousBlock([0.0], law=sm.PadeDelay(time=0.3, order=order)), 2 * order + 1
    for omega_time in (0.3, 0.6):
        s = 1j * omega_time / 0.3
        p, q = (np.polyval(polynomial, s) for polynomial in block.law.polynomials())
        assert abs(p / q) == pytest.approx(1.0, abs=1e-12)
        leading = factorial(order) ** 2 / (factorial(size - 1) * factorial(size)) * omega_time**size
        assert abs(np.angle(p / q * np.exp(0.3 * s))) == pytest.approx(leading, rel=0.1, abs=1e-14)


def test_a_delayed_sine_comes_later():
    results, _ = run(
        lambda model: model.add(
            "T", sm.ContinuousBlock([sm.Sine(1.0, frequency=10.0)], law=sm.PadeDelay(time=0.15, order=5))
        ),
        5e-4,
        end=2.0,
    )
    late = results.time > 1.0  # what began at the start has died out
    np.testing.assert_allclose(
        results["T.output.value"][late],
        np.sin(10.0 * (results.time[late] - 0.15)),
        atol=1e-5,  # (omega h)^2 / 12
    )


def test_a_gain_and_a_sum_are_what_they_say():
    def add(model):
        u = model.add("u", sm.Gain(lambda t: np.sin(7.0 * t), gain=3.0, offset=1.0)).output
        return model.add("sum", sm.SignalSum([u, 2.0, lambda t: t], gains=(1.0, -1.0, 4.0)))

    results, _ = run(add, 1e-2)
    t = results.time
    np.testing.assert_allclose(results["sum.output.value"], 3.0 * np.sin(7.0 * t) - 1.0 + 4.0 * t, atol=1e-9)


def closed_loop():
    """A PID on a plant of second order, closed by a link; and the polynomials of the loop from target to output."""
    model = sm.Model("loop")
    y = model.state("y", 0)
    law = sm.PID(proportional=6.0, integral=8.0, derivative=0.4, lag=0.02)
    pid = model.add("pid", sm.SignalRegulator(u=y, target=sm.Input("r"), law=law))
    plant = model.add(
        "plant",
        sm.ContinuousBlock([pid.output], law=sm.TransferFunction(numerator=(4.0,), denominator=(1.0, 1.2, 4.0))),
    )
    model.add("loop", sm.SignalLink(y, plant.output))
    numerator = 4.0 * np.polyadd(np.polymul([6.0, 8.0], [0.02, 1.0]), [0.4, 0.0, 0.0])
    denominator = np.polymul([1.0, 1.2, 4.0], np.polymul([1.0, 0.0], [0.02, 1.0]))
    return model, numerator, np.polyadd(numerator, denominator)


def test_the_modes_of_a_loop_of_blocks_are_its_poles():
    model, _, denominator = closed_loop()
    sim = sm.Simulation(model)
    sm.assemble(sim)
    found = np.linalg.eigvals(state_space(sim).A)
    np.testing.assert_allclose(np.sort_complex(found), np.sort_complex(np.roots(denominator)), rtol=1e-9)


def test_a_loop_of_blocks_is_fed_from_outside():
    """The input jumps from the first step on: the step response of the closed loop by SciPy."""
    model, numerator, denominator = closed_loop()
    stepper = sm.Stepper(model, step=1e-3)
    stepper.feed("r", 1.0)
    stepper.advance(2000)
    results = stepper.results()
    _, exact = signal.step((numerator, denominator), T=results.time)
    np.testing.assert_allclose(results["y.value"][1:], exact[1:], atol=2e-3)  # h times the slope after the jump
