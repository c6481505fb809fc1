"""Ready models: machines with data and sources, built and run by name.

    from samara import models

    models.names()                                  the names
    models.find("pendulum").arguments               its parameters, with units
    models.find("pendulum").make(length=2.0)        a Model
    models.find("pendulum").run(length=2.0)         its Results

One machine per file. Planar models move in the x-y plane with gravity along -y; in all others z points up.
"""

from types import ModuleType

from samara.models import catalogue
from samara.models.catalogue import READY, find, names
from samara.models.registry import Argument, Quantity, ReadyModel, load_steps, set_parameters

__all__ = [
    "READY",
    "Argument",
    "Quantity",
    "ReadyModel",
    "find",
    "load_steps",
    "names",
    "set_parameters",
]


def __getattr__(name: str) -> ModuleType:
    """The module of a ready model by its own name, in any subpackage: `from samara.models import puma`."""
    found = getattr(catalogue, name, None)
    if not isinstance(found, ModuleType):
        raise AttributeError(f"module 'samara.models' has no attribute {name!r}")
    return found
