"""Variants one after another, in this process."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping, Sequence

from samara.solve import ChangedStart
from samara.sweep.study import Finished, Study
from samara.sweep.variants import Value
from samara.sweep.workers.bench import Bench

#: Number of a variant, and its values.
Task = tuple[int, Mapping[str, Value]]


def carry_out(study: Study, tasks: Sequence[Task]) -> Iterator[tuple[int, Finished]]:
    """Each variant as it is finished."""
    bench = Bench(study)
    try:
        for number, values in tasks:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", ChangedStart)
                finished = bench.perform(values)
            yield number, finished
    finally:
        bench.clear()
