"""Output files of a run: each is complete or absent, and a failure to write one affects nothing else."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from samara.arguments import file_path
from samara.model import ArgumentError
from samara.results.netcdf import no_file, require_results_file
from samara.solve.errors import SolveError


def write_arrays(path: Path, arrays: Mapping[str, np.ndarray]) -> Path:
    """Writes arrays by name as an .npz file; an old one of that name is replaced when the new one is complete."""
    handle, temporary = tempfile.mkstemp(dir=path.absolute().parent, prefix=".writing-", suffix=".npz")
    try:
        with os.fdopen(handle, "wb") as stream:
            np.savez(stream, allow_pickle=False, **arrays)
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise
    return path


def trouble(path: str | Path, write: Callable[[], object]) -> list[str]:
    """Writes a file; why that was not possible, in one sentence that names it, or nothing."""
    try:
        write()
    except Exception as error:  # whatever it is: the run is worth more than its file
        reason = str(error)
        if reason.startswith(str(path)):  # a sentence that names the file already
            return [reason]
        return [f"{path} cannot be written ({reason}); check permissions and free space"]
    return []


def require_files(who: str, save: Any, checkpoint: Any, dump: Any) -> None:
    """Refuses files that could not be written when the run ends, or that would replace each other."""
    asked = {"save": save, "checkpoint": checkpoint, "dump": dump}
    given = {name: file_path(f"{who}: {name}", path) for name, path in asked.items() if path is not None}
    for name, path in given.items():
        folder = path.absolute().parent
        if why := no_file(path):
            raise SolveError(f"{who}: {name}: {path} {why}")
        if not folder.is_dir():
            raise SolveError(f"{path} cannot be written: its folder does not exist; create it, or choose another file")
        if not os.access(folder, os.W_OK | os.X_OK):
            raise SolveError(f"{path} cannot be written: no write permission for its folder; choose another file")
    if "save" in given:
        require_results_file(given["save"])
    if len({path.absolute() for path in given.values()}) < len(given):
        raise ArgumentError(f"{who}: {' and '.join(given)} must be different files")
