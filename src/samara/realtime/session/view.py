"""What a session's `view` shows of a system."""

from __future__ import annotations

from samara.model import Node
from samara.system.system import System


def shown(system: System) -> list[Node]:
    """The nodes whose poses are published: all that may move."""
    return [node for node in (*system.layout.free, *system.layout.held) if node.kind != "ground"]
