"""What a sweep is, so that a store can tell whether it is the same one that is taken up again."""

from __future__ import annotations

import dataclasses
from typing import Any

import samara
from samara.method.method import Method
from samara.method.timeline import Timeline
from samara.sweep.storage.fingerprint import fingerprint
from samara.sweep.study import Study

FORMAT = 4
#: Parts of a definition, and what is said of one that differs.
PARTS = {
    "format": "it is of another version of Samara",
    "parameters": "it varies other parameters",
    "make": "its `make` is another one",
    "measure": "its `measure` is another one",
    "run": "its variants run otherwise",
}


def definition(study: Study) -> dict[str, Any]:
    """Plain data that two sweeps share if variants of one may stand among those of the other."""
    return {
        "format": FORMAT,
        "parameters": sorted(study.names),
        "make": fingerprint("make", study.make),
        "measure": fingerprint("measure", study.measure),
        "run": {**_fields(study.run.timeline), **_fields(study.run.method), "analysis": study.run.analysis},
        "version": samara.__version__,
    }


def is_whole(stored: Any) -> bool:
    """Whether what was read from a store is a definition: of this format with all its parts, or of another one."""
    kinds = {"format": int, "parameters": list, "make": str, "measure": str, "run": dict}
    if not isinstance(stored, dict) or not isinstance(stored.get("format"), int):
        return False
    return stored["format"] != FORMAT or all(isinstance(stored.get(part), kind) for part, kind in kinds.items())


def difference(ours: dict[str, Any], theirs: dict[str, Any]) -> str:
    """What a stored definition has otherwise, in words; empty where nothing matters."""
    for part, words in PARTS.items():
        mine, other = ours[part], theirs[part]
        if mine == other:
            continue
        if part == "parameters":
            return f"{words} ({', '.join(map(str, other))} instead of {', '.join(mine)})"
        if part == "run":
            name = next(name for name in {**mine, **other} if mine.get(name) != other.get(name))
            return f"{words} ({name} {other.get(name)} instead of {mine.get(name)})"
        return words
    return ""


def _fields(record: Method | Timeline) -> dict[str, Any]:
    return {field.name: _shown(getattr(record, field.name)) for field in dataclasses.fields(record)}


def _shown(value: Any) -> Any:
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, tuple):
        return list(value)
    if type(value).__module__.startswith("samara."):
        return repr(value)
    return f"{type(value).__qualname__} {fingerprint('integrator', value)}"  # a scheme of the user's
