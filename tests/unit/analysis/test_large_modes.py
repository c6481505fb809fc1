"""A few modes of large models, from sparse matrices: against closed forms, and against dense matrices."""

import numpy as np
import pytest
from scipy.linalg import eigh
from scipy.special import jn_zeros

import samara as sm
from samara.analysis.linearisation import sparse_modes as large
from samara.analysis.modal import modes as modal
from samara.models.beams import rotating_beam
from samara.models.beams.clamped import add_clamped, straight
from samara.models.mechanisms import chain

GRAVITY = 9.81
#: Of Euler-Bernoulli beams, beta L: clamped and free, free at both ends.
CLAMPED, FREE = np.array([1.875104068711961, 4.694091132974174, 7.854757438237612]), 4.730040744862704


@pytest.fixture
def both_ways(monkeypatch):
    """The slowest modes by sparse and by dense matrices."""

    def find(make, count):
        found = []
        for threshold in (100, 10**9):
            monkeypatch.setattr(large, "LARGE", threshold)
            about = make()
            sim = about if isinstance(about, sm.Simulation) else sm.Simulation(about)
            assert large.is_few(sim, count) == (threshold == 100)
            found.append(sm.modes(about, count))
        return found

    return find


def hanging(links: int, length: float, gravity=-GRAVITY) -> sm.Model:
    """Bars on ball joints, with a spring against twist in each."""
    model = sm.Model("hanging", gravity=(0, 0, gravity))
    last = model.ground
    for k in range(links):
        node = model.node(f"link_{k}", (0, 0, -(k + 0.5) * length))
        model.add(f"bar_{k}", sm.Body(node, mass=0.3, inertia=(0.3 * length**2 / 12,) * 2 + (1e-5,)))
        model.add(f"hinge_{k}", sm.Spherical(last, node, at=(0, 0, -k * length)))
        model.add(f"twist_{k}", sm.Torsion(last, node, at=(0, 0, -k * length), axis=(0, 0, 1), law=sm.LinearLaw(50.0)))
        last = node
    return model


def same(sparse: sm.Modes, dense: sm.Modes, rel: float = 1e-8) -> None:
    """Frequencies, damping, and what is rigid."""
    np.testing.assert_allclose(sparse.eigenvalues, dense.eigenvalues, rtol=rel, atol=1e-10)
    assert np.array_equal(sparse.rigid, dense.rigid)


def test_a_chain_of_links_is_the_same_by_dense_matrices(both_ways):
    sparse, dense = both_ways(lambda: chain.build(links=60), 4)
    same(sparse, dense)
    for k in range(4):
        assert sm.analysis.mac(sparse.vectors(), dense.vectors())[k, k] == pytest.approx(1.0, abs=1e-8)
    assert sparse.names == dense.names
    assert sparse.about == dense.about


def test_a_turning_beam_is_the_same_by_dense_matrices(both_ways):
    """Gyroscopic terms, and a check half a turn further on."""
    same(*both_ways(lambda: sm.steady_rotation(rotating_beam.build(elements=12), 4.0), 4), rel=1e-6)


def test_coinciding_modes_of_a_long_chain_are_all_found():
    """A heavy string swings at j_0k / 2 sqrt(g / L), in both planes; bars come near to it as they get short."""
    found = sm.modes(hanging(250, 0.02), 6)
    expected = jn_zeros(0, 3) / 2.0 * np.sqrt(GRAVITY / 5.0)
    np.testing.assert_allclose(found.frequencies[::2], expected, rtol=1e-4)
    np.testing.assert_allclose(found.frequencies[::2], found.frequencies[1::2], rtol=1e-9)
    across = [[found.displacements(k)[-1, :2] for k in pair] for pair in ((0, 1), (2, 3), (4, 5))]
    assert min(np.linalg.svd(pair)[1][-1] for pair in across) > 0.01  # two planes, not one of them twice
    np.testing.assert_allclose(found.damping, 0.0, atol=1e-9)


def test_clamped_beam():
    model = sm.Model("clamped beam")
    span = sm.Span(
        station=[0.0, 1.0], mass=1.0, EA=1e7, GA_y=1e7, GA_z=1e7, GJ=1.0, EI_y=1.0, EI_z=4.0,
        inertia_y=1e-8, inertia_z=1e-8,
    )  # fmt: skip
    sm.add_beam(model, "beam", span, root=model.ground, elements=200)
    found = sm.modes(model, 5)
    expected = np.sort(np.concatenate([CLAMPED**2, 2.0 * CLAMPED[:2] ** 2]))
    np.testing.assert_allclose(found.frequencies, expected, rtol=2e-5)


def test_massless_nodes():
    """A mass at the end of a beam without mass: tip deflection and turn, both planes alike."""
    mass, turned, length, bending = 2.0, 0.3, 1.5, 40.0
    model = sm.Model("tip mass")
    nodes = add_clamped(model, 120, (1e7, 1e7, 1e7, 1e4, bending, 9.0 * bending), straight(length))
    model.add("mass", sm.Body(nodes[-1], mass=mass, inertia=(1e-3, turned, turned)))
    stiffness = bending / length**3 * np.array([[12.0, -6.0 * length], [-6.0 * length, 4.0 * length**2]])
    expected = np.sqrt(eigh(stiffness, np.diag([mass, turned]))[0])
    found = sm.modes(model, 4)
    np.testing.assert_allclose(found.frequencies, np.sort([*expected, *3.0 * expected]), rtol=1e-4)
    every = sm.modes(model, 10)  # bending, stretch and twist are all there is
    assert len(every) == 6
    np.testing.assert_allclose(every.frequencies[4:], np.sqrt([1e7 / length / mass, 1e4 / length / 1e-3]), rtol=1e-6)


def carts(number: int, mass: float, stiffness: float, damping: float, drag: float = 0.0) -> sm.Model:
    """In a row on springs; drag: damping of each against the ground."""
    model = sm.Model("carts")
    last = model.ground
    for k in range(1, number + 1):
        cart = model.node(f"cart_{k}", (k, 0, 0))
        model.add(f"mass_{k}", sm.Body(cart, mass=mass, inertia=(1, 1, 1)))
        model.add(f"rail_{k}", sm.Prismatic(model.ground, cart, at=(k, 0, 0), axis=(1, 0, 0)))
        model.add(f"spring_{k}", sm.Spring(last, cart, stiffness=stiffness, damping=damping))
        if drag:
            law = sm.DamperLaw(drag)
            model.add(f"drag_{k}", sm.Axial(model.ground, cart, at=(k, 0, 0), axis=(1, 0, 0), law=law))
        last = cart
    return model


def test_damped_carts():
    """m s^2 + (c s + k) mu = 0 with mu = 4 sin^2((2 j - 1) pi / (4 N + 2)): the slowest are damped least."""
    number, mass, stiffness, damping = 250, 2.0, 5e5, 6e3
    mu = 4.0 * np.sin((2.0 * np.arange(1, 6) - 1.0) * np.pi / (4 * number + 2)) ** 2
    roots = [np.roots([mass, damping * m, stiffness * m]) for m in mu]
    expected = [complex(r[0].real, abs(r[0].imag)) for r in roots]
    found = sm.modes(carts(number, mass, stiffness, damping), 5)
    np.testing.assert_allclose(found.eigenvalues, expected, rtol=1e-8)
    assert found.damping[-1] > 0.1
    assert not found.rigid.any()


def test_overdamped_carts():
    """m s^2 + c s + k mu = 0: real eigenvalues, alone and not in pairs."""
    number, mass, stiffness, drag = 250, 2.0, 5e5, 60.0
    mu = 4.0 * np.sin((2.0 * np.arange(1, number + 1) - 1.0) * np.pi / (4 * number + 2)) ** 2
    roots = np.concatenate([np.roots([mass, drag, stiffness * m]) for m in mu])
    roots = roots[roots.imag >= 0.0]
    expected = roots[np.argsort(np.abs(roots))][:4]
    assert np.count_nonzero(expected.imag == 0.0) >= 2
    found = sm.modes(carts(number, mass, stiffness, 0.0, drag), 4)
    np.testing.assert_allclose(found.eigenvalues, expected, rtol=1e-8)


def test_free_beam_has_rigid_modes():
    """Six motions as a whole, each once, although zero is an eigenvalue of its place and of its speed."""
    model = sm.Model("free beam")
    span = sm.Span(
        station=[0.0, 1.0], mass=1.0, EA=1e6, GA_y=1e6, GA_z=1e6, GJ=1.0, EI_y=1.0, EI_z=4.0,
        inertia_y=1e-6, inertia_z=1e-6,
    )  # fmt: skip
    sm.add_beam(model, "beam", span, root=model.node("root"), elements=120)
    found = sm.modes(model, 8)
    assert found.rigid.tolist() == [True] * 6 + [False] * 2
    assert np.all(found.eigenvalues[:6] == 0.0)
    assert all(name.startswith("rigid: ") for name in found.names[:6])
    np.testing.assert_allclose(found.frequencies[6:], [FREE**2, 2.0 * FREE**2], rtol=5e-5)
    assert np.linalg.matrix_rank(found.vectors()[:6], tol=1e-4) == 6


def test_a_state_that_does_not_rest_is_refused():
    with pytest.raises(sm.NotConstant, match="out of balance"):
        sm.modes(sm.Simulation(chain.build(links=210)), 4)


def test_equations_that_change_with_a_drive_are_refused():
    gravity = sm.Expression(lambda t: -GRAVITY * (1.0 + 0.01 * t))
    model = hanging(210, 0.02, gravity)
    with pytest.raises(sm.NotConstant, match="vary with time"):
        sm.modes(model, 2)
    frozen = sm.modes(model, 2, frozen=True)
    np.testing.assert_allclose(frozen.frequencies, jn_zeros(0, 1)[0] / 2.0 * np.sqrt(GRAVITY / 4.2), rtol=1e-4)


def test_a_chain_that_lies_at_first():
    """It begins along x, across gravity, and hangs as a heavy string; hinges are of two kinds in turn."""
    found = sm.modes(chain.build(links=400), 4)
    expected = np.repeat(jn_zeros(0, 2), 2) / 2.0 * np.sqrt(np.hypot(2.5, 9.5) / 40.0)
    np.testing.assert_allclose(found.frequencies, expected, rtol=2e-3)


def test_many_modes_that_coincide_are_all_there_or_refused(monkeypatch):
    """Sixty equal pendulums: more at one place than a block of vectors finds."""
    model = sm.Model("many", gravity=(0, 0, -9.81))
    for k in range(60):
        bob = model.node(f"bob{k}", (0, k, -1))
        model.add(f"mass{k}", sm.Body(bob, mass=1.0, inertia=(1e-9, 1e-9, 1e-9)))
        model.add(f"hinge{k}", sm.Revolute(model.ground, bob, at=(0, k, 0), axis=(0, 1, 0)))
    monkeypatch.setattr(large, "LARGE", 100)
    found = sm.modes(model, 12)
    assert found.frequencies == pytest.approx(np.full(12, np.sqrt(9.81)), rel=1e-6)
    monkeypatch.setattr(modal, "DENSE", 100)
    with pytest.raises(sm.SolveError, match=r"model 'many' .* coincide, so that others may be missing"):
        sm.modes(model, 12)
