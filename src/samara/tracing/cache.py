"""Compiled code on disk: private, safe when two processes write at once, suspicious of what it reads.

A file holds its own key and one JSON line about its content, the digest of both and of the content, and the content.
It is written under a temporary name and moved into place, so that a reader sees all of it or none; a file that is not
what its name says, or does not match its digest, is dropped and made again. A directory that others can write to is
never used: it holds code that will be run.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import shutil
import stat
import tempfile
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

_MAGIC = b"samara-kernel-2\n"


@dataclass
class KernelInfo:
    """What `samara kernels` shows of a kernel."""

    kind: str
    operations: int
    lanes: int
    compile_seconds: float
    bytes: int = 0


# ---- where
def directory() -> Path:
    """The cache directory: ``$SAMARA_CACHE``, else the user's cache. Made on demand, for the user alone.

    Where that cannot be had, a private directory among the temporary files serves instead.
    """
    chosen = os.environ.get("SAMARA_CACHE") or f"{os.environ.get('XDG_CACHE_HOME') or '~/.cache'}/samara/kernels"
    user = os.getuid() if hasattr(os, "getuid") else "user"
    candidates, reasons = [Path(tempfile.gettempdir()) / f"samara-kernels-{user}"], []
    try:
        path = Path(chosen).expanduser()
        candidates[:0] = [path, path / f"private-{user}"]
    except RuntimeError as error:  # a user without a home, or one that is not there
        reasons.append(f"{chosen}: {error}")
    for candidate in candidates:
        try:
            candidate.mkdir(parents=True, exist_ok=True, mode=0o700)
            check_private(candidate)
        except (OSError, RuntimeError) as error:
            reasons.append(str(error))
        else:
            return candidate
    raise PermissionError(
        f"no private place for compiled kernels ({'; '.join(reasons)}): set SAMARA_CACHE to a directory of your own"
    )


def check_private(path: Path) -> None:
    """Raises PermissionError where someone else could put code."""
    if not hasattr(os, "getuid"):
        return
    found = path.lstat() if path.is_symlink() else path.stat()
    if not path.is_dir():
        raise NotADirectoryError(f"{path} is no folder")
    if path.stat().st_uid != os.getuid() or found.st_uid != os.getuid():
        raise PermissionError(f"{path} belongs to another user")
    if path.stat().st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        raise PermissionError(f"others can write to {path}")


def _path(key: str) -> Path:
    return directory() / f"{key}.kernel"


# ---- files
def read_file(path: Path, key: str) -> tuple[dict, bytes] | None:
    """(description, content) of a file, or None when it is missing or damaged (a damaged one is removed)."""
    try:
        data = path.read_bytes()
    except OSError:
        return None
    with contextlib.suppress(ValueError):
        if data.startswith(_MAGIC):
            header, digest, content = data[len(_MAGIC) :].split(b"\n", 2)
            if _digest(header, content) == digest:
                found, description = json.loads(header)
                if found == key:
                    return description, content
    with contextlib.suppress(OSError):
        path.unlink()
    return None


def read_about(path: Path) -> dict | None:
    """Description in a file, whatever its key; None when it cannot be read."""
    with contextlib.suppress(OSError, ValueError), path.open("rb") as stream:
        if stream.readline() == _MAGIC:
            return json.loads(stream.readline())[1]
    return None


def write_file(path: Path, key: str, description: dict, content: bytes) -> bool:
    """Stores a file whole or not at all; whether it could. A full or read-only disk costs time, nothing else."""
    header = json.dumps([key, description]).encode()
    with contextlib.suppress(OSError):
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=".writing-")
        try:
            with os.fdopen(handle, "wb") as stream:
                stream.write(b"".join([_MAGIC, header, b"\n", _digest(header, content), b"\n", content]))
            os.replace(temporary, path)
            return True
        except OSError:
            with contextlib.suppress(OSError):
                os.unlink(temporary)
    return False


def _digest(header: bytes, content: bytes) -> bytes:
    return hashlib.sha256(header + b"\n" + content).hexdigest().encode()


# ---- kernels
def read(key: str) -> tuple[KernelInfo, bytes] | None:
    """Object code of a key, or None when it is missing or damaged (a damaged file is removed)."""
    try:
        found = read_file(_path(key), key)
        return (KernelInfo(**found[0]), found[1]) if found else None
    except (OSError, TypeError):
        return None


def write(key: str, info: KernelInfo, code: bytes) -> None:
    """Stores object code, if there is a place for it."""
    info.bytes = len(code)
    with contextlib.suppress(OSError):
        write_file(_path(key), key, asdict(info), code)


def _files() -> list[Path]:
    return sorted(path for path in directory().glob("*.kernel") if not path.is_dir() or path.is_symlink())


def entries() -> Iterator[tuple[str, KernelInfo | None]]:
    """(key, information) of everything in the cache; information is None for a damaged file."""
    for path in _files():
        found = read(path.stem)
        yield path.stem, found[0] if found else None


def clear() -> int:
    """Empties the cache, compiled solvers included; the number of kernels removed."""
    paths = _files()
    for path in paths:
        path.unlink(missing_ok=True)
    for folder in (directory() / "driver", *directory().glob("driver-*")):  # the latter of older versions
        shutil.rmtree(folder, ignore_errors=True)
    return len(paths)
