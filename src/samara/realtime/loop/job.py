"""The job of a loop process: which model, how to run it, and for how long."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from samara.method.method import Method
from samara.model import ArgumentError
from samara.realtime.loop.options import Options


@dataclass(frozen=True)
class Job:
    """A ready model by name, or a file with a model, with its settings and the options of its loop.

    method:   fields of a `Method` by name, which override those of the model within the limits of real time.
    duration: how long to run [s]; None: until asked to stop. bare: how long to measure the machine alone [s].
    debug:    whether an error is shown with its traceback.
    """

    model: str
    settings: dict[str, Any] = field(default_factory=dict)
    options: Options = field(default_factory=Options)
    duration: float | None = None
    bare: float = 0.0
    debug: bool = False
    method: dict[str, Any] = field(default_factory=dict)

    @property
    def rate(self) -> float:
        """Steps per second [Hz]; an error where that is left to the model."""
        if self.options.rate is None:
            raise ArgumentError(f"the job of model {self.model!r} does not define its rate: give Options(rate=...)")
        return self.options.rate

    def method_of(self, usual: Method) -> Method:
        """How steps of a model are taken in real time, which are usually taken so."""
        return usual.in_real_time().with_fields(self.method, self.model)

    def with_options(self, **changes: Any) -> Job:
        """The same with other options."""
        return replace(self, options=replace(self.options, **changes))

    def to_text(self) -> str:
        """One line of JSON."""
        return json.dumps(asdict(self))

    @classmethod
    def from_text(cls, text: str) -> Job:
        """That of which `to_text` made the line."""
        plain = json.loads(text)
        return cls(**plain | {"options": Options(**plain["options"])})
