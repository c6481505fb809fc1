"""The log of the libraries that serve the panel: a line for an error, and the same one once in a while."""

from __future__ import annotations

import logging
from collections.abc import Callable

#: Loggers of the libraries; characters of a line; time between two that are alike [s].
LOGGERS = ("nicegui", "asyncio", "uvicorn.error", "engineio.server", "socketio.server")
LONGEST, PAUSE = 300, 10.0


class PlainLog(logging.Filter):
    """Makes every record one short line, without a traceback; drops what repeats the last of its kind and counts it."""

    def __init__(self, now: Callable[[], float]) -> None:
        super().__init__()
        self._now = now
        self._after: dict[tuple[str, str], float] = {}
        self._dropped: dict[tuple[str, str], int] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether it is written."""
        error = record.exc_info[1] if record.exc_info else record.msg if isinstance(record.msg, Exception) else None
        kind = type(error).__name__ if error is not None else record.levelname
        key, now = (record.name, kind), self._now()
        if now < self._after.get(key, float("-inf")):
            self._dropped[key] = self._dropped.get(key, 0) + 1
            return False
        self._after[key] = now + PAUSE
        more = self._dropped.pop(key, 0)
        words = f"{kind}: {error}" if error is not None else record.getMessage()
        words = "".join(c if c.isprintable() else " " for c in words)[:LONGEST]
        record.msg = f"{words} ({more} more since the last line)" if more else words
        record.args, record.exc_info, record.exc_text = (), None, None
        return True

    def install(self) -> None:
        """For all of these libraries."""
        for name in LOGGERS:
            logging.getLogger(name).addFilter(self)
