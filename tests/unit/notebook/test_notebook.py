"""What notebooks show of models, results, modes and figures; the line that goes away."""

import io
import xml.etree.ElementTree as ElementTree

import pytest

import samara as sm
from samara.notebook.html import MOST_ROWS, table
from samara.notebook.stream import is_cell, rewrites
from samara.tracing.compiling import CLEAR, Compiling

HTML = "<i>pendulum</i>"


@pytest.fixture(scope="module")
def pendulum():
    model = sm.Model(HTML, gravity=(0, 0, -9.81))
    bob = model.node("bob", position=(1, 0, 0))
    model.add("mass", sm.Body(bob, mass=1.0, inertia=(0.01, 0.01, 0.01)))
    model.add("hinge", sm.Revolute(model.ground, bob, at=(0, 0, 0), axis=(0, 1, 0)))
    return model


@pytest.fixture(scope="module")
def results(pendulum):
    return sm.transient(pendulum, end=0.1, step=1e-2, progress=False)


def parsed(html):
    """Well-formed, and no name has become markup."""
    root = ElementTree.fromstring(f"<div>{html}</div>")
    assert root.find(".//i") is None
    return root


def test_a_model_has_a_drawing_and_tables(pendulum):
    page = parsed(pendulum._repr_html_())
    svg = "{http://www.w3.org/2000/svg}"
    assert len(page.findall(f".//{svg}circle")) == len(pendulum.nodes)
    assert len(page.findall(f".//{svg}line")) == 1  # ground to bob, by the hinge
    assert [s.text for s in page.iter("summary")] == ["2 nodes", "1 Body", "1 Revolute"]


def test_an_empty_model_has_no_drawing():
    assert parsed(sm.Model("empty")._repr_html_()).find(".//{http://www.w3.org/2000/svg}svg") is None


def test_results_have_a_row_for_each_channel(results):
    page = parsed(results._repr_html_())
    names = {cell.text for cell in page.iter("td")}
    assert set(results.channels.names) <= names
    assert f"{len(results.channels)} channels" in [s.text for s in page.iter("summary")]


def test_modes_have_a_row_each_and_show_themselves(pendulum):
    sim = sm.Simulation(pendulum)
    sm.static(sim)
    modes = sm.modes(sim)
    page = parsed(modes._repr_html_())
    assert len(page.findall(".//tbody/tr")) == len(modes)
    assert repr(modes) == str(modes)


def test_a_figure_is_a_picture(results):
    assert results.plot("hinge.angle")._repr_png_().startswith(b"\x89PNG")


def test_long_tables_say_what_is_left_out():
    rows = parsed(table(("a",), ((k,) for k in range(MOST_ROWS + 7)))).findall(".//tbody/tr")
    assert len(rows) == MOST_ROWS + 1 and rows[-1][0].text == "and 7 more"


class Cell(io.StringIO):
    """The output of a notebook's cell."""


Cell.__module__ = "ipykernel.iostream"


def test_streams_that_are_written_over():
    assert is_cell(Cell()) and rewrites(Cell())
    assert not rewrites(io.StringIO()) and not rewrites(None)
    closed = io.StringIO()
    closed.close()
    assert not rewrites(closed)


def test_nothing_of_compiling_stays_in_a_cell(monkeypatch):
    monkeypatch.delenv("SAMARA_PROGRESS", raising=False)
    cell = Cell()
    monkeypatch.setattr("sys.stderr", cell)
    compiling = Compiling()
    with compiling.kernel("Body"), compiling.kernel("Revolute"):
        pass
    lines = cell.getvalue().split(CLEAR)
    assert "\n" not in cell.getvalue() and lines[-1] == ""
    assert lines[-2].startswith("compiling kernel Revolute")
