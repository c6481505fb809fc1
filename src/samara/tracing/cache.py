"""Compiled code on disk: private, safe for concurrent writers, and verified when it is read.

A file holds its own key, one JSON line describing its content, a digest of both and of the content, and the content.
It is written under a temporary name and moved into place, so a reader sees all of it or nothing; a file that does not
match its name or digest is discarded and rebuilt. The digest uses a key of the user's own (HMAC), so files written by
anybody else do not match. A directory that others can write to, or could replace by another, is
never used, since it holds code to be executed.
"""

from __future__ import annotations

import contextlib
import functools
import hmac
import json
import os
import secrets
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from samara.tracing.private_folder import PrivateFolder

_MAGIC = b"samara-kernel-3\n"
#: Bytes of the key, and of a written digest.
_KEY, _DIGEST = 32, 64


@dataclass
class KernelInfo:
    """Information about a kernel shown by `samara kernels`."""

    kind: str
    operations: int
    lanes: int
    compile_seconds: float
    bytes: int = 0


# ---- location
def directory() -> Path:
    """The cache directory: ``$SAMARA_CACHE``, else the user's cache. Created on demand, accessible to the user only.

    If it cannot be used, a private directory among the temporary files is used instead.
    """
    return folder().path


def folder() -> PrivateFolder:
    """The cache directory, held open; located again if the environment changes or it is no longer private."""
    global _held
    places = (_chosen(), tempfile.gettempdir(), os.getuid() if hasattr(os, "getuid") else "user")
    if _held is None or _held[0] != places or not _held[1].is_sound():
        refusals.clear()
        _held = places, _found(*places)
    return _held[1]


_held: tuple[tuple, PrivateFolder] | None = None
#: Why directories that come before the one in use are not usable.
refusals: list[str] = []


def _default() -> str:
    from platformdirs import user_cache_dir

    try:
        return os.path.join(user_cache_dir("samara", appauthor=False), "kernels")
    except RuntimeError:  # a user without a home
        return "~"


def _chosen() -> str:
    return os.path.expanduser(os.environ.get("SAMARA_CACHE") or _default())


def _found(chosen: str, temporary: str, user: int | str) -> PrivateFolder:
    candidates = [Path(chosen), Path(chosen, f"private-{user}"), Path(temporary, f"samara-kernels-{user}")]
    for candidate in candidates if not chosen.startswith("~") else candidates[2:]:  # a user without a home
        try:
            return PrivateFolder(candidate)
        except OSError as error:
            refusals.append(str(error))
    raise PermissionError(
        f"no private place for compiled kernels ({'; '.join(refusals)}): set SAMARA_CACHE to a directory of your own"
    )


# ---- files
@functools.lru_cache(maxsize=8)
def _secret(home: str, otherwise: Path) -> bytes:
    """The user's own key, created if missing: in the default directory, if that is private, wherever the cache is.

    Files placed in the cache by anyone without the key are detected.
    """
    try:
        place = PrivateFolder(otherwise if home.startswith("~") else Path(home))
    except OSError:
        place = PrivateFolder(otherwise)
    for _ in range(10):
        found = place.read("key", secret=True)
        if found is not None and len(found) == _KEY:
            return found
        place.remove("key")
        place.write("key", [secrets.token_bytes(_KEY)], replace=False)  # another process may create it first
    return secrets.token_bytes(_KEY)  # nothing can be written: existing files cannot be verified


def read_file(place: PrivateFolder, name: str, key: str) -> tuple[dict, memoryview] | None:
    """(description, content) of a file, or None if it is missing or damaged (a damaged file is removed)."""
    data = place.read(name)
    if data is None:
        return None
    with contextlib.suppress(ValueError):
        if data.startswith(_MAGIC):
            end = data.index(b"\n", len(_MAGIC))
            header, start = data[len(_MAGIC) : end], end + 1 + _DIGEST + 1
            content = memoryview(data)[start:]
            if hmac.compare_digest(_digest(place, header, content), data[end + 1 : start - 1]):
                found, description = json.loads(header)
                if found == key:
                    return description, content
    place.remove(name)
    return None


def read_about(place: PrivateFolder, name: str) -> dict | None:
    """Description stored in a file, whatever its key; None if it cannot be read."""
    with contextlib.suppress(ValueError, IndexError):
        magic, header, _ = (place.read(name) or b"").split(b"\n", 2)
        if magic + b"\n" == _MAGIC:
            return json.loads(header)[1]
    return None


def write_file(place: PrivateFolder, name: str, key: str, description: dict, content: bytes) -> bool:
    """Stores a file whole or not at all; returns whether it did. A full or read-only disk only costs time."""
    header = json.dumps([key, description]).encode()
    return place.write(name, [_MAGIC, header, b"\n", _digest(place, header, content), b"\n", content])


def _digest(place: PrivateFolder, header: bytes, content: bytes | memoryview) -> bytes:
    digest = hmac.new(_secret(os.path.expanduser(_default()), place.path), header + b"\n", "sha256")
    digest.update(content)
    return digest.hexdigest().encode()


# ---- kernels
def read(key: str) -> tuple[KernelInfo, bytes] | None:
    """Object code of a key, or None if it is missing or damaged (a damaged file is removed)."""
    try:
        found = read_file(folder(), f"{key}.kernel", key)
        return (KernelInfo(**found[0]), bytes(found[1])) if found else None
    except (OSError, TypeError):
        return None


def write(key: str, info: KernelInfo, code: bytes) -> None:
    """Stores object code, if possible."""
    info.bytes = len(code)
    with contextlib.suppress(OSError):
        write_file(folder(), f"{key}.kernel", key, asdict(info), code)


def _files() -> list[Path]:
    return sorted(path for path in directory().glob("*.kernel") if not path.is_dir() or path.is_symlink())


def entries() -> Iterator[tuple[str, KernelInfo | None]]:
    """(key, information) of every cache entry; information is None for a damaged file."""
    for path in _files():
        found = read(path.stem)
        yield path.stem, found[0] if found else None


def clear() -> int:
    """Empties the cache, including compiled solvers; returns the number of kernels removed."""
    paths = _files()
    for path in paths:
        path.unlink(missing_ok=True)
    for inner in (directory() / "driver", *directory().glob("driver-*")):  # the latter from older versions
        shutil.rmtree(inner, ignore_errors=True)
    return len(paths)
