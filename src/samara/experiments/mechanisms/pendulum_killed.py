"""The controller holding the pendulum upright is killed, and another one takes over."""

from __future__ import annotations

from typing import Annotated

import numpy as np

from samara.experiments.mechanisms import pendulum_realtime as pendulum
from samara.experiments.real_time import Taken, delays, in_real_time, off_line
from samara.experiments.registry import Experiment, Finding, Outcome
from samara.models.registry import Quantity
from samara.realtime.mailbox.port import PATIENCE
from samara.results import Results


def run(
    kill: Annotated[float, Quantity("s", "when the controller is killed", positive=True)] = 5.0,
    dead: Annotated[float, Quantity("s", "until another one is started")] = 2.5,
    duration: Annotated[float, Quantity("s", "of the run", positive=True)] = 14.0,
    policy: Annotated[str, Quantity("", "what to do about late steps")] = "skip",
) -> Outcome:
    """Swing-up, hold, then SIGKILL. The torque keeps its last value, the pendulum falls, a new one takes over."""
    job, law = pendulum.setup("swing", False, 0.0, policy)
    taken = in_real_time(job, law, duration, kill, dead)
    twin = off_line(job, law, taken.begin + kill, taken.begin)
    results, old = taken.results, delays(law, taken.results, pendulum.RATE)
    alone = unheard(taken)
    silent = taken.report["silent"]
    expected = (alone.time[-1] - alone.time[0] - PATIENCE) * pendulum.RATE
    again = pendulum.since(results, pendulum.NEAR) - taken.marks["heard"]
    findings = (
        Finding("before_it_was_killed", _off(results, taken.marks["killed"]), "rad", "below 0.01: upright"),
        Finding("fell_by", float(np.abs(pendulum.away(alone)).max()), "rad", "pi: it hangs"),
        Finding("energy_error_while_falling", pendulum.energy_error(alone), "J", "0: closed form"),
        Finding("unheard_for", float(alone.time[-1] - alone.time[0]), "s", f"{dead:g} and the start of a process"),
        Finding("silent_cycles_expected", expected, "1", f"{silent} counted, after a patience of {PATIENCE:g} s"),
        Finding("upright_again_after", again, "s", "of the second controller"),
        Finding("largest_angle_in_the_end", pendulum.largest(results, 1.0), "rad", "below 0.01: in the last second"),
        Finding("longest_step_while_unheard", longest(taken), "s", "the loop waits for nobody"),
        *taken.findings(),
    )
    title = "Pendulum at 1 kHz: the controller is killed (kill -9), nobody drives, another one takes over"
    held = pendulum.largest(results, 1.0) < pendulum.NEAR
    problem = "" if held else "the second controller has not brought the pendulum up: give it more time"
    return Outcome(results, findings, lambda: pendulum.draw(taken, twin, old, title), problem=problem)


def unheard(taken: Taken) -> Results:
    """Section of the run without a controller, before the next one was started: the torque is constant, bit for bit."""
    results = taken.results
    within = int(np.searchsorted(results.time, taken.marks["started"]))
    changes = np.flatnonzero(np.diff(results["torque"]) != 0.0) + 1
    first, end = changes[changes <= within].max(initial=0), changes[changes > within].min(initial=len(results))
    return Results(results.channels, results.time[first:end], results.table[first:end], results.attrs)


def longest(taken: Taken) -> float:
    """Longest interval between samples without a controller [s of the machine's clock]."""
    alone = unheard(taken)
    rows = np.isin(taken.results.time, alone.time)
    return float(np.diff(taken.stamps[rows]).max()) * 1e-9


def _off(results: Results, time: float) -> float:
    return float(np.abs(pendulum.away(results))[np.searchsorted(results.time, time)])


EXPERIMENT = Experiment(
    "pendulum-killed-controller",
    "the controller that holds a pendulum upright is killed (kill -9), and another process takes over",
    pendulum.SOURCE,
    run,
    pendulum.STAND_IN,
)
