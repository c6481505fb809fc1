"""The files that a run leaves: each is whole or not there, and one that cannot be written takes nothing else along."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np


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
        return [f"{path} cannot be written ({reason}); check rights and free space"]
    return []
