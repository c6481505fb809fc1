"""`samara bench recursive` in a tiny setting: its rows, that all codes have the same trees, and its arithmetic."""

import numpy as np
import pytest

from samara.benchmarks import peers
from samara.benchmarks.cases import trees
from samara.benchmarks.cases.samara_tree import TreeDynamics, TreeRun, build
from samara.benchmarks.tree_formulation import recursive
from samara.benchmarks.tree_formulation.recursive import BenchmarkSize, DisagreementError, dynamics, rows
from samara.benchmarks.tree_formulation.tree_flight import evaluations
from samara.benchmarks.tree_formulation.tree_rotor import COMPARED, TURN, angles, steps_for
from samara.models.helicopters import xcell
from samara.recursive import RigidTree
from samara.solve import Simulation, transient
from samara.solve.tree.schemes import RungeKutta4, SemiImplicitEuler

TINY = BenchmarkSize(
    repeats=2,
    batch=5,
    sample=1e-5,
    chains=(2,),
    crossover=(3,),
    settling=0.01,
    flight_steps=10,
    revolutions=1,
    finest=COMPARED,
)
#: Metrics that are part of the interface.
DYNAMICS = ("error", "ns_per_forward_dynamics", "ns_from_python", "lane_gain")
AGAINST = ("speedup_vs_pinocchio", "speedup_vs_mujoco")
FLIGHT = (
    "real_over_sim", "us_per_step", "evaluations_per_step", "evaluation_us", "place_us", "reactions_us", "outputs_us",
    "speedup_vs_redundant",
)  # fmt: skip
CROSSOVER = (
    "us_per_step_whole", "us_per_step_kinds", "kinds_over_whole", "compile_seconds_whole", "compile_seconds_kinds",
)  # fmt: skip
ROTOR = ("us_per_step", "error", "us_per_step_semi_implicit", "error_semi_implicit", "speedup_at_equal_accuracy")


def need(*names: str) -> None:
    for name in names:
        why = peers.missing(name)
        if why is not None:
            pytest.skip(why)


def test_every_case_has_its_figures():
    found = {(row.case, row.metric): row for row in rows(TINY)}
    wanted = [(case, metric) for case in ("helicopter", "chain-2") for metric in (*DYNAMICS, *AGAINST)]
    wanted += [("helicopter-flight", metric) for metric in FLIGHT] + [("rotor-4", metric) for metric in ROTOR]
    wanted += [("crossover-3", metric) for metric in CROSSOVER]
    assert set(wanted) <= set(found)
    for key in wanted:
        row = found[key]
        assert np.isfinite(row.value) or "not installed" in row.note
    assert found["helicopter-flight", "evaluations_per_step"].value == pytest.approx(4.0, abs=0.2)
    # order four and order one, at 90 steps in a turn of some 3 degrees of flap
    assert found["rotor-4", "error"].value < 1e-6 < found["rotor-4", "error_semi_implicit"].value < 1e-2


def test_missing_peers_leave_their_rows_out(monkeypatch):
    monkeypatch.setattr(peers, "PEERS", dict.fromkeys(("pinocchio", "mujoco"), ("package_that_nobody_has", "")))
    found = {row.metric: row for row in dynamics(trees.chain(1), TINY)}
    assert found["ns_per_forward_dynamics"].value > 0.0
    for metric in AGAINST:
        assert np.isnan(found[metric].value) and "pip install samara[bench]" in found[metric].note


def test_codes_that_disagree_are_no_benchmark(monkeypatch):
    class Wrong:
        def accelerations(self):
            return ours.accelerations() * (1.0 + 1e-6)

    spec = trees.chain(1)
    ours = TreeDynamics(spec, spec.random(3))
    with pytest.raises(DisagreementError, match="chain-1: accelerations of somebody"):
        recursive._error("chain-1", ours, {"somebody": Wrong()})


# ---- trees
def test_the_helicopter_is_the_ready_model_without_loads():
    """Its mass, freedoms, and mass matrix in any position: loads do not enter that."""
    spec = trees.helicopter()
    assert spec.speeds == 13 and spec.coordinates == 14
    assert sum(link.mass for link in spec.links) == pytest.approx(xcell.MASS, rel=1e-12)
    q, *_ = spec.random(1)
    ready, plain = RigidTree(xcell.build()), RigidTree(build(spec))
    assert len(ready.coordinate_names) == spec.coordinates
    np.testing.assert_allclose(ready.mass_matrix(q[0]), plain.mass_matrix(q[0]), atol=1e-12)


def test_a_free_base_falls():
    """Without speeds and efforts all of a tree falls as one: hinges stay as they are."""
    spec = trees.chain(3)
    q, s, efforts = spec.random(2)
    ours = TreeDynamics(spec, (q, 0.0 * s, 0.0 * efforts))
    ours.loop(1, 1)()
    wanted = np.zeros((2, spec.speeds))
    wanted[:, :3] = spec.gravity
    np.testing.assert_allclose(ours.accelerations(), wanted, atol=1e-10)


@pytest.mark.parametrize("make", [trees.helicopter, lambda: trees.chain(4), trees.rotor])
def test_peers_have_the_same_tree(make):
    """Accelerations of states at random; springs and dampers are MuJoCo's too, Pinocchio has none."""
    need("pinocchio", "mujoco")
    from samara.benchmarks.peers import mujoco_tree, pinocchio_tree

    spec = make()
    states = spec.random(6)
    ours = TreeDynamics(spec, states)
    ours.loop(1, 1)()
    own = ours.accelerations()
    sides = [mujoco_tree.MujocoTree(spec, states)]
    if not any(link.stiffness for link in spec.links):
        sides.append(pinocchio_tree.PinocchioTree(spec, states))
    for side in sides:
        np.testing.assert_allclose(side.accelerations(), own, rtol=0.0, atol=1e-9 * np.abs(own).max())


def test_the_rotor_moves_alike_in_mujoco():
    """The same formula of order four: angles agree to rounding after a turn."""
    need("mujoco")
    from samara.benchmarks.peers import mujoco_tree

    spec = trees.rotor()
    ours, theirs = (angles(run, 90, 1) for run in (TreeRun(spec, RungeKutta4()), mujoco_tree.MujocoRun(spec, "RK4")))
    assert ours.shape == (1, 8) and np.abs(ours).max() > 1e-2
    np.testing.assert_allclose(ours, theirs, atol=1e-12)


def test_a_run_starts_anew():
    run = TreeRun(trees.rotor(), SemiImplicitEuler())
    first = angles(run, 24, 1)
    run.advance(TURN / 24, 7)
    np.testing.assert_array_equal(angles(run, 24, 1), first)


# ---- arithmetic
def test_evaluations_are_counted():
    """Four a step of the classical formula."""
    sim = Simulation(build(trees.chain(1)), RungeKutta4(), formulation="recursive")
    transient(sim, 0.01, 1e-3, progress=False)
    before = sim.machine
    assert evaluations(sim, 10) == 40
    assert sim.machine is before


def test_steps_for_an_error():
    """A method of order four: an error sixteen times as large takes half the steps; beyond what was tried, as far."""
    errors = {n: 1e-4 * (12 / n) ** 4 for n in (12, 24, 48, 96)}
    assert steps_for(errors, errors[24]) == (pytest.approx(24.0), "")
    assert steps_for(errors, 1e-4 / 1.5**4) == (pytest.approx(18.0), "")
    assert steps_for(errors, errors[96] / 16) == (pytest.approx(192.0), "")
    assert steps_for(errors, 1.0) == (12.0, "at most ")
