"""The folder of a session: its text files, its owner, and cleaning up after killed simulators.

Its contents are not trusted: text files are read without blocking, up to a size limit, and a folder that cannot be
interpreted is left alone, whatever is in it. It then only blocks its own name.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import stat
from collections.abc import Iterator
from pathlib import Path

from samara.realtime.mailbox.process import Process
from samara.realtime.mailbox.shared import MailboxError, tell

#: The most that a text may hold [bytes]: a scene of a hundred thousand parts has less.
LARGEST_TEXT = 1 << 26


class SessionError(MailboxError):
    """A session that is not available, or does not have what is requested."""


def write_text(path: Path, text: str) -> None:
    """Whole or not at all."""
    draft = path.with_suffix(".draft")
    handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "w", encoding="utf-8") as stream:
        stream.write(text)
    os.replace(draft, path)


def read_text(path: Path) -> str:
    """A text of a session; OSError or ValueError where there is something else, such as a pipe or a link."""
    handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    with os.fdopen(handle, "rb") as stream:
        found = os.fstat(handle)
        if not stat.S_ISREG(found.st_mode):
            raise ValueError("it is no file")
        if found.st_size > LARGEST_TEXT:
            raise ValueError(f"it has {found.st_size} bytes")
        return stream.read(LARGEST_TEXT).decode()


def mark(path: Path) -> tuple[int, int] | None:
    """By which the session in this folder is known again; None if there is none."""
    try:
        found = (path / "session.json").stat()
    except OSError:
        return None
    return found.st_ino, found.st_mtime_ns


def owner(path: Path) -> Process:
    """The simulator of the session in this folder; number 0: it ended before the session was ready."""
    try:
        # Not through the card: it may be one of another version, whose simulator lives.
        process = json.loads(read_text(path / "session.json"))["process"]
        pid, started = process["pid"], process["started"]
        if not (type(pid) is type(started) is int and 0 <= pid < 1 << 31):
            raise ValueError(f"there is no process {pid!r}")
    except FileNotFoundError:
        return Process(0, 0)
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        raise SessionError(f"{path} holds a session that cannot be read: remove it, or choose another name") from None
    return Process(pid, started)


def living(root: Path) -> Iterator[str]:
    """Names of the sessions whose simulators live."""
    for entry in sorted(root.iterdir()):
        with contextlib.suppress(SessionError):
            if entry.is_dir() and owner(entry).alive:
                yield entry.name


def remove(path: Path, pid: int) -> None:
    """Removes the session of the process of this number: of this one, and of none that was forked from it."""
    if os.getpid() == pid:
        shutil.rmtree(path, ignore_errors=True)


def sweep(root: Path) -> None:
    """Removes what killed simulators and controllers left under other names. The caller has the lock."""
    for entry in root.iterdir():
        if entry.is_dir() and not entry.is_symlink():
            with contextlib.suppress(MailboxError, OSError):
                remove_leftover(entry, quiet=True)


def remove_leftover(path: Path, quiet: bool = False) -> None:
    """Removes the session of a dead simulator; raises if that lives. The caller has the lock."""
    if not os.path.lexists(path):
        return
    process = owner(path)
    if process.alive:
        raise SessionError(f"session {path.name!r} is running, in {process}: stop it, or choose another name")
    shutil.rmtree(path)
    if quiet:
        return
    tell(f"removed session {path.name!r}, left by {process if process.pid else 'a process'}, which has ended")
