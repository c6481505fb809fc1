"""Masses, inertias and stiffnesses far from all others in a model, and so probably in the wrong unit."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from samara.model import Constant, Model, Parameter
from samara.model.roles.inertia import RigidMass
from samara.model.schema.record import Record

#: A radius of gyration counts as too large from so many sizes of the model, a mass from so many times all others, a
#: stiffness from this factor above or below the middle of all of its kind.
GYRATION, MASS, STIFFNESS = 10.0, 1e4, 1e7
#: Fewest bodies and stiffnesses that are compared.
FEWEST = 3


def plausibility(model: Model) -> list[str]:
    """Warnings about implausible numbers of a model, each with the unit probably intended."""
    return [*_inertias(model), *_masses(model), *_stiffnesses(model)]


def _bodies(model: Model) -> Iterator[tuple[str, float, np.ndarray, np.ndarray]]:
    """Name, mass [kg], centre [m] and inertia [kg m^2] of the rigid bodies that have a mass."""
    for element in model.elements.values():
        if isinstance(element, RigidMass):
            plain = (float(leaf) if isinstance(leaf, Parameter) else leaf for leaf in element.leaves())
            mass, centre, inertia = element.rebuild(plain).rigid_inertia()
            if float(mass) > 0.0:
                yield element.name, float(mass), np.asarray(centre, float), np.asarray(inertia, float)


def _inertias(model: Model) -> list[str]:
    places = np.array([node.place.position for node in model.nodes.values()] or [np.zeros(3)], float)
    size = float(np.linalg.norm(np.ptp(places, axis=0)))
    found = []
    for name, mass, centre, inertia in _bodies(model):
        radius = float(np.sqrt(max(np.linalg.eigvalsh(inertia).max(), 0.0) / mass))
        if radius > max(GYRATION * (size + float(np.linalg.norm(centre))), 1.0):
            found.append(
                f"{name!r}: mass {mass:g} kg and inertia give a radius of gyration of {radius:.3g} m in a model of "
                f"{size:.3g} m: inertia is in kg m^2 (1 kg mm^2 = 1e-6 kg m^2), mass in kg"
            )
    return found


def _masses(model: Model) -> list[str]:
    masses = {name: mass for name, mass, _, _ in _bodies(model)}
    if len(masses) < FEWEST:
        return []
    total = sum(masses.values())
    return [
        f"{name!r}: its mass of {mass:g} kg is {mass / (total - mass):.1e} times that of all other bodies together: "
        "mass is in kg; is this one in g?"
        for name, mass in masses.items()
        if mass > MASS * (total - mass)
    ]


def _stiffnesses(model: Model) -> list[str]:
    kinds: dict[str, list[tuple[str, str, float]]] = {}
    for element in model.elements.values():
        for name, unit, value in _numbers(element):
            if name == "stiffness" and value > 0.0:
                kinds.setdefault(f"{type(element).__name__} [{unit}]", []).append((element.name, name, value))
    found = []
    for all_of_kind in kinds.values():
        middle = float(np.median([value for *_, value in all_of_kind]))
        for owner, name, value in all_of_kind:
            factor = value / middle
            if len(all_of_kind) >= FEWEST and not 1.0 / STIFFNESS < factor < STIFFNESS:
                found.append(
                    f"{owner!r}: {name} = {value:g} is {factor:.1e} times that of others of its kind: it is in N/m or "
                    "N m/rad (1 N/mm = 1000 N/m, 1 N m/deg = 57.3 N m/rad)"
                )
    return found


def _numbers(record: Record) -> Iterator[tuple[str, str, float]]:
    """Name, unit and value of the plain numbers of an element and of the records in it."""
    for name, spec in record.specs().items():
        value: Any = getattr(record, name)
        if isinstance(value, Constant):
            value = value.value
        if isinstance(value, Record):
            yield from _numbers(value)
        elif isinstance(value, (int, float, Parameter)) and not isinstance(value, bool):
            yield name, spec.unit, float(value)
