"""Names that a command line is made of, without loading what they stand for: for misspelt ones, and for completion."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

#: Ready models, as `samara.models` has them; a test compares the two.
MODELS = (
    "pendulum double-pendulum four-bar andrews spinning-top chain rotor4 puma puma-hydraulic puma-sailing "
    "puma-vibration helicopter landing xcell uh60 bo105 coaxial tandem quadrotor gimbal robot princeton bathe45 "
    "rollup rotating-beam tm4760 spin-up hydraulic-beam tiltrotor tiltrotor-gusts wrats hammond xv15 "
    "propeller-pylon air-resonance soft-in-plane"
).split()
#: Commands whose first word is a ready model or a file.
OF_MODELS = (
    "run",
    "models",
    "modes",
    "floquet",
    "campbell",
    "harmonics",
    "kernels",
    "warm",
    "sweep",
    "realtime",
    "check",
    "tree",
)


def near(word: str, names: Iterable[str]) -> str:
    """The nearest names, as the end of a sentence; nothing if there is none."""
    found = difflib.get_close_matches(word.lower(), list(names), n=2)
    return f"; did you mean {' or '.join(found)}?" if found else ""


def unknown_model(command: str, name: str | None) -> str:
    """What is wrong with the name of a model that a command was given; nothing if it is one, or a file."""
    if command not in OF_MODELS or name is None or name in MODELS or name.endswith(".py"):
        return ""
    hint = near(name, MODELS) or f"; choose from {', '.join(MODELS)}"
    return f"there is no ready model {name!r}{hint}"
