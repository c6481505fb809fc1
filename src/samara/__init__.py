"""Samara: general multibody dynamics for rotorcraft and aerospace mechanisms.

Everything a user needs is here by name, as `__init__.pyi` lists it; it is loaded when it is first used.
"""

from __future__ import annotations

import ast
import functools
import importlib
from pathlib import Path
from typing import Any

__version__ = "0.1.0"


def _exports() -> dict[str, str]:
    """Public names and the modules they live in, from the stub that editors and type checkers read."""
    stub = ast.parse(Path(__file__).with_suffix(".pyi").read_text(encoding="utf-8"))
    imports = [statement for statement in stub.body if isinstance(statement, ast.ImportFrom)]
    return {alias.name: str(one.module) for one in imports for alias in one.names}


_EXPORTS = _exports()
__all__ = ["__version__", *sorted(_EXPORTS)]


def __getattr__(name: str) -> Any:
    if name in _EXPORTS:
        return getattr(importlib.import_module(_EXPORTS[name]), name)
    if name in _rooms():
        return importlib.import_module(f"samara.{name}")
    raise AttributeError(f"module 'samara' has no attribute {name!r}")


def __dir__() -> list[str]:
    return [*__all__, *_rooms()]


@functools.cache
def _rooms() -> tuple[str, ...]:
    """Packages inside this one, such as `samara.rotations`: loaded when they are first used, too."""
    import pkgutil

    return tuple(module.name for module in pkgutil.iter_modules(__path__) if module.ispkg)
