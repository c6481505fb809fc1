"""Object code on disk: private, safe when two processes write at once, suspicious of what it reads.

A file holds one JSON line about the kernel, the digest of the object code, and the object code. It is written under
a temporary name and moved into place, so that a reader sees all of it or none; a file that does not match its digest
is dropped and made again.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import tempfile
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

_MAGIC = b"samara-kernel-1\n"


@dataclass
class KernelInfo:
    """What `samara kernels` shows of a kernel."""

    kind: str
    operations: int
    lanes: int
    compile_seconds: float
    bytes: int = 0


def directory() -> Path:
    """The cache directory: ``$SAMARA_CACHE``, else the user's cache. Made on demand, for the user alone."""
    root = os.environ.get("SAMARA_CACHE")
    if root:
        path = Path(root)
    else:
        path = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "samara" / "kernels"
    try:
        path.mkdir(parents=True, exist_ok=True, mode=0o700)
        if hasattr(os, "getuid") and path.stat().st_uid != os.getuid():
            raise PermissionError(f"{path} belongs to another user")
    except OSError as error:
        fallback = Path(tempfile.gettempdir()) / f"samara-kernels-{os.getuid() if hasattr(os, 'getuid') else 'user'}"
        fallback.mkdir(exist_ok=True, mode=0o700)
        if hasattr(os, "getuid") and fallback.stat().st_uid != os.getuid():
            raise PermissionError(
                f"no private place for compiled kernels ({error}): set SAMARA_CACHE to a directory of your own"
            ) from error
        return fallback
    return path


def _path(key: str) -> Path:
    return directory() / f"{key}.kernel"


def read(key: str) -> tuple[KernelInfo, bytes] | None:
    """Object code of a key, or None when it is missing or damaged (a damaged file is removed)."""
    path = _path(key)
    try:
        data = path.read_bytes()
    except OSError:
        return None
    with contextlib.suppress(ValueError, TypeError):
        if data.startswith(_MAGIC):
            header, digest, code = data[len(_MAGIC) :].split(b"\n", 2)
            if hashlib.sha256(code).hexdigest().encode() == digest:
                return KernelInfo(**json.loads(header)), code
    with contextlib.suppress(OSError):
        path.unlink()
    return None


def write(key: str, info: KernelInfo, code: bytes) -> None:
    """Stores object code. A full or read-only disk costs the next start a compilation, nothing else."""
    info.bytes = len(code)
    digest = hashlib.sha256(code).hexdigest().encode()
    blob = _MAGIC + json.dumps(asdict(info)).encode() + b"\n" + digest + b"\n" + code
    with contextlib.suppress(OSError):
        handle, temporary = tempfile.mkstemp(dir=directory(), prefix=".writing-")
        try:
            with os.fdopen(handle, "wb") as stream:
                stream.write(blob)
            os.replace(temporary, _path(key))
        except OSError:
            with contextlib.suppress(OSError):
                os.unlink(temporary)
            raise


def entries() -> Iterator[tuple[str, KernelInfo | None]]:
    """(key, information) of everything in the cache; information is None for a damaged file."""
    for path in sorted(directory().glob("*.kernel")):
        found = read(path.stem)
        yield path.stem, found[0] if found else None


def clear() -> int:
    """Empties the cache; the number of kernels removed."""
    paths = list(directory().glob("*.kernel"))
    for path in paths:
        path.unlink(missing_ok=True)
    return len(paths)
