"""Linear-quadratic design: closed forms, Riccati's equation, cost by simulation; what has no solution is refused."""

import math

import numpy as np
import pytest

import samara as sm
from samara import DesignError, Observer, discretise, kalman, lqr, model_gains
from samara.models import find


def test_a_double_integrator():
    """Q = diag(1, 0), R = r: K = (r^-1/2, sqrt(2) r^-1/4), a damping of 1 / sqrt(2)."""
    r = 0.04
    found = lqr([[0, 1], [0, 0]], [[0], [1]], [1.0, 0.0], r)
    assert found.K[0] == pytest.approx([r**-0.5, math.sqrt(2) * r**-0.25], rel=1e-10)
    w = r**-0.25
    assert sorted(found.poles.imag) == pytest.approx([-w * math.sqrt(0.5), w * math.sqrt(0.5)])
    assert found.poles.real == pytest.approx(-w * math.sqrt(0.5))


@pytest.mark.parametrize("discrete", [False, True])
def test_riccati_and_the_cost(discrete):
    """S solves Riccati's equation, the loop is stable, and x' S x is the cost that follows."""
    rng = np.random.default_rng(4)
    A, B = rng.normal(size=(5, 5)), rng.normal(size=(5, 2))
    Q, R = np.diag(rng.uniform(0.1, 1.0, 5)), np.diag([0.5, 2.0])
    found = lqr(A, B, Q, R, discrete=discrete)
    S, K = found.S, found.K
    if discrete:
        residual = A.T @ S @ A - S - A.T @ S @ B @ K + Q
        assert np.abs(found.poles).max() < 1.0
        x0 = x = rng.normal(size=5)
        cost = 0.0
        for _ in range(2000):
            u = -K @ x
            cost += x @ Q @ x + u @ R @ u
            x = A @ x + B @ u
        assert cost == pytest.approx(x0 @ S @ x0, rel=1e-9)
    else:
        residual = A.T @ S + S @ A - S @ B @ K + Q
        assert found.poles.real.max() < 0.0
    assert np.abs(residual).max() < 1e-8 * np.abs(S).max()


@pytest.mark.parametrize("discrete", [False, True])
def test_as_python_control_has_it(discrete):
    control = pytest.importorskip("control")
    A, B = [[1.01, 0.1], [0.2, 0.9]], [[0.0], [0.3]]
    other = (control.dlqr if discrete else control.lqr)(np.array(A), np.array(B), np.eye(2), np.eye(1))
    assert lqr(A, B, 1.0, 1.0, discrete=discrete).K == pytest.approx(np.asarray(other[0]), rel=1e-8)


def test_gains_from_a_model():
    """The pendulum upright, from its linearisation, against the closed form x'' = g / l x + u / (m l^2).

    K = (k, c) with k = m g l + sqrt((m g l)^2 + q r^-1), c = sqrt(2 k m l^2 + q_rate / r): Riccati's equation by hand.
    """
    m, l, g = 2.0, 0.7, 9.81
    model = find("pendulum").make(mass=m, length=l, angle=math.pi, motor=True)
    sim = sm.Simulation(model)
    sm.assemble(sim)
    # the angle itself jumps at half a turn; upright, x = -l d and the rate is that about z
    plant = sm.state_space(sim, "torque", ("bob.position", "bob.angular_velocity"))
    keep = [plant.outputs.index(name) for name in ("bob.position.x", "bob.angular_velocity.z")]
    seen = type(plant)(
        plant.A, plant.B, plant.C[keep], plant.D[keep], plant.inputs, tuple(plant.outputs[k] for k in keep)
    )
    sizes = {"bob.position.x": 0.1 * l, "bob.angular_velocity.z": 1.0}
    found = model_gains(seen, sizes, {"torque": 5.0})
    K = found.K[0] * [-l, 1.0]  # to angle and rate
    q, q_rate, r = 1 / 0.1**2, 1.0, 1 / 5.0**2
    k = m * g * l + math.sqrt((m * g * l) ** 2 + q / r)
    assert pytest.approx([k, math.sqrt(2 * k * m * l * l + q_rate / r)], rel=1e-6) == K
    held = model_gains(seen, sizes, {"torque": 5.0}, step=1e-3)
    assert held.K == pytest.approx(found.K, rel=0.02)  # of a short step
    assert np.abs(held.poles).max() < 1.0


def test_outputs_that_do_not_tell_the_state():
    model = find("robot").make()
    plant = sm.state_space(find_start(model), outputs=("joint_1.angle", "joint_2.angle"))
    sizes = dict.fromkeys(plant.outputs, 1.0)
    with pytest.raises(DesignError, match=r"model_gains: 2 outputs do not determine \d+ states; .* use an Observer"):
        model_gains(plant, sizes, dict.fromkeys(plant.inputs, 1.0))
    with pytest.raises(DesignError, match="no size is given for input 'torque_1'"):
        model_gains(plant, sizes, {})


def find_start(model):
    sim = sm.Simulation(model)
    sm.assemble(sim)
    return sim


@pytest.mark.parametrize(
    ("words", "make"),
    [
        (
            "lqr: not stabilisable: no input reaches the mode 2;",
            lambda: lqr(np.diag([2.0, -1.0]), [[0], [1]], 1.0, 1.0),
        ),
        ("no input reaches the mode 1.5", lambda: lqr(np.diag([1.5, 0.2]), [[0], [1]], 1.0, 1.0, discrete=True)),
        ("Q does not weight the marginally stable mode 0", lambda: lqr(np.diag([0.0, -1.0]), [[1], [1]], [0, 1], 1.0)),
        ("R must have positive eigenvalues", lambda: lqr([[0]], [[1]], 1.0, 0.0)),
        ("Q must not have negative eigenvalues", lambda: lqr([[0]], [[1]], -1.0, 1.0)),
        ("Q must be symmetric", lambda: lqr(np.zeros((2, 2)), np.eye(2), [[1, 1], [0, 1]], 1.0)),
        ("A must be square", lambda: lqr(np.zeros((2, 3)), np.eye(2), 1.0, 1.0)),
        ("kalman: no output sees the mode 2", lambda: kalman(np.diag([2.0, -1.0]), [[0, 1]], 1.0, 1.0)),
    ],
)
def test_what_has_no_solution_is_refused(words, make):
    with pytest.raises(DesignError, match=words):
        make()


def test_a_stable_mode_that_no_input_reaches_is_left_alone():
    found = lqr(np.diag([-2.0, 1.0]), [[0], [1]], 1.0, 1.0)
    assert found.K[0, 0] == pytest.approx(0.0, abs=1e-12)


def test_an_observer_finds_the_state():
    """An oscillator whose position is measured: the error falls by the largest pole a sample."""
    A, B, C, D = discretise([[0, 1], [-9, -0.1]], [[0], [1]], [[1, 0]], [[0]], 0.05)
    L = kalman(A, C, np.eye(2), 0.1, discrete=True)
    observer = Observer(A, B, C, D, L, step=0.05)
    x, errors = np.array([1.0, -2.0]), []
    for k in range(600):
        u = np.array([np.sin(0.3 * k)])
        errors.append(np.linalg.norm(x - observer.state))
        observer(u, C @ x)
        x = A @ x + B @ u
    slowest = np.abs(observer.poles).max()
    assert slowest < 0.96
    assert errors[100] < 3 * errors[0] * slowest**100
    assert errors[-1] < 1e-12
    with pytest.raises(ValueError, match="Observer: A - L C is not stable"):
        Observer([[2.0]], [[1]], [[1]], [[0]], [[0.1]], step=0.05)
