"""Analyses of a present state take drives as parameters and inputs make them now, not as `static` has met them."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pytest

import samara as sm
from samara.solve.linear_systems.first_order import first_order

#: A column upright on a torsion spring; a string from its end to an anchor above it has a natural length.
LENGTH, SPRING, MASS, OWN, STRING, NATURAL = 1.5, 12.0, 1.0, 0.1, 4.0, 0.5
INERTIA = OWN + MASS * LENGTH**2
#: What drives are fed before and after the balance was found, with drives as they are at a time.
BEFORE, AFTER, TIME = 1.0, 1.75, 2.5


def push(model: sm.Model, top: sm.Node, drive: Any) -> None:
    """A load at the end of the column."""
    model.add("push", sm.Force(top, force=(0.0, 0.0, drive)))


def pull(model: sm.Model, top: sm.Node, drive: Any) -> None:
    """A string to an anchor, by so much more than its natural length above the end."""
    anchor = model.prescribed("anchor", sm.Motion(position=(0.0, 0.0, drive)), (0.0, 0.0, LENGTH + NATURAL))
    model.add("string", sm.Rod(top, anchor, law=sm.LinearLaw(STRING), length=NATURAL))


def under_load(fed: float) -> float:
    """Stiffness against a turn under -4 N times what is fed [N m]."""
    return SPRING - 4.0 * fed * LENGTH


def on_string(fed: float) -> float:
    """V = c/2 (d - l0)^2 with d^2 = H^2 + l^2 - 2 H l cos(turn), upright: V'' = k + c (d - l0) H l / d [N m]."""
    d = NATURAL + fed
    return SPRING + STRING * fed * (LENGTH + d) * LENGTH / d


class Case(NamedTuple):
    """A drive of a number, what it acts on, and the stiffness that it makes."""

    drive: Callable[[Any], Any]
    act: Callable[[sm.Model, sm.Node, Any], None]
    stiffness: Callable[[float], float]


def table() -> sm.Drive:
    return sm.Tabulated(sm.Curve([0.0, 1.0, 2.0, 3.0, 4.0], [0.0, -1.0, -4.0, -4.0, -4.0]))


def as_drive(fed: Any) -> sm.Drive:
    return fed if isinstance(fed, sm.Drive) else sm.Constant(fed)


CASES = {
    "number": Case(lambda fed: as_drive(fed) * -4.0, push, under_load),
    "ramp": Case(lambda fed: as_drive(fed) * sm.Ramp(-2.0, end=2.0), push, under_load),
    "table": Case(lambda fed: as_drive(fed) * table(), push, under_load),
    "node": Case(lambda fed: fed, pull, on_string),
}
ANALYSES: dict[str, Callable[[sm.Simulation], float]] = {
    "stability": lambda sim: sm.stability(sim).stiffness * (LENGTH**2 + sim.length**2),
    "modes": lambda sim: slowest(sm.modes(sim).eigenvalues),
    "state_space": lambda sim: slowest(np.linalg.eigvals(sm.state_space(sim, inputs=(), outputs="top.position").A)),
    "linearise": lambda sim: slowest(np.linalg.eigvals(first_order(sm.linearise(sim)).A)),
    # s^2 = -K / J: ds/dk = -1 / (2 J s)
    "sensitivity": lambda sim: slowest(-0.5 / (INERTIA * sm.sensitivity(sm.modes(sim), "k").values[:, 0])),
}


def slowest(eigenvalues: np.ndarray) -> float:
    """The stiffness that an eigenvalue tells: K = -J s^2 [N m]."""
    return float((-INERTIA * eigenvalues**2).real.min())


def column(case: Case, fed: Any) -> sm.Model:
    model = sm.Model("column")
    top = model.node("top", (0.0, 0.0, LENGTH))
    model.add("mass", sm.Body(top, mass=MASS, inertia=(OWN, OWN, OWN)))
    model.add("hinge", sm.Revolute(model.ground, top, at=(0.0, 0.0, 0.0), axis=(0.0, 1.0, 0.0)))
    law = sm.LinearLaw(sm.Parameter("k", SPRING))
    model.add("spring", sm.Torsion(model.ground, top, law=law, axis=(0.0, 1.0, 0.0)))
    case.act(model, top, case.drive(fed))
    return model


def stands(case: Case, way: str) -> sm.Simulation:
    """A column in balance, with what the drive was fed before."""
    fed = sm.Input("fed", initial=BEFORE) if way == "input" else sm.Parameter("fed", BEFORE)
    sim = sm.Simulation(column(case, fed))
    sm.static(sim, time=TIME)
    return sim


def feed(sim: sm.Simulation, way: str, value: float) -> None:
    (sim.system.set_input if way == "input" else sim.system.set_parameter)("fed", value)


@pytest.mark.parametrize("way", ["parameter", "input"])
@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_what_was_fed_since_the_balance_counts(case, way):
    """The column is in balance whatever is fed; what a small turn meets is known in closed form."""
    sim = stands(case, way)
    told = {name: find(sim) for name, find in ANALYSES.items()}
    assert told == pytest.approx(dict.fromkeys(ANALYSES, case.stiffness(BEFORE)), rel=1e-8)
    feed(sim, way, AFTER)
    state = sim.state.copy()
    told = {name: find(sim) for name, find in ANALYSES.items()}
    assert told == pytest.approx(dict.fromkeys(ANALYSES, case.stiffness(AFTER)), rel=1e-8)
    assert np.array_equal(sim.state.copy(), state), "an analysis leaves the state as it is"


def driven(way: str, what: str) -> sm.Simulation:
    """An arm on a table: told where it stands, or how fast it turns; by a joint, or as a prescribed node."""
    fed = sm.Input("fed", initial=0.1) if way == "input" else sm.Parameter("fed", 0.1)
    model = sm.Model("table")
    drive = fed if "place" in what else as_drive(fed) * sm.Ramp(1.0)
    if "node" in what:
        base = model.prescribed("base", sm.Motion(rotation=(0.0, 0.0, drive)))
    else:
        base = model.node("base")
        model.add("inertia", sm.Body(base, mass=1.0, inertia=(1.0, 1.0, 1.0)))
        model.add("axle", sm.Revolute(model.ground, base, at=(0.0, 0.0, 0.0), axis=(0, 0, 1)))
        model.add("drive", sm.PrescribedAngle(model.ground, base, at=(0.0, 0.0, 0.0), axis=(0, 0, 1), angle=drive))
    arm = model.node("arm", (1.0, 0.0, 0.0))
    model.add("mass", sm.Body(arm, mass=1.0, inertia=(0.1, 0.1, 0.1)))
    model.add("hinge", sm.Revolute(base, arm, at=(0.5, 0.0, 0.0), axis=(0.0, 1.0, 0.0)))
    model.add("spring", sm.Torsion(base, arm, law=sm.LinearLaw(SPRING), axis=(0.0, 1.0, 0.0)))
    sim = sm.Simulation(model)
    sm.static(sim)
    return sim


LOOKS: dict[str, Callable[[sm.Simulation], Any]] = {
    "stability": sm.stability,
    "modes": sm.modes,
    "state_space": lambda sim: sm.state_space(sim, inputs=()),
    "linearise": sm.linearise,
}


@pytest.mark.parametrize("way", ["parameter", "input"])
@pytest.mark.parametrize(("what", "culprit"), [("place of a joint", "drive"), ("place of a node", "hinge")])
@pytest.mark.parametrize("look", LOOKS.values(), ids=LOOKS)
def test_a_place_that_no_longer_fits_is_refused(look, what, culprit, way):
    sim = driven(way, what)
    look(sim)
    feed(sim, way, 0.3)
    with pytest.raises(sm.SolveError, match=rf"joint '{culprit}' does not fit, by 0\.[12].*static\(\.\.\.\)"):
        look(sim)
    sm.static(sim)
    look(sim)


@pytest.mark.parametrize("what", ["speed of a joint", "speed of a node"])
def test_what_static_has_stopped_stays_so(what):
    """At rest the arm has the stiffness of its spring alone; a motion that is told is never taken for that rest."""
    sim = driven("parameter", what)
    inertia = 0.1 + 0.5**2
    for speed in (0.1, 7.0):
        sim.system.set_parameter("fed", speed)
        assert sm.stability(sim).verdict == "stable"
        assert (-first_order(sm.linearise(sim)).A[1, 0]) == pytest.approx(SPRING / inertia, rel=1e-9)
        for look in (sm.modes, LOOKS["state_space"]):
            with pytest.raises(sm.NotConstant, match="is inconsistent with its prescribed motion"):
                look(sim)


@pytest.mark.parametrize("look", LOOKS.values(), ids=LOOKS)
def test_trees_are_refused(look):
    with pytest.raises(sm.ArgumentError, match="without formulation='recursive'"):
        look(sm.Simulation(column(CASES["number"], sm.Parameter("fed", BEFORE)), formulation="recursive"))
