"""Names of a model in attributes of the page: whatever they hold, they stay values."""

import pytest

pytest.importorskip("nicegui")
from nicegui import Client, ui
from nicegui.page import page

from samara.dashboard.cards.marks import mark
from samara.realtime import Signal


@pytest.mark.parametrize(
    "name", ['x" onclick="alert(1)', "x' innerHTML='<b>'", "x onclick=alert(1)", "\\", '"', "a\nb"]
)
def test_a_name_is_a_value(name):
    with Client(page("")):
        element = mark(ui.element("div").props("dense"), f"par-{name}", f"new {name}")
    assert dict(element.props) == {"dense": True, "data-testid": f"par-{name}", "aria-label": f"new {name}"}


@pytest.mark.parametrize("name", ['x"onclick="alert(1)', "x<img", "x>", "x&quot;", "x`", "x\\", "x\x1b[2J", "x\u202e"])
def test_names_that_mean_something_else_elsewhere_are_refused(name):
    with pytest.raises(ValueError, match="signal name"):
        Signal(name, "m")
    for good in ("arm.angle", "blade_1'", "γ-mode.x", "a,b(c)[d]"):
        Signal(good, "m")
