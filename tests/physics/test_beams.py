"""Beams against closed forms: small and large deflection, roll-up, lateral buckling, and the order of convergence."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.optimize import brentq
from scipy.sparse import csr_matrix
from scipy.special import ellipe, ellipeinc, ellipk, ellipkinc

import samara as sm
from samara.models.beams import rollup

both = pytest.mark.parametrize("balance", ["volumes", "energy"])


def cantilever(elements, stiffness, cls=sm.Beam3, name="cantilever", balance="volumes"):
    """A straight beam of 1 m along x, clamped to the ground; the model and its tip node."""
    model, per = sm.Model(name), cls.count
    count = per * elements
    nodes = [model.ground, *(model.node(f"n{k}", (k / count, 0, 0), static=True) for k in range(1, count + 1))]
    for e in range(elements):
        part = nodes[per * e : per * (e + 1) + 1]
        model.add(f"beam{e}", cls(*part, section=sm.Section(stiffness), balance=balance))
    return model, nodes[-1]


def position(run, tip):
    return run[f"{tip.name}.position"][-1]


@both
def test_small_deflection_is_exact_with_one_element(balance):
    EI, GA, P = 7.0, 300.0, 1e-6
    model, tip = cantilever(1, (1e4, GA, GA, 5.0, EI, 9.0), balance=balance)
    model.add("load", sm.Force(tip, force=(0, 0, P)))
    run = sm.static(model)
    assert position(run, tip)[2] == pytest.approx(P / (3 * EI) + P / GA, rel=1e-9)
    # the moment at a cut is the load times its distance: exact for any statically determinate beam
    cut = 0.5 - 0.5 / np.sqrt(3)
    assert run["beam0.moment_1"][-1, 1] == pytest.approx(-P * (1 - cut), rel=1e-6)
    assert run["beam0.force_1"][-1, 2] == pytest.approx(P, rel=1e-9)


def test_small_deflection_of_two_node_beams_is_of_second_order(orders):
    found = []
    for n in (2, 4, 8):
        model, tip = cantilever(n, (1e4, 1e4, 1e4, 5.0, 7.0, 9.0), sm.Beam2)
        model.add("load", sm.Force(tip, force=(0, 0, 1e-6)))
        found.append(position(sm.static(model), tip)[2] - 1e-6 * (1 / 21 + 1e-4))
    assert orders(np.abs(found)) == pytest.approx([2, 2], abs=0.02)


def elastica(alpha):
    """Tip of an inextensible cantilever of unit length under P = alpha EI / L^2: (1 - x, w), elliptic integrals."""

    def parts(m):
        phi = np.arcsin(1 / np.sqrt(2 * m))
        return ellipk(m) - ellipkinc(phi, m), ellipe(m) - ellipeinc(phi, m)

    m = brentq(lambda m: parts(m)[0] - np.sqrt(alpha), 0.5 + 1e-12, 1 - 1e-12, xtol=1e-15)
    return 1 - np.sqrt(2 * (2 * m - 1) / alpha), 1 - 2 * parts(m)[1] / np.sqrt(alpha)


def test_elastica():
    expected = elastica(10.0)
    assert expected == pytest.approx((0.55500, 0.81061), abs=5e-6)  # Mattiasson, Int. J. Numer. Meth. Eng. 17, 1981
    model, tip = cantilever(16, (1e6, 1e6, 1e6, 1.0, 1.0, 1.0))
    model.add("load", sm.Force(tip, force=(0, 0, 10.0)))
    run = sm.static(model, steps=20, outputs=f"{tip.name}.position")
    x, _, w = position(run, tip)
    # seen: 7e-6; the beam is not quite inextensible, its strains reach P / EA = 1e-5
    assert (1 - x, w) == pytest.approx(expected, abs=2e-5)
    for factor, (x, _, w) in zip(run.time[1::6], run[f"{tip.name}.position"][1::6], strict=True):
        assert (1 - x, w) == pytest.approx(elastica(10.0 * factor), abs=2e-5)


def flexible_rod(P, EA, GA, EI):
    """Tip (x, z) of a planar rod that stretches and shears, dead load P along z, by shooting on the root moment."""

    def slopes(s, y):
        angle = y[2]
        stretch, shear = 1 + P * np.sin(angle) / EA, P * np.cos(angle) / GA
        x = stretch * np.cos(angle) - shear * np.sin(angle)
        return [x, stretch * np.sin(angle) + shear * np.cos(angle), y[3] / EI, -P * x]

    def end(moment):
        return solve_ivp(slopes, (0, 1), [0, 0, 0, moment], method="DOP853", rtol=1e-12, atol=1e-13).y[:, -1]

    root = brentq(lambda moment: end(moment)[3], 0.0, P, xtol=1e-14)
    return end(root)[:2]


@pytest.mark.parametrize(("cls", "order"), [(sm.Beam3, 4), (sm.Beam2, 2)], ids=["three nodes", "two nodes"])
@both
def test_order_of_large_deflection(cls, order, balance, orders):
    P, EA, GA, EI = 3.0, 1e3, 5e2, 1.0
    expected = flexible_rod(P, EA, GA, EI)
    found = []
    for n in (4, 8, 16):
        model, tip = cantilever(n, (EA, GA, GA, 1.0, EI, EI), cls, balance=balance)
        model.add("load", sm.Force(tip, force=(0, 0, P)))
        found.append(np.linalg.norm(position(sm.static(model, steps=4), tip)[[0, 2]] - expected))
    assert orders(found) == pytest.approx([order, order], abs=0.15)
    assert found[-1] < {4: 2e-6, 2: 1e-3}[order]


def test_the_ready_model_rolls_up():
    """The tip on its way, and the moment in the beam."""
    for n in (5, 10):
        run = sm.static(rollup.build(elements=n), steps=8)
        tip = run[f"n{2 * n}.position"]
        assert tip == pytest.approx(rollup.circle(run.time), abs=1e-3 * (5 / n) ** 4)
        assert run["beam0.moment_1"][-1] == pytest.approx([0, 0, 2 * np.pi], abs=1e-7)
    assert rollup.circle(0.5) == pytest.approx([0, 2 / np.pi, 0], abs=1e-15)  # a half circle of length 1


@both
def test_roll_up_into_a_circle(balance, orders):
    found, moments = [], []
    for n in (5, 10, 20):
        model, tip = cantilever(n, (1e3, 1e3, 1e3, 1.0, 1.0, 1.0), balance=balance)
        model.add("moment", sm.FollowerCouple(tip, couple=(0, 0, 2 * np.pi)))
        run = sm.static(model, steps=8)
        found.append(np.linalg.norm(position(run, tip)))
        half = run[f"{tip.name}.position"][3]  # half the moment: a half circle
        assert half == pytest.approx([0, 2 / np.pi, 0], abs=1e-3 * (5 / n) ** 4)
        moments.append(np.abs(run["beam0.moment_1"][-1] - [0, 0, 2 * np.pi]).max())
    assert orders(found) == pytest.approx([4, 4], abs=0.3)
    if balance == "volumes":  # whatever the mesh: a free body up to the cut
        assert max(moments) < 1e-7
        assert found[-1] < 5e-6
    else:
        assert orders(moments) == pytest.approx([4, 4], abs=0.2)
        assert found[-1] < 3e-5


def tangent(P, stiffness, elements):
    """Weakest eigenvalue of the equilibrium's Jacobian under a tip load P along z; sign of the determinant."""
    model, tip = cantilever(elements, stiffness, name="strip")
    model.add("load", sm.Force(tip, force=(0, 0, P)))
    sim = sm.Simulation(model)
    sm.static(sim, stable=False)  # beyond the load at which it buckles too
    s = sim.system
    J = csr_matrix(
        (sim.matrix_values(), s.pattern.indices, s.pattern.indptr), (s.unknowns.size, s.unknowns.size)
    ).toarray()
    return np.linalg.slogdet(J)[0] * np.abs(np.linalg.eigvals(J)).min()


def test_lateral_buckling():
    """Prandtl and Michell: P = 4.0126 sqrt(EI_weak GJ) / L^2, for a strip that hardly bends before it buckles."""
    GJ, weak, strong = 1.0, 1.0, 1e5
    stiffness = (1e8, 1e8, 1e8, GJ, strong, weak)
    expected = 4.0126 * np.sqrt(weak * GJ)
    found = {n: brentq(tangent, 0.9 * expected, 1.1 * expected, (stiffness, n), xtol=1e-5) for n in (4, 8)}
    assert found[8] == pytest.approx(expected, rel=2e-4)  # seen: 6e-5, and 8e-4 with four elements
    assert abs(found[8] - expected) < abs(found[4] - expected)


@pytest.mark.parametrize("inertia", ["distributed", "lumped"])
def test_a_dead_weight_along_the_span(inertia):
    """Tables made into a beam: its weight on the nodes bends it as the continuous one does, q L^4 / (8 EI)."""
    q, EI = 9.81 * 2e-3, 50.0
    span = sm.Span(station=[0.2, 1.2], mass=2e-3, EA=1e7, GJ=20.0, EI_y=EI, EI_z=2 * EI, inertia_y=1e-7, inertia_z=1e-7)
    model = sm.Model("weight", gravity=(0, 0, -9.81))
    nodes = sm.add_beam(model, "arm", span, root=model.ground, elements=4, inertia=inertia)
    fall = -position(sm.static(model), nodes[-1])[2]
    assert fall == pytest.approx(q / (8 * EI) + q / (2 * 3e6), rel=1e-7)  # exact at the nodes, either way


def test_initial_shape_is_free_of_strain():
    """A twisted and bent beam, its sections off the nodes, stays where it is without load, and springs back to it."""
    model = sm.Model("shape")
    nodes, places = [model.ground], [sm.Placement((0, 0.1, 0.0))]
    for k in range(1, 5):
        c, s = np.cos(0.2 * k), np.sin(0.2 * k)
        nodes.append(model.node(f"n{k}", (s, 1 - c, 0.05 * k), [[c, -s, 0], [s, c, 0], [0, 0, 1]], static=True))
        places.append(sm.Placement((0.0, 0.1, 0.02 * k)))
    section = sm.Section(sm.shifted((1e3, 4e2, 4e2, 1.0, 2.0, 3.0), 0.02, -0.01))
    for e in (0, 2):
        model.add(f"beam{e}", sm.Beam3(*nodes[e : e + 3], section=section, place_a=places[e], place_b=places[e + 1],
                                       place_c=places[e + 2]))  # fmt: skip
    run = sm.static(model)
    assert run["n4.position"][-1] == pytest.approx(nodes[4].position, abs=1e-12)
    assert np.abs(run["beam2.force_2"]).max() < 1e-11


def test_a_damped_beam_settles_where_it_is_in_balance():
    span = sm.Span(station=[0, 1], mass=0.5, EA=1e4, GJ=4.0, EI_y=5.0, EI_z=8.0, com_y=0.05, twist=[0, 0.3],
                   inertia_y=2e-4, inertia_z=5e-4)  # fmt: skip

    def build():
        model = sm.Model("settling", gravity=(0, 0, -9.81))
        return model, sm.add_beam(model, "arm", span, root=model.ground, elements=3, damping=0.05)[-1]

    model, tip = build()
    rest = position(sm.static(model, steps=3), tip)
    model, tip = build()
    run = sm.transient(model, 8.0, 0.01, every=100, outputs=("arm.n6.position", "model.*"), progress=False)
    assert position(run, tip) == pytest.approx(rest, abs=1e-7)
    assert run["model.dissipated"].min() >= 0
