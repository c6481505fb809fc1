"""Checkpoints of trees: another formulation, cut, tree or integrator is refused by name, with the remedy."""

import numpy as np
import pytest

import samara as sm

STEP = 1e-3


def triangle(masses=(3.0, 2.0, 1.0), **links) -> sm.Model:
    """Three bodies that float, with a ball between each two: whichever is cut, there are as many coordinates."""
    model = sm.Model("triangle", gravity=(0, 0, -9.81))
    nodes = []
    for name, at, mass in zip("abc", ((0, 0, 0), (1, 0, 0), (0, 1, 0)), masses, strict=True):
        mass = sm.Parameter(f"{name}.mass", mass, "kg")
        nodes.append(model.node(name, at, angular_velocity=(0, 0, 1), velocity=(-at[1], at[0], 0)))
        model.add(f"{name}.body", sm.Body(nodes[-1], mass=mass, inertia=(0.1, 0.1, 0.1)))
    a, b, c = nodes
    for name, one, other in (("ab", a, b), ("bc", b, c), ("ca", c, a)):
        model.add(name, sm.Spherical(one, other, at=0.5 * (one.position + other.position)))
    return model


def chain() -> sm.Model:
    """Two links, at rest at first."""
    model = sm.Model("chain", gravity=(0, 0, -9.81))
    before = model.ground
    for k in range(2):
        node = model.node(f"link{k}", (k + 0.5, 0, 0))
        model.add(f"body{k}", sm.Body(node, mass=1.0, inertia=(0.1, 0.2, 0.3)))
        model.add(f"hinge{k}", sm.Revolute(before, node, at=(k, 0, 0), axis=(0, 1, 0)))
        before = node
    return model


def run(model, end, **options):
    return sm.transient(model, **{"end": end, "step": STEP, "formulation": "recursive", "progress": False, **options})


def test_another_cut_is_named(tmp_path):
    path = tmp_path / "state.npz"
    first = run(triangle(), 0.01, cut=("ca",), checkpoint=path)
    with pytest.raises(sm.SolveError, match=r"made with cut=\('ca',\), this run has cut=\('bc',\): give the same cut"):
        run(triangle(), 0.02, cut=("bc",), resume=path)
    second = run(triangle(), 0.02, cut=("ca",), resume=path)
    whole = run(triangle(), 0.02, cut=("ca",))
    assert np.array_equal(np.concatenate([first.table, second.table]), whole.table)


def test_another_base_is_named(tmp_path):
    """Masses that are parameters may differ, but the heaviest body is the base."""
    path = tmp_path / "state.npz"
    run(triangle(), 0.01, cut=("bc",), checkpoint=path)
    with pytest.raises(
        sm.SolveError, match=r"made with a tree of different coordinates, a\.position\.x where this run"
    ):
        run(triangle((1.0, 2.0, 3.0)), 0.02, cut=("bc",), resume=path)


@pytest.mark.parametrize(("one", "other"), [("recursive", "redundant"), ("redundant", "recursive")])
def test_another_formulation_is_named(one, other, tmp_path):
    path = tmp_path / "state.npz"
    run(chain(), 0.01, formulation=one, checkpoint=path)
    with pytest.raises(sm.SolveError, match=f"made with formulation='{one}', this run has '{other}': give the same"):
        run(chain(), 0.02, formulation=other, resume=path)
    assert len(run(chain(), 0.02, formulation=one, resume=path)) == 10


@pytest.mark.parametrize(
    "options",
    [
        {"integrator": sm.SemiImplicitEuler()},
        {"integrator": sm.TwoStep(0.6)},
        {"accuracy": 1e-6, "step": None},
    ],
)
def test_another_integrator_is_named(options, tmp_path):
    path = tmp_path / "state.npz"
    run(chain(), 0.01, checkpoint=path)
    with pytest.raises(sm.SolveError, match=r"was made with RungeKutta4, .*: give the same integrator"):
        run(chain(), 0.02, resume=path, **options)


@pytest.mark.parametrize("missing", ["formulation", "tree_coordinates", "tree_cut"])
def test_old_checkpoints_are_of_another_version(missing, tmp_path):
    path = tmp_path / "state.npz"
    run(chain(), 0.01, checkpoint=path)
    with np.load(path) as data:
        np.savez(path, **{name: array for name, array in dict(data).items() if name != missing})
    with pytest.raises(sm.SolveError, match="of another version of Samara"):
        run(chain(), 0.02, resume=path)
