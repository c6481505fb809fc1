"""`samara bench nonsmooth`: steps through impacts, beside Siconos, with errors against the exact motion.

Sides run in turn, each in a process of its own; times are CPU times of one thread.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import dataclass

import numpy as np

from samara.benchmarks.cases.nonsmooth_cases import BALL, OSCILLATOR, StopRun, StopSpec, chain
from samara.benchmarks.cases.nonsmooth_reference import ExactMotion
from samara.benchmarks.contacts.crowd import crowds
from samara.benchmarks.contacts.puma_sailing import BEFORE, sailing
from samara.benchmarks.contacts.rain import balls
from samara.benchmarks.peers import siconos_cases
from samara.benchmarks.peers.siconos_cases import Siconos
from samara.benchmarks.rows import Row, Timing, interleave, ratio

#: Step that is compared [s], and the time between positions that errors are taken of.
STEP, BETWEEN = 1e-4, 1e-3
#: Steps between two of them, for the order.
REFINED = (1, 2, 4, 5, 8, 10, 20, 40, 100)
#: Masses up to which all of the run is timed, and a step is to take less than a microsecond.
SHORT = 10
#: Largest difference of positions between the codes [m]. They have the same formula, but for contacts that are closed
#: and already leave: Siconos lets them return with up to restitution times that speed, we do not.
AGREEMENT = 1e-5


@dataclass(frozen=True)
class NonsmoothSize:
    """How much is measured; tests take less."""

    repeats: int = 15
    duration: float = 3.0  # [s]
    refined: tuple[int, ...] = REFINED
    chains: tuple[int, ...] = (5, 50)
    long_duration: float = 0.3  # timed of a long row [s]
    sailing: float = 2.0  # of the rotor [s]
    before: float = BEFORE
    blades: str = "elastic"
    balls: tuple[int, ...] = (100, 1000, 10_000)
    crowds: tuple[int, ...] = (100, 1000, 10_000)


def rows(size: NonsmoothSize | None = None) -> Iterator[Row]:
    """All cases."""
    size = size or NonsmoothSize()
    for spec in (BALL, OSCILLATOR, *(chain(count) for count in size.chains)):
        yield from impacts(spec, size)
    yield from sailing(size.sailing, size.before, size.blades)
    yield from balls(size.balls, size.repeats)
    yield from crowds(size.crowds, size.repeats)


def impacts(spec: StopSpec, size: NonsmoothSize) -> Iterator[Row]:
    """One case in both codes."""
    run, exact = StopRun(spec), ExactMotion(spec)
    samples, every = round(size.duration / BETWEEN), round(BETWEEN / STEP)
    steps = round((size.duration if spec.count <= SHORT else min(size.duration, size.long_duration)) / STEP)
    right = exact.positions(BETWEEN * np.arange(1, samples + 1))
    before = run.problems
    own = run.positions(STEP, every, samples)
    problems = (run.problems - before) / (samples * every)
    without = siconos_cases.missing()
    with nullcontext() if without else siconos_cases.started(_as_numbers(spec)) as siconos:
        timings = _timings(run, siconos, steps, size.repeats)
        answer = siconos.ask(siconos_cases.RECORDED, STEP, samples * every, every) if siconos else {}
    yield from _own_rows(spec, timings["ours"], steps, problems)
    yield from _accuracy(spec, run, own, right, exact, size)
    if siconos is None:
        yield Row(spec.name, "speedup_vs_siconos", float("nan"), "x", "", f"left out: {without}")
        return
    yield from _siconos_rows(spec, siconos.version, timings, steps)
    yield from _siconos_accuracy(spec, own, np.array(answer["positions"]), right)


def _as_numbers(spec: StopSpec) -> dict:
    """A case for a process that has no Samara."""
    return {
        "mass": spec.mass,
        "restitution": spec.restitution,
        "stiffness": spec.stiffness_matrix().tolist(),
        "force": spec.force().tolist(),
        "positions": [spec.height] * spec.count,
        "speeds": [spec.speed] * spec.count,
    }


def _timings(run: StopRun, siconos: Siconos | None, steps: int, repeats: int) -> dict[str, Timing]:
    """CPU times of runs from the start [s], in turn; that of Siconos is taken in its own process."""
    found: dict[str, list[float]] = {"ours": []}
    for turn in range(-1, repeats):  # the first turn is not counted
        once = interleave({"": lambda _: run.advance(STEP, steps)}, setups={"": run.fresh}, repeats=1, warmup=0)
        spent = {"ours": once[""].median}
        if siconos is not None:
            ways = (siconos_cases.RUN, siconos_cases.CALLED, siconos_cases.EMPTY)
            spent |= {how: siconos.ask(how, STEP, steps)["seconds"] for how in ways}
        if turn >= 0:
            for name, seconds in spent.items():
                found.setdefault(name, []).append(seconds)
    return {name: Timing(np.array(values)) for name, values in found.items()}


def _own_rows(spec: StopSpec, timing: Timing, steps: int, problems: float) -> Iterator[Row]:
    own, aim = timing.scaled(1e6 / steps), "< 1" if spec.count <= SHORT else ""
    note = f"MoreauJean at {STEP:g} s, nothing recorded; {_span(own)}; {problems:.2g} problems solved per step"
    yield Row(spec.name, "us_per_step", own.median, "us", aim, note)
    note = f"of {own.samples.size} runs of {steps} steps"
    yield Row(spec.name, "us_per_step_p95", own.percentile(95), "us", "", note)


def _accuracy(
    spec: StopSpec, run: StopRun, own: np.ndarray, right: np.ndarray, exact: ExactMotion, size: NonsmoothSize
) -> Iterator[Row]:
    note = f"mean of |x - exact| over {size.duration:g} s, of up to {np.ptp(right):.2g} m; "
    note += f"{len(exact.impacts)} impacts in the exact motion"
    yield Row(spec.name, "error", _error(own, right), "m", "siconos_error", note)
    errors = {BETWEEN / k: _error(run.positions(BETWEEN / k, k, len(right)), right) for k in size.refined}
    slope = np.polyfit(np.log(list(errors)), np.log(list(errors.values())), 1)[0]
    note = "by the step " + ", ".join(f"{h * 1e3:g} ms: {error:.1e}" for h, error in errors.items())
    yield Row(spec.name, "observed_order", slope, "", "about 1", note)


def _siconos_rows(spec: StopSpec, version: str, timings: dict[str, Timing], steps: int) -> Iterator[Row]:
    inside, called = timings[siconos_cases.RUN].scaled(1e6 / steps), timings[siconos_cases.CALLED].scaled(1e6 / steps)
    empty = timings[siconos_cases.EMPTY].median * 1e6 / steps
    note = f"Siconos {version}, MoreauJeanOSI(0.5), LCP, dense; its own loop in C++; {_span(inside)}"
    yield Row(spec.name, "siconos_us_per_step", inside.median, "us", "", note)
    note = f"computeOneStep and nextStep from Python, of it an empty loop {empty:.2g}; {_span(called)}"
    yield Row(spec.name, "siconos_us_per_step_as_called", called.median, "us", "", note)
    pairs = timings[siconos_cases.RUN].samples / timings["ours"].samples
    note = "native loops on both sides, the same step and formula; "
    note += f"pairs {np.percentile(pairs, 5):.3g} to {np.percentile(pairs, 95):.3g}"
    gain = ratio(timings[siconos_cases.RUN], timings["ours"])
    yield Row(spec.name, "speedup_vs_siconos", gain, "x", "> 1", note)
    gain = ratio(timings[siconos_cases.CALLED], timings["ours"])
    note = "its steps called from Python over our native loop"
    yield Row(spec.name, "speedup_vs_siconos_as_called", gain, "x", "", note)


def _siconos_accuracy(spec: StopSpec, own: np.ndarray, theirs: np.ndarray, right: np.ndarray) -> Iterator[Row]:
    yield Row(spec.name, "siconos_error", _error(theirs, right), "m", "", "as error")
    note = "largest of positions between the codes at the same step"
    yield Row(spec.name, "siconos_difference", float(np.abs(own - theirs).max()), "m", f"< {AGREEMENT:g}", note)


def _error(found: np.ndarray, right: np.ndarray) -> float:
    """L1 error of positions [m]."""
    return float(np.abs(found - right).mean())


def _span(timing: Timing) -> str:
    return f"{timing.best:.3g} to {timing.percentile(95):.3g} us"
