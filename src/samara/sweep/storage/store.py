"""What is done of a sweep, on disk as soon as it is: a process that is killed loses what was under way, no more."""

from __future__ import annotations

import json
import os
import time
import warnings
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import IO, Any

import numpy as np

from samara.model import ArgumentError
from samara.results.chunks import open_own
from samara.sweep.errors import SweepError
from samara.sweep.storage.definition import difference, is_whole
from samara.sweep.study import Finished
from samara.sweep.variants import Value, key_of

DEFINITION, DONE = "sweep.json", "done.jsonl"
#: How a line begins, and how it ends: with a check sum of what is before.
BEGIN, CHECK = b'{"values": ', b', "check": "%08x"}\n'
#: Time between two calls that force what is written to the disk itself [s]: they guard against a loss of power alone.
SYNC = 1.0


class Store:
    """Finished variants by their keys, in memory, and in a folder if there is one.

    The folder holds `sweep.json`, what the sweep is, and `done.jsonl`, a line for each finished variant with a check
    sum (CRC-32). Lines are only ever added; the last one counts where a variant was done twice, and one that was cut
    off or is damaged is dropped. Files are not followed through links, and a `done.jsonl` of somebody else is refused.
    """

    def __init__(self, folder: str | os.PathLike[str] | None, meaning: Mapping[str, Any]) -> None:
        self.folder = None if folder is None else _folder(folder)
        self.done: dict[str, Finished] = {}
        self._file: IO[bytes] | None = None
        self._synced = time.monotonic()
        if self.folder is not None:
            try:
                self._open(self.folder, dict(meaning))
            except OSError as error:
                raise SweepError(f"store {self.folder}: cannot be used ({error}); give another folder") from error

    def _open(self, folder: Path, meaning: dict[str, Any]) -> None:
        if folder.exists() and not folder.is_dir():
            raise ArgumentError(f"store {folder} is a file: give the name of a folder")
        if folder.is_dir() and any(folder.iterdir()) and not (folder / DEFINITION).exists():
            raise ArgumentError(f"store {folder} is no store of a sweep, and not empty: give another folder")
        folder.mkdir(parents=True, exist_ok=True)
        if (folder / DEFINITION).exists():
            self._require_same(folder, meaning)
        else:
            text = json.dumps(meaning, indent=2)
            temporary = folder / f".{DEFINITION}.{os.getpid()}.tmp"
            with open(temporary, "x", encoding="utf-8") as file:
                file.write(text + "\n")
            os.replace(temporary, folder / DEFINITION)
        self._file = os.fdopen(open_own(folder / DONE, os.O_WRONLY | os.O_APPEND | os.O_CREAT), "ab")
        self._lock(folder)
        self._read(folder / DONE)

    def _require_same(self, folder: Path, meaning: dict[str, Any]) -> None:
        try:
            stored = json.loads((folder / DEFINITION).read_text(encoding="utf-8"))
        except ValueError:
            stored = None
        if not is_whole(stored):
            raise ArgumentError(f"store {folder}: {DEFINITION} is damaged; give another folder")
        if other := difference(json.loads(json.dumps(meaning)), stored):
            raise ArgumentError(
                f"store {folder} belongs to another sweep: {other}; give another folder, or delete this one"
            )

    def _lock(self, folder: Path) -> None:
        try:
            import fcntl
        except ImportError:  # Windows
            return
        assert self._file is not None
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self._file.close()
            raise SweepError(
                f"store {folder} is in use by another process: wait for it, or give another folder"
            ) from None

    def _read(self, path: Path) -> None:
        whole, damaged = 0, []
        for number, line in enumerate(path.read_bytes().splitlines(keepends=True), 1):
            if not line.endswith(b"\n") and (self.done or BEGIN.startswith(line[: len(BEGIN)])):
                break  # cut off when a process was killed
            whole += len(line)
            try:
                key, finished = _entry(line)
            except (ValueError, TypeError, KeyError, AttributeError):
                damaged.append(number)
            else:
                self.done[key] = finished
        if damaged and not self.done and not path.read_bytes().startswith(BEGIN):
            self.close()
            raise SweepError(f"store {self.folder}: {DONE} is no file of a sweep: give another folder")
        if damaged:
            warnings.warn(
                f"store {self.folder}: {DONE} is damaged in {len(damaged)} of its lines, first in line {damaged[0]}: "
                "their variants are repeated",
                stacklevel=5,
            )
        assert self._file is not None
        self._file.truncate(whole)

    def add(self, values: Mapping[str, Value], finished: Finished) -> None:
        """Keeps a variant; it is in the file when this returns."""
        self.done[key_of(values)] = finished
        if self._file is None:
            return
        kept = {name: value for name, value in vars(finished).items() if value or name == "measures"}
        line = json.dumps({"values": dict(values), "finished": kept})[:-1].encode("utf-8")
        try:
            self._file.write(line + CHECK % zlib.crc32(line))
            self._file.flush()
            if time.monotonic() - self._synced > SYNC:
                os.fsync(self._file.fileno())
                self._synced = time.monotonic()
        except OSError as error:
            raise SweepError(
                f"store {self.folder}: cannot be written ({error}); free disk space, then the same call "
                f"resumes from there"
            ) from error

    def close(self) -> None:
        """Lets another process have the folder."""
        if self._file is not None:
            self._file.close()


def _folder(given: Any) -> Path:
    if isinstance(given, str | os.PathLike) and str(given):
        return Path(given)
    raise ArgumentError(f"sweep: store must be the name of a folder, got {given!r}")


def _entry(line: bytes) -> tuple[str, Finished]:
    """Key and content of a line; an error of whatever kind where it is none."""
    text = line[: -len(CHECK % 0)]
    if line != text + CHECK % zlib.crc32(text):
        raise ValueError(line)
    entry = json.loads(line)
    finished = Finished(**entry["finished"])
    for value in finished.measures.values():
        if np.asarray(value).dtype.kind not in "biuf":
            raise ValueError(value)
    texts = (finished.cause, finished.trace, *finished.units, *finished.units.values())
    if not all(isinstance(text, str) for text in texts):
        raise TypeError(texts)
    float(finished.seconds)
    return key_of(entry["values"]), finished
