"""Named numbers that control a step and that it remembers, shared by Python and native code."""

from __future__ import annotations

from samara.tracing.driver.struct import Struct


class SchemeNumbers(Struct):
    """Of an integrator, see `Integrator.numbers`."""

    first: float
    second: float
    third: float
    fourth: float


class StepSettings(Struct):
    """Numbers that control a step."""

    scheme: SchemeNumbers
    tolerance: float  # largest correction of a twist, relative to the model's speeds
    max_iterations: int
    contraction: float  # a kept factorisation must do better than this
    length: float  # of the model [m]
    speed_floor: float  # m/s
    keep: float  # iterations that a kept factorisation may take
    turn: float  # rad per step that two nodes turn against each other, from which on it is said that they do
    ceiling: float  # largest last correction with which a step is accepted that has not converged
    parts: float  # smallest part of a step that fails which is tried, as 1 / parts; 1: it is not divided
    project: bool  # whether every step ends with velocities on the constraints
    sweeps: int  # over contacts with friction at most, each time that their impulses are looked for
    contact_ceiling: float  # what may be left of the law of contact then


class StepLimits(Struct):
    """Numbers that control an adaptive step; zeros before the first."""

    accuracy: float  # of a step
    smallest: float  # step [s]
    largest: float  # step [s]
    next: float  # step to be tried [s], 0 before the first
    after_event: float  # longest step after an event [s]
    recorded: float  # time up to which records at given times are written [s], and
    interval: float  # between two of them [s]; 0: every step is recorded
    end: float  # of the run [s]


class StepClock(Struct):
    """Present time of a run and its recent steps."""

    time: float  # s
    step: float  # last accepted step, 0 where the scheme has no past: before the first and after an event
    event: bool  # something has jumped at the present time, and the scheme starts anew
    goal: float  # time at which the present step ends, while it is taken in parts; 0 otherwise
    changes: int  # of parameters that are known
    first: bool  # before a first step that ends with velocities on their target
    rush: bool  # after an event while nodes without mass are on their way to another balance
    started: bool  # once a step has been accepted: a run goes on from there, and does not start anew
    origin: float  # of the fixed steps that are counted (`solve.native.clock`) [s], and
    tick: float  # their size [s], 0 before the first, which is
    numerator: float  # this, over
    denominator: float  # this
    count: float  # steps from the origin to the end of the last one that was begun (`solve.native.clock`), at
    reached: float  # this time [s]
    turn: float  # largest angle that anything has turned by in a step that was recorded [rad]
    whole: float  # size of the step that the present one is a part of [s]
    tried: float  # size of the step that was first tried [s]
    part: float  # of the step that was tried last, after which something hits; 0: at once, -1: it has never left
    ratio: float  # of the present step to the one before, 0 without a past
    longest: float  # part of the present step that is tried at once [s]; inf: all of it
    began: float  # time at which the last part that was taken began [s], and
    before: float  # size of the one before it [s]


class Trust(Struct):
    """How far Newton's method trusts a reused factorisation, from its recent contraction rates."""

    factored_for: float  # c0 of the factorisation, 0 for none, and
    factored_second: float  # its c2: integrators may have another one with the same c0
    contraction: float  # second correction over the first, observed lately
    later: float  # the same of later corrections
    correction: float  # last relative correction
    worst_row: int  # where it was largest: a row of the unknowns, or of what a tree integrates, -1 for none
    wear: float  # how many of the last steps needed a new Jacobian, beyond what is normal
    patience: float  # how much of it is borne before the pivots are looked at again
    phase: float  # steps since a trial of the turning elements' part of the factors began
    worn: float  # iterations of a trial of so many steps (`renewal.TRIAL_STEPS`) with it kept, and
    fresh: float  # with it renewed in each
    rounding: float  # correction that rounding of places makes, as last measured (`newton.rounding_noise`), and
    rounding_scale: float  # the same per scale of corrections
    late_node: int  # supernode from which on factors are renewed at the begin of a step, 0 for none, and
    late_steps: float  # for how many steps to come
    search_pause: float  # steps to come in which it is not looked for one, and
    search_wait: float  # how many there were when it was last looked in vain


class StepMemory(Struct):
    """Numbers that a step passes on to the next."""

    clock: StepClock
    trust: Trust
    contact_residual: float  # the most that was left of the law of contact, of the speeds of approach
