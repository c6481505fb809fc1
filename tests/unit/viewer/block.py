"""Reads the block of a page as its description says, without the code that wrote it."""

import base64
import json
import re
import zlib

import numpy as np


class Block:
    """head: what the page says of its arrays."""

    def __init__(self, page):
        text = re.search(r'id="data">([^<]*)<', page)[1]
        octets = zlib.decompress(base64.b64decode(text))
        length = int.from_bytes(octets[:4], "little")
        self.head, self._rest = json.loads(octets[4 : 4 + length]), octets[4 + length :]

    def floats(self, ref):
        return np.frombuffer(self._rest, "<f4", ref["count"], ref["at"]).astype(float)

    def columns(self, ref):
        """Values (n, columns), and of each column half a level."""
        n, m = ref["rows"], ref["columns"]
        low, high = np.frombuffer(self._rest, np.uint8, 2 * n * m, ref["at"]).reshape(2, m, n).astype(np.int64)
        level = np.cumsum(low + 256 * high, axis=1) % 65536
        smallest, step = self.floats(ref["low"]), self.floats(ref["step"])
        values = smallest[:, None] + step[:, None] * (level - 1)
        return np.where(level > 0, values, np.nan).T, 0.5 * step
