"""Numbers of a page in few bytes: 65,535 levels between the smallest and the largest of a column, differences, deflate.

A page holds one block: the length of a text (four bytes, little endian), the text (JSON), and the arrays that it tells
of by their places. The block is deflated (zlib), which browsers undo by themselves.
"""

from __future__ import annotations

import base64
import json
import zlib
from typing import Any

import numpy as np

#: Levels of a column; 0 stands for a number that is none.
LEVELS = 65535


class Packing:
    """Collects arrays; `block` is what a page holds."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []
        self._size = 0

    def _put(self, octets: bytes) -> int:
        at, padding = self._size, -len(octets) % 4
        self._parts.append(octets + bytes(padding))
        self._size += len(octets) + padding
        return at

    def floats(self, values: Any) -> dict[str, int]:
        """Single precision; where they are."""
        flat = np.ascontiguousarray(values, "<f4").ravel()
        return {"at": self._put(flat.tobytes()), "count": flat.size}

    def columns(self, table: np.ndarray) -> dict[str, Any]:
        """Of shape (n, columns), each to half a level: (largest - smallest) / 65534; where they are."""
        q, low, step = quantised(table)
        change = np.diff(q, axis=0, prepend=np.zeros((1, q.shape[1]), np.uint16))
        halves = np.ascontiguousarray(change.T, "<u2").reshape(-1, 1).view(np.uint8)
        return {
            "at": self._put(halves[:, 0].tobytes() + halves[:, 1].tobytes()),
            "rows": q.shape[0],
            "columns": q.shape[1],
            "low": self.floats(low),
            "step": self.floats(step),
        }

    def block(self, head: dict[str, Any]) -> str:
        """Base64 of all, deflated."""
        text = json.dumps(head, separators=(",", ":"), allow_nan=False).encode()
        text += b" " * (-len(text) % 4)
        return packed_text(len(text).to_bytes(4, "little") + text + b"".join(self._parts))


def packed_text(octets: bytes) -> str:
    """Base64 of bytes, deflated."""
    return base64.b64encode(zlib.compress(octets, 9)).decode("ascii")


def quantised(table: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Levels of (n, columns), and of each column its smallest number and the step; value = low + step (level - 1)."""
    known = np.isfinite(table)
    low = np.min(table, axis=0, where=known, initial=np.inf)
    high = np.max(table, axis=0, where=known, initial=-np.inf)
    low = np.where(np.isfinite(low), low, 0.0).astype(np.float32).astype(float)
    step = (np.maximum(high, low) - low) / (LEVELS - 1)
    step = np.nextafter(step.astype(np.float32), np.float32(np.inf)).astype(float)
    with np.errstate(invalid="ignore"):
        level = np.clip(np.rint((table - low) / step) + 1.0, 1.0, LEVELS)
    return np.where(known, level, 0.0).astype(np.uint16), low, step
