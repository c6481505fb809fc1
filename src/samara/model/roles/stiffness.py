"""Stiff elements. Asked by the assembly of a start, and by the choice of an integrator."""

from __future__ import annotations

from samara.model.element import Element


class GivesShape(Element):
    """Gives a flexible part its shape, which assembly keeps while joints are closed."""


class Stiff(Element):
    """Vibrates faster than explicit integrators can follow."""
