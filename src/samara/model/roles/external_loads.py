"""Elements that load from outside. Asked by the static solution, which brings loads on in parts."""

from __future__ import annotations

from samara.model.element import Element
from samara.model.schema.drives import Drive


class ExternalLoads(Element):
    """Something that drives scale acts from outside, its weight included."""

    def load_drives(self) -> list[Drive]:
        """The drives of what acts from outside."""
        raise NotImplementedError
