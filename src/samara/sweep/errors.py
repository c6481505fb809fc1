"""What ends a sweep. A variant that fails does not: it is recorded with its cause."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from samara.sweep.results import SweepResults


class SweepError(Exception):
    """A sweep that cannot begin or go on; what was stored is kept."""


class OpenScheduler(UserWarning):
    """A Dask scheduler that others may reach too: they run code as this user."""


class SweepInterrupted(KeyboardInterrupt):
    """Ctrl-C during a sweep; `results` holds every variant that was finished."""

    def __init__(self, message: str, results: SweepResults) -> None:
        super().__init__(message)
        self.results = results
