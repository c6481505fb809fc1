"""The third site of an element: in a tree, in minimal coordinates.

Whatever an element does in the redundant formulation it does in the recursive one: where the tree has put the nodes,
with the accelerations and reactions that it has found, the equations of the redundant formulation hold.
"""

from __future__ import annotations

import numpy as np
import pytest
from row import Row, all_rows, inertia, vector

from samara import Body, Model, Revolute, Simulation, Universal
from samara.elements.families import Held
from samara.model import Element, Inertial
from samara.recursive import TreeError
from samara.rotations import exp_so3
from samara.solve.native.kernels import ACCELERATION, VELOCITY, constraint_level, residual
from samara.solve.native.outputs import measure
from samara.solve.tree.machine import FRESH
from samara.solve.tree.stepping import show
from samara.system.memory.blocks import RATE, Coefficient

#: Rows whose element makes loads of accelerations, stands on a flexible body, or has a state that cannot be solved for,
#: with words that the refusal must have.
REFUSED = {
    "Lock, about its axis": "element 'element' (Lock) makes loads of accelerations",
    "Lock, of everything": "element 'element' (Lock) makes loads of accelerations",
    "AeroBody lagging": "element 'element' (AeroBody) makes loads of accelerations",
    "AeroBody swept and lagging": "element 'element' (AeroBody) makes loads of accelerations",
    "AeroBody lagging blade": "element 'element' (AeroBody) makes loads of accelerations",
    "AeroBeam3 lagging": "element 'element' (AeroBeam3) makes loads of accelerations",
    "AeroBody lagging blade in vortices": "element 'element' (AeroBody) makes loads of accelerations",
    "Rotor in a frozen wake": "is not linear in its value",
    "AeroBody blade in a frozen wake": "is not linear in its value",
    "Gear": "element 'element' (Gear) holds its nodes by constraints",
    "Gear shafts": "element 'element' (Gear) holds its nodes by constraints",
    "Gear two carriers": "element 'element' (Gear) holds its nodes by constraints",
    "ValueRegulator": "element 'support_0' (ModalBody) is a flexible",
    "HeatingResistor": "is not linear in its value",
    "Diode": "is not linear in its value",
    "Orifice": "is not linear in its value",
    "Orifice tabulated": "is not linear in its value",
    "Orifice incompressible": "is not linear in its value",
    "MinorLoss": "is not linear in its value",
    "Pipe": "is not linear in its value",
    "ReliefValve": "is not linear in its value",
    "CheckValve": "is not linear in its value",
    "ServoValve": "is not linear in its value",
    "ServoValve driven": "is not linear in its value",
    "Rotor at once": "is not linear in its value",
    "Rotor rings at once": "is not linear in its value",
    "AeroBody lagging blade in rings": "element 'element' (AeroBody) makes loads of accelerations",
}


def of_loads() -> list[Row]:
    """Rows of what acts in a tree beside its bodies and joints."""
    rows = []
    for row in all_rows():
        element = made(row)[1]
        if not isinstance(element, (Held, Inertial)):
            rows.append(row)
    return rows


def made(row: Row, seed: int = 3) -> tuple[Model, Element]:
    """A floating body, others that hang on it one after the other, and the element between them."""
    rng = np.random.default_rng(seed)
    model = Model(row.name, gravity=(0.1, -0.3, -9.0))
    nodes = []
    for i in range(row.nodes):
        strayed = 1.0 if row.near is None else 0.0
        at = np.array([i * row.reach, 0.0, 0.0]) + strayed * vector(rng, 0.2 * row.reach)
        node = model.node(f"n{i}", at, rotation=exp_so3(strayed * vector(rng, 1.0)))
        model.add(f"m{i}", Body(node, mass=2.0 + i, inertia=inertia(rng), com=vector(rng, 0.1)))
        if i:
            joint = Universal if i == 1 or "Gear" in row.name else Revolute  # gears know the bearings of their wheels
            model.add(f"j{i}", joint(nodes[-1], node, at=at + vector(rng, 0.1), axis=vector(rng), axis_x=vector(rng)))
        nodes.append(node)
    found = row.make(nodes, rng, np.asarray)
    *supports, element = found if isinstance(found, tuple) else (found,)
    for i, support in enumerate(supports):
        model.add(f"support_{i}", support)
    model.add("element", element)
    if row.then is not None:
        model.add("after", row.then(nodes, element))
    return model, element


def somewhere(sim: Simulation, row: Row, seed: int) -> None:
    """Puts the tree of a simulation into a random state, and shows it to the rest of the program."""
    rng = np.random.default_rng(seed)
    tree, m = sim.tree, sim.machine
    assert tree is not None
    size = 0.5 if row.near is None else row.near
    for segment in tree.tree.segments:
        at = tree.places.coordinates + segment.q
        if segment.freedom.kind == "ball":
            x = rng.normal(size=4)
            tree.block[at : at + 4] = x / np.linalg.norm(x)
        else:
            tree.block[at] += rng.normal() if segment.floating else size * rng.uniform(-1.0, 1.0)
    tree.speeds[:] = row.speed * rng.uniform(-1.0, 1.0, tree.speeds.size)
    for state in tree.graph.states:
        if state.order:
            place = tree.places.state(state.name)
            tree.block[place] += state.scale * rng.uniform(0.1, 0.5)
            tree.block[place + 1] = state.scale * rng.uniform(-0.5, 0.5) if state.order == 2 else 0.0
    m.tree.status[FRESH] = 0
    m.coef[[Coefficient.PER_POSE, Coefficient.POSE, Coefficient.MOVING]] = 1.0
    show(m)
    measure(m)


def size_of_terms(sim: Simulation, element: Element) -> np.ndarray:
    """What rounding is measured by, of each row: the largest wrench that inertia and weights alone make.

    Of a state of the element's own its rate as well, which is made of numbers of its size.
    """
    m, layout = sim.machine, sim.system.layout
    sizes = np.full(m.scratch.res.size, max(1.0, float(np.abs(m.state[layout.multipliers]).max(initial=0.0))))
    for state in element.owned.values():
        row, rate = sim.system.unknowns.state_row(state.name), m.state[layout.state_block(state) + RATE * layout.width]
        sizes[row] = max(sizes[row], abs(rate))
    return sizes


@pytest.mark.parametrize("row", of_loads(), ids=repr)
def test_equations_of_the_other_formulation_hold(row: Row):
    model, element = made(row)
    try:
        sim = Simulation(model, formulation="recursive")
    except TreeError as error:
        assert REFUSED.get(row.name, "nothing is wrong") in str(error)
        return
    assert row.name not in REFUSED
    m = sim.machine
    for seed in range(3):
        somewhere(sim, row, seed)
        sim.system.arrays.coef[Coefficient.TIED_RATES] = 1.0
        residual(m)
        used = sim.system.unknowns.rows
        assert np.isfinite(m.scratch.res[used]).all()
        np.testing.assert_allclose(m.scratch.res[used] / size_of_terms(sim, element)[used], 0.0, atol=1e-10)
        for level in (VELOCITY, ACCELERATION):
            constraint_level(m, level)
            np.testing.assert_allclose(m.scratch.res[used], 0.0, atol=1e-10 * row.speed**2)
