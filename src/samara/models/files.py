"""Runs the user's Python files with a model or a controller, and reports their errors in one line."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

from samara.entry import CommandError, one_line
from samara.model import ModelError


def execute(path: Path) -> ModuleType:
    """The module in a file; it may import modules from the same folder."""
    if not path.is_file():
        raise CommandError(f"{path}: no such file")
    spec = importlib.util.spec_from_file_location(f"samara_run_{path.stem}", path)
    if spec is None or spec.loader is None:
        raise CommandError(f"{path}: cannot be read as a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    beside = str(path.resolve().parent)
    if sys.path[:1] != [beside]:  # a file may be run again and again
        sys.path.insert(0, beside)
    loader = spec.loader
    guarded(path, lambda: loader.exec_module(module))
    return module


def guarded(path: Path, call: Callable[[], Any]) -> Any:
    """Calls code of a user's file; an error in it becomes one line with its location."""
    try:
        return call()
    except ModelError as error:
        raise CommandError(f"{_place(path, error)}: {one_line(error)}") from error
    except SyntaxError as error:
        raise CommandError(f"{_place(path, error)}: {error.msg}") from error
    except (Exception, SystemExit) as error:
        raise CommandError(f"{_place(path, error)}: {type(error).__name__}: {one_line(error)}") from error


def _place(path: Path, error: BaseException) -> str:
    """The file, and the last of its lines in the traceback."""
    if isinstance(error, SyntaxError) and error.lineno:
        return f"{path}, line {error.lineno}"
    line, trace = None, error.__traceback__
    while trace is not None:
        if Path(trace.tb_frame.f_code.co_filename).resolve() == path.resolve():
            line = trace.tb_lineno
        trace = trace.tb_next
    return f"{path}, line {line}" if line else str(path)
