"""A tree as one kernel, or by kinds of segments: time per step and to compile over its length.

`samara.recursive.native.compiled.LONG` says where kinds begin; these are the figures behind it.
"""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial

from samara.benchmarks.cases import trees
from samara.benchmarks.cases.samara_tree import TreeRun
from samara.benchmarks.rows import Row, interleave, ratio
from samara.recursive.native import compiled
from samara.solve.tree.schemes import RungeKutta4

STEP = 1e-4
STEPS = 50


def crossover(lengths: tuple[int, ...], repeats: int) -> Iterator[Row]:
    """Of chains that float: both ways run in turn, each compiled in an empty cache."""
    for limit in (0, 99):  # the driver is compiled, or loaded, before anything is timed
        _compiled(2, limit)
    for links in lengths:
        case = f"crossover-{links}"
        whole, whole_seconds = _compiled(links, links + 10)
        kinds, kinds_seconds = _compiled(links, 0)
        runs = {"whole": partial(whole.advance, STEP, STEPS), "kinds": partial(kinds.advance, STEP, STEPS)}
        timings = interleave(runs, repeats=repeats)
        for name, timing in timings.items():
            spent = timing.scaled(1e6 / STEPS)
            note = f"{spent.best:.3g} to {spent.percentile(95):.3g} us; RungeKutta4, four evaluations"
            yield Row(case, f"us_per_step_{name}", spent.median, "us", "", note)
        note = f"a tree has kinds where it has more than {compiled.LONG} segments"
        yield Row(case, "kinds_over_whole", ratio(timings["kinds"], timings["whole"]), "x", "", note)
        yield Row(case, "compile_seconds_whole", whole_seconds, "s", "", "CPU time from the model to the first step")
        yield Row(case, "compile_seconds_kinds", kinds_seconds, "s", "", "the same")


def _compiled(links: int, limit: int) -> tuple[TreeRun, float]:
    """A chain by kinds where it has more segments than that, and the CPU time that it took [s]."""
    began = time.thread_time()
    with _kinds_beyond(limit), _empty_cache():
        run = TreeRun(trees.chain(links), RungeKutta4())
    spent = time.thread_time() - began
    run.fresh()
    run.advance(STEP, STEPS)
    return run, spent


@contextmanager
def _kinds_beyond(segments: int) -> Iterator[None]:
    before, compiled.LONG = compiled.LONG, segments
    try:
        yield
    finally:
        compiled.LONG = before


@contextmanager
def _empty_cache() -> Iterator[None]:
    """Kernels are compiled anew. The Numba driver is not: it is the same for all models."""
    before = os.environ.get("SAMARA_CACHE")
    with tempfile.TemporaryDirectory(prefix="samara-crossover-") as folder:
        os.environ["SAMARA_CACHE"] = folder
        try:
            yield
        finally:
            if before is None:
                del os.environ["SAMARA_CACHE"]
            else:
                os.environ["SAMARA_CACHE"] = before
