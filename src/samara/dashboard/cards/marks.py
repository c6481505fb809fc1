"""Attributes of elements whose values are names of a model: set one by one, never read from a text."""

from __future__ import annotations

from typing import TypeVar

from nicegui import ui

E = TypeVar("E", bound=ui.element)


def mark(element: E, mark: str, label: str | None = None) -> E:
    """Gives an element the mark by which tests find it, and the label that is read out."""
    element.props["data-testid"] = mark
    if label is not None:
        element.props["aria-label"] = label
    return element


def choices() -> ui.menu:
    """A menu that holds fields and buttons: a dialog for screen readers, as its entries are no menu items."""
    return ui.menu().props('role="dialog" aria-label="choices"')
