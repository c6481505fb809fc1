"""Who looks at the panel, and what they may do."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Role(StrEnum):
    """A viewer observes; an operator also commands."""

    VIEWER = "viewer"
    OPERATOR = "operator"


class RefusedError(PermissionError):
    """A request of somebody who may not make it."""


@dataclass(frozen=True)
class Visitor:
    """One page in one browser. name: where it comes from, for the event log."""

    role: Role
    name: str = ""

    def __str__(self) -> str:
        return f"{self.role.value} {self.name}".strip()

    @property
    def may_command(self) -> bool:
        """Whether it may do more than look."""
        return self.role is Role.OPERATOR
