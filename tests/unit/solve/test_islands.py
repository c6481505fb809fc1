"""Islands of contacts against connected components of a graph."""

from itertools import pairwise

import numpy as np
import pytest
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from samara.solve.contact.islands import NUMBER, arrange, islands_of


def found_in(sides, closed):
    islands, order = islands_of(sides), np.array([*closed, *[0] * (len(sides) - len(closed))], np.int64)
    arrange(islands, order, len(closed))
    starts = islands.starts[: islands.counts[NUMBER] + 1]
    return [order[a:b] for a, b in pairwise(starts)]


@pytest.mark.parametrize("parts", [1, 5, 12, 40])
def test_islands_are_what_shares_parts_through_others(parts, rng):
    for _ in range(50):
        sides = rng.integers(-1, parts, size=(20, 2))
        closed = np.flatnonzero(rng.random(20) < 0.6)
        share = [
            [bool(set(sides[i][sides[i] >= 0]) & set(sides[j])) or i == j for j in closed] for i in closed
        ]  # fmt: skip
        rows, columns = np.nonzero(np.array(share, bool).reshape(len(closed), len(closed)))
        graph = coo_array((np.ones(rows.size), (rows, columns)), shape=(len(closed),) * 2)
        count, label = connected_components(graph, directed=False)
        expected = {frozenset(closed[label == k].tolist()) for k in range(count)}
        assert {frozenset(island.tolist()) for island in found_in(sides, closed)} == expected


def test_a_chain_is_put_in_its_order(rng):
    """Contacts between neighbours of a row, numbered at random: those that share a part are next to each other."""
    number = rng.permutation(30)
    sides = np.array([(number[k], number[k + 1]) for k in range(29)])[rng.permutation(29)]
    (island,) = found_in(sides, np.arange(29))
    assert all(set(sides[a]) & set(sides[b]) for a, b in pairwise(island))
