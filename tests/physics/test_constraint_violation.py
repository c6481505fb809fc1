"""Constraints hold at the level of positions, at every step: nothing drifts, however long the run."""

import numpy as np
import pytest

import samara as sm

AXIS = (0, 1, 0)
STEPS = 100_000


def double_pendulum() -> sm.Model:
    model = sm.Model("double pendulum", gravity=(0, 0, -9.81))
    inner, outer = model.node("inner", (0.5, 0, 0)), model.node("outer", (1.0, 0, 0.4))
    for name, node in (("inner", inner), ("outer", outer)):
        model.add(f"{name}_body", sm.Body(node, mass=1.0, inertia=(0.05, 0.08, 0.05)))
    model.add("hinge", sm.Revolute(model.ground, inner, at=(0, 0, 0), axis=AXIS))
    model.add("elbow", sm.Revolute(inner, outer, at=(1, 0, 0), axis=AXIS))
    return model


def four_bar() -> sm.Model:
    """A closed loop that goes round: the crank is driven past its dead points by its own momentum."""
    model = sm.Model("four-bar", gravity=(0, 0, -9.81))
    A, B, C, D = np.array([[0, 0, 0], [0, 0, 0.4], [1.2, 0, 0.9], [1.0, 0, 0]])
    nodes = []
    for name, start, end in (("crank", A, B), ("coupler", B, C), ("rocker", C, D)):
        nodes.append(model.node(name, (start + end) / 2, angular_velocity=(0, 12.0 if name == "crank" else 0, 0)))
        model.add(f"{name}_body", sm.Body(nodes[-1], mass=1.0, inertia=(0.1, 0.1, 0.1)))
    model.add("A", sm.Revolute(model.ground, nodes[0], at=A, axis=AXIS))
    model.add("B", sm.Spherical(nodes[0], nodes[1], at=B))
    model.add("C", sm.Spherical(nodes[1], nodes[2], at=C))
    model.add("D", sm.Revolute(model.ground, nodes[2], at=D, axis=AXIS))
    return model


# 1e-10 m and rad: six digits below what a joint's clearance would be, far above the rounding of positions of 1 m.
# What is left is Newton's, and goes with its tolerance
@pytest.mark.parametrize("make", [double_pendulum, four_bar])
@pytest.mark.parametrize(("tolerance", "bound"), [(None, 1e-10), (1e-8, 1e-9)])
@pytest.mark.filterwarnings("ignore::samara.solve.start_report.ChangedStart")  # thrown roughly on purpose
def test_through_a_hundred_thousand_steps(make, tolerance, bound):
    sim = sm.Simulation(make(), **({} if tolerance is None else {"tolerance": tolerance}))
    run = sm.transient(sim, STEPS * 1e-3, 1e-3, outputs=("model.*", "*.angular_velocity"), every=100, progress=False)
    assert len(run) == STEPS // 100 + 1
    assert run["model.violation"].max() < bound
    # no growth: the last tenth is like the first one, as far as maxima of a hundred samples tell
    assert run["model.violation"][-100:].max() < 10 * run["model.violation"][:100].max() + 1e-12
    # and it did move all the time
    moving = next(name for name in run.channels.names if name.endswith("angular_velocity"))
    assert np.abs(run[moving][-500:]).max() > 1.0


def test_velocities_stay_tangent_to_the_constraints(orders):
    # index 3: only positions are held; velocities follow to order two, without drift
    def gap(h):
        run = sm.transient(sm.Simulation(double_pendulum(), tolerance=1e-12), 2.0, h, progress=False)
        ends = []
        for name, arm in (("inner", (0.5, 0, 0)), ("outer", (0, 0, -0.4))):
            R = run[f"{name}.rotation"].reshape(-1, 3, 3)
            ends.append(run[f"{name}.velocity"] + np.cross(run[f"{name}.angular_velocity"], R @ np.array(arm)))
        return np.abs(ends[1] - ends[0])[10:].max()

    gaps = [gap(h) for h in (0.002, 0.001)]
    assert orders(gaps) == pytest.approx([2], abs=0.1)
