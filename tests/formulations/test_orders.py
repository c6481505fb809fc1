"""Every integrator in every formulation: the order that it declares is observed, or it is refused by name."""

import numpy as np
import pytest
from own_integrators import BackwardEuler, GeneralisedAlpha, Trapezoidal
from ways_to_step import RECURSIVE, REDUNDANT, WAYS

import samara as sm
from samara.rotations import skew
from samara.solve.tree.schemes import TreeIntegrator

G, END = 9.81, 0.5
#: Steps [s] by the order: errors far above rounding, and small enough for the leading term to show.
STEPS = {1: (2.5e-3, 1.25e-3), 2: (1e-2, 5e-3), 4: (1e-2, 5e-3), 5: (1.25e-2, 6.25e-3)}
#: How far a ratio of errors is from the order: terms of the next one are some per cent at these steps. The formula of
#: order five is made to err little by its own, so those of order six show longer.
BEYOND = {1: 0.15, 2: 0.15, 4: 0.15, 5: 0.7}

BUILT_IN = (
    sm.TwoStep(0.0), sm.TwoStep(0.6), sm.TwoStep(1.0), sm.BDF2(), sm.CrankNicolson(), sm.RungeKutta4(),
    sm.DormandPrince(), sm.SemiImplicitEuler(), sm.MoreauJean(), sm.MoreauJean(1.0),
)  # fmt: skip
RALSTON = TreeIntegrator("Ralston", 2, ((), (2.0 / 3.0,)), (0.25, 0.75), (0.0, 2.0 / 3.0))
OF_USERS = (BackwardEuler(), Trapezoidal(), GeneralisedAlpha(), GeneralisedAlpha(0.3), RALSTON)
OF_TREES = (sm.RungeKutta4, sm.DormandPrince, sm.SemiImplicitEuler, sm.MoreauJean)


# ---- motions with a solution that is known otherwise
def hinge(fine):
    """A pendulum from the horizontal: J theta'' = m g L cos(theta)."""
    model = sm.Model("pendulum", gravity=(0, 0, -G))
    bob = model.node("bob", (1, 0, 0))
    model.add("body", sm.Body(bob, mass=1.0, inertia=(0.1, 0.1, 0.1)))
    model.add("hinge", sm.Revolute(model.ground, bob, at=(0, 0, 0), axis=(0, 1, 0)))
    exact = fine(lambda t, y: np.array([y[1], G * np.cos(y[0]) / 1.1]), END, np.zeros(2))(END)
    return model, exact, lambda run: np.array([run["hinge.angle"][-1], run["hinge.angle_rate"][-1]])


def ball(fine):
    """A top without symmetry on a ball, m L r x g on it: R' = R [w], J w' = -w x J w + torque, about the ball."""
    mass, arm, J, spin = 1.0, np.array([0.0, 0.0, 0.3]), np.array([0.10, 0.14, 0.07]), np.array([2.0, -1.0, 6.0])
    about = np.diag(J) + mass * (arm @ arm * np.eye(3) - np.outer(arm, arm))

    def rate(t, y):
        R, w = y[:9].reshape(3, 3), y[9:]
        torque = np.cross(arm, R.T @ (0.0, 0.0, -mass * G))
        return np.concatenate([(R @ skew(w)).ravel(), np.linalg.solve(about, torque - np.cross(w, about @ w))])

    model = sm.Model("top", gravity=(0, 0, -G))
    node = model.node("top", arm, velocity=np.cross(spin, arm), angular_velocity=spin)
    model.add("body", sm.Body(node, mass=mass, inertia=J))
    model.add("ball", sm.Spherical(model.ground, node, at=(0, 0, 0)))
    exact = fine(rate, END, np.concatenate([np.eye(3).ravel(), spin]))(END)
    # its own axes: where the centre of mass is, and how it moves
    R, w = exact[:9].reshape(3, 3), exact[9:]
    where = np.concatenate([R @ arm, R @ np.cross(w, arm), R @ w])
    return model, where, lambda run: read_end(run, "top")


def free(fine):
    """A body that tumbles as it falls, its node beside its centre of mass."""
    J, spin = np.array([1.0, 2.0, 3.0]), np.array([3.0, 0.5, -2.0])
    com, velocity = np.array([0.2, -0.1, 0.3]), np.array([0.5, 1.0, 2.0])
    weight = np.array([0.0, 0.0, -G])

    def rate(t, y):
        R, w = y[:9].reshape(3, 3), y[9:]
        return np.concatenate([(R @ skew(w)).ravel(), -np.cross(w, J * w) / J])

    model = sm.Model("tumbling", gravity=(0, 0, -G))
    node = model.node("stone", (0, 0, 0), velocity=velocity - np.cross(spin, com), angular_velocity=spin)
    model.add("body", sm.Body(node, mass=2.0, inertia=J, com=com))
    exact = fine(rate, END, np.concatenate([np.eye(3).ravel(), spin]))(END)
    R, w = exact[:9].reshape(3, 3), exact[9:]
    centre, speed = com + END * velocity + 0.5 * END**2 * weight, velocity + END * weight
    where = np.concatenate([centre - R @ com, speed - R @ np.cross(w, com), R @ w])
    return model, where, lambda run: read_end(run, "stone")


def read_end(run, name):
    """Position, velocity and angular velocity of a node in the world at the end."""
    return np.concatenate([run[f"{name}.{what}"][-1] for what in ("position", "velocity", "angular_velocity")])


class Decay(sm.Element):
    """x' = -k x^2."""

    x: sm.State = sm.state(kw_only=False)
    k: float = sm.number()

    def formulate(self, site):
        x = site.states[0]
        return sm.Contribution(wrenches=[], balances=[x.rate + self.k * x.value * x.value])


def state(fine):
    """x = 1 / (1 + k t), of a scalar state."""
    model = sm.Model("decay")
    model.add("decay", Decay(model.state("x", 1, value=1.0), k=5.0))
    return model, np.array([1.0 / (1.0 + 5.0 * END)]), lambda run: run["x.value"][-1:]


MOTIONS = (hinge, ball, free, state)


def observed(motion, formulation, integrator, order, fine, orders) -> float:
    """The order at which the largest error falls with the step."""
    model, exact, read = motion(fine)
    errors = []
    for h in STEPS[order]:
        sim = sm.Simulation(model, integrator, formulation=formulation, tolerance=1e-13)
        errors.append(np.abs(read(sm.transient(sim, END, h, progress=False)) - exact).max())
    return float(orders(errors)[0])


def smooth_order(integrator) -> int:
    """What it declares; of time stepping with theta = 1/2 two, as it says, where nothing touches."""
    return 2 if isinstance(integrator, sm.MoreauJean) and integrator.theta == 0.5 else integrator.order


def label(value) -> str:
    theta = f"-{value.theta:g}" if isinstance(value, sm.MoreauJean) else ""
    return value if isinstance(value, str) else value.name.replace(" ", "_") + theta


SERVED = [
    (formulation, integrator)
    for integrator in (*BUILT_IN, *OF_USERS)
    for formulation in (REDUNDANT, RECURSIVE)
    if formulation in integrator.formulations
]


@pytest.mark.parametrize("motion", MOTIONS, ids=lambda motion: motion.__name__)
@pytest.mark.parametrize(("formulation", "integrator"), SERVED, ids=label)
def test_the_declared_order_is_observed(motion, formulation, integrator, fine, orders):
    order = smooth_order(integrator)
    assert observed(motion, formulation, integrator, order, fine, orders) == pytest.approx(order, abs=BEYOND[order])


@pytest.mark.parametrize(
    "integrator", [i for i in (*BUILT_IN, *OF_USERS) if REDUNDANT in i.formulations], ids=lambda i: label(i)
)
def test_one_set_of_formulas_serves_both_formulations(integrator, fine):
    """A scalar state has no constraints and no rotations: step by step it is the same number in both."""
    model, _, _ = state(fine)
    runs = [
        sm.transient(sm.Simulation(model, integrator, formulation=f, tolerance=1e-13), END, 1e-2, progress=False)
        for f in (REDUNDANT, RECURSIVE)
    ]
    np.testing.assert_allclose(runs[1]["x.value"], runs[0]["x.value"], rtol=1e-9)


@pytest.mark.parametrize("make", [sm.Simulation, sm.Stepper, sm.transient], ids=lambda make: make.__name__)
@pytest.mark.parametrize("integrator", [*(kind() for kind in OF_TREES), RALSTON], ids=label)
def test_integrators_of_trees_are_refused_by_name_elsewhere(make, integrator, fine):
    """Explicit formulas have no constraints to hold: the error names integrator and formulation."""
    given = {sm.Simulation: (), sm.Stepper: (1e-3,), sm.transient: (0.1, 1e-3)}[make]
    with pytest.raises(sm.ArgumentError) as refusal:
        make(hinge(fine)[0], *given, integrator=integrator, formulation=REDUNDANT)
    assert integrator.name in str(refusal.value)
    assert "formulation" in str(refusal.value) and RECURSIVE in str(refusal.value)


def test_all_ways_are_among_them():
    """Whoever adds a way adds its order."""
    assert {(way.formulation, type(way.integrator)) for way in WAYS} <= {(f, type(i)) for f, i in SERVED}
