"""The matrix of features and ways to run: what comes of each pair. `test_matrix` holds it, the documentation shows it.

python tests/invariance/matrix.py        prints the page's tables
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from features import FEATURES
from ways import IN_TREES, WAYS

import samara as sm


@dataclass(frozen=True)
class Equal:
    """What the plain run gives. mark: as the table shows it; how: in words."""

    mark: str
    how: str


@dataclass(frozen=True)
class Refused:
    """An error of this class whose message has these words, the element's name first; why, for the table."""

    error: type[Exception]
    words: tuple[str, ...]
    why: str


@dataclass(frozen=True)
class Told:
    """What the plain run gives, and a warning with these words."""

    words: str
    why: str


@dataclass(frozen=True)
class Shared:
    """The motion of the plain run, bit by bit, and other reactions, of a joint or a couple."""

    why: str


SAME = Equal("=", "bit by bit")
ROUNDED = Equal("≈", "but for the order of sums and Newton's tolerance")
STEPS = Equal("~", "but for the error of the steps, which is found by halving them")
RESTS = Equal("0", "a run from the equilibrium stays there, to 1e-7 of the model's size")

#: What comes of a way unless `OTHERWISE` says so.
USUAL = {
    "checkpoint": SAME,
    "every": SAME,
    "save, load": SAME,
    "Stepper": SAME,
    "real time": SAME,
    "accuracy": STEPS,
    "static": RESTS,
    "modes": STEPS,
    "sweep": SAME,
    "partition": ROUNDED,
    "threads": ROUNDED,
    "MPI": ROUNDED,
    "sensitivity": STEPS,
    "recursive": STEPS,
    "implicit": STEPS,
    "accuracy, dense": STEPS,
    "checkpoint, recursive": SAME,
    "every, recursive": SAME,
    "Stepper, recursive": SAME,
    "real time, recursive": SAME,
}

IMPACTS = "impacts are events of runs in time; a `PenaltyContact` goes"
SAMPLES = "a discrete law is called in runs in time alone; a continuous block goes"
STEPPED = "impacts in trees are stepped by `MoreauJean`"
INTERPRETED = "the loop runs native code alone; a compiled law or a controller goes"
MOVES = "what is told to move has no small motions about a rest; `periodic`, `steady_rotation` or `floquet` go"
UNDECIDED = "equal, and told: what friction carries at rest is not determined"
ANYWHERE = "equal, and told: what nothing holds may rest anywhere"
RESTLESS = "a motor without a load has no rest"
IN_PARTS = "contacts on several processes are not built; threads go"
RIGID = "trees are of rigid bodies"
RUBS = "joint friction takes the reaction, which a tree has last"

#: {feature: {ways: what comes of it instead}}; all ways in minimal coordinates go by "recursive"
OTHERWISE: dict[str, dict[str, Refused | Told | Shared]] = {
    "contact": {
        "static + modes + sensitivity": Refused(sm.ArgumentError, ("machine.floor", "impacts"), IMPACTS),
        "MPI": Refused(sm.ArgumentError, ("machine.floor", "impacts"), IN_PARTS),
        "implicit + accuracy, dense": Refused(sm.ArgumentError, ("machine.floor", "MoreauJean"), STEPPED),
    },
    "friction": {
        "recursive": Refused(sm.TreeError, ("machine.guide", "friction"), RUBS),
        "static + modes": Told("sticks or slides", UNDECIDED),
    },
    "sampled laws": {"static + modes + sensitivity": Refused(sm.ArgumentError, ("machine.law", "sample"), SAMPLES)},
    "locks": {
        "recursive": Refused(
            sm.TreeError,
            ("machine.lock", "accelerations"),
            "a lock makes loads of accelerations, which a tree has last",
        ),
        "static": Told("neutral", ANYWHERE),
        "modes": Refused(sm.NotConstant, ("a drive",), "the lock closes later, and makes other equations"),
        "sensitivity": Refused(sm.NotSmooth, ("jumps",), "the lock closes at a time that may follow a parameter"),
    },
    "prescribed motion": {"modes": Refused(sm.NotConstant, ("table", "prescribed motion"), MOVES)},
    "beams": {"recursive": Refused(sm.TreeError, ("machine.mass1", "rigid bodies"), RIGID)},
    "modal bodies": {"recursive": Refused(sm.TreeError, ("machine.joint", "without an explicit map"), RIGID)},
    "rotors": {"modes": Refused(sm.NotConstant, ("machine.drive", "prescribed motion"), MOVES)},
    "flight": {
        "static + modes": Refused(sm.SingularModel, ("body", "nothing ties"), "what flies has no rest; `trim` goes")
    },
    "penalty contact": {"static + modes": Told("neutral", ANYWHERE)},
    "stops": {
        "static + modes + sensitivity": Refused(sm.ArgumentError, ("machine.stop", "impacts"), IMPACTS),
        "MPI": Refused(sm.ArgumentError, ("machine.stop", "impacts"), IN_PARTS),
        "implicit + accuracy, dense": Refused(sm.ArgumentError, ("machine.stop", "MoreauJean"), STEPPED),
    },
    "bristles": {
        "recursive": Refused(sm.TreeError, ("machine.hinge", "friction"), RUBS),
        "static + modes": Told("sticks or slides", UNDECIDED),
    },
    "laws in Python": {
        "static + modes + sensitivity": Refused(sm.ArgumentError, ("machine.law", "sample"), SAMPLES),
        "real time + real time, recursive": Refused(sm.ArgumentError, ("machine.law", "Python"), INTERPRETED),
    },
    "drive trains": {
        "recursive": Refused(sm.TreeError, ("machine.gear", "no joint of the tree"), "a gear is no joint of a tree"),
        "static + modes": Refused(sm.SingularModel, ("machine.a_bearing", "nothing holds it back"), RESTLESS),
    },
    "redundant joints": {
        "recursive": Refused(sm.TreeError, ("machine.upper", "cut"), "a loop has to be cut"),
        "accuracy": Refused(
            sm.ArgumentError, ("redundant constraints",), "reactions are shared at the ends of steps, not between them"
        ),
        "real time": Shared("the motion is equal, bit by bit; reactions are possible ones, not the smallest"),
        "partition + threads + MPI": Refused(
            sm.ModelError, ("least-squares", "partition"), "shares of reactions are found in the whole"
        ),
    },
}


def outcome(feature: str, way: str) -> Equal | Refused | Told | Shared:
    """What is to come of a pair."""
    rules = OTHERWISE.get(feature, {})
    for names, found in rules.items():
        if way in names.split(" + "):
            return found
    return rules.get("recursive", USUAL[way]) if way in IN_TREES else USUAL[way]


def page() -> str:
    """The tables of docs/validation/features.md: a row for each feature, a column for each way, and the notes."""
    notes: list[str] = []
    lines = [*_table(WAYS, notes), "", "In minimal coordinates:", "", *_table(IN_TREES, notes)]
    lines += ["", "| mark | equal to the plain run |", "| --- | --- |"]
    lines += [f"| {e.mark} | {e.how} |" for e in (SAME, ROUNDED, STEPS, RESTS)]
    lines += ["", *(f"{k}. {text}" for k, text in enumerate(notes, 1)), ""]
    lines += ["| feature | machine |", "| --- | --- |"]
    lines += [f"| {name} | {feature.text} |" for name, feature in FEATURES.items()]
    lines += ["", "| way | what is compared |", "| --- | --- |"]
    for name, way in (WAYS | {"recursive": IN_TREES["recursive"], "dense": IN_TREES["accuracy, dense"]}).items():
        lines.append(f"| {name} | {' '.join((way.__doc__ or '').split())} |")
    return "\n".join(lines) + "\n"


def _table(ways: Iterable[str], notes: list[str]) -> list[str]:
    """Lines of one; notes are added to."""
    names = [way.removesuffix(", recursive") for way in ways]
    lines = [f"| | {' | '.join(names)} |", f"| --- |{' --- |' * len(names)}"]
    for feature in FEATURES:
        cells = []
        for way in ways:
            found = outcome(feature, way)
            if isinstance(found, Equal):
                cells.append(found.mark)
                continue
            refused = isinstance(found, Refused)
            text = f"refused by `{found.error.__name__}`: {found.why}" if isinstance(found, Refused) else found.why
            if text not in notes:
                notes.append(text)
            cells.append(f"{'' if refused else USUAL[way].mark} ({notes.index(text) + 1})".strip())
        lines.append(f"| **{feature}** | {' | '.join(cells)} |")
    return lines


if __name__ == "__main__":
    print(page())
