"""What a command or a process works on: a ready model by name, or a model in a Python file."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any

from samara.arguments import positive
from samara.entry import CommandError
from samara.method.method import Method
from samara.method.timeline import Timeline
from samara.model import Model
from samara.model.model import Redundant
from samara.models.catalogue import find
from samara.models.files import execute, guarded
from samara.models.registry import USUAL, Argument, Quantity, ReadyModel, set_parameters

#: Of a file that does not say how long and how finely it is run.
UNSAID = Timeline()


@dataclass(frozen=True)
class Target:
    """A model and how it is usually run; the timeline has neither end nor step where a file does not say."""

    name: str
    model: Model
    timeline: Timeline = UNSAID
    method: Method = USUAL
    plot: tuple[str, ...] = ()
    analysis: str = "transient"
    values: dict[str, tuple[float, str]] = field(default_factory=dict)

    def timeline_of(self, given: Mapping[str, Any]) -> Timeline:
        """How long and how finely it is run where these fields were given."""
        timeline = self.timeline.with_fields(given, self.name)
        if timeline.end is None or (timeline.step is None and timeline.accuracy is None):
            words = "does not define the end and step of its run: give --end and --step"
            raise CommandError(f"{self.name} {words}")
        return timeline

    def method_of(self, given: Mapping[str, Any]) -> Method:
        """How its steps are taken where these fields were given."""
        return self.method.with_fields(given, self.name)

    def speed_parameter(self, given: str | None) -> str | None:
        """The parameter that holds the speed of a rotation: the one given, or "speed" if the model has it."""
        known = self.model.parameters
        if given is None:
            return "speed" if "speed" in known else None
        if given not in known:
            raise CommandError(f"{self.name} has no parameter {given!r}; it has {', '.join(known) or 'none'}")
        return given


def load(name: str, chosen: dict[str, str], redundant: Redundant | None = None) -> Target:
    """The model of that name or file, with settings as texts; `redundant` replaces the model's own choice."""
    target = _from_file(Path(name), chosen) if name.endswith(".py") else _from_ready(find(name), chosen)
    if redundant is not None:
        target.model.redundant = redundant
    return target


def _from_ready(ready: ReadyModel, chosen: dict[str, str]) -> Target:
    return Target(
        name=ready.name,
        model=ready.make(**chosen),
        timeline=ready.timeline,
        method=ready.method,
        plot=ready.plot,
        analysis=ready.analysis,
        values=ready.values(**chosen),
    )


def _from_file(path: Path, chosen: dict[str, str]) -> Target:
    module = execute(path)
    make = getattr(module, "make_model", None)
    arguments: dict[str, Any] = {}
    if make is not None:
        accepted = inspect.signature(make).parameters
        arguments = {name: p.default for name, p in accepted.items() if p.default is not p.empty}
        arguments |= {
            name: _guess(name, value, arguments.get(name)) for name, value in chosen.items() if name in accepted
        }
        model = guarded(path, lambda: make(**arguments))
        chosen = {name: value for name, value in chosen.items() if name not in accepted}
    else:
        model = getattr(module, "model", None)
    if not isinstance(model, Model):
        raise CommandError(
            f"{path}: defines neither `model` (a samara.Model) nor a function `make_model()` that returns one"
        )
    set_parameters(model, chosen, also=tuple(arguments))
    plot = getattr(module, "plot", ())
    if callable(plot):  # a function of that name is the file's own business
        plot = ()
    return Target(
        name=path.stem,
        model=model,
        timeline=Timeline(_seconds(path, module, "duration"), _seconds(path, module, "step")),
        method=method_in(path, module),
        plot=(plot,) if isinstance(plot, str) else tuple(plot),
        values={name: (float(v), "") for name, v in arguments.items() if isinstance(v, (int, float))},
    )


def _guess(name: str, text: str, default: Any) -> Any:
    """A value from text, in the type of the default where there is one; of a whole number any number will do."""
    if isinstance(default, int) and not isinstance(default, bool):
        try:
            return int(text)
        except ValueError:
            default = float(default)
    if isinstance(default, (bool, float, str)):
        return Argument(name, type(default), default, Quantity("", "")).check(text)
    try:
        return float(text)
    except ValueError:
        return text


def _seconds(path: Path, module: ModuleType, name: str) -> float | None:
    value = getattr(module, name, None)
    return None if value is None else positive(f"{path}: {name} [s]", value)


def method_in(path: Path, module: ModuleType) -> Method:
    """The `method` that a file defines, or the usual one."""
    value = getattr(module, "method", None)
    if value is None or callable(value):  # a function of that name is the file's own business
        return USUAL
    if not isinstance(value, Method):
        raise CommandError(f"{path}: method must be a samara.Method, such as Method(tolerance=1e-8), got {value!r}")
    return value
