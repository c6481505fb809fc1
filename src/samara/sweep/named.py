"""Models by name: what a sweep makes of a ready model, or of a file with one."""

from __future__ import annotations

import functools
import inspect
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from samara.model import Model
from samara.models import find
from samara.models.files import execute
from samara.models.target import Target, load


@dataclass(frozen=True)
class NamedModel:
    """Makes a ready model, or the model of a file, with settings; it travels to other processes as its name.

    name:     of a ready model, or "FILE.py" with `model` or `make_model()`; others look for the file at the same place.
    settings: texts by name, the same for all variants.
    """

    name: str
    settings: tuple[tuple[str, str], ...] = ()

    def __call__(self, **values: Any) -> Model:
        """The model with these values; a name that is no argument of its builder is a parameter of the model."""
        return self.target(**values).model

    def target(self, **values: Any) -> Target:
        """The model, and how it is usually run."""
        texts = {name: value if isinstance(value, str) else repr(value) for name, value in values.items()}
        return load(self.name, {**dict(self.settings), **texts})

    @property
    def accepted(self) -> tuple[str, ...]:
        """What its builder takes: a change of these makes a new model."""
        if not self.name.endswith(".py"):
            return tuple(find(self.name).arguments)
        make = getattr(_executed(self.name), "make_model", None)
        return tuple(inspect.signature(make).parameters) if make is not None else ()

    @property
    def units(self) -> dict[str, str]:
        """Of what its builder takes, as far as they are known."""
        if self.name.endswith(".py"):
            return {}
        return {name: argument.unit or "1" for name, argument in find(self.name).arguments.items()}

    @property
    def content(self) -> str:
        """What it is made from: the text of the file; the name of a ready model."""
        return Path(self.name).read_text(encoding="utf-8") if self.name.endswith(".py") else self.name


@functools.cache
def _executed(path: str) -> Any:
    return execute(Path(path))
