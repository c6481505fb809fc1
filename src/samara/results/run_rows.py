"""Rows of a run that go to the disk while it goes on, so that a run which is killed keeps them.

They lie in a file of chunks (`samara.results.chunks`) beside that of the results: run.nc.chunks beside run.nc. Its
first text says what the rows are; of each row the sequence number, the time and the numbers are kept.
"""

from __future__ import annotations

import dataclasses
import json
import os
import warnings
from pathlib import Path
from typing import Any

import numpy as np

from samara.results.attrs import RunAttrs, Scene
from samara.results.channels import Channel, Channels
from samara.results.chunks import ROWS, ChunkReader, ChunksError, ChunkWriter, StepRange, chunks_of

#: Words of a row before its numbers: sequence number, time, clock (which a run off-line does not keep).
HEADER = 3
#: What results say that were made from rows of a run which did not come to its end.
KILLED = "the run was killed: the results end with the last rows written"


class RunRows:
    """A new file of chunks beside the file of results that is to be: `put` rows, `end` once the results are there."""

    def __init__(self, path: Path, channels: Channels, attrs: RunAttrs) -> None:
        chunks = chunks_of(path)
        if os.path.lexists(chunks):
            raise ChunksError(
                f"{chunks}: contains rows of a killed run; save them with `samara record --recover "
                f"{path}`, or delete the file"
            )
        self._file, self._count, self._given_up = ChunkWriter(chunks, new=True), 0, False
        plain = dataclasses.asdict(dataclasses.replace(attrs, status="interrupted", message=KILLED, scene=None))
        drawn = attrs.scene() if attrs.scene is not None else None
        self._file.head({"run": plain, "scene": drawn, "channels": list(map(dataclasses.astuple, channels))})

    def put(self, times: np.ndarray, rows: np.ndarray) -> None:
        """Appends rows; they are in the hands of the operating system when this returns."""
        if not len(times) or self._given_up:
            return
        words = np.zeros((len(times), HEADER + rows.shape[1]))
        words[:, 1], words[:, HEADER:] = times, rows
        block = words.view(np.int64)
        block[:, 0] = np.arange(self._count + 1, self._count + 1 + len(times))
        try:
            self._file.rows(block, StepRange(self._count + 1, self._count + len(times), 0, 0))
        except OSError as error:  # the run is worth more than its file
            self._given_up = True
            warnings.warn(
                f"{self._file.path}: cannot write further rows ({error}); the run continues without recording",
                stacklevel=2,
            )
        self._count += len(times)

    def end(self, keep: bool = False) -> None:
        """Lets go of the file, and removes it unless it is to be kept."""
        self._file.close()
        if not keep:
            self._file.path.unlink(missing_ok=True)


def head_of_run(found: ChunkReader) -> dict[str, Any] | None:
    """What the rows are, if they are those of a run."""
    try:
        return next((text for text in found.texts() if "run" in text), None)
    except json.JSONDecodeError:
        return None


def read_rows(path: Path) -> tuple[Channels, np.ndarray, np.ndarray, RunAttrs]:
    """Channels, times, table and attributes of the run whose rows lie beside the file of this name."""
    chunks = chunks_of(path)
    if not chunks.exists():
        raise ChunksError(f"{chunks}: no such file; there is nothing to recover for {path.name}")
    with ChunkReader(chunks) as found:
        head = head_of_run(found)
        if head is None:
            raise ChunksError(f"{chunks}: does not describe its rows; try `samara record --recover {path}`")
        channels = Channels([Channel(*_tuples(fields)) for fields in head["channels"]])
        blocks = [found.rows(chunk, HEADER + channels.width) for chunk in found.chunks if chunk.kind == ROWS]
        sound = [block for block in blocks if block is not None]
        words = np.concatenate([np.zeros((0, HEADER + channels.width), np.int64), *sound]).view(np.float64)
    drawn = head.get("scene")
    named = {name: _tuples(value) for name, value in head["run"].items()}
    attrs = RunAttrs(**named | {"scene": Scene.made(drawn) if drawn else None})
    return channels, words[:, 1].copy(), words[:, HEADER:].copy(), attrs


def _tuples(value: Any) -> Any:
    """JSON has lists alone."""
    return tuple(map(_tuples, value)) if isinstance(value, list) else value
