"""What a command or a process works on: a ready model by name, or a model in a Python file."""

from __future__ import annotations

import inspect
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any

from samara.arguments import positive
from samara.entry import CommandError
from samara.model import Model
from samara.model.model import Redundant
from samara.models.catalogue import find
from samara.models.files import execute, guarded
from samara.models.registry import Argument, Quantity, ReadyModel, set_parameters


@dataclass(frozen=True)
class Target:
    """A model and how it is usually run; None where a file does not say."""

    name: str
    model: Model
    duration: float | None = None
    step: float | None = None
    integrator: str = "two-step"
    radius: float = 0.6
    tolerance: float = 1e-10
    plot: tuple[str, ...] = ()
    analysis: str = "transient"
    formulation: str = "redundant"
    values: dict[str, tuple[float, str]] = field(default_factory=dict)

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
        duration=ready.duration,
        step=ready.step,
        integrator=ready.integrator,
        radius=ready.radius,
        tolerance=ready.tolerance,
        plot=ready.plot,
        analysis=ready.analysis,
        formulation=ready.formulation,
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
        duration=_seconds(path, module, "duration"),
        step=_seconds(path, module, "step"),
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
