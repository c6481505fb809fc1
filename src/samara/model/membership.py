"""An element in its model: its checks as it joins, when a parameter changes, and the errors that name it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from samara.arguments import ModelError
from samara.model.frames.node import Node
from samara.model.quantities.freezing import preparing
from samara.model.quantities.state import State
from samara.model.schema.fields import NODE, READS, STATE

if TYPE_CHECKING:
    from samara.model.element import Element


def require_members(element: Element, name: str) -> None:
    """Checks nodes, states and fields of an element that is to join a model under a name."""
    members = element.nodes()
    for member in members:
        if not isinstance(member, Node):
            given = f"{argument(element, member)}{member!r}"
            raise ModelError(f"element {name!r}: {given} is not a node; use the object returned by model.node(...)")
        if members.count(member) > 1:
            raise ModelError(
                f"element {name!r}: node {member.name!r} is given twice: the element would "
                f"act between a node and itself"
            )
    for field in element.marked(READS):
        given = getattr(element, field)
        if field not in element.specs() and not isinstance(given, State):
            raise ModelError(
                f"element {name!r}: {type(element).__name__}: {field} must be one state, such as regulator.output: "
                f"{given!r} is not a state"
            )
    check(element, name, element.prepare, element.validate, element.examine, element.states)
    for shared in element.states():
        if not isinstance(shared, State):
            given = f"{argument(element, shared)}{shared!r}"
            raise ModelError(f"element {name!r}: {given} is not a state; use the object returned by model.state(...)")
    for shared in (getattr(element, field) for field in element.marked(STATE)):
        if shared in element.readings():
            raise ModelError(f"element {name!r}: state {shared.name!r} is given twice, once as read-only")


def recheck(element: Element) -> None:
    """Checks an element again, after a named parameter changed."""
    check(element, element.name, element.validate, element.examine)


def check(element: Element, name: str, *stages: Callable[[], Any]) -> None:
    """Runs checks of an element; a `ModelError` names it, and the field if the check does."""
    try:
        with preparing():
            for stage in stages:
                stage()
    except ValueError as error:
        raise ModelError.within(f"element {name!r}", type(element).__name__, element.field_names(), error) from None


def argument(element: Element, given: Any) -> str:
    """Which argument something was given as, such as "a: "; nothing where none is it."""
    fields = (*element.marked(NODE), *element.marked(STATE), *element.marked(READS))
    return next((f"{field}: " for field in fields if getattr(element, field, None) is given), "")


def stranger(element: Element, name: str, given: Node | State, model: str) -> ModelError:
    """The error of a node or state from elsewhere."""
    kind = "node" if isinstance(given, Node) else "state"
    which = f"{argument(element, given)}{kind} {given.name!r}"
    return ModelError(f"element {name!r}: {which} does not belong to model {model!r}")
