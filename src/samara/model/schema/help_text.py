"""What `help` says of a record: its own docstring, and those of the classes that explain its other fields."""

from __future__ import annotations

import dataclasses
import inspect
import re

#: Where a class keeps its docstring as it was written.
WRITTEN = "_written"


def explains(text: str, field: str) -> bool:
    """Whether a docstring tells what a field is: `field`, "field: ...", "field [unit]", "field > 0", "node a"."""
    if len(field) == 1:
        return bool(re.search(rf"`{field}`|\bnodes? {field}\b|(?<![\w.]){field}((, | and )\w+)*:", text))
    behind = r" \[|( \([^()]*\))?[:,;.]| [<>]=? |((, | and )\w+)+[:.]| [0-9]"
    return bool(re.search(rf"`{field}\b|(?<![\w.]){field}({behind})", text))


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
