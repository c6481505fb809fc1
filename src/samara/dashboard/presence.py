"""Whether a session is still there."""

from __future__ import annotations

from samara.realtime.session import Session


class Presence:
    """Looks at a session's file: a process may end its session and live on, and another may take the name."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._mark = self._look()

    def _look(self) -> tuple[int, int] | None:
        try:
            found = (self._session.path / "session.json").stat()
        except OSError:
            return None
        return found.st_ino, found.st_mtime_ns

    @property
    def there(self) -> bool:
        """Whether its process lives and the session is that to which this one was connected."""
        return self._session.alive and self._mark is not None and self._look() == self._mark
