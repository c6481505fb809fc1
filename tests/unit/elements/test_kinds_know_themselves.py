"""An element answers for itself: a kind that nobody has heard of is drawn, weighed and loaded like those built in."""

import ast
from pathlib import Path

import numpy as np
import pytest

import samara as sm
import samara.elements
from samara.cli.runs.check import _mass
from samara.model import (
    Contribution,
    Drawn,
    Element,
    ExternalLoads,
    Inertial,
    Model,
    Node,
    Placement,
    driven,
    node,
    number,
)
from samara.models.rotors import rotor4
from samara.scene import outline, scene_of
from samara.solve import Simulation, assemble

PACKAGE = Path(samara.elements.__file__).parents[1]
#: Rooms that serve every kind of element; those of models, experiments and benchmarks know which they made.
ROOMS = ("system", "solve", "scene", "analysis", "results", "realtime", "interop", "dashboard", "cli")


class Drone(Inertial, ExternalLoads, Drawn):
    """A point with mass that a rope pulls at, from no family at all."""

    n: Node = node(kw_only=False)
    m: float = number(unit="kg", positive=True)
    pull: object = driven(default=0.0, unit="N", size=3)

    def formulate(self, site):
        f = site.frames[-1]
        inertia = self.m * np.concatenate([f.dv + np.cross(f.w, f.v), f.dw + 0.0 * f.w])
        return Contribution([inertia - np.concatenate([site.world.R @ np.asarray(self.pull), np.zeros(3)])])

    def total_mass(self):
        return float(self.m)

    def load_drives(self):
        return list(self.pull)

    def polyline(self):
        return [(self.n, np.zeros(3)), (self.n, np.array([0.0, 0.0, -0.4]))]

    def draw(self, sketch):
        sketch.box(self.n, Placement((0.0, 0.0, 0.1)), (0.3, 0.3, 0.1))
        square = np.array([[-1.0, -1.0, 0.0], [1.0, -1.0, 0.0], [1.0, 1.0, 0.0], [-1.0, 1.0, 0.0]])
        sketch.skin("hull", [(self.n, 0.2 * square), (self.n, 0.1 * square + [0.0, 0.0, 0.2])])


@pytest.fixture(scope="module")
def drone():
    model = Model("drone")
    at = model.node("drone", (1.0, 2.0, 3.0))
    model.add("drone.body", Drone(at, m=1.5, pull=(0.0, 0.0, 2.0)))
    sim = Simulation(model)
    assemble(sim)
    return sim


def test_it_is_drawn(drone):
    drawn = scene_of(drone.system)()
    (box,), (skin,) = drawn["boxes"], drawn["surfaces"]
    assert (box["name"], box["position"], box["size"]) == ("drone.body", [0.0, 0.0, 0.1], [0.3, 0.3, 0.1])
    assert (skin["name"], skin["kind"], np.shape(skin["rings"])) == ("drone.body", "hull", (2, 4))
    found = outline(drone.system)
    assert np.linalg.norm(np.diff(found.offset[found.lines[0]], axis=0)) == pytest.approx(0.4)


def test_it_is_weighed(drone):
    assert _mass(drone.model) == 1.5
    blades = rotor4.build(beams=2, blades=3)
    assert _mass(blades) == pytest.approx(3 * rotor4.MASS * rotor4.RADIUS)


def test_it_is_loaded(drone):
    """Its drives are among those that a static solution brings on in parts."""
    from samara.solve.statics.load_path import _load_signals

    s = drone.system
    brought_on = {id(drive) for drive in _load_signals(s)}
    assert {id(drive) for drive in drone.model["drone.body"].pull} <= brought_on


def test_a_beam_in_a_blade_is_not_drawn_but_one_beside_it_is():
    """The inner skin goes where an outer one of the same nodes is; bodies of its nodes have no box."""
    model = Model("wing")
    nodes = [model.node(f"n{k}", (float(k), 0.0, 0.0)) for k in range(3)]
    for k, n in enumerate(nodes):
        model.add(f"m{k}", sm.Body(n, mass=1.0, inertia=(0.1, 0.1, 0.1)))
    model.add("root", sm.Clamp(model.ground, nodes[0]))
    section = sm.Section((1e7, 1e6, 1e6, 1e4, 1e4, 1e5))
    model.add("inside", sm.Beam3(*nodes, section=section))
    model.add("beside", sm.Beam2(nodes[0], nodes[1], section=section))
    stations = sm.Stations.gauss(-1.0, 1.0, 3, 0.2)
    model.add("air", sm.AeroBeam3(*nodes, stations=stations, aerofoil=sm.ThinAerofoil()))
    sim = Simulation(model)
    assemble(sim)
    drawn = scene_of(sim.system)()
    assert {(s["name"], s["kind"]) for s in drawn["surfaces"]} == {("beside", "beam"), ("air", "wing")}
    assert drawn["boxes"] == []


def test_an_element_keeps_what_every_element_has():
    """All else is a role, a base class of its own in `model.roles`."""
    public = [name for name, member in vars(Element).items() if callable(member) and not name.startswith("_")]
    assert "formulate" in public and len(public) <= 12


def kinds():
    """Names of all classes of elements, families included; `Starting` is the role of a start."""
    found, waiting = set(), [Element]
    for path in (PACKAGE / "elements").rglob("*.py"):
        __import__(".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts).removesuffix(".__init__"))
    while waiting:
        kind = waiting.pop()
        waiting += kind.__subclasses__()
        if kind.__module__.startswith("samara.elements"):
            found.add(kind.__name__)
    return found - {"Starting"}


def switches(tree, names):
    """Lines that ask an object whether it is an element of these kinds."""
    for call in ast.walk(tree):
        if isinstance(call, ast.Call) and getattr(call.func, "id", "") == "isinstance":
            asked = {part.id for part in ast.walk(call.args[1]) if isinstance(part, ast.Name)}
            if asked & names:
                yield call.lineno, asked & names


def test_nobody_asks_for_the_kind_of_an_element():
    names = kinds()
    assert {"Body", "Revolute", "Lock", "Rotor", "Load", "Joint"} <= names
    assert list(switches(ast.parse("isinstance(x, (Body, int))"), names))
    found = []
    for room in ROOMS:
        for path in (PACKAGE / room).rglob("*.py"):
            tree = ast.parse(path.read_text("utf-8"))
            # names that come from elsewhere than the elements may be the same by chance
            own = {
                a.asname or a.name
                for n in ast.walk(tree)
                if isinstance(n, ast.ImportFrom) and (n.module or "").startswith("samara.elements")
                for a in n.names
            }
            found += [f"{path.relative_to(PACKAGE)}:{line}: {asked}" for line, asked in switches(tree, names & own)]
    assert not found, "let the element answer:\n" + "\n".join(found)
