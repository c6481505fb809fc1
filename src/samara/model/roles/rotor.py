"""Rotors. Asked by `Model.rotors`, and so by all analyses of rotors and by the scene."""

from __future__ import annotations

from typing import TYPE_CHECKING

from samara.model.element import Element

if TYPE_CHECKING:
    from samara.model.declarations.declared_rotor import DeclaredRotor


class RotorDeclaration(Element):
    """A rotor that may declare its blades."""

    def declared_rotor(self) -> DeclaredRotor | None:
        """The rotor that it is; None where its blades have no names."""
        raise NotImplementedError

    def bears(self, element: Element) -> bool:
        """Whether the loads of an element are part of its own force and moment."""
        raise NotImplementedError
