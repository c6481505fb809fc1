"""Static solution: the pose in which all forces balance, at rest, with the drives at their value at one time."""

from __future__ import annotations

import numpy as np

from samara.model import Model
from samara.results import Recorder, Results, RunAttrs
from samara.solve.assemble import assemble
from samara.solve.errors import Diverged
from samara.solve.lu import refactor, solve
from samara.solve.machine import jacobian, residual, set_time, walk_nodes
from samara.solve.march import record
from samara.solve.measures import chosen
from samara.solve.simulation import Simulation
from samara.solve.step import Counter
from samara.system.system import System


def static(
    model: Model | System | Simulation,
    *,
    time: float = 0.0,
    outputs: str | tuple[str, ...] = ("*",),
    tolerance: float = 1e-10,
    iterations: int = 100,
) -> Results:
    """Equilibrium at rest near the initial pose; one sample of the chosen outputs.

    tolerance: of the last correction, relative to the size of the mechanism and in rad.
    time:      at which drives are taken [s].

    A corrector step longer than a quarter of the mechanism, or than 0.25 rad, is shortened. Rate constraints do not act
    at rest. A mechanism that can still move is reported as singular, by name. The simulation is left in the pose that
    was found: pass a `Simulation` to go on from there with `transient`.
    """
    sim = model if isinstance(model, Simulation) else Simulation(model)
    s, m = sim.system, sim.machine
    patterns = (outputs,) if isinstance(outputs, str) else tuple(outputs)
    s.state[sim.eta], s.state[sim.acc] = 0.0, 0.0
    assemble(sim)
    s.state[sim.eta], s.state[sim.acc] = 0.0, 0.0
    set_time(m, time)
    message = _balance(sim, tolerance, iterations)
    channels, columns = chosen(s, patterns)
    recorder = Recorder(channels, expected_rows=1)
    times, rows = recorder.room(1)
    record(m, sim.memory, columns, times, rows, 0)
    times[0] = time
    recorder.commit(1)
    attrs = RunAttrs(
        model=s.model.name,
        parameters={name: (p.value, p.unit) for name, p in s.model.parameters.items()},
        integrator="static",
        options={"tolerance": tolerance},
        counters={"iterations": int(sim.counters[Counter.ITERATIONS])},
        analyses=("static",),
        status="failed" if message else "completed",
        message=message,
        stand_in=s.model.stand_in,
    )
    results = Results.from_recorder(recorder, attrs)
    if message:
        raise Diverged(message, results)
    return results


def _balance(sim: Simulation, tolerance: float, iterations: int) -> str:
    """Newton's method on the pose; empty when it converged, else why not."""
    s, m = sim.system, sim.machine
    nodes = 6 * len(s.free)
    scale = np.tile([1.0 / sim.length] * 3 + [1.0] * 3, len(s.free))
    sim.coefficients(1.0, 0.0, 0.0, moving=0.0)
    sim.analyse(sim.matrix_values())
    worst, size = 0, np.inf
    for _ in range(iterations):
        residual(m)
        jacobian(m, sim.v)
        if not refactor(sim.lu, sim.v) < 1e6:
            sim.analyse(sim.matrix_values())
            jacobian(m, sim.v)
            refactor(sim.lu, sim.v)
        x = np.zeros(s.size)
        solve(sim.lu, sim.v, s.res[s.rows], x)
        sim.counters[Counter.ITERATIONS] += 1
        change = np.abs(x[:nodes]) * scale
        worst, size = int(np.argmax(change)), float(change.max())
        if not np.isfinite(size):
            break
        shorten = min(1.0, 0.25 / max(size, 1e-300))
        s.x[:] = 0.0
        s.x[s.rows] = x * shorten
        walk_nodes(m, m.move)
        sim.multipliers[:] -= x[nodes:] * shorten
        if size < tolerance:
            return ""
    return (
        f"model {s.model.name!r}: no equilibrium after {iterations} iterations; the pose still changes by {size:.2g} "
        f"at {s.owner[int(s.rows[worst])]}; start nearer to it, or let a damped transient settle"
    )
