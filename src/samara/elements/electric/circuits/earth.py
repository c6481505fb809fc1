"""Earth."""

from __future__ import annotations

from samara.elements.networks.hold import Hold
from samara.model import ELECTRIC


class Earth(Hold):
    """Holds a junction at zero potential: v = 0. Every circuit needs one."""

    domain = ELECTRIC

    def given(self):
        return 0.0

    @property
    def steady(self) -> bool:
        return True
