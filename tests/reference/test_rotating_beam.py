"""Modes of a uniform cantilever and of one hinged at its root, at rest and turning, by three-node finite-volume beams.

The reference (rotating_uniform_beam_flap.csv) is the Euler-Bernoulli beam without hub radius, computed by a
Legendre-Galerkin method and equal to the classic exact tables. Frequencies are eta = omega L^2 sqrt(m / EI), speeds
lam = Omega L^2 sqrt(m / EI). Stretch, shear and rotary inertia of the section shift them by some 1e-5, since EA and GA
are 1e6 EI / L^2 here; the rest is the discretisation.
"""

import csv

import numpy as np
import pytest

import samara as sm
from samara.elements.beams.beam3 import Beam3
from samara.elements.beams.section import Section

LENGTH, MASS, EI = 1.0, 1.0, 1.0  # then eta and lam are frequencies and speeds in rad/s
STIFF = 1e6 * EI / LENGTH**2
LAG = 4.0  # EI in the plane over EI across it: lag frequencies scale by 2, lam by 1/2
CUT = 1.0 / np.sqrt(3.0)
GYRATION = 5e-4 * LENGTH  # of the section


@pytest.fixture(scope="module")
def table(data):
    with (data / "rotating_uniform_beam_flap.csv").open() as file:
        next(file)  # the source
        return {
            (row["bc"], int(row["lam"])): np.array([float(row[f"eta{k}"]) for k in range(1, 6)])
            for row in csv.DictReader(file)
        }


def lump(model: sm.Model, node: sm.Node, name: str, start: float, end: float) -> None:
    """The piece of the beam from start to end (from the node, along x) as a rigid rod."""
    mass, length = MASS * (end - start), end - start
    section = mass * GYRATION**2
    inertia = np.array([2 * section, mass * length**2 / 12 + section, mass * length**2 / 12 + section])
    model.add(name, sm.Body(node, mass=mass, inertia=inertia, com=((start + end) / 2, 0, 0)))


def beam(elements: int, hinged: bool = False) -> sm.Model:
    """Along x from the origin; three nodes an element, each with the mass between the cuts beside it."""
    model = sm.Model("uniform beam")
    half = LENGTH / elements / 2
    root = model.node("root") if hinged else model.ground
    if hinged:
        model.add("hinge", sm.Revolute(model.ground, root, at=(0, 0, 0), axis=(0, 1, 0)))
    nodes = [root, *(model.node(f"node_{k}", (k * half, 0, 0)) for k in range(1, 2 * elements + 1))]
    section = Section(np.diag([STIFF, STIFF, STIFF, EI, EI, LAG * EI]))
    for k in range(elements):
        a, b, c = nodes[2 * k : 2 * k + 3]
        model.add(f"beam_{k}", Beam3(a, b, c, section_1=section, section_2=section))
        if a.free:
            lump(model, a, f"after_{k}", 0.0, (1 - CUT) * half)
        lump(model, b, f"around_{k}", -CUT * half, CUT * half)
        lump(model, c, f"before_{k}", -(1 - CUT) * half, 0.0)
    return model


def flap_and_lag(found, count: int):
    """The slowest frequencies across the plane of rotation and in it."""
    flap, lag = found.share((2, 4)) > 0.9, found.share((1, 5)) > 0.9
    keep = found.frequencies > 1e-3
    return found.frequencies[flap & keep][:count], found.frequencies[lag & keep][:count]


def test_clamped_at_rest(table):
    flap, lag = flap_and_lag(sm.modes(beam(8)), 3)
    assert flap == pytest.approx(table["cantilever", 0][:3], rel=1e-3)
    assert lag == pytest.approx(2 * table["cantilever", 0][:3], rel=1e-3)


def test_order_of_convergence(table, orders):
    """Second order or better in the length of the elements, mode by mode."""
    errors = []
    for elements in (2, 4, 8):
        flap, _ = flap_and_lag(sm.modes(beam(elements)), 2)
        errors.append(np.abs(flap / table["cantilever", 0][:2] - 1))
    print(np.array(errors))
    assert (orders(errors) > 1.8).all()


@pytest.mark.parametrize("hinged", [False, True])
def test_fan(table, hinged):
    """Flap and lag frequencies over the speed: 0.1 % in two modes with 8 elements."""
    sim = sm.Simulation(beam(8, hinged))
    name = "hinged" if hinged else "cantilever"
    for lam in (2, 4, 8, 12):
        flap, lag = flap_and_lag(sm.modes(sm.steady_rotation(sim, float(lam))), 2)
        print(lam, flap / table[name, lam][:2] - 1)
        assert flap == pytest.approx(table[name, lam][:2], rel=1e-3)
        if not hinged:  # omega_lag^2 = omega_flap^2 - Omega^2, for the stiffness in the plane
            scaled = table[name, lam // 2][:2]
            assert lag == pytest.approx(2 * np.sqrt(scaled**2 - (lam / 2) ** 2), rel=1e-3)
            print(lam, "lag", lag / (2 * np.sqrt(scaled**2 - (lam / 2) ** 2)) - 1)


def test_prescribed_root_and_campbell(table):
    """A root told to spin, its speed a parameter of the model, gives the same as the ground taken to turn."""
    speed = sm.Parameter("speed", 0.0)
    model = sm.Model("told to spin")
    root = model.prescribed("root", sm.Motion(rotation=(0, 0, sm.Constant(speed) * sm.Expression(lambda t: t))))
    middle, tip = model.node("middle", (0.5, 0, 0)), model.node("tip", (1, 0, 0))
    section = Section(np.diag([STIFF, STIFF, STIFF, EI, EI, LAG * EI]))
    model.add("beam", Beam3(root, middle, tip, section_1=section, section_2=section))
    lump(model, middle, "around", -CUT / 2, CUT / 2)
    lump(model, tip, "before", -(1 - CUT) / 2, 0.0)
    speeds = [0.0, 3.0, 6.0]
    told = sm.campbell(model, speeds, count=2, parameter="speed")
    taken = sm.campbell(beam(1), speeds, count=2, carried=["ground"])
    assert told.frequencies == pytest.approx(taken.frequencies, rel=1e-9)
    assert (np.diff(told.frequencies[:, 0]) > 0).all()
