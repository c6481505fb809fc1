"""`samara warm`: compiles beforehand what models need, off-line and in real time, on all cores."""

from __future__ import annotations

import argparse
import multiprocessing
import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from typing import Any

from samara.cli.report import one_line, print_json
from samara.cli.target import load
from samara.models import names

#: The model with which the solver itself is compiled; any would do.
FIRST = "pendulum"
#: Steps of a run that compiles what a run needs, and accuracy of one that chooses its steps.
STEPS, ACCURACY = 3, 1e-4


def main(args: argparse.Namespace) -> int:
    """Prepares models; exit code 1 where one of them could not be."""
    began = time.perf_counter()
    chosen = args.names or list(names())
    for name in chosen:
        load(name, [])  # refuses what is not there before any work is done
    found, troubles = [], []
    for name, seconds, trouble in _prepared(chosen, args.jobs or os.cpu_count() or 1):
        found.append({"model": name, "compile_seconds": seconds})
        if trouble:
            troubles.append(f"{name}: {trouble}")
        elif not args.json:
            print(f"{len(found)} of {len(chosen)}: {name} ({seconds:.1f} s of compiling)", flush=True)
    passed = time.perf_counter() - began
    if args.json:
        print_json({"models": found, "troubles": troubles, "seconds": passed})
    else:
        print(f"ready after {passed:.0f} s: {len(found) - len(troubles)} of {len(chosen)}")
    for trouble in troubles:
        print(f"samara warm: {trouble}", file=sys.stderr)
    return 1 if troubles else 0


def _prepared(chosen: list[str], jobs: int) -> Iterator[tuple[str, float, str]]:
    """(model, seconds of compiling, trouble) of each, as they are ready."""
    spawn = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(max(1, jobs), mp_context=spawn, initializer=_obey) as pool:
        try:
            with _deaf():
                solver = pool.submit(compile_solver, FIRST)  # once: others would compile the same beside it
                kernels = {name: pool.submit(compile_kernels, name) for name in chosen}
            solver.result()
            with _deaf():
                runs = {pool.submit(compile_solver, name): name for name in chosen}
            for done in as_completed(runs):
                yield (runs[done], *_outcome(kernels[runs[done]], done))
        except BaseException:
            for worker in multiprocessing.active_children():
                worker.terminate()
            raise


@contextmanager
def _deaf() -> Iterator[None]:
    """Processes that are started meanwhile hear no interrupt from the first; this one hears it afterwards."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _obey() -> None:
    """A worker leaves an interrupt to the process that started it, and ends with that one."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    assert parent is not None
    threading.Thread(target=_end_with, args=(parent,), name="samara-parent", daemon=True).start()


def _end_with(parent: Any) -> None:
    parent.join()
    os._exit(1)


def _outcome(*parts: Future[float]) -> tuple[float, str]:
    total = 0.0
    for part in parts:
        if (error := part.exception()) is not None:
            return total, one_line(error)
        total += part.result()
    return total, ""


def compile_kernels(name: str) -> float:
    """Compiles the kernels of a model; the seconds it took."""
    from samara.system import System
    from samara.tracing.compiling import COMPILING

    before = COMPILING.seconds
    System(load(name, []).model)
    return COMPILING.seconds - before


def compile_solver(name: str) -> float:
    """Compiles what is left for a model: for a fixed step, for an accuracy, and in real time; the seconds it took."""
    from samara.realtime.loop.simulator import RealTime
    from samara.solve import static, transient
    from samara.tracing.compiling import COMPILING

    before = COMPILING.seconds
    target = load(name, [])
    if target.analysis == "static":
        static(target.model, steps=1)
        return COMPILING.seconds - before
    step = target.timeline.step or 1e-3
    transient(target.model, STEPS * step, step, method=target.method, progress=False)
    transient(load(name, []).model, STEPS * step, method=target.method, accuracy=ACCURACY, progress=False)
    live = target.method.in_real_time()
    with RealTime(load(name, []).model, 1.0 / step, method=live, session=f"samara-warm-{os.getpid()}", record=16):
        pass
    return COMPILING.seconds - before
