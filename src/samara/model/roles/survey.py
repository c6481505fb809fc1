"""Elements that must fit others. Asked by `Model.check`."""

from __future__ import annotations

from collections.abc import Iterable

from samara.model.element import Element


class Surveying(Element):
    """Checks itself among all elements of a complete model, or takes from them what it needs."""

    def survey(self, elements: Iterable[Element]) -> None:
        """The check; raise ValueError."""
        raise NotImplementedError
