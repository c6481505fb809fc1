"""Errors about arguments and models: one sentence that names the culprit and the remedy."""

from __future__ import annotations

import re
from collections.abc import Container
from typing import Any, Self

#: How a sentence begins that names its culprit: ``static``, ``element 'band'``, ``rotor.toml``.
_NAME = re.compile(r"[\w./\\-]+( '[^']*')?")
#: Longest value in a sentence; of a longer one the beginning is shown.
LONGEST = 80


class ArgumentError(ValueError):
    """An invalid argument: "culprit: argument must be ..., got ...; remedy".

    culprit: what received it: a function, "element 'band'", a file; "" if the sentence does not say.
    argument: its name; "" if no single argument is to blame.
    """

    culprit: str = ""
    argument: str = ""

    def __init__(self, what: str, why: str = "", *, culprit: str | None = None, argument: str | None = None) -> None:
        """what: "culprit: argument", continued by `why`; or a whole sentence, which then names only the culprit."""
        super().__init__(f"{what} {why}".strip() if why else what)
        head, colon, _ = what.partition(": ")
        named = head if colon and (why or _NAME.fullmatch(head)) else ""
        self.culprit = named if culprit is None else culprit
        self.argument = (what.rpartition(": ")[2] if why else "") if argument is None else argument

    @classmethod
    def of_field(cls, culprit: str, name: str, error: Exception) -> Self:
        """The error of a field, from what its check says: a sentence of its own, or one that goes on from the name."""
        return cls(f"{culprit}: {name}{':' if _own(error) else ''} {error}", culprit=culprit, argument=name)

    @classmethod
    def within(cls, culprit: str, owner: str, names: Container[str], error: ValueError) -> Self:
        """The error as its outer culprit tells it, with the argument that it has.

        owner: of the arguments, such as the class of an element; it is told unless the sentence tells it already.
        names: of the arguments; where the error knows none, the one that its sentence begins with.
        """
        said = str(error)
        first = said.replace(":", " ").partition(" ")[0]
        argument = getattr(error, "argument", "") or (first if first in names else "")
        told = f"{culprit}: {said}" if _own(error) else f"{culprit}: {owner}: {said}"
        return cls(told, culprit=culprit, argument=argument)


class ModelError(ArgumentError):
    """An invalid model."""


class CallError(ArgumentError, TypeError):
    """A call with missing, surplus or unknown arguments."""


def refused(
    what: str, wanted: str, value: Any, remedy: str = "", kind: type[ArgumentError] = ArgumentError
) -> ArgumentError:
    """The error for an argument of the wrong kind or value; `remedy` ends the sentence."""
    return kind(what, f"must be {wanted}, got {shown(value)}{remedy}")


def _own(error: Exception) -> bool:
    """Whether it says by itself whose it is."""
    return isinstance(error, (ModelError, TypeError)) or bool(getattr(error, "culprit", ""))


def shown(value: Any) -> str:
    """A value in a sentence: on one line, and short."""
    try:
        said = " ".join(repr(value).split())
    except ValueError:  # a whole number of more digits than Python writes
        return "one that is too large"
    return said if len(said) <= LONGEST else f"{said[: LONGEST - 4]} ..."
