"""Memory shared by processes: a memory-mapped file, private to the user, with a header that gives its type and owner.

The file is in a memory file system if there is one. `multiprocessing.shared_memory` is not used because every process
that attaches would register the block as its own and remove it on exit.

    word    line 0: the block                   line 1: who writes, and when it last showed life
    0       magic number, stored last           8    process number
    1       version of the layout               9    start of that process
    2       kind of mailbox                     10   beats
    3       numbers in a row                    11   monotonic clock of the last beat [ns]
    4       slots, rows or seats
    5       words of the block
    6, 7    process that made it: number, start

Lines are 64 bytes (a cache line), so that no two writers share one.
"""

from __future__ import annotations

import contextlib
import fcntl
import mmap
import os
import sys
import tempfile
import time as clock
import weakref
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from samara.realtime.mailbox.process import Process
from samara.tracing.driver.atomics import load_acquire, store_release
from samara.tracing.driver.driver_cache import linked
from samara.tracing.private_folder import check_private

MAGIC = int.from_bytes(b"samara\x01\x0a", "little")
VERSION = 1
LINE = 8
"""Words of a cache line."""
#: How long a lock may be held by others [s]: what is done under one takes milliseconds.
LOCK_PATIENCE = 5.0
#: The machine's own namespace of process numbers, as Linux numbers it (PROC_PID_INIT_INO).
FIRST_NAMESPACE = 0xEFFFFFFC
KIND, COUNT, SLOTS, SIZE, OWNER = 2, 3, 4, 5, 6
WRITER, BEATS, BEAT = 8, 10, 11


class MailboxError(RuntimeError):
    """A mailbox that is not available, or whose contents are invalid."""


def directory() -> Path:
    """Where sessions live: /dev/shm, which is memory, or else the temporary files; of the user alone.

    Where somebody else has taken that name, the user's own runtime folder serves. Processes of another namespace are
    not known by their numbers here: what they make lies in a folder of its own.
    """
    shared, runtime, name = Path("/dev/shm"), os.environ.get("XDG_RUNTIME_DIR"), f"samara-{os.getuid()}{_namespace()}"
    places = [shared if os.access(shared, os.W_OK) else Path(tempfile.gettempdir())]
    places += [Path(runtime)] if runtime else []
    reasons = []
    for path in (place / name for place in (*places, Path(tempfile.gettempdir()))):
        try:
            path.mkdir(mode=0o700, exist_ok=True)
            check_private(path)
        except OSError as error:
            reasons.append(str(error))
        else:
            return path
    raise MailboxError(
        f"no private place for sessions ({'; '.join(reasons)}): set XDG_RUNTIME_DIR to a folder of yours"
    )


def _namespace() -> str:
    """Of process numbers, where it is not the machine's own: that of a container."""
    try:
        number = os.stat("/proc/self/ns/pid").st_ino
    except OSError:
        return ""
    return "" if number == FIRST_NAMESPACE else f"-{number}"


def lines(words: int) -> int:
    """So many words, rounded up to whole lines."""
    return -(-words // LINE) * LINE


def tell(message: str) -> None:
    """A line to the user, beside what the program prints."""
    print(f"samara: {message}", file=sys.stderr)


@contextlib.contextmanager
def locked(path: Path) -> Iterator[None]:
    """One process at a time, for what is done before and beside the loop; the system frees the lock of a dead one."""
    try:
        handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK, 0o600)
    except FileNotFoundError:
        raise
    except OSError as error:
        raise MailboxError(f"{path} is no lock ({error.strerror}): remove it") from None
    try:
        end = clock.monotonic() + LOCK_PATIENCE
        while True:
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                if clock.monotonic() > end:
                    raise MailboxError(
                        f"a process has held {path} for {LOCK_PATIENCE:g} s: end it, it may have been stopped"
                    ) from None
            clock.sleep(0.001)
        yield
    finally:
        os.close(handle)


class MappedMemory:
    """A mapped file of 64-bit words, with all pages resident in memory. The process that creates it removes it."""

    def __init__(self, path: Path, handle: int) -> None:
        self.path = path
        # All pages at once: no page fault is left for the loop.
        self._map = mmap.mmap(handle, 0, mmap.MAP_SHARED | getattr(mmap, "MAP_POPULATE", 0))
        self.words: NDArray[np.int64] = np.frombuffer(self._map, np.int64)
        self._remove: weakref.finalize | None = None

    @classmethod
    def create(cls, path: Path, words: int, kind: int, count: int, slots: int) -> MappedMemory:
        """A new block; one that a dead process left at this place is removed, one in use is an error."""
        path = Path(path)
        try:
            handle = _new_file(path)
        except FileExistsError:
            _remove_leftover(path)
            handle = _new_file(path)
        try:
            _reserve(handle, 8 * words)
            memory = cls(path, handle)
        except OSError as error:
            path.unlink()
            raise MailboxError(f"no room for {8 * words} bytes of shared memory at {path}: {error.strerror}") from error
        finally:
            os.close(handle)
        memory.words[:] = 0
        memory.words[1 : OWNER + 2] = VERSION, kind, count, slots, words, *Process.current()
        _seal(memory.words, MAGIC)
        memory._remove = weakref.finalize(memory, _unlink, path, os.getpid())
        return memory

    @classmethod
    def attach(cls, path: Path, kind: int, words: Callable[[int, int], int]) -> MappedMemory:
        """A block that another process made. words: how many one has with so many numbers in a row, and slots."""
        path = Path(path)
        try:
            handle = os.open(path, os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW)
        except FileNotFoundError:
            raise MailboxError(f"there is no mailbox at {path}: start the simulator first") from None
        try:
            size = os.fstat(handle).st_size
            if size < 16 * LINE or size % (8 * LINE):
                raise MailboxError(f"{path} is not a mailbox, or not yet: it has {size} bytes")
            memory = cls(path, handle)
        finally:
            os.close(handle)
        try:
            _check(memory.words, path, kind, words)
        except MailboxError:
            memory.close()
            raise
        return memory

    @property
    def owner(self) -> Process:
        """The process that made it."""
        return Process(*self.words[OWNER : OWNER + 2].tolist())

    def close(self) -> None:
        """Lets go of the memory; it stays mapped as long as someone in this process holds a view of it."""
        self.words = np.zeros(0, np.int64)
        with contextlib.suppress(BufferError):
            self._map.close()
        if self._remove is not None:
            self._remove()

    def unlink(self) -> None:
        """Removes the file; whoever maps it keeps the memory."""
        self.path.unlink(missing_ok=True)


@linked
def _seal(words, magic):
    store_release(words.ctypes.data, magic)


@linked
def _seal_of(words):
    return load_acquire(words.ctypes.data)


def _new_file(path: Path) -> int:
    return os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)


def _reserve(handle: int, size: int) -> None:
    """Room that is there: a full file system says so now, and not by a bus error at the first store."""
    if hasattr(os, "posix_fallocate"):
        os.posix_fallocate(handle, 0, size)
    else:
        os.truncate(handle, size)


def _unlink(path: Path, pid: int) -> None:
    if os.getpid() == pid:  # not in a process forked from the owner
        path.unlink(missing_ok=True)


def _check(words: NDArray[np.int64], path: Path, kind: int, size: Callable[[int, int], int]) -> None:
    if _seal_of(words) != MAGIC:
        raise MailboxError(f"{path} is not a mailbox, or not yet")
    if words[1] != VERSION:
        raise MailboxError(
            f"mailbox {path} has layout {words[1]}, this Samara reads {VERSION}: use one version on both sides"
        )
    if words[KIND] != kind:
        raise MailboxError(f"mailbox {path} is of kind {words[KIND]}, not {kind}: latest value 1, queue 2, actuators 3")
    if words[SIZE] != words.size:
        raise MailboxError(f"mailbox {path} has {words.size} words, its header says {words[SIZE]}: it is damaged")
    count, slots = int(words[COUNT]), int(words[SLOTS])
    if count < 0 or slots < 0 or size(count, slots) != words.size:
        raise MailboxError(
            f"mailbox {path} has {words.size} words, which {slots} rows of {count} numbers have not: it is damaged"
        )


def _remove_leftover(path: Path) -> None:
    """Removes a mailbox whose maker is dead; raises if it lives, or if the file is something else."""
    size = path.lstat().st_size
    if size:
        with path.open("rb") as stream:
            head = np.frombuffer(stream.read(8 * LINE).ljust(8 * LINE, b"\0"), np.int64)
        if head[0] != MAGIC:
            raise MailboxError(f"{path} exists and is not a mailbox: choose another name")
        owner = Process(*head[OWNER : OWNER + 2].tolist())
        if owner.alive:
            raise MailboxError(f"mailbox {path} belongs to {owner}, which is running: stop it, or choose another name")
        tell(f"removed mailbox {path}, left by {owner}, which has ended")
        path.unlink(missing_ok=True)
        return
    raise MailboxError(f"{path} exists and is empty: remove it, or choose another name")
