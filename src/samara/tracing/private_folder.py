"""A folder private to the user, held by a handle, so that the folder that was checked is the one used, even if renamed.

It belongs to the user, and nobody else can write to it or replace it: each folder
above it belongs to the user or to the system, and others can write there only if they cannot rename what is not
theirs (the sticky bit, as for /tmp). Links on the path belong to the user or the system.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import stat
from pathlib import Path

_POSIX = hasattr(os, "getuid")
_FILE = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
_FOLDER = getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_NOFOLLOW", 0)
#: A folder on the path, which need not be readable.
_WAY = getattr(os, "O_PATH", os.O_RDONLY) | _FOLDER
_OTHERS = stat.S_IWGRP | stat.S_IWOTH


class PrivateFolder:
    """A folder, created if missing; PermissionError if others could put files into it."""

    def __init__(self, path: Path) -> None:
        self.path = Path(os.path.abspath(path))
        missing = [place for place in (self.path, *self.path.parents) if not os.path.lexists(place)]
        for place in reversed(missing):  # all of them private: `parents=True` leaves the upper ones to the umask
            place.mkdir(mode=0o700, exist_ok=True)
        self._handle = _checked(self.path) if _POSIX else None

    def _at(self, name: str) -> tuple[str, int | None]:
        """A file in it, as arguments for system calls."""
        return (str(self.path / name), None) if self._handle is None else (name, self._handle)

    def is_sound(self) -> bool:
        """Whether it still exists under its name, and is private."""
        if self._handle is None:
            return self.path.is_dir()
        try:
            held, named = os.fstat(self._handle), os.stat(self.path)
        except OSError:
            return False
        return is_private(held) and (held.st_ino, held.st_dev) == (named.st_ino, named.st_dev)

    def read(self, name: str, secret: bool = False) -> bytes | None:
        """Content of a file owned by the user; None if there is none. secret: nobody else can read it either."""
        try:
            where, folder = self._at(name)
            with os.fdopen(os.open(where, _FILE, dir_fd=folder), "rb") as stream:
                found = os.fstat(stream.fileno())
                if not stat.S_ISREG(found.st_mode) or (_POSIX and not is_private(found, secret)):
                    return None
                return stream.read()
        except OSError:
            return None

    def write(self, name: str, parts: list[bytes], replace: bool = True) -> bool:
        """Stores a file whole or not at all; returns whether it did. replace: overwrites an existing file."""
        with contextlib.suppress(OSError):
            draft, folder = self._at(f".writing-{secrets.token_hex(8)}")
            target, _ = self._at(name)
            try:
                with os.fdopen(os.open(draft, _NEW, 0o600, dir_fd=folder), "wb") as stream:
                    stream.write(b"".join(parts))
                if replace:
                    os.replace(draft, target, src_dir_fd=folder, dst_dir_fd=folder)
                    return True
                os.link(draft, target, src_dir_fd=folder, dst_dir_fd=folder)
                os.unlink(draft, dir_fd=folder)
                return True
            except OSError:
                with contextlib.suppress(OSError):
                    os.unlink(draft, dir_fd=folder)
        return False

    def remove(self, name: str) -> None:
        """Removes a file if it exists."""
        with contextlib.suppress(OSError):
            where, folder = self._at(name)
            os.unlink(where, dir_fd=folder)

    def touch(self, name: str) -> None:
        """Records that a file has just been used."""
        with contextlib.suppress(OSError):
            where, folder = self._at(name)
            os.utime(where, dir_fd=folder)

    def close(self) -> None:
        """Closes the handle."""
        if self._handle is not None:
            handle, self._handle = self._handle, None
            os.close(handle)

    def __del__(self) -> None:
        with contextlib.suppress(AttributeError, OSError, TypeError):
            self.close()


def check_private(path: Path) -> None:
    """Raises PermissionError if somebody else could write to this folder or replace it by another."""
    if _POSIX:
        os.close(_checked(Path(os.path.abspath(path))))


def is_private(found: os.stat_result, secret: bool = False) -> bool:
    """Whether a folder or file belongs to the user and nobody else can write to it or, if secret, read it."""
    return found.st_uid == os.getuid() and not stat.S_IMODE(found.st_mode) & (0o077 if secret else _OTHERS)


def _checked(path: Path) -> int:
    """A handle to a folder that is private, and whose name others cannot reassign."""
    for place in (path, *path.parents):
        found = place.lstat()
        if stat.S_ISLNK(found.st_mode) and found.st_uid not in _trusted():
            raise PermissionError(f"{place} is a link that belongs to another user")
    real = Path(os.path.realpath(path))
    handle = os.open(real.anchor, _WAY)
    try:
        for k, name in enumerate(real.parts[1:], 1):
            _check_above(os.fstat(handle), Path(*real.parts[:k]))
            flags = os.O_RDONLY | _FOLDER if k == len(real.parts) - 1 else _WAY
            inner = os.open(name, flags | os.O_CLOEXEC, dir_fd=handle)
            os.close(handle)
            handle = inner
        found = os.fstat(handle)
        if found.st_uid != os.getuid():
            raise PermissionError(f"{path} belongs to another user")
        if not is_private(found):
            raise PermissionError(f"others can write to {path}")
    except BaseException:
        os.close(handle)
        raise
    return handle


def _trusted() -> tuple[int, ...]:
    """Users who may do anything here: the user, root, and the owner of the whole tree (in a user namespace)."""
    return (os.getuid(), 0, os.stat("/").st_uid)


def _check_above(found: os.stat_result, path: Path) -> None:
    """Raises PermissionError if others could rename entries of a folder."""
    if found.st_uid not in _trusted():
        raise PermissionError(f"{path} belongs to another user")
    others = found.st_mode & _OTHERS
    if others == stat.S_IWGRP and _is_own_group(found.st_gid):
        return
    if others and not found.st_mode & stat.S_ISVTX:
        raise PermissionError(f"others can write to {path}, which has no sticky bit")


def _is_own_group(number: int) -> bool:
    """Whether a group contains only the user and is named after the user, as many systems create one for each."""
    import grp
    import pwd

    try:
        group, name = grp.getgrgid(number), pwd.getpwuid(os.getuid()).pw_name
    except KeyError:
        return False
    return group.gr_name == name and set(group.gr_mem) <= {name}
