"""What was on pages that are gone: one that is loaded anew in the same tab of a browser finds it again."""

from __future__ import annotations

from typing import NamedTuple

from samara.dashboard.access.roles import Role
from samara.dashboard.desk.layouts import PanelLayout
from samara.dashboard.traces.scope import Still

#: Pages that are remembered at most: a frozen scope may hold some megabytes.
MOST = 8


class KeptPage(NamedTuple):
    """A layout, and of each of its scopes what it shows if it is frozen."""

    layout: PanelLayout
    stills: list[Still | None]


class KeptPages:
    """The last ones. A tab is known by a random number that only its browser has, and has one page of each role."""

    def __init__(self) -> None:
        self._kept: dict[tuple[str, Role], KeptPage] = {}

    def keep(self, tab: str, role: Role, page: KeptPage) -> None:
        """One more; the oldest is forgotten."""
        self._kept.pop((tab, role), None)
        self._kept[tab, role] = page
        while len(self._kept) > MOST:
            del self._kept[next(iter(self._kept))]

    def take(self, tab: str, role: Role) -> KeptPage | None:
        """What was on the page, once."""
        return self._kept.pop((tab, role), None)
