"""`samara bench realtime`: the rotors in real time, at the paper's rates and at the highest that they can hold.

Each loop has a thread, as in `samara realtime`, and publishes all measures in each step. Rotors are settled first, on a
made-up clock. Step times are of the wall clock: on a shared machine they hold what others do in the middle of a step.
The bare loop of the same run tells how late the machine alone is.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator

from samara.benchmarks.rotorcraft.rotors import MACHINES, SETTLING, BenchmarkRotor
from samara.benchmarks.rows import Row
from samara.realtime.loop.clock import machine_clock, made_up
from samara.realtime.loop.privileges import make_punctual
from samara.realtime.loop.simulator import RealTime, Report
from samara.solve import SolveError

#: How long each is measured [s]; the bare loop, of that [s].
DURATION, BARE = 10.0, 2.0
#: Tries of the search for the highest rate, how long each lasts [s], and the part of a period that p99.9 may take.
TRIES, TRIAL, PART = 5, 3.0, 0.5
#: Rates are tried in these steps, down to this part of the paper's: with much longer steps a rotor is another one.
FINER, LEAST = 1.2, 0.8
#: Of the loop, where it may be had.
PRIORITY = 50
PERCENTILES = ("p50", "p99", "p999", "max")


def rows(
    machines: tuple[BenchmarkRotor, ...] = MACHINES, duration: float = DURATION, settling: float = SETTLING
) -> Iterator[Row]:
    """All machines."""
    for machine in machines:
        report = served(machine, machine.rate, duration, settling, BARE)
        yield from told(machine.name, report)
        rate, p999 = highest_rate(machine, report.step_us["p999"], settling)
        note = f"step time p99.9 there: {p999:.0f} us; the paper's rate: {machine.rate:g} Hz"
        yield Row(machine.name, "highest_rate_hz", rate, "Hz", f"p99.9 under {PART:g} of the period", note)


def told(name: str, report: Report) -> Iterator[Row]:
    """A report, row by row."""
    note = f"at {report.rate:g} Hz, {report.simulated:g} s simulated in {report.elapsed:.3g} s"
    yield Row(name, "real_over_sim", report.real_over_sim, "", "", note)
    yield Row(name, "overruns", report.accounts["overruns"], "", "0 on a machine of its own")
    yield Row(name, "not_converged", report.accounts["not_converged"], "", 0)
    yield Row(name, "dropped", report.accounts["dropped"], "", 0)
    for metric in ("step_us", "latency_us", "bare_latency_us"):
        found = getattr(report, metric)
        rest = ", ".join(f"{p} {found[p]:.1f}" for p in PERCENTILES[1:])
        yield Row(name, metric, found["p50"], "us", "", f"p50; {rest}")


def served(machine: BenchmarkRotor, rate: float, duration: float, settling: float, bare: float = 0.0) -> Report:
    """One run in real time, in a thread of its own."""
    found: list[Report | Exception] = []

    def work() -> None:
        try:
            make_punctual(PRIORITY)
            with RealTime(machine.build(), rate, tolerance=machine.tolerance, session=f"bench-{os.getpid()}") as runner:
                runner.clock = made_up()
                settled = runner.run(settling)
                if settled.failed:
                    found.append(settled)
                    return
                runner.clock = machine_clock()
                for part in (runner.ledger.accounts, runner.ledger.steps, runner.ledger.latencies):
                    part[:] = 0
                found.append(runner.run(duration, bare=bare))
        except Exception as error:
            found.append(error)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    result = found[0]
    if isinstance(result, Exception):
        raise result
    return result


def highest_rate(machine: BenchmarkRotor, p999: float, settling: float) -> tuple[float, float]:
    """The highest rate tried at which p99.9 of the step time [us] stays within its part of the period, and that p99.9.

    p999: at the paper's rate, from which the first try is guessed. (0, nan) if none was found.
    """
    rate, known = max(PART * 1e6 / p999, LEAST * machine.rate), float("inf")
    best = (machine.rate, p999) if p999 < PART * 1e6 / machine.rate else (0.0, float("nan"))
    for _ in range(TRIES):
        try:
            found = served(machine, rate, max(TRIAL, 3000 / rate), settling)
            p999 = float("inf") if found.failed else found.step_us["p999"]
        except SolveError:  # it does not bear steps of this size
            p999 = float("inf")
        if p999 < PART * 1e6 / rate:
            best = max(best, (rate, p999))
            rate *= FINER
        else:
            known = min(known, rate)
            rate = best[0] * FINER**0.5 if best[0] else rate / FINER**2
        if rate >= known or rate < LEAST * machine.rate:
            break
    return best
