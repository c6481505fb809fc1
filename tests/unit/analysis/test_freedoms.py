"""What a mechanism can still do: counted against the rank, true to the constraints, in the words of its joints."""

import sys

import numpy as np
import pytest

import samara as sm
from samara.analysis import draw_freedoms, freedoms
from samara.models import READY
from samara.results.plotting import write
from samara.solve.constraints.redundancy import gradient
from samara.solve.native.kernels import MOVE, residual, walk
from samara.solve.start.assembly import close_joints


def closed(model: sm.Model) -> sm.Simulation:
    sim = sm.Simulation(model)
    close_joints(sim)
    return sim


def one_body(joint=None, **place) -> sm.Model:
    model = sm.Model("one body")
    body = model.node("body", (1, 0, 0))
    model.add("mass", sm.Body(body, mass=1.0, inertia=(1, 1, 1)))
    if joint is not None:
        model.add("joint", joint(model.ground, body, at=(0, 0, 0), **place))
    return model


def pair(*elements) -> sm.Model:
    """Two bodies joined by a hinge about y; elements between the ground and the first, by class."""
    model = sm.Model("pair")
    a, b = model.node("a", (1, 0, 0)), model.node("b", (2, 0, 0))
    for node in (a, b):
        model.add(f"{node.name}_mass", sm.Body(node, mass=1.0, inertia=(1, 1, 1)))
    model.add("hinge", sm.Revolute(a, b, at=(1.5, 0, 0), axis=(0, 1, 0)))
    for k, element in enumerate(elements):
        model.add(f"tie{k}", element(model.ground, a))
    return model


@pytest.mark.parametrize(
    ("model", "texts"),
    [
        (
            one_body(sm.Revolute, axis=(0, 1, 0)),
            ["joint 'joint' (Revolute) turns about y; node 'body' moves most, along -z"],
        ),
        (
            one_body(sm.Prismatic, axis=(0, 0, 1)),
            ["joint 'joint' (Prismatic) slides along z; node 'body' moves most, along z"],
        ),
        (
            one_body(sm.Cylindrical, axis=(1, 0, 0)),
            [
                "joint 'joint' (Cylindrical) turns about x; node 'body' turns on the spot about x",
                "joint 'joint' (Cylindrical) slides along x; node 'body' moves most, along x",
            ],
        ),
        (
            one_body(sm.Spherical),
            [
                "joint 'joint' (Spherical) turns about x; node 'body' turns on the spot about x",
                "joint 'joint' (Spherical) turns about y; node 'body' moves most, along -z",
                "joint 'joint' (Spherical) turns about z; node 'body' moves most, along y",
            ],
        ),
        (one_body(), ["node 'body' flies free: nothing ties it to the ground"]),
        (
            pair(),
            [
                "joint 'hinge' (Revolute) turns about y; node 'b' moves most, along -z",
                "nodes 'a' and 'b' fly free together: nothing ties them to the ground",
            ],
        ),
        (
            pair(lambda ground, a: sm.Spring(ground, a, stiffness=1.0)),
            [
                "joint 'hinge' (Revolute) turns about y; node 'b' moves most, along -z",
                "nodes 'a' and 'b': held by elastic elements alone",
            ],
        ),
    ],
    ids=["hinge", "rail", "sleeve", "ball", "nothing", "floating pair", "sprung pair"],
)
def test_freedoms_in_words(model, texts):
    assert [freedom.text for freedom in sm.freedoms(model)] == texts


def test_a_closed_loop_moves_as_one():
    (found,) = freedoms(READY["four-bar"].make())
    leader, followers, _ = found.text.split("; ")
    assert leader == "joint 'hinge_O' (Revolute) turns about z"
    assert followers == "with it 'hinge_A', 'hinge_C' and 'closure_B'"


def test_nothing_can_move():
    assert freedoms(closed(one_body(sm.Clamp))) == []


@pytest.mark.parametrize("name", ["chain", "andrews", "robot", "rotor4", "puma", "tiltrotor", "helicopter"])
def test_freedoms_add_up_and_are_true_to_the_constraints(name):
    """As many as coordinates less the rank; a motion by e opens the joints by e^2 only."""
    sim = closed(READY[name].make())
    s, found = sim.system, freedoms(sim)
    G = gradient(sim).toarray()[:, : 6 * len(s.layout.free)]
    assert sum(f.count for f in found) == 6 * len(s.layout.free) - (np.linalg.matrix_rank(G, 1e-8) if G.size else 0)
    moving = [f.shape for f in found if f.shape is not None]
    if moving:
        independent = np.array([shape.ravel() / np.abs(shape).max() for shape in moving])
        assert np.linalg.matrix_rank(independent, 1e-6) == len(moving)
    state = s.state.copy()
    for shape in moving:
        gaps = []
        for size in (0.0, 1e-4):
            s.state.restore(state)
            s.arrays.x[:] = 0.0
            s.arrays.x[s.unknowns.rows[: shape.size]] = size * shape.ravel() / np.abs(shape).max()
            walk(sim.machine, MOVE)
            sim.state.weigh(1.0, 1.0, 1.0, moving=0.0)
            sim.state.multipliers[:] = 0.0
            residual(sim.machine)
            gaps.append(
                s.arrays.res[s.unknowns.multiplier_rows : s.unknowns.multiplier_rows + s.layout.multiplier_count].copy()
            )
        assert np.abs(gaps[1] - gaps[0]).max(initial=0.0) < 100 * 1e-4**2
    s.state.restore(state)


def test_large_parts_are_counted_only(monkeypatch):
    monkeypatch.setattr(sys.modules[freedoms.__module__], "LARGEST_PART", 30)
    (found,) = freedoms(closed(READY["chain"].make(links=10)))
    assert (found.kind, found.count, found.shape) == ("many", 10, None)
    assert "not told apart" in found.text


def test_freedoms_are_drawn(tmp_path):
    sim = closed(READY["double-pendulum"].make())
    figure = draw_freedoms(sim, freedoms(sim))
    assert len(figure.axes) == 2
    write(figure, tmp_path / "freedoms.png")
    assert (tmp_path / "freedoms.png").read_bytes().startswith(b"\x89PNG")
    sim = closed(one_body())
    with pytest.raises(ValueError, match="no degrees of freedom in joints to draw"):
        draw_freedoms(sim, freedoms(sim))
