"""What stays as it is once it is part of a model."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, ClassVar

import numpy as np

from samara.arguments import ModelError
from samara.tracing.expressions.table import plain_numbers

#: Numbers of an array that is shared among those that are the same: a rotation matrix.
SMALL_SIZE = 9

_preparing: ContextVar[bool] = ContextVar("preparing", default=False)


@contextmanager
def preparing() -> Iterator[None]:
    """While an element prepares and checks itself, it and what is inside it may fill in their own fields."""
    token = _preparing.set(True)
    try:
        yield
    finally:
        _preparing.reset(token)


class Frozen:
    """Free to change until `freeze`; from then on an assignment is an error, not a change that nobody would see."""

    #: what it is called in the error; empty while it may change
    _frozen: str = ""
    #: what to do instead of an assignment
    _instead: ClassVar[str] = "create a new one"

    def freeze(self, who: str) -> None:
        """Refuses assignments from now on."""
        if not self._frozen:
            object.__setattr__(self, "_frozen", who)

    def thaw(self) -> None:
        """Allows them again, for a copy that is no part of the model."""
        vars(self).pop("_frozen", None)

    def __setattr__(self, name: str, value: Any) -> None:
        self._refuse(name)
        object.__setattr__(self, name, value)

    def __delattr__(self, name: str) -> None:
        self._refuse(name)
        object.__delattr__(self, name)

    def _refuse(self, name: str) -> None:
        if self._frozen and not _preparing.get():
            raise ModelError(f"{self._frozen} is part of a model: its {name} can no longer be changed; {self._instead}")


def fixed(value: Any, dtype: Any = float) -> np.ndarray:
    """A copy of an array that nobody can write to: neither through it nor through what it was made of."""
    array = plain_numbers(value) if dtype is float else np.array(value, dtype=dtype)
    if dtype is float and array.size <= SMALL_SIZE and array.flags.c_contiguous:
        return _shared(array.tobytes(), array.shape)
    array.flags.writeable = False
    return array


@functools.lru_cache(maxsize=256)
def _shared(numbers: bytes, shape: tuple[int, ...]) -> np.ndarray:
    """One array for all that are the same bit by bit: places, axes and inertias of parts that are alike."""
    return np.frombuffer(numbers).reshape(shape)
