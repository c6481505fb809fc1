"""Steps of long chains: what they need per link does not grow with their number."""

import gc
import tracemalloc

import numpy as np
import pytest

import samara as sm
from samara.benchmarks.advance import advance
from samara.models.mechanisms import chain
from samara.solve import Simulation, TwoStep, assemble
from samara.solve.native.codes import Counter

H, STEPS = 1e-3, 40


def run(links, tolerance):
    """A simulation after 40 steps, and what these took per step by name."""
    sim = Simulation(chain.build(links), TwoStep(0.6), tolerance=tolerance)
    assemble(sim, step=H)
    sim.analyse_for(H)
    advance(sim, H, STEPS)
    return sim, {counter.name.lower(): sim.counters[counter] / STEPS for counter in Counter}


def test_rounding_of_distant_places_costs_neither_iterations_nor_factors():
    """Links 100 m from the origin are known to 1e-14 m, and where the chain bends that is 1e-11 of its spin.

    With a tolerance below, corrections stop to contract there, whatever the factors are: new ones do not help. The
    step is accepted and counted as one that stalls, and is as near as rounding lets it be to one that converged.
    """
    fine, counts = run(1000, 1e-12)
    assert counts["stalled"] > 0.2
    assert counts["iterations"] < 6.0  # 7.0 where it is not told from bad factors, with 0.55 Jacobians
    assert counts["jacobians"] < 0.3
    assert counts["retried"] == counts["divided"] == counts["unconverged"] == 0
    coarse, _ = run(1000, 1e-8)
    np.testing.assert_allclose(
        fine.state.positions, coarse.state.positions, atol=1e-8 * H * 10.0
    )  # of speeds up to 10 m/s


def test_counts_do_not_grow_with_the_number_of_links():
    """A Jacobian and its factors take as long as four iterations, whatever the size."""
    small, large = (run(links, 1e-10)[1] for links in (100, 2000))
    work = [counts["iterations"] + 4.0 * counts["jacobians"] for counts in (small, large)]
    assert work[1] < 1.15 * work[0]
    assert large["retried"] == large["divided"] == large["unconverged"] == 0


def test_energy_of_a_chain_that_stalls_at_rounding():
    """Let go from rest, kinetic energy is what gravity has done, at stalled steps as at others."""
    results = sm.transient(chain.build(600), end=0.04, step=H, integrator=TwoStep(0.9), tolerance=1e-12, progress=False)
    work = results["model.potential"][0] - results["model.potential"][-1]
    assert results["model.kinetic"][-1] == pytest.approx(work, rel=1e-3)  # what the scheme dissipates


def test_memory_per_unknown():
    """What a simulation keeps, with its model, per unknown that is added [B].

    Factors 230, indices 300, entries that were analysed 130, the state 70, what Python knows of the model 300.
    """
    kept = []
    for links in (100, 900):
        gc.collect()
        tracemalloc.start()
        sim = run(links, 1e-10)[0]
        gc.collect()
        kept.append(tracemalloc.get_traced_memory()[0])
        tracemalloc.stop()
    assert (kept[1] - kept[0]) / (sim.system.unknowns.size - 100 * 11) < 1500.0  # 1620 with entries twice, in long
