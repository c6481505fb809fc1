"""Rows of masses above a stop in Siconos, which needs another Python interpreter.

Siconos is in Debian (python3-siconos), for the interpreter of the system, which has no Samara. This file is read by
both: imported, it starts itself as a process of that interpreter; there it needs the standard library, NumPy and
Siconos. Requests and answers are lines of JSON.

What Siconos is given: LagrangianLinearTIDS, NewtonImpactNSL, MoreauJeanOSI(0.5), TimeStepping, LCP by Lemke's method,
its default. It is told that the system is linear, so that a step is one iteration. `run` is its own loop in C++.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any

#: The interpreter that has Siconos; the environment may name another one.
INTERPRETER = os.environ.get("SAMARA_SICONOS_PYTHON", "/usr/bin/python3")
REMEDY = "remedy: apt install python3-siconos, or SAMARA_SICONOS_PYTHON=an interpreter that has it"
#: Names of the ways to take the steps: its own loop, a loop in Python, the same without steps, with positions noted.
RUN, CALLED, EMPTY, RECORDED = "run", "called", "empty", "recorded"


def missing() -> str | None:
    """One line: why Siconos is unavailable, and how to get it; None if it is available."""
    try:
        found = subprocess.run([INTERPRETER, "-c", "import siconos.kernel"], capture_output=True, text=True, timeout=60)
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"siconos: {INTERPRETER} does not run, its rows are left out: {error} ({REMEDY})"
    if found.returncode != 0:
        return f"siconos: {INTERPRETER} does not have it, its rows are left out ({REMEDY})"
    return None


class Siconos:
    """A process that runs one case whenever it is asked."""

    def __init__(self, case: dict[str, Any], process: subprocess.Popen) -> None:
        self._case, self._process = case, process
        self.version = str(self.ask("version")["version"])

    def ask(self, how: str, step: float = 0.0, steps: int = 0, every: int = 1) -> dict[str, Any]:
        """A run from the start: {"seconds": CPU time of the loop}, and {"positions"} after each `every` steps."""
        assert self._process.stdin is not None and self._process.stdout is not None
        request = {"case": self._case, "how": how, "step": step, "steps": steps, "every": every}
        self._process.stdin.write(json.dumps(request) + "\n")
        self._process.stdin.flush()
        answer = self._process.stdout.readline()
        if not answer:
            raise RuntimeError(f"siconos: its process ended with status {self._process.wait()}")
        return json.loads(answer)


@contextmanager
def started(case: dict[str, Any]) -> Iterator[Siconos]:
    """Siconos for a case: {"mass", "restitution", "stiffness" (n x n), "force", "positions", "speeds"}."""
    alone = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1")  # its BLAS too has one thread
    process = subprocess.Popen(
        [INTERPRETER, __file__],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env={**{k: v for k, v in os.environ.items() if not k.startswith("PYTHON")}, **alone},
    )
    with process:
        yield Siconos(case, process)
        assert process.stdin is not None
        process.stdin.close()


# ---- in the other interpreter
def _build(case: dict[str, Any], step: float, steps: int) -> tuple[Any, Any, list[Any]]:
    """(simulation, dynamical system, what must stay alive)."""
    np, kernel = import_module("numpy"), import_module("siconos.kernel")
    n = len(case["positions"])
    mass, stiffness = case["mass"] * np.eye(n), np.array(case["stiffness"])
    force, normal = np.array(case["force"]), np.zeros((1, n))
    normal[0, -1] = 1.0
    row = kernel.LagrangianLinearTIDS(np.array(case["positions"]), np.array(case["speeds"]), mass)
    if stiffness.any():
        row.setKPtr(stiffness)
    row.setFExtPtr(force)
    stop = kernel.Interaction(kernel.NewtonImpactNSL(case["restitution"]), kernel.LagrangianLinearTIR(normal))
    system = kernel.NonSmoothDynamicalSystem(0.0, steps * step)
    system.insertDynamicalSystem(row)
    system.link(stop, row)
    integrator, problem = kernel.MoreauJeanOSI(0.5), kernel.LCP()
    times = kernel.TimeDiscretisation(0.0, step)
    simulation = kernel.TimeStepping(system, times, integrator, problem)
    simulation.setNewtonOptions(kernel.SICONOS_TS_LINEAR)
    return simulation, row, [stop, system, integrator, problem, times, stiffness, force]


def _take(case: dict[str, Any], how: str, step: float, steps: int, every: int) -> dict[str, Any]:
    """One run from the start. The first step, in which memory is made and matrices are factored, is not timed."""
    simulation, row, _alive = _build(case, step, steps)
    positions = []

    def note(done: int) -> None:
        if how == RECORDED and done % every == 0:
            positions.append([float(x) for x in row.q()])

    simulation.computeOneStep()
    simulation.nextStep()
    note(1)
    if how == RECORDED:
        for k in range(2, steps + 1):
            simulation.computeOneStep()
            simulation.nextStep()
            note(k)
        return {"positions": positions}
    start = time.process_time()
    if how == RUN:
        simulation.run()
    else:
        for _ in range(steps - 1):
            if how == CALLED:
                simulation.computeOneStep()
                simulation.nextStep()
    return {"seconds": (time.process_time() - start) * steps / (steps - 1)}


def _version() -> str:
    command = ["dpkg-query", "--show", "--showformat=${Version}", "python3-siconos"]
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        return "of unknown version"


def serve() -> None:
    """Answers requests until there are no more. Siconos prints as it likes, so answers have a channel of their own."""
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    for line in sys.stdin:
        request = json.loads(line)
        if request["how"] == "version":
            answer = {"version": _version()}
        else:
            answer = _take(*(request[name] for name in ("case", "how", "step", "steps", "every")))
        print(json.dumps(answer), file=answers, flush=True)


if __name__ == "__main__":
    serve()
