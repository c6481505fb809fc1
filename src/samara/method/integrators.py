"""Integrators by name: "bdf2", "two-step:0.8", "moreau-jean:0.5:8"; numbers of a scheme follow its name.

The one table of the integrators in the package. They are listed by module and class, as entry points are, and loaded
on demand, so that the command line can list them without importing them.
"""

from __future__ import annotations

import importlib
import inspect
from typing import Any, NamedTuple

#: What a model's equations of motion may be written in.
FORMULATIONS = ("redundant", "recursive")


class Scheme:
    """An integrator, of the package or user-defined.

    name:   as shown in results and errors.
    adapts: whether it estimates its error, as adaptive steps require.
    formulations: those it supports.
    """

    name: str
    adapts: bool
    formulations: tuple[str, ...] = FORMULATIONS

    def check(self) -> None:
        """Raises an error if the scheme is invalid."""

    def fingerprint(self) -> list[float]:
        """Numbers that identify the scheme, also among schemes of the same name."""
        raise NotImplementedError


class Named(NamedTuple):
    """An integrator with a name.

    place: module and class. formulations: those it supports.
    """

    place: str
    formulations: tuple[str, ...]

    @property
    def spelling(self) -> str:
        """As Python has it."""
        return f"samara.{self.place.rpartition(':')[2]}()"


INTEGRATORS = {
    "two-step": Named("samara.solve.integrators.two_step:TwoStep", FORMULATIONS),
    "bdf2": Named("samara.solve.integrators.bdf2:BDF2", FORMULATIONS),
    "crank-nicolson": Named("samara.solve.integrators.crank_nicolson:CrankNicolson", FORMULATIONS),
    "look-ahead": Named("samara.solve.integrators.look_ahead:LookAhead", ("redundant",)),
    "rk4": Named("samara.solve.tree.schemes:RungeKutta4", ("recursive",)),
    "dormand-prince": Named("samara.solve.tree.schemes:DormandPrince", ("recursive",)),
    "semi-implicit": Named("samara.solve.tree.schemes:SemiImplicitEuler", ("recursive",)),
    "moreau-jean": Named("samara.solve.tree.schemes:MoreauJean", ("recursive",)),
}


def names(formulation: str | None = None) -> tuple[str, ...]:
    """Those of a formulation, or all."""
    return tuple(name for name, one in INTEGRATORS.items() if formulation is None or formulation in one.formulations)


def split(text: str) -> tuple[str, list[float]]:
    """The name and the parameters of a scheme; raises a ValueError if they are invalid."""
    name, *words = text.split(":")
    if name not in INTEGRATORS:
        raise ValueError(f"there is no integrator {name!r}; choose from {', '.join(INTEGRATORS)}")
    try:
        return name, [int(word) if word.isdecimal() else float(word) for word in words]
    except ValueError:
        raise ValueError(f"integrator {text!r}: parameters follow the name, as in 'two-step:0.8'") from None


def integrator(text: str) -> Any:
    """The integrator of that name, with its numbers."""
    from samara.arguments import ArgumentError

    try:
        name, numbers = split(text)
    except ValueError as error:
        raise ArgumentError(str(error)) from None
    module, _, kind = INTEGRATORS[name].place.partition(":")
    scheme = getattr(importlib.import_module(module), kind)
    arguments = list(inspect.signature(scheme).parameters)
    if len(numbers) > len(arguments):
        most = f"at most {len(arguments)} parameters ({', '.join(arguments)})" if arguments else "no parameters"
        raise ArgumentError(f"integrator {text!r}: {name} takes {most}")
    return scheme(**dict(zip(arguments, numbers, strict=False)))


def name_of(scheme: Any) -> str | None:
    """The name of an integrator of the package, with those numbers that are not the usual ones; None of another."""
    kind = type(scheme)
    name = next((n for n, one in INTEGRATORS.items() if one.place == f"{kind.__module__}:{kind.__qualname__}"), None)
    if name is None:
        return None
    parameters = inspect.signature(kind).parameters.values()
    values = [getattr(scheme, p.name) for p in parameters]
    while values and values[-1] == list(parameters)[len(values) - 1].default:
        values.pop()
    return ":".join([name, *map(repr, values)])
