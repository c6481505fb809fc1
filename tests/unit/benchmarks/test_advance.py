"""The march of the benchmarks gets to its end as a run does, whatever happens to the pivots on the way."""

import numpy as np
import pytest

import samara as sm
from samara.benchmarks.chain import ChainSpec
from samara.benchmarks.samara_chain import ChainCase
from samara.solve.native.codes import Counter


def test_stale_pivots_are_renewed():
    """Pivots found for another matrix of the same pattern: their growth stops a march that does not renew them."""
    case = ChainCase(ChainSpec(10), 1e-3)
    case.solve(case.fresh())
    right = case.ends()
    sim = case.fresh()
    values = sim.matrix_values()
    small_where_large = np.divide(1e-6, values, out=np.zeros_like(values), where=values != 0.0)
    sim.analyse(small_where_large)
    case.solve(sim)
    assert sim.counters[Counter.STEPS] == case.steps
    assert sim.counters[Counter.ANALYSES] > 2  # that of the start, the wrong one, and what mended it
    # Newton's tolerance, 1e-7 of speeds of some 5 m/s, over one second, twice for a chain that amplifies it
    np.testing.assert_allclose(case.ends(), right, rtol=0, atol=1e-6)


def test_what_cannot_go_on_says_why():
    """Beyond t = 0.05 s the force is no longer a number."""
    from samara.benchmarks.advance import advance

    model = sm.Model("cliff")
    mass = model.node("mass", position=(1, 0, 0))
    model.add("body", sm.Body(mass, mass=1.0, inertia=(1, 1, 1)))
    model.add("load", sm.Force(mass, force=(lambda t: np.sqrt(0.05 - t), 0, 0)))
    sim = sm.Simulation(model)
    sm.assemble(sim)
    sim.analyse_for(1e-3)
    with pytest.raises(sm.SolveError, match="'cliff'"):
        advance(sim, 1e-3, 100)
