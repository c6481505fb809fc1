"""The matrix of features and ways to run: what comes of each pair. `test_matrix` holds it, the documentation shows it.

python tests/invariance/matrix.py        prints the page's tables
"""

from __future__ import annotations

from dataclasses import dataclass

from features import FEATURES
from ways import WAYS

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
    "recursive": STEPS,
    "accuracy": STEPS,
    "static": RESTS,
    "modes": STEPS,
    "sweep": SAME,
    "partition": ROUNDED,
    "threads": ROUNDED,
    "MPI": ROUNDED,
    "sensitivity": STEPS,
}

IMPACTS = "impacts are events of runs in time; a `PenaltyContact` goes"
SAMPLES = "a discrete law is called in runs in time alone; a continuous block goes"
MOVES = "what is told to move has no small motions about a rest; `periodic`, `steady_rotation` or `floquet` go"
OTHERWISE: dict[tuple[str, str], Refused | Told] = {
    ("contact", "static"): Refused(sm.ArgumentError, ("machine.floor", "impacts"), IMPACTS),
    ("contact", "modes"): Refused(sm.ArgumentError, ("machine.floor", "impacts"), IMPACTS),
    ("contact", "sensitivity"): Refused(sm.ArgumentError, ("machine.floor", "impacts"), IMPACTS),
    **{
        ("contact", way): Refused(sm.ArgumentError, ("machine.floor", "impacts"), "contacts in parts are not built yet")
        for way in ("partition", "threads", "MPI")
    },
    ("friction", "recursive"): Refused(
        sm.TreeError, ("machine.guide", "friction"), "joint friction takes the reaction, which a tree has last"
    ),
    ("friction", "static"): Told(
        "sticks or slides", "equal, and told: what friction carries at rest is not determined"
    ),
    ("friction", "modes"): Told("sticks or slides", "equal, and told: what friction carries at rest is not determined"),
    ("sampled laws", "static"): Refused(sm.ArgumentError, ("machine.law", "samples"), SAMPLES),
    ("sampled laws", "modes"): Refused(sm.ArgumentError, ("machine.law", "samples"), SAMPLES),
    ("sampled laws", "sensitivity"): Refused(sm.ArgumentError, ("machine.law", "samples"), SAMPLES),
    ("locks", "recursive"): Refused(
        sm.TreeError, ("machine.lock", "accelerations"), "a lock makes its load of accelerations, which a tree has last"
    ),
    ("locks", "static"): Told("neutral", "equal, and told: with the lock open a wheel may rest at any angle"),
    ("locks", "modes"): Refused(sm.NotConstant, ("a drive",), "the lock closes later, and makes other equations"),
    ("locks", "sensitivity"): Refused(
        sm.NotSmooth, ("jumps",), "the lock closes at a time that may follow a parameter"
    ),
    ("prescribed motion", "modes"): Refused(sm.NotConstant, ("table", "told to move"), MOVES),
    ("beams", "recursive"): Refused(sm.TreeError, ("machine.mass1", "rigid bodies"), "trees are of rigid bodies"),
    ("modal bodies", "recursive"): Refused(
        sm.TreeError, ("machine.joint", "without an explicit map"), "trees are of rigid bodies"
    ),
    ("rotors", "modes"): Refused(sm.NotConstant, ("machine.drive", "told to move"), MOVES),
    ("flight", "static"): Refused(sm.SingularModel, ("body", "nothing ties"), "what flies has no rest; `trim` goes"),
    ("flight", "modes"): Refused(sm.SingularModel, ("body", "nothing ties"), "what flies has no rest; `trim` goes"),
}


def outcome(feature: str, way: str) -> Equal | Refused | Told:
    """What is to come of a pair."""
    return OTHERWISE.get((feature, way), USUAL[way])


def page() -> str:
    """The tables of docs/validation/features.md: a row for each feature, a column for each way, and the notes."""
    notes: list[str] = []
    lines = [f"| | {' | '.join(WAYS)} |", f"| --- |{' --- |' * len(WAYS)}"]
    for feature in FEATURES:
        cells = []
        for way in WAYS:
            found = outcome(feature, way)
            if isinstance(found, Equal):
                cells.append(found.mark)
                continue
            text = found.why if isinstance(found, Told) else f"refused by `{found.error.__name__}`: {found.why}"
            if text not in notes:
                notes.append(text)
            sign = USUAL[way].mark if isinstance(found, Told) else ""
            cells.append(f"{sign} ({notes.index(text) + 1})".strip())
        lines.append(f"| **{feature}** | {' | '.join(cells)} |")
    marks = {USUAL[way] for way in WAYS}
    lines += ["", "| mark | equal to the plain run |", "| --- | --- |"]
    lines += [f"| {e.mark} | {e.how} |" for e in (SAME, ROUNDED, STEPS, RESTS) if e in marks]
    lines += ["", *(f"{k}. {text}" for k, text in enumerate(notes, 1)), ""]
    lines += ["| feature | machine |", "| --- | --- |"]
    lines += [f"| {name} | {feature.text} |" for name, feature in FEATURES.items()]
    lines += ["", "| way | what is compared |", "| --- | --- |"]
    lines += [f"| {name} | {' '.join((way.__doc__ or '').split())} |" for name, way in WAYS.items()]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    print(page())
