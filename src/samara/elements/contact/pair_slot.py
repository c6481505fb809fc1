"""A place for a pair that may touch: a contact whose nodes, places and sizes change from step to step."""

from __future__ import annotations

from samara.elements.contact.contact import Contact
from samara.model import Contribution, Site
from samara.model.membership import check


class PairSlot(Contact):
    """A `Contact` of a pool (`Contacts`): the same equations, without channels of its own.

    It is in no model: it stands on the ground until it is bound to a pair.
    """

    def settle(self, name: str) -> None:
        """Checks it under the name of the element that owns it, as `join` would in a model."""
        check(self, name, self.prepare, self.validate, self.examine)
        object.__setattr__(self, "name", name)
        self.freeze(f"element {name!r}")

    def formulate(self, site: Site) -> Contribution:
        contribution = super().formulate(site)
        contribution.outputs = []
        return contribution
