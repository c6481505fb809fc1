"""Contacts in analyses: they hold nothing, and what looks at small motions refuses them by name."""

import pytest

import samara as sm
from samara.cli.check import examine
from samara.solve.constraints.redundancy import redundancy


def machine(*, touching: bool = True) -> sm.Model:
    """A pendulum with a stop, and a ball over a floor."""
    model = sm.Model("machine", gravity=(0, 0, -9.81))
    bob, ball = model.node("bob", position=(0, 0, -1)), model.node("ball", position=(1, 0, 1))
    for node in (bob, ball):
        inertia = (0.1, 0.1, 0.1)
        model.add(f"{node.name}.body", sm.Body(node, mass=sm.Parameter(f"{node.name}.mass", 1.0), inertia=inertia))
    hinge = {"at": (0, 0, 0), "axis": (0, 1, 0)}
    model.add("hinge", sm.Revolute(model.ground, bob, **hinge))
    if touching:
        model.add("floor", sm.Contact(model.ground, ball, place_a=(0, 0, 0), friction=0.3))
        model.add("pair", sm.Contact(bob, ball, place_a=(0, 0, 0)))
        model.add("stop", sm.AngleStop(model.ground, bob, limit=-1.0, **hinge))
    return model


@pytest.mark.parametrize("given", [sm.Model, sm.Simulation], ids=["model", "simulation"])
def test_contacts_hold_nothing(given):
    made = [machine(touching=touching) for touching in (True, False)]
    with_contacts, without = made if given is sm.Model else map(sm.Simulation, made)
    texts = [freedom.text for freedom in sm.freedoms(with_contacts)]
    assert texts == [freedom.text for freedom in sm.freedoms(without)]
    assert any("'hinge'" in text for text in texts) and not any("Contact" in text for text in texts)
    assert sm.redundant_constraints(with_contacts) == []


def test_check_counts_without_contacts():
    report, _ = examine(sm.Simulation(machine()))
    assert report["redundant"] == [] and report["rank"] == 5
    assert report["degrees_of_freedom"] == 12 - 5


def test_what_joints_hold_twice_is_still_found_beside_contacts():
    model = machine()
    model.add("again", sm.InLine(model.ground, model.nodes["bob"], at=(0, 0.5, 0), axis=(0, 1, 0)))
    sim = sm.Simulation(model)
    assert redundancy(sim).count == 2
    assert [one.joint.name for one in sm.redundant_constraints(sim)] == ["again"]


ANALYSES = {
    "linearise": sm.linearise,
    "stability": sm.stability,
    "sensitivity": sm.sensitivity,
    "transient_sensitivity": lambda sim: sm.transient_sensitivity(sim, 0.1, 0.01),
    "static": sm.static,
    "modes": sm.modes,
    "state_space": sm.state_space,
    "craig_bampton": lambda sim: sm.craig_bampton(sim, "bob"),
    "steady_rotation": lambda sim: sm.steady_rotation(sim, 1.0),
    "campbell": lambda sim: sm.campbell(sim, [1.0]),
    "periodic": lambda sim: sm.periodic(sim, 1.0, 0.1),
    "trim": lambda sim: sm.trim(sim, {"bob.mass": 0.1}, {"hinge.angle": 0.0}, period=1.0, steps=10),
}


@pytest.mark.parametrize("name", ANALYSES)
def test_analyses_refuse_contacts_by_name(name):
    sim = sm.Simulation(machine())
    with pytest.raises(sm.ArgumentError) as error:
        ANALYSES[name](sim)
    assert str(error.value).startswith(f"{name}: model 'machine' has contacts with impacts, such as 'floor'")
    assert "PenaltyContact" in str(error.value)


def test_assembly_and_runs_take_contacts():
    sim = sm.Simulation(machine())
    sm.assemble(sim)
    assert sm.transient(sim, 0.01, 1e-3, progress=False)["hinge.angle"][-1] == pytest.approx(0.0)
