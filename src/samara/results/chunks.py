"""Chunks: what a recorder has written so far, in a file that stays whole whenever it is killed.

A file is a sequence of chunks, appended. A chunk is a header of 64 bytes and a payload, both with a check sum
(CRC-32), so that one that was torn at any byte is known and left out. All numbers are little-endian.

    byte 0   magic               byte 24   first step that the chunk covers (sequence number)
         8   kind, check sum          32   last step
        16   bytes of payload         40   steps between them that never came
                                      48   rows that the loop had dropped by then, since its session began
                                      56   check sum of the header, 0

Kind 1, text: JSON about the recording (`head`, at the begin of each segment) or its end (`note`). Kind 2, rows: for
each sequence number, simulated time [s], monotonic clock [ns] and the numbers, eight bytes each.

What the rows are is said again (`again`) after the first of them, and whenever the file has doubled: damage to one
place loses the rows of that place, never what the others mean.

Only a regular file of this user is opened, not through a link, and only one that begins as these files do or has a
whole chunk is written to.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import json
import mmap
import os
import stat
import struct
import time as clock
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

MAGIC = b"\x93samara\n"
TEXT, ROWS = 1, 2
PATIENCE = 1.0
"""How long to wait for the lock of a file [s]: a process that was killed while it flushed it has it a little longer."""
_HEADER = struct.Struct("<8sIIqqqqqII")
HEADER_BYTES = _HEADER.size
_SEAL = struct.Struct("<II")


class ChunksError(OSError):
    """A file of chunks that cannot be had. The message names it and the remedy."""


def chunks_of(path: Path) -> Path:
    """Where the chunks of a file of results lie."""
    return path.with_name(f"{path.name}.chunks")


class StepRange(NamedTuple):
    """Which steps a chunk stands for, by sequence number: all that came, whether or not every one of them is kept."""

    first: int
    last: int
    missed: int
    dropped: int


NONE = StepRange(0, 0, 0, 0)


class Chunk(NamedTuple):
    """Where a chunk lies in its file."""

    kind: int
    place: int  # of the payload
    size: int
    check: int
    span: StepRange

    @property
    def end(self) -> int:
        """Where the next one begins."""
        return self.place + self.size


class ChunkReader:
    """A file of chunks to read from. Headers are read at once, payloads when they are asked for."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.damaged = 0  # bytes that belong to no chunk
        handle = open_own(path, os.O_RDONLY)
        try:
            size = os.fstat(handle).st_size
            self._data = mmap.mmap(handle, 0, access=mmap.ACCESS_READ) if size else b""
        finally:
            os.close(handle)
        self.chunks = list(self._walk())

    @property
    def is_ours(self) -> bool:
        """Whether it is a file of chunks: a whole one is in it, or it begins as one does, as far as it goes."""
        return bool(self.chunks) or MAGIC.startswith(self._data[: len(MAGIC)])

    def _walk(self) -> Iterator[Chunk]:
        place, size = 0, len(self._data)
        while place < size:
            chunk = self._chunk(place)
            if chunk is None:
                found = self._data.find(MAGIC, place + 1)
                self.damaged += (found if found >= 0 else size) - place
                place = found if found >= 0 else size
            elif chunk.end > size:  # torn: nothing can follow
                self.damaged += size - place
                return
            else:
                yield chunk
                place = chunk.end

    def _chunk(self, place: int) -> Chunk | None:
        head = self._data[place : place + HEADER_BYTES]
        if len(head) < HEADER_BYTES:
            return None
        magic, kind, check, size, first, last, missed, dropped, sealed, zero = _HEADER.unpack(head)
        if magic != MAGIC or (sealed, zero) != (zlib.crc32(head[: -_SEAL.size]), 0) or size < 0:
            return None
        return Chunk(kind, place + HEADER_BYTES, size, check, StepRange(first, last, missed, dropped))

    def payload(self, chunk: Chunk) -> bytes | None:
        """Its bytes; None if they are not those that were written."""
        data = self._data[chunk.place : chunk.end]
        return data if zlib.crc32(data) == chunk.check else None

    def rows(self, chunk: Chunk, width: int) -> NDArray[np.int64] | None:
        """The rows of a chunk as words, (rows, 3 + numbers); None if it is damaged."""
        data = self.payload(chunk) if chunk.kind == ROWS else None
        return None if data is None or len(data) % (8 * width) else np.frombuffer(data, "<i8").reshape(-1, width)

    def texts(self) -> list[dict[str, Any]]:
        """What is said about the recording, in order."""
        found = (self.payload(chunk) for chunk in self.chunks if chunk.kind == TEXT)
        return [json.loads(data) for data in found if data is not None]

    def close(self) -> None:
        """Lets go of the file."""
        if isinstance(self._data, mmap.mmap):
            self._data.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


class ChunkWriter:
    """A file of chunks to append to: a new one, or one that a recorder which died left, cut after its last whole chunk.

    Its lock is held as long as it is open, so that nobody else writes to it or removes it.
    """

    def __init__(self, path: Path, new: bool) -> None:
        self.path = path
        self._handle = open_own(path, os.O_RDWR | (os.O_CREAT | os.O_EXCL if new else 0))
        self._head: dict[str, Any] | None = None
        self._again_at = 0
        try:
            lock(self._handle, path)
            self.last = NONE
            self.size = 0 if new else self._cut()
        except BaseException:
            os.close(self._handle)
            raise

    def _cut(self) -> int:
        end = 0
        with ChunkReader(self.path) as found:
            if not found.is_ours:
                raise ChunksError(f"{self.path}: is no file of a recorder: remove it, or choose another file")
            sound = len(found.chunks)
            while sound and found.payload(found.chunks[sound - 1]) is None:
                sound -= 1
            if sound:
                end = found.chunks[sound - 1].end
            covered = [chunk.span for chunk in found.chunks[:sound] if chunk.kind == ROWS]
        self.last = covered[-1] if covered else NONE
        os.ftruncate(self._handle, end)
        return end

    def rows(self, block: NDArray[np.int64], span: StepRange) -> None:
        """Appends rows that stand for these steps; an error leaves the file as it was."""
        self._append(ROWS, block.astype("<i8", copy=False).tobytes(), span)
        self.last = span
        if self._head is not None and self.size >= self._again_at:
            with contextlib.suppress(OSError):  # the rows are in; next time, then
                self.text(self._head)
                self._again_at = 2 * self.size

    def head(self, plain: dict[str, Any]) -> None:
        """Appends what the rows are that follow."""
        self.text(plain)
        self._head = {**plain, "again": True}

    def text(self, plain: dict[str, Any]) -> None:
        """Appends a note."""
        self._append(TEXT, json.dumps(plain).encode(), NONE)

    def _append(self, kind: int, data: bytes, span: StepRange) -> None:
        head = _HEADER.pack(MAGIC, kind, zlib.crc32(data), len(data), *span, 0, 0)[: -_SEAL.size]
        rest, place = memoryview(head + _SEAL.pack(zlib.crc32(head), 0) + data), self.size
        try:
            while rest:
                written = os.pwrite(self._handle, rest, place)
                place, rest = place + written, rest[written:]
        except OSError:
            with contextlib.suppress(OSError):
                os.ftruncate(self._handle, self.size)
            raise
        self.size = place

    def sync(self) -> None:
        """Returns when all of it is on the disk."""
        os.fsync(self._handle)

    def close(self) -> None:
        """Lets go of the file and of its lock."""
        if self._handle >= 0:
            os.close(self._handle)
            self._handle = -1


def open_own(path: Path, flags: int) -> int:
    """A handle of a regular file of this user, not through a link; an error otherwise."""
    try:
        handle = os.open(path, flags | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK, 0o666)
    except OSError as error:
        if error.errno != errno.ELOOP:
            raise
        raise ChunksError(f"{path}: is a link, which is not followed: remove it, or choose another file") from None
    status = os.fstat(handle)
    if not stat.S_ISREG(status.st_mode) or (status.st_uid != os.geteuid() and not flags & os.O_CREAT):
        os.close(handle)
        raise ChunksError(f"{path}: is no file, or one of another user: remove it, or choose another file")
    return handle


def lock(handle: int, path: Path) -> None:
    """Takes the lock of a file of chunks; an error if somebody has it and keeps it."""
    end = clock.monotonic() + PATIENCE
    while True:
        try:
            return fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if clock.monotonic() > end:
                break
        clock.sleep(0.01)
    raise ChunksError(f"{path}: a recorder is writing to it; stop that first, or choose another file")
