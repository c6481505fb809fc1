"""What a step is steered by, remembers, counts and answers: positions in flat arrays."""

from __future__ import annotations

from enum import IntEnum, unique


@unique
class Status(IntEnum):
    """How a step ended."""

    OK = 0
    NOT_CONVERGED = 1
    NOT_FINITE = 2
    GROWTH = 3  # the pivot sequence no longer suits: analyse anew
    STEP_TOO_SMALL = 4
    CONTRADICTION = 5  # contacts that no impulses can keep apart
    BELOW_FLOOR = 6  # a state has fallen below a value that an element needs
    LAW_FAILED = 7  # a discrete law has no answer (`solve.laws.samples`)
    PASSED_THROUGH = 8  # a body has passed through another unseen (`solve.impacts.passing`)
    SHORTER = 9  # something happens within the step, after `Memory.PART` of it
    INEXACT = 10  # its error is larger than the accuracy
    SINGULAR = 11  # Newton's matrix of a tree has no inverse
    TOO_MANY_PAIRS = 12  # more bodies are near each other than there is room for (`solve.contact.pool`)
    UNRESOLVED = 13  # something moves too fast for a step of this size (`solve.redundant.look_ahead`)


@unique
class Setting(IntEnum):
    """Numbers that steer a step (an array of doubles)."""

    SCHEME_0 = 0  # numbers of the integrator, see `Integrator.numbers`
    SCHEME_1 = 1
    SCHEME_2 = 2
    SCHEME_3 = 3
    TOLERANCE = 4  # largest correction of a twist, relative to the model's speeds
    MAX_ITERATIONS = 5
    CONTRACTION = 6  # a kept factorisation must do better than this
    SPEED_FLOOR = 7  # m/s
    SPIN_FLOOR = 8  # rad/s
    KEEP = 9  # iterations that a kept factorisation may take
    TURN = 10  # rad per step that two nodes turn against each other, from which on it is said that they do
    CEILING = 11  # largest last correction with which a step is accepted that has not converged
    PARTS = 12  # smallest part of a step that fails which is tried, as 1 / PARTS; 1: it is not divided
    PROJECT = 13  # 1 where every step ends with velocities on the constraints
    SWEEPS = 14  # over contacts with friction at most, each time that their impulses are looked for
    CONTACT_CEILING = 15  # what may be left of the law of contact then


@unique
class Limit(IntEnum):
    """Numbers that steer a step which follows an accuracy (an array of doubles)."""

    ACCURACY = 0  # of a step
    SMALLEST = 1  # step [s]
    LARGEST = 2  # step [s]
    NEXT = 3  # step to be tried [s], 0 before the first
    AFTER_EVENT = 4  # longest step after an event [s]
    RECORDED = 5  # time up to which records at given times are written [s], and
    INTERVAL = 6  # between two of them [s]; 0: every step is recorded
    END = 7  # of the run [s]


@unique
class Memory(IntEnum):
    """What a step hands to the next (an array of doubles)."""

    TIME = 0
    STEP = 1  # last accepted step, 0 where the scheme has no past: before the first and after an event
    FACTORED_FOR = 2  # c0 of the factorisation, 0 for none
    CONTRACTION = 3  # second correction over the first, observed lately
    CORRECTION = 4  # last relative correction
    WORST_ROW = 5  # where it was largest: a row of the unknowns, or of the numbers that a tree integrates, -1 for none
    WEAR = 6  # how many of the last steps needed a new Jacobian, beyond what is normal
    PATIENCE = 7  # how much of it is borne before the pivots are looked at again
    PHASE = 8  # steps since a trial of the turning elements' part of the factors began
    WORN = 9  # iterations of a trial of so many steps (`renewal.TRIAL_STEPS`) with it kept, and
    FRESH = 10  # with it renewed in each
    EVENT = 11  # 1 where something has jumped at the present time, and the scheme starts anew
    GOAL = 12  # time at which the present step ends, while it is taken in parts; 0 otherwise
    CHANGES = 13  # changes of parameters that are known
    FIRST = 14  # 1 before a first step that ends with velocities on their target
    LATER = 15  # as CONTRACTION, of later corrections
    RUSH = 16  # 1 after an event while nodes without mass are on their way to another balance
    STARTED = 17  # 1 once a step has been accepted: a run goes on from there, and does not start anew
    CONTACT_RESIDUAL = 18  # the most that was left of the law of contact, of the speeds of approach
    ORIGIN = 19  # of the fixed steps that are counted (`solve.native.clock`) [s], and
    TICK = 20  # their size [s], 0 before the first, which is
    NUMERATOR = 21  # this, over
    DENOMINATOR = 22  # this
    ROUNDING = 23  # correction that rounding of places makes, as last measured (`newton.rounding_noise`), and
    ROUNDING_SCALE = 24  # the same per scale of corrections
    COUNT = 25  # steps from the origin to the end of the last one that was begun (`solve.native.clock`), at
    REACHED = 26  # this time [s]
    TURN = 27  # largest angle that anything has turned by in a step that was recorded [rad]
    LATE_NODE = 28  # supernode from which on factors are renewed at the begin of a step, 0 for none, and
    LATE_STEPS = 29  # for how many steps to come
    SEARCH_PAUSE = 30  # steps to come in which it is not looked for one, and
    SEARCH_WAIT = 31  # how many there were when it was last looked in vain
    WHOLE = 32  # size of the step that the present one is a part of [s]
    TRIED = 33  # size of the step that was first tried [s]
    PART = 34  # of the step that was tried last, after which something hits; 0: at once, -1: it has never left
    RATIO = 35  # of the present step to the one before, 0 without a past
    LONGEST = 36  # part of the present step that is tried at once [s]; inf: all of it
    BEGAN = 37  # time at which the last part that was taken began [s], and
    BEFORE = 38  # size of the one before it [s]


@unique
class Counter(IntEnum):
    """What is counted (an array of integers)."""

    STEPS = 0
    ITERATIONS = 1
    JACOBIANS = 2
    ANALYSES = 3
    REJECTED = 4
    STALLED = 5  # accepted at rounding level rather than at the tolerance
    REFRESHED = 6  # times that a part of the factors, as that of turning elements, was renewed on its own
    RETRIED = 7  # steps that did not converge at first, and were taken once more
    UNCONVERGED = 8  # accepted below the ceiling rather than at the tolerance
    DIVIDED = 9  # steps that failed and were taken in parts
    EVENTS = 10  # jumps of drives, inputs and parameters after which the scheme started anew
    LEAPS = 11  # those of them at which places that constraints hold jumped
    LOWER_ORDER = 12  # steps of a scheme that solves twice which were solved once, by one of second order
    UNRESOLVED = 13  # and those that were taken in parts, for something moves too fast for them
    CONTACT_PROBLEMS = 14  # problems of closed contacts that were solved
    CONTACT_SWEEPS = 15  # sweeps over contacts, or pivots, in them
    CONTACTS_UNCONVERGED = 16  # those of which more was left than the tolerance, below a ceiling
    IMPACTS = 17  # contacts that have hit
    MILDER_IMPACTS = 18  # problems with less restitution than was asked for: all of it would have added energy


#: What a contact is: open, closed, or closing at this moment, with restitution.
OPEN, SHUT, HITTING = range(3)
#: Counters of contacts alone.
OF_CONTACTS = tuple(Counter)[Counter.CONTACT_PROBLEMS :]
OK, NOT_CONVERGED, NOT_FINITE, GROWTH, STEP_TOO_SMALL = (int(s) for s in list(Status)[:5])
CONTRADICTION, BELOW_FLOOR, LAW_FAILED, PASSED_THROUGH = (int(s) for s in list(Status)[5:9])
SHORTER, INEXACT, SINGULAR, TOO_MANY_PAIRS, UNRESOLVED = (int(s) for s in list(Status)[9:])
