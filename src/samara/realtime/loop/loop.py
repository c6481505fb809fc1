"""The loop: one step per clock period, and the policy for late steps.

    rehearse - wait for the deadline - receive - step - publish - look at the clock

The k-th period begins at the deadline d_k = start + k P. A step that begins there and ends at e has overrun
ceil((e - d_k) / P) - 1 deadlines: 3 if it took 3.1 periods, none if exactly one. The policy decides what happens then:

    stop      the run ends
    skip      missed periods are skipped: simulated time falls behind by them; deadlines are unchanged
    hold      as skip, and the last outputs are published once more for each skipped period
    slip      the deadlines are shifted by the delay: no period is skipped, simulated time falls behind by the delay
    degrade   no period is skipped: late steps follow at once, with few iterations and old factors as long as the
              corrections allow it, until the loop is on time again

A driven loop does not wait for the deadline but for a new row from each live controller. Its deadlines are one period
after that; late steps are counted and may stop the loop, but no period is skipped. Without a controller it waits.
"""

from __future__ import annotations

import numpy as np

from samara.realtime.loop.clock import now, sleep_before, wait_until, worked
from samara.realtime.loop.exchange import await_messages, send, take_commands, take_requests
from samara.realtime.loop.rehearsal import rehearse_step
from samara.realtime.mailbox.port import beat
from samara.realtime.session.accounts import Account, note
from samara.realtime.session.command import Command
from samara.realtime.session.schedule import Ended, Policy, Schedule
from samara.solve.native.codes import GROWTH, Counter, Status
from samara.solve.native.subnormals import FLUSH, control_word, set_control_word
from samara.solve.native.verbs import undo
from samara.solve.step.step import step
from samara.solve.step.step_size import fails, is_too_long
from samara.tracing.driver.driver_cache import driver, inner

STOP, SKIP, HOLD, SLIP, DEGRADE = (int(p) for p in Policy)
DONE, ASKED, OVERRUN, PIVOTS, AGAIN = (
    int(e) for e in (Ended.DONE, Ended.ASKED, Ended.OVERRUN, Ended.PIVOTS, Ended.AGAIN)
)
#: By the status of a step: why the loop ends after it.
ENDS = tuple(int(Ended[s.name] if s.name in Ended.__members__ else Ended.DONE) for s in Status)
START, PAUSE, SINGLE, ENOUGH, RESET = (
    int(c) for c in (Command.START, Command.HOLD, Command.STEP, Command.STOP, Command.RESET)
)

#: Iterations of a step that the bound was too tight for.
ALL_ITERATIONS = 25


@inner
def _go_on(work, plan):
    """A step that failed once more, with new factors, from where the last part that was found has ended."""
    undo(work)
    work.memory.trust.factored_for = 0.0
    work.memory.clock.longest = np.inf
    return step(work, plan.step)


@inner
def bounded_step(work, plan, accounts, degraded):
    """One step with a bound on the iterations: what is not converged then is taken below the ceiling, and counted.

    Above it the step is taken in parts (not one that is to catch up), and then, under every policy but `stop`, tried
    again with all iterations: it takes its time, and what that makes late is the policy's business. What cannot be
    divided any further is left to Euler's formula (`solve.step.step.converge`).
    """
    settings, counters = work.settings, work.counters
    contraction, keep, parts = settings.contraction, settings.keep, settings.parts
    before, divided = counters[Counter.UNCONVERGED], counters[Counter.DIVIDED]
    settings.max_iterations = plan.iterations
    if degraded:
        settings.max_iterations, settings.parts = plan.degraded, 1.0
        settings.contraction = settings.keep = np.inf
        accounts[Account.DEGRADED] += 1
    status = step(work, plan.step)
    settings.contraction, settings.keep, settings.parts = contraction, keep, parts
    if fails(status) and plan.policy != STOP:
        accounts[Account.REPEATED] += 1
        settings.max_iterations = ALL_ITERATIONS
        status = _go_on(work, plan)
    if fails(status) and not is_too_long(status) and parts > 1.0:
        settings.parts = 1.0
        status = _go_on(work, plan)
        settings.parts = parts
    accounts[Account.NOT_CONVERGED] += counters[Counter.UNCONVERGED] - before
    accounts[Account.DIVIDED] += counters[Counter.DIVIDED] - divided
    return status


@inner
def deadlines_between(first, after, until, period):
    """How many of the deadlines first, first + period, ... lie after one time and before another."""
    return (until - first + period - 1) // period - 1 - (after - first) // period


@inner
def next_deadline(plan, schedule, accounts, deadline, end):
    """Of the next cycle, by the policy. Returns how many periods have passed meanwhile."""
    passed = deadlines_between(deadline, deadline, end, plan.period)
    schedule[Schedule.HURRY] = 0
    schedule[Schedule.DEADLINE] = deadline + plan.period
    if passed <= 0:
        return 0
    if plan.policy == SKIP or plan.policy == HOLD:
        accounts[Account.SKIPPED] += passed
        schedule[Schedule.DEADLINE] += passed * plan.period
    elif plan.policy == SLIP:
        accounts[Account.SLIPPED] += end - schedule[Schedule.DEADLINE]
        schedule[Schedule.DEADLINE] = end
    elif plan.policy == DEGRADE:
        schedule[Schedule.HURRY] = 1
    return passed


@inner
def apply_command(box, schedule):
    """Does what an operator asked for; whether the loop ends."""
    asked, count = box.asked[0], box.asked[1]
    box.asked[0] = 0
    if asked == RESET:
        return AGAIN
    if asked == ENOUGH:
        return ASKED
    if asked == START:
        schedule[Schedule.STEPS] = -1
    elif asked == PAUSE:
        schedule[Schedule.STEPS] = 0
    elif asked == SINGLE:
        schedule[Schedule.STEPS] = max(count, 1)
    return DONE


@inner
def _loop(work, plan, room, clock, box, schedule, accounts, steps, latencies):
    """Serves periods until none is left, or something ends it; goes on where it was when it is called again."""
    m, memory = work.machine, work.memory
    if schedule[Schedule.DEADLINE] == 0:
        schedule[Schedule.DEADLINE] = now(clock) + plan.period
    while schedule[Schedule.LEFT] != 0:
        deadline, begin, sent = schedule[Schedule.DEADLINE], now(clock), 1
        if schedule[Schedule.CYCLE]:  # a cycle that was left to renew the pivots
            deadline, begin = schedule[Schedule.CYCLE_DEADLINE], schedule[Schedule.CYCLE_BEGIN]
            served_from = deadline
            schedule[Schedule.CYCLE] = 0
        elif plan.driven and schedule[Schedule.STEPS] != 0:
            schedule[Schedule.WAITING] = 1
            begin, sent = await_messages(clock, box, plan.period)
            schedule[Schedule.WAITING] = 0
            if sent:
                note(latencies, max(begin - sent, 0))
            deadline = served_from = begin
        elif plan.driven or begin <= deadline:
            deadline = begin + plan.period if plan.driven else deadline
            schedule[Schedule.WAITING] = 1
            if clock.spin != 0 and not plan.driven and schedule[Schedule.STEPS] != 0:
                sleep_before(clock, deadline)
                rehearse_step(work, box, room, plan.step)
            wait_until(clock, deadline)
            schedule[Schedule.WAITING] = 0
            begin = now(clock)
            note(latencies, begin - deadline)
            served_from = deadline
        elif schedule[Schedule.HURRY]:  # behind, and counted already
            served_from = begin
        else:  # kept from its wait
            note(latencies, begin - deadline)
            served_from = deadline
        if box.on:
            m.jumps.parameter_changes[0] += take_requests(box, accounts, memory.clock.time, begin)
        ended = apply_command(box, schedule)
        if ended != DONE:
            return ended
        idle = schedule[Schedule.STEPS] == 0 or not sent
        if box.on and not (plan.driven and idle):  # a message that drives a step is taken with that step
            take_commands(m, box, accounts, begin)
        if idle:
            if box.on:
                beat(box.sensors, begin)
            worked(clock)
            accounts[Account.PAUSED] += 1
        else:
            hurry = schedule[Schedule.HURRY] != 0
            status = bounded_step(work, plan, accounts, hurry)
            if status == GROWTH:
                schedule[Schedule.CYCLE], schedule[Schedule.CYCLE_DEADLINE] = 1, deadline
                schedule[Schedule.CYCLE_BEGIN] = begin
                return PIVOTS
            if ENDS[status] != DONE:
                return ENDS[status]
            if schedule[Schedule.STEPS] > 0:
                schedule[Schedule.STEPS] -= 1
            worked(clock)
            if box.on:
                send(work, box, accounts, memory.clock.time, now(clock))
            accounts[Account.CYCLES] += 1
        end = now(clock)
        accounts[Account.ELAPSED] += end - max(schedule[Schedule.LAST], deadline - plan.period)
        schedule[Schedule.LAST] = end
        schedule[Schedule.LEFT] -= 1
        if idle:  # nothing that could be late
            passed = deadlines_between(deadline, deadline, end, plan.period)
            schedule[Schedule.DEADLINE] = deadline + (1 + max(passed, 0)) * plan.period
            schedule[Schedule.LEFT] -= min(max(passed, 0), max(schedule[Schedule.LEFT], 0))
            schedule[Schedule.HURRY] = 0
            continue
        note(steps, end - begin)
        accounts[Account.BUSY] += end - begin
        overruns = deadlines_between(deadline, served_from, end, plan.period)
        if overruns > 0:
            accounts[Account.OVERRUNS] += overruns
            accounts[Account.LATE_STEPS] += 1
            if plan.policy == STOP:
                return OVERRUN
        if plan.driven:
            continue
        passed = next_deadline(plan, schedule, accounts, deadline, end)
        if plan.policy == SKIP or plan.policy == HOLD:
            schedule[Schedule.LEFT] -= min(passed, max(schedule[Schedule.LEFT], 0))
        if plan.policy == HOLD and box.on:
            for _ in range(passed):
                accounts[Account.HELD] += 1
                send(work, box, accounts, memory.clock.time, end)
    return DONE


@driver
def loop(work, plan, room, clock, box, schedule, accounts, steps, latencies):
    """`_loop`, with subnormal numbers taken as zero, as in runs off-line."""
    before = control_word()
    set_control_word(np.uint32(before | FLUSH))
    ended = _loop(work, plan, room, clock, box, schedule, accounts, steps, latencies)
    set_control_word(before)
    return ended
