"""Factors of which the last supernodes are renewed on their own: where little of a large model makes them stale."""

import matrices
import numpy as np
import pytest

from samara.benchmarks.advance import advance
from samara.benchmarks.solver.growth import net
from samara.models.mechanisms import chain
from samara.solve import Simulation, TwoStep, assemble
from samara.solve.linear.lu import analyse, new_storage, refactor, refactor_from, symbolic
from samara.solve.linear.lu.programs import LOWER, UPPER
from samara.solve.native.codes import Counter
from samara.solve.redundant.renewal import renew, renew_from

H = 1e-3
#: Of factors that are computed twice in the same way.
ROUNDING = 1e-12


@pytest.mark.parametrize("large", [symbolic.LARGE, 0], ids=["together", "apart"])
@pytest.mark.parametrize("sample", [matrices.chain(7), matrices.rotor(2)], ids=["chain", "rotor"])
def test_factors_from_a_supernode_on(monkeypatch, sample, large):
    """They are those of the changed matrix, where what has changed lies from there on."""
    monkeypatch.setattr(symbolic, "LARGE", large)
    lu, changed = analyse(*sample), sample.varied(3)
    for node in range(0, lu.passages.shape[0] - 1, 3):
        piece = slice(*lu.passages[node, [LOWER, UPPER]].astype(int).tolist())
        late = (lu.slot >= piece.start) & (lu.slot < piece.stop)
        whole, part, new = new_storage(lu), new_storage(lu), new_storage(lu)
        whole[lu.slot] = np.where(late, changed.values, sample.values)
        refactor(lu, whole)
        part[lu.slot], new[lu.slot] = sample.values, changed.values
        refactor(lu, part)
        part[piece] = new[piece]
        refactor_from(lu, part, node)
        np.testing.assert_allclose(part[:-1], whole[:-1], rtol=ROUNDING, atol=ROUNDING * np.abs(whole[:-1]).max())


def _moving(model):
    sim = Simulation(model, TwoStep(0.6))
    assemble(sim, step=H)
    sim.analyse_for(H)
    advance(sim, H, 5)
    return sim


def test_a_part_of_the_jacobian_is_that_of_the_whole():
    """Wherever it begins: kinds of elements with entries on both sides of it are split there."""
    sim = _moving(net(4))
    assert renew(sim.work)
    whole = sim.v.copy()
    for node in range(sim.lu.passages.shape[0] - 1):
        piece = slice(*sim.lu.passages[node, [LOWER, UPPER]].astype(int).tolist())
        sim.v[piece] = np.nan
        assert renew_from(sim.work, node)
        np.testing.assert_allclose(sim.v[:-1], whole[:-1], rtol=ROUNDING, atol=ROUNDING * np.abs(whole[:-1]).max())


def test_a_chain_that_bends_near_its_end_renews_only_that():
    """A chain let go: its first links swing, all others fall. Some links of 300 are renewed in each step."""
    sim = _moving(chain.build(300))
    before = sim.counters.copy()
    advance(sim, H, 60)
    taken = sim.counters - before
    assert taken[Counter.JACOBIANS] <= 3
    assert taken[Counter.REFRESHED] > 40
    assert taken[Counter.ITERATIONS] < 3 * 60  # 5.5 per step with factors that are kept


def test_a_part_changes_nothing_beyond_the_tolerance():
    ends = []
    for pause in (0.0, 1e9):
        sim = _moving(chain.build(60))
        sim.memory.trust.search_pause = pause
        sim.memory.trust.late_steps = 0.0
        advance(sim, H, 60)
        assert (sim.counters[Counter.REFRESHED] > 0) == (pause == 0.0)
        ends.append(sim.state.positions)
    np.testing.assert_allclose(ends[0], ends[1], atol=1e-9)  # 6 m in 65 steps to 1e-10 of the speeds
