"""A take: one recording from start to stop, written as chunks; it tolerates a disk that cannot be written to."""

from __future__ import annotations

import json
import os
import time as clock
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from samara.realtime.mailbox.port import HEADER
from samara.realtime.mailbox.shared import tell
from samara.realtime.recording.salvage import Saved, refuse_existing, save
from samara.results.chunks import ROWS, ChunkReader, ChunksError, ChunkWriter, StepRange, chunks_of

#: between two attempts to write to a disk that took nothing, and between two flushes to the disk [s]
PAUSE = 1.0
#: most bytes of a chunk
LARGEST_CHUNK = 1 << 22


class Take:
    """Rows on their way to one file. Write failures are counted, reported once, and retried every second.

    rows: written. lost: steps without a row; unwritten of them because of write failures.
    columns: columns of the queue's rows to keep; all by default.
    """

    def __init__(
        self, path: Path, head: dict[str, Any], force: bool = False, columns: NDArray[np.int64] | None = None
    ) -> None:
        self.path, self.head, self.force = path, head, force
        self._columns = slice(None) if columns is None else np.concatenate([np.arange(HEADER), HEADER + columns])
        self.every: int = head["head"]["every"]
        self.rows = self.lost = self.unwritten = 0
        self.message = ""  # about the disk, while it takes nothing
        self._file: ChunkWriter | None = None
        self._since: int | None = None  # the step before the first
        self._last: int | None = None  # step that came last
        self._unnoted = 0  # of those unwritten: not yet said in the file
        self._again = 0.0  # when to try again, and when to flush again
        self._flush_at = 0.0
        self._flushed = 0  # bytes
        self._flushing: Future[None] | None = None
        self._flusher = ThreadPoolExecutor(1, "samara-flush")

    @property
    def bytes(self) -> int:
        """Of the file of chunks."""
        return self._file.size if self._file else 0

    def open(self) -> ChunkWriter:
        """Makes the file of chunks, or goes on with that of a recorder of the same session which died."""
        refuse_existing(self.path, self.force)
        chunks = chunks_of(self.path)
        old = os.path.lexists(chunks)
        if old:
            self._check(chunks)
        file = ChunkWriter(chunks, new=not old)
        try:
            file.head(self.head)
        except OSError:
            file.close()
            if not old:
                chunks.unlink(missing_ok=True)
            raise
        if file.last.last:
            self._last = file.last.last
            tell(f"{self.path}: continues after step {self._last}, where a recorder ended")
        self._file = file
        return file

    def _check(self, chunks: Path) -> None:
        head, mine = head_in(chunks), self.head["head"]
        if head is None and has_rows(chunks):
            raise ChunksError(f"{chunks}: has rows, and all that says what they are is damaged; move it away")
        if head is not None and head["token"] != mine["token"]:
            raise ChunksError(
                f"{chunks}: holds an earlier run of {head['session']!r}; "
                f"`samara record --recover {self.path}` saves it, or remove it"
            )
        if head is not None and (head["every"], head["columns"]) != (mine["every"], mine["columns"]):
            raise ChunksError(
                f"{chunks}: was begun with --every {head['every']} and {len(head['columns'])} channels; go on with "
                "those, or recover it first"
            )

    def feed(self, block: NDArray[np.int64], dropped: int) -> None:
        """Takes rows as they lie in the queue; dropped: what the loop has counted so far."""
        if self._last is not None:
            block = block[block[:, 0] > self._last]  # a recorder that died may have written them already
        most = max(LARGEST_CHUNK // max(block[:1].nbytes, 1), 1)
        for begin in range(0, len(block), most):
            self._put(block[begin : begin + most], dropped)

    def _put(self, block: NDArray[np.int64], dropped: int) -> None:
        first, last = int(block[0, 0]), int(block[-1, 0])
        if self._since is None:
            self._since = first - 1 if self._last is None else self._last
        missed = last - first + 1 - len(block)
        self.lost += missed + (first - self._last - 1 if self._last is not None else 0)
        self._last = last
        kept = block if self.every == 1 else block[(block[:, 0] - 1) % self.every == 0]
        kept = kept[:, self._columns]
        if self.message and clock.monotonic() < self._again:
            self._lose(len(block))
            return
        try:
            file = self._file or self.open()
            if self._unnoted:
                file.text(self._note("", last, dropped))
                self._unnoted = 0
            file.rows(kept, StepRange(first, last, missed, dropped))
        except OSError as error:
            self._lose(len(block))
            self._again = clock.monotonic() + PAUSE
            self._tell(f"{self.path}: nothing can be written ({error.strerror or error}): steps are being lost")
            return
        self.rows += len(kept)
        if self.message:
            tell(f"{self.path}: can be written again, {self.unwritten} steps were lost")
            self.message = ""

    def _lose(self, steps: int) -> None:
        self.unwritten += steps
        self.lost += steps
        self._unnoted += steps

    def _tell(self, message: str) -> None:
        if message != self.message:
            tell(message)
        self.message = message

    def flush(self) -> None:
        """To the disk, once a second at most, beside what goes on here."""
        now, file = clock.monotonic(), self._file
        if file is None or now < self._flush_at or file.size == self._flushed:
            return
        if self._flushing is not None:
            if not self._flushing.done():
                return
            if error := self._flushing.exception():
                self._tell(f"{self.path}: what was written may be lost ({error})")
        self._flush_at, self._flushed = now + PAUSE, file.size
        self._flushing = self._flusher.submit(file.sync)

    def finish(self, ended: str, until: int | None, dropped: int) -> Saved:
        """Ends the take and makes its results. until: the last step that belongs to it; by default the last that came.

        When that fails the chunks stay, and `message` says so.
        """
        last = self._last or 0
        note = self._note(ended, last if until is None else until, dropped)
        self._flusher.shutdown()
        failed = Saved(str(self.path), self.rows, self.lost, self.unwritten, dropped, ended=ended)
        if self._file is None:
            failed.message = self.message or "nothing was written"
            return failed
        try:
            self._file.text(note)
            self._file.sync()
        except OSError:
            pass  # `save` is told instead
        else:
            note = {}
        self._file.close()
        try:
            return save(self.path, note or None, self.force)
        except Exception as error:
            kept = chunks_of(self.path)
            failed.message = (
                f"{error}; {kept.name} stays: `samara record --recover {self.path}` makes the file once that is mended"
            )
            return failed

    def _note(self, ended: str, until: int, dropped: int) -> dict[str, Any]:
        since = self._since if self._since is not None else until
        return {
            "note": {"ended": ended, "unwritten": self._unnoted, "since": since, "until": until, "dropped": dropped}
        }


def has_rows(chunks: Path) -> bool:
    """Whether there are rows in a file of chunks."""
    with ChunkReader(chunks) as found:
        return any(chunk.kind == ROWS for chunk in found.chunks)


def head_in(chunks: Path) -> dict[str, Any] | None:
    """What a file of chunks says it is; None if nothing of it is whole."""
    with ChunkReader(chunks) as found:
        try:
            return next((text["head"] for text in found.texts() if "head" in text), None)
        except (json.JSONDecodeError, KeyError):
            return None
