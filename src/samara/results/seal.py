"""The seal of a file: a check sum of all of its bytes, in a text that it holds.

Whoever writes the file puts `SEAL` in as a text, an attribute of NetCDF, and closes it; then `seal` puts the check sum
of the whole (BLAKE2b, 128 bits) in place of the noughts. It is checked before any library looks into the file: one that
was damaged anywhere is not parsed. A seal tells damage, and changes by other programs. It does not tell forgery.
"""

from __future__ import annotations

import hashlib
import mmap
import re
from pathlib import Path

_MARK, _DIGITS = b"samara-blake2b:", 32
#: What is written where the check sum shall be.
SEAL = (_MARK + b"0" * _DIGITS).decode()
_SEALED = re.compile(re.escape(_MARK) + b"([0-9a-f]{32})")


def seal(path: Path) -> None:
    """Puts the check sum in."""
    with path.open("r+b") as stream, mmap.mmap(stream.fileno(), 0) as data:
        place = data.find(SEAL.encode())
        if place < 0:
            raise ValueError(f"{path} has no place for a check sum")
        place += len(_MARK)
        data[place : place + _DIGITS] = _check_sum(data, place)


def sealed(path: Path) -> bool | None:
    """Whether the file is as it was when it was sealed; None where it has no seal."""
    with path.open("rb") as stream, mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ) as data:
        found = [_check_sum(data, match.start(1)) == match[1] for match in _SEALED.finditer(data)]
    return any(found) if found else None


def _check_sum(data: mmap.mmap, place: int) -> bytes:
    """Of all but the check sum itself."""
    digest = hashlib.blake2b(digest_size=_DIGITS // 2)
    with memoryview(data) as view:
        for part in (view[:place], view[place + _DIGITS :]):
            digest.update(part)
            part.release()
    return digest.hexdigest().encode()
