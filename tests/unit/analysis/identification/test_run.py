"""Modes identified from a run of a model, against the modes of its linear form."""

import numpy as np
import pytest

import samara as sm
from samara.analysis import Modes
from samara.results import Results

CHANNELS = ("a.position.x", "b.position.x")


def carts() -> sm.Model:
    """Two carts in a row on damped springs, the first one pushed. Linear, so that any size of motion will do."""
    model = sm.Model("two carts")
    a, b = model.node("a", (1, 0, 0), velocity=(0.1, 0, 0)), model.node("b", (2, 0, 0))
    for name, node, mass, x in (("a", a, 2.0, 1.0), ("b", b, 1.0, 2.0)):
        model.add(f"mass_{name}", sm.Body(node, mass=mass, inertia=(1, 1, 1)))
        model.add(f"rail_{name}", sm.Prismatic(model.ground, node, at=(x, 0, 0), axis=(1, 0, 0)))
    model.add("spring_a", sm.Spring(model.ground, a, stiffness=80.0, damping=1.0, length=1.0))
    model.add("spring_b", sm.Spring(a, b, stiffness=50.0, damping=0.8, length=1.0))
    return model


@pytest.fixture(scope="module")
def exact() -> Modes:
    return sm.modes(carts())


@pytest.fixture(scope="module")
def runs() -> list[Results]:
    """With a step, and half of it."""
    outputs = ("a.position", "b.position")
    return [sm.transient(carts(), 8.0, step, outputs=outputs, progress=False) for step in (8e-3, 4e-3)]


@pytest.mark.parametrize("method", [sm.matrix_pencil, sm.era])
def test_two_modes_of_two_carts(method, runs, exact):
    """The integrator is of second order: its error falls to a quarter, and extrapolation leaves the fourth order."""
    coarse, fine = (method(run, CHANNELS, remove=(0.0,), order=4) for run in runs)
    off = np.abs(coarse.eigenvalues - exact.eigenvalues) / np.abs(fine.eigenvalues - exact.eigenvalues)
    assert off == pytest.approx(4.0, rel=0.02)
    limit = fine.eigenvalues + (fine.eigenvalues - coarse.eigenvalues) / 3.0
    assert limit == pytest.approx(exact.eigenvalues, rel=5e-6)  # (w h)^4 = 4e-5 of the fast mode, over ten
    for k in range(2):
        ratio = exact.shape(k, "a")[0] / exact.shape(k, "b")[0]
        assert fine.shapes[k, 0] / fine.shapes[k, 1] == pytest.approx(ratio, abs=1e-3)


def test_the_slow_mode_is_left_when_the_fast_one_is_over(runs, exact):
    """After 4 s the fast mode, damped five times more, has lost 94 % of its size, the slow one 44 %."""
    options = {"window": (4.0, 8.0), "remove": (0.0,)}
    decrement = sm.logarithmic_decrement(runs[1], "b.position.x", **options)
    assert decrement.eigenvalues.imag == pytest.approx(exact.eigenvalues.imag[:1], rel=0.01)
    assert decrement.damping == pytest.approx(exact.damping[:1], rel=0.2)
    block = sm.moving_block(runs[1], "b.position.x", remove=(0.0,), frequency=4.6, block=5.5)
    assert block.eigenvalues == pytest.approx(exact.eigenvalues[:1], abs=0.02)


def test_modes_of_the_model_and_of_the_run_are_one_branch(runs, exact):
    found = sm.era(runs[1], CHANNELS, remove=(0.0,), order=4)
    branches = sm.track([0.0, 1.0], [exact, found])
    assert branches.index.tolist() == [[0, 1], [0, 1]]
