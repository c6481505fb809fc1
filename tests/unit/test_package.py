"""The package as a whole: everything is there when it is asked for by name."""

import dataclasses
import importlib
import pkgutil
import pydoc
import subprocess
import sys
import textwrap

import pytest

import samara as sm
import samara.elements
from samara.model.documented import explains
from samara.model.record import Record

#: Everything exported that a user fills in: elements, laws, drives, aerofoils, gusts.
RECORDS = [name for name in sm.__all__ if isinstance(cls := getattr(sm, name), type) and issubclass(cls, Record)]
ROOMS = [module.name for module in pkgutil.iter_modules(sm.__path__) if module.ispkg]


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_is_there_without_an_earlier_import(room):
    if room == "dashboard":
        pytest.importorskip("nicegui")
    code = f"import samara as sm; assert sm.{room}.__name__ == 'samara.{room}'; assert {room!r} in dir(sm)"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_rotations_in_the_first_line():
    code = "import samara as sm; print(sm.rotations.rotation_z(0.0)[0, 0])"
    assert subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout == "1.0\n"


def test_what_is_not_there_is_an_attribute_error():
    for name in ("rotation", "__main__", "nothing"):
        with pytest.raises(AttributeError, match=f"module 'samara' has no attribute '{name}'"):
            getattr(sm, name)


def test_every_name_of_the_stub_is_there():
    missing = [name for name in sm.__all__ if not hasattr(sm, name)]
    assert not missing


def test_every_element_is_exported():
    """Those that are only there to be derived from, and private ones, are not."""
    modules = [m.name for m in pkgutil.walk_packages(samara.elements.__path__, "samara.elements.")]
    classes = {c for name in modules for c in vars(importlib.import_module(name)).values() if isinstance(c, type)}
    elements = {c for c in classes if issubclass(c, sm.Element) and c.__module__.startswith("samara.elements.")}
    bases = {b for c in elements for b in c.__mro__[1:]}
    inner = {"NodeMotion", "StateValue", "Release"}  # made by the system itself
    missing = {c.__name__ for c in elements - bases} - set(sm.__all__) - inner
    assert not {name for name in missing if not name.startswith("_")}


def test_an_editor_knows_the_types(tmp_path):
    """Completion and argument hints: what a type checker says of a first model, and of a wrong keyword."""
    (tmp_path / "first.py").write_text(
        textwrap.dedent(
            """
            import samara as sm

            model = sm.Model("pendulum")
            link = model.node("link")
            reveal_type(model)
            reveal_type(link)
            reveal_type(sm.transient(model, 1.0, 1e-3))
            reveal_type(sm.Rotor)
            reveal_type(sm.Simulation(model).state)
            sm.transient(model, 1.0, stepp=1e-3)
            """
        )
    )
    command = [sys.executable, "-m", "mypy", "--no-error-summary", "--no-incremental", "first.py"]
    said = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True).stdout
    for wanted in (
        "model.model.Model",
        "model.node.Node",
        "results.results.Results",
        "elements.aero.rotor.Rotor",
        "system.state.SystemState",
    ):
        assert f"samara.{wanted}" in said, said
    assert 'Unexpected keyword argument "stepp"' in said


@pytest.mark.parametrize("name", RECORDS)
def test_help_explains_every_argument(name):
    """In the docstring, which holds what base classes say of the fields that the class itself does not speak of."""
    cls = getattr(sm, name)
    said = pydoc.render_doc(cls, renderer=pydoc.plaintext).split("Method resolution order:")[0]
    text = said.replace("\n |", "\n").split("-> None\n", 1)[-1]  # without the signature
    assert not [f.name for f in dataclasses.fields(cls) if f.init and not explains(text, f.name)]


def test_a_mention_is_no_explanation():
    assert not explains("A spring between two points.", "a")
    assert not explains("What is at rest stays at rest", "rest")
    assert explains("rest: length without a force [m]", "rest")
    assert explains("length [m], rest [m] > 0", "rest")
    assert explains("between node a and node b", "b")
