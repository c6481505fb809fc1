"""Status codes and counters of a step."""

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
    SHORTER = 9  # something happens within the step, after `StepClock.part` of it
    INEXACT = 10  # its error is larger than the accuracy
    SINGULAR = 11  # Newton's matrix of a tree has no inverse
    TOO_MANY_PAIRS = 12  # more bodies are near each other than there is room for (`solve.contact.pool`)
    UNRESOLVED = 13  # something moves too fast for a step of this size (`solve.redundant.look_ahead`)


@unique
class Counter(IntEnum):
    """Indices of the counters (an array of integers)."""

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
