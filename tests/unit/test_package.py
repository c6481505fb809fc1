"""The package as a whole: everything is there when it is asked for by name."""

import dataclasses
import importlib
import inspect
import os
import pkgutil
import pydoc
import subprocess
import sys

import pytest

import samara as sm
import samara.elements
from samara.model.schema.help_text import explains
from samara.model.schema.record import Record

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
    inner = {"NodeMotion", "StateValue", "Release", "PairSlot"}  # made by the system itself
    missing = {c.__name__ for c in elements - bases} - set(sm.__all__) - inner
    assert not {name for name in missing if not name.startswith("_")}


RIGHT = """
import numpy as np
import samara as sm

model = sm.Model("pendulum")
link, arm = model.node("link"), model.node("arm")
stiffness = sm.Parameter("stiffness", 20.0, unit="N m/rad", lower=0.0)

class Magnet(sm.Coupling):
    strength: float = sm.number(unit="N m^4", positive=True)
    range: float = sm.number(default=1.0, unit="m")

class Beacon(sm.Element):
    n: sm.Node = sm.node(kw_only=False)
    level: sm.State = sm.state(kw_only=False)

sm.Body(link, mass=1, inertia=np.eye(3), com=[0, 0, 0.1])
sm.Body(link, mass=sm.Parameter("mass", 1.0), inertia=(1, 1, 1), gravity=(0.0, lambda t: t, sm.Sine(1.0, 2.0)))
sm.Revolute(link, arm, axis=(0, 0, 1), place_a=(0, 0, 1), start={"angle": 0.1})
sm.Revolute(link, b=arm, place_a=sm.Placement((0, 0, 1)), place_b=None)
sm.Torsion(link, arm, law=sm.LinearLaw(stiffness, damping=0.1) + sm.DamperLaw(0.3))
sm.DeformableHinge(link, arm, law=(sm.LinearLaw(1.0), None, sm.LinearLaw(np.float64(2.0))))
sm.PrescribedAngle(link, arm, angle=sm.Ramp(stiffness, end=2.0))
sm.PrescribedAngle(link, arm, angle=lambda t: 0.5 * np.sin(t))
sm.ValueRegulator(model.state("x"), law=sm.PID(proportional=2.0, lower=-1.0), target=stiffness)
sm.Air(gusts=sm.OneMinusCosine((0, 0, 1), 2.0))
Magnet(link, arm, place_a=(0, 0, 1), strength=stiffness)
Beacon(link, model.state("y"))
"""

#: Calls after those lines, and what a type checker says of each.
WRONG = {
    "sm.Body(link, mas=1.0, inertia=(1, 1, 1))": 'Unexpected keyword argument "mas" for "Body"; did you mean "mass"?',
    "sm.Body(link, inertia=(1, 1, 1))": 'Missing named argument "mass" for "Body"',
    "sm.Body(link, 1.0, (1, 1, 1))": 'Too many positional arguments for "Body"',
    "sm.Body(link, mass='1 kg', inertia=(1, 1, 1))": 'Argument "mass" to "Body" has incompatible type "str"',
    "sm.Revolute(link, arm, axs=(0, 0, 1))": 'Unexpected keyword argument "axs" for "Revolute"',
    "sm.Revolute(link)": 'Missing positional argument "b" in call to "Revolute"',
    "sm.LinearLaw()": 'Missing positional argument "stiffness" in call to "LinearLaw"',
    "sm.LinearLaw(1.0, 2.0, 3.0, 4.0)": 'Too many arguments for "LinearLaw"',
    "sm.PID(2.0)": 'Too many positional arguments for "PID"',
    "sm.Sine(1.0, omega=2.0)": 'Unexpected keyword argument "omega" for "Sine"',
    "Magnet(link, arm, strenght=1.0)": 'Unexpected keyword argument "strenght" for "Magnet"',
    "Magnet(link, arm)": 'Missing named argument "strength" for "Magnet"',
    "Beacon(link)": 'Missing positional argument "level" in call to "Beacon"',
    "sm.number(0.0, unit='m')": 'Too many positional arguments for "number"',
}

FIRST = """
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


@pytest.fixture(scope="module")
def said(tmp_path_factory, root):
    """What a type checker says of the files above, and of every record: {file: [(line, text)]}, in one run.

    With the settings and the cache of the project, so that the package itself is not checked again.
    """
    folder = tmp_path_factory.mktemp("types")
    (folder / "first.py").write_text(FIRST)
    (folder / "right.py").write_text(RIGHT)
    (folder / "wrong.py").write_text("\n".join(["from right import *", *WRONG]))
    (folder / "records.py").write_text("\n".join(["import samara as sm", *(f"reveal_type(sm.{r})" for r in RECORDS)]))
    command = [sys.executable, "-m", "mypy", "--no-error-summary", *map(str, folder.glob("*.py"))]
    environment = {**os.environ, "MYPYPATH": str(root / "src")}
    lines = subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True).stdout.splitlines()
    found = {path.name: [] for path in folder.glob("*.py")}
    for name, number, text in (line.split(":", 2) for line in lines):
        found[name.rsplit("/")[-1]].append((int(number), text))
    return found


def test_an_editor_knows_the_types(said):
    """Completion and argument hints: what a type checker says of a first model, and of a wrong keyword."""
    text = "\n".join(text for _, text in said["first.py"])
    for wanted in (
        "model.model.Model",
        "model.frames.node.Node",
        "results.results.Results",
        "elements.aero.rotors.rotor.Rotor",
        "system.state.state.SystemState",
    ):
        assert f"samara.{wanted}" in text, text
    assert 'Unexpected keyword argument "stepp"' in text


def test_an_editor_accepts_what_an_element_takes(said):
    exec(compile(RIGHT, "right.py", "exec"), {"__name__": "right"})
    assert not said["right.py"]


def test_an_editor_marks_a_wrong_call(said):
    for line, (call, wanted) in enumerate(WRONG.items(), 2):
        errors = [text for number, text in said["wrong.py"] if number == line and text.startswith(" error:")]
        assert len(errors) == 1 and wanted in errors[0], (call, errors)


def seen(revealed):
    """{argument: (by name alone, may be left out)} of a revealed "def (a: float, *, b: float =) -> ..."."""
    arguments, depth, keyword = [""], 0, False
    for letter in revealed[revealed.index("(") + 1 :]:
        depth += (letter in "([") - (letter in ")]")
        if depth < 0:
            break
        if letter == "," and not depth:
            arguments.append("")
        else:
            arguments[-1] += letter
    found = {}
    for argument in filter(None, map(str.strip, arguments)):
        keyword = keyword or argument == "*"
        if argument != "*":
            found[argument.split(":")[0]] = (keyword, argument.endswith("="))
    return found


def test_an_editor_sees_the_arguments_of_every_record(said):
    """As they are at run time: names, order, those that are given by name alone, those that may be left out."""
    differ = []
    for line, name in enumerate(RECORDS, 2):
        (text,) = [text for number, text in said["records.py"] if number == line]
        wanted = {
            p.name: (p.kind is p.KEYWORD_ONLY, p.default is not p.empty)
            for p in inspect.signature(getattr(sm, name)).parameters.values()
        }
        if list(seen(text).items()) != list(wanted.items()):
            differ.append((name, seen(text), wanted))
    assert not differ


def test_help_explains_every_argument():
    """In the docstring, which holds what base classes say of the fields that the class itself does not speak of."""
    unexplained = []
    for cls in (getattr(sm, name) for name in RECORDS):
        shown = pydoc.render_doc(cls, renderer=pydoc.plaintext).split("Method resolution order:")[0]
        text = shown.replace("\n |", "\n").split("-> None\n", 1)[-1]  # without the signature
        names = [f.name for f in dataclasses.fields(cls) if f.init]
        unexplained += [f"{cls.__name__}.{name}" for name in names if not explains(text, name)]
    assert not unexplained


def test_a_mention_is_no_explanation():
    assert not explains("A spring between two points.", "a")
    assert not explains("What is at rest stays at rest", "rest")
    assert explains("rest: length without a force [m]", "rest")
    assert explains("length [m], rest [m] > 0", "rest")
    assert explains("between node a and node b", "b")
