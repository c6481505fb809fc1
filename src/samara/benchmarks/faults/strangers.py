"""Two users of one machine without rights over each other: what one of them can do to the other's simulator.

Only root can become both; elsewhere it says so. Nothing is imported after that, so that it does not matter what they
may read.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import stat
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from samara.benchmarks.rows import Row
from samara.realtime import Session, Signal
from samara.realtime.mailbox.shared import MailboxError, directory
from samara.results.chunks import ChunksError, ChunkWriter
from samara.tracing.private_folder import check_private

#: Numbers that belong to no account.
VICTIM, STRANGER = 64_211, 64_212


def attacks() -> Iterator[Row]:
    """Runs each attack: whether it was repelled."""
    if os.geteuid() != 0:
        yield Row("strangers", "failures", float("nan"), "", 0, "not tried: only root can become two other users")
        return
    with Session.create(f"faults-{os.getpid()}", rate=100.0, sensors=[Signal("a", "m")]) as session:
        Session.connect(session.card.name).close()  # all is imported and compiled
    with tempfile.TemporaryDirectory(prefix="samara-faults-") as name:
        os.chmod(name, 0o1777)
        for attack in (_reads, _connects, _takes_the_name, _swaps_the_cache, _links_the_recording):
            held, note = attack(Path(name))
            yield Row(f"stranger {attack.__name__[1:].replace('_', ' ')}", "failures", int(not held), "", 0, note)


def as_user(number: int, act: Callable[[], object]) -> str:
    """What a process of that user finds, "done" if it is nothing; "error: ..." where it fails."""
    reading, writing = os.pipe()
    if (pid := os.fork()) == 0:
        words = "error: nothing was said"
        try:
            os.setgroups([])
            os.setresgid(number, number, number)
            os.setresuid(number, number, number)
            words = str(act() or "done")
        except BaseException as error:
            words = f"error: {type(error).__name__}: {error}"
        finally:
            os.write(writing, words.encode()[:4000])
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as stream:
        found = stream.read().decode()
    os.waitpid(pid, 0)
    return found


@contextlib.contextmanager
def _session_of_the_victim(name: str) -> Iterator[Path]:
    """The folder of a session that lives meanwhile, in a process of its own."""
    reading, writing = os.pipe()
    stop, told = os.pipe()
    if (pid := os.fork()) == 0:
        try:
            os.close(told)
            os.setgroups([])
            os.setresgid(VICTIM, VICTIM, VICTIM)
            os.setresuid(VICTIM, VICTIM, VICTIM)
            with Session.create(name, rate=100.0, sensors=[Signal("a", "m")]) as session:
                os.write(writing, str(session.path).encode())
                os.close(writing)
                os.read(stop, 1)
        except BaseException as error:
            os.write(writing, f"error: {error}".encode()[:1000])
        finally:
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as stream:
        found = stream.read().decode()
    try:
        if found.startswith("error"):
            raise RuntimeError(found)
        yield Path(found)
    finally:
        os.close(told)
        os.waitpid(pid, 0)
        os.close(stop)


def _reads(folder: Path) -> tuple[bool, str]:
    with _session_of_the_victim("faults-read") as path:
        found = as_user(STRANGER, lambda: (path / "session.json").read_text(encoding="utf-8")[:40])
        modes = [stat.S_IMODE(path.parent.stat().st_mode), *(stat.S_IMODE(p.stat().st_mode) for p in path.iterdir())]
    held = found.startswith("error: PermissionError") and not any(mode & 0o077 for mode in modes)
    return held, found[:60]


def _connects(folder: Path) -> tuple[bool, str]:
    def connect() -> str:
        try:
            Session.connect("faults-connect", timeout=0.2)
        except MailboxError:
            return "there is no such session"
        return "connected"

    with _session_of_the_victim("faults-connect"):
        found = as_user(STRANGER, connect)
    return found == "there is no such session", found


def _takes_the_name(folder: Path) -> tuple[bool, str]:
    """Creates the folder of the victim's sessions first."""
    place = Path(as_user(VICTIM, directory))
    shutil.rmtree(place, ignore_errors=True)
    made = as_user(STRANGER, partial(os.mkdir, place, 0o777))
    try:
        with _session_of_the_victim("faults-name") as path:
            held = path.parent != place and path.stat().st_uid == VICTIM
            return (
                held and made == "done",
                f"the stranger's folder was made ({made}); the session lies in {path.parent}",
            )
    finally:
        shutil.rmtree(place, ignore_errors=True)


def _swaps_the_cache(folder: Path) -> tuple[bool, str]:
    """Puts the victim's cache in a folder that the attacker can write to."""
    open_to_all = folder / "open"
    open_to_all.mkdir()
    open_to_all.chmod(0o777)
    as_user(VICTIM, partial(os.mkdir, open_to_all / "cache", 0o700))

    def look() -> str:
        try:
            check_private(open_to_all / "cache")
        except PermissionError as error:
            return f"refused: {error}"
        return "taken"

    found = as_user(VICTIM, look)
    return found.startswith("refused"), found[:80]


def _links_the_recording(folder: Path) -> tuple[bool, str]:
    """A link where the victim's recording is to be, to a file of the victim."""
    precious = folder / "precious"
    as_user(VICTIM, partial(precious.write_text, "precious"))
    as_user(STRANGER, partial(os.symlink, precious, folder / "run.nc.chunks"))

    def record() -> str:
        try:
            ChunkWriter(folder / "run.nc.chunks", new=True)
        except (ChunksError, OSError) as error:
            return f"refused: {error}"
        return "written"

    found = as_user(VICTIM, record)
    return found.startswith("refused") and precious.read_text() == "precious", found[:80].replace(str(folder), "...")
