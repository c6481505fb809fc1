"""What `help` says of a record: its own docstring, and those of the classes that explain its other fields."""

from __future__ import annotations

import dataclasses
import functools
import inspect
import re

#: Where a class keeps its docstring as it was written.
WRITTEN = "_written"


#: A field is told of as `field`, "field: ...", "field [unit]", "field > 0"; one of a single letter as "node a" too.
_BEHIND = r" \[|( \([^()]*\))?[:,;.]| [<>]=? |((, | and )\w+)+[:.]| [0-9]"
_LONG = re.compile(rf"`(\w+)|(?<![\w.])(\w+)(?={_BEHIND})")
_SHORT = re.compile(r"`(\w)`|\bnodes? (\w)\b|(?<![\w.])(\w)(?=((, | and )\w+)*:)")


def explains(text: str, field: str) -> bool:
    """Whether a docstring tells what a field is."""
    return field in _explained(text, len(field) == 1)


@functools.cache
def _explained(text: str, short: bool) -> set[str]:
    """All names that it tells of, or those of one letter: one search for all is made in a moment, at every import."""
    groups = (
        found.groups()[:3] if short else found.groups()[:2] for found in (_SHORT if short else _LONG).finditer(text)
    )
    return {name for names in groups for name in names if name}


def written(cls: type) -> str:
    """The docstring that is written in the class itself."""
    return inspect.cleandoc(cls.__dict__.get(WRITTEN) or "")


def documented(cls: type) -> str:
    """The docstring of a dataclass, followed by those of its bases that explain fields of which it does not speak."""
    texts, missing = [written(cls)], {f.name for f in dataclasses.fields(cls) if f.init}
    for base in cls.__mro__:
        text = written(base)
        told = {name for name in missing if explains(text, name)}
        if told and base is not cls:
            texts.append(f"`{base.__name__}`: {text}")
        missing -= told
    return "\n\n".join(text for text in texts if text)
