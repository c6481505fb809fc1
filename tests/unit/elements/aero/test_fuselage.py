"""Fuselages by coefficients: flat plates, Munk's moment, wind axes, tables against closed forms, still air."""

import numpy as np
import pytest

import samara as sm
from samara import Air, ArgumentError, CoefficientTables, Drag, Fuselage, ModelError, QuadraticCoefficients, Surface

ALPHA, BETA = np.radians(np.arange(-180.0, 181.0, 2.0)), np.radians(np.arange(-90.0, 91.0, 2.0))
AREA, LENGTH, DENSITY = 3.0, 7.0, 1.1
TO_NODE = np.diag([-1.0, 1.0, -1.0])  # axes of the load (forward, right, down) in those of the node (aft, right, up)


def direction(alpha, beta):
    return np.array([np.cos(alpha) * np.cos(beta), np.sin(beta), np.sin(alpha) * np.cos(beta)])


def load(coefficients, velocity, element=None, air=None):
    """Force and moment in axes forward, right, down, on a body that moves at that velocity in them."""
    model = sm.Model("tunnel")
    node = model.node("n", velocity=TO_NODE @ velocity)
    model.add("mass", sm.Body(node, mass=1e6, inertia=(1e6, 1e6, 1e6)))
    place = sm.Placement((0.0, 0.0, 0.0), TO_NODE)
    air = air or Air(density=DENSITY)
    body = element or Fuselage(node, place=place, coefficients=coefficients, area=AREA, length=LENGTH, air=air)
    model.add("load", body if element is None else element(node))
    run = sm.transient(model, 1e-6, 1e-6, tolerance=1e-6, progress=False)
    moment = run["load.moment"][0] if "load.moment" in run.channels else np.zeros(3)
    return TO_NODE @ run["load.force"][0], TO_NODE @ moment


def sampled(form):
    grid = [[form.coefficients(direction(a, b), a, b) for b in BETA] for a in ALPHA]
    grid = np.array(grid)
    grid[-1] = grid[0]
    grid[:, 0], grid[:, -1] = grid[0, 0], grid[0, -1]
    return CoefficientTables.sampled(ALPHA, BETA, grid)


def test_flat_plates_are_drag():
    """The linear part -diag(S) of the forces is `Drag`; both add their speed of still air, 1e-4 m^2/s^2 of 29."""
    areas, velocity = np.array([1.0, 2.0, 3.0]), np.array([3.0, -2.0, 4.0])
    form = QuadraticCoefficients.slender(areas, 0.0, AREA, LENGTH)
    force, moment = load(form, velocity)
    plates, _ = load(None, velocity, lambda n: Drag(n, area=areas, air=Air(density=DENSITY)))
    assert force == pytest.approx(plates, rel=1e-5)
    assert np.abs(moment).max() == 0.0


def test_munk_turns_a_slender_body_across():
    """M = rho V^2 W sin(2 alpha) / 2 nose up, NACA Report 184; the same nose away from the flow in sideslip."""
    W, V = 5.0, 30.0
    form = QuadraticCoefficients.slender(np.zeros(3), W, AREA, LENGTH)
    for angle in np.radians([5.0, 30.0, 120.0]):
        closed = 0.5 * DENSITY * V**2 * W * np.sin(2 * angle)
        _, moment = load(form, V * direction(angle, 0.0))
        assert moment == pytest.approx([0.0, closed, 0.0], rel=1e-6, abs=1e-6)
    angle = np.radians(20.0)
    _, moment = load(form, V * direction(0.0, angle))  # air from the right: the nose goes to the left
    assert moment == pytest.approx([0.0, 0.0, -0.5 * DENSITY * V**2 * W * np.sin(2 * angle)], rel=1e-6, abs=1e-6)


def test_tables_follow_a_form(rng):
    """Sampled every 2 degrees: bilinear errors are (2 deg)^2 / 8 of the second derivatives, 4 to 8 times the sum of
    the coefficients."""
    form = QuadraticCoefficients(rng.uniform(-1.0, 1.0, (6, 3)), rng.uniform(-1.0, 1.0, (6, 6)))
    tables, allowed = sampled(form), np.radians(2.0) ** 2 / 8 * 2 * 9 * 4
    for _ in range(200):
        a, b = rng.uniform(-np.pi, np.pi), rng.uniform(-1.5, 1.5)
        closed, found = (one.coefficients(direction(a, b), a, b) for one in (form, tables))
        assert np.abs(np.array(found) - closed).max() < allowed


def test_force_in_the_element_is_that_of_its_tables(rng):
    form = QuadraticCoefficients(rng.uniform(-1.0, 1.0, (6, 3)), rng.uniform(-1.0, 1.0, (6, 6)))
    tables, V = sampled(form), 20.0
    for a, b in ((2.5, -0.4), (-1.7, 1.2), (0.04, 0.0)):
        force, moment = load(tables, V * direction(a, b))
        c = np.array(tables.coefficients(direction(a, b), a, b))
        q = 0.5 * DENSITY * V**2 * AREA
        assert force == pytest.approx(q * c[:3], rel=1e-6, abs=1e-4)
        assert moment == pytest.approx(q * LENGTH * c[3:], rel=1e-6, abs=1e-3)


def test_wind_axes():
    """Drag is along the flow, lift across it in the plane of symmetry, side force across both."""
    alpha, beta = ALPHA[1:-1:10], BETA[1:-1:10]
    for k, (name, sign) in enumerate((("lift", -1.0), ("drag", -1.0), ("side", 1.0))):
        values = np.zeros((len(alpha), len(beta), 6))
        values[:, :, k] = 1.0
        tables = CoefficientTables.from_wind_axes(alpha, beta, values)
        for i, a in enumerate(alpha):
            for j, b in enumerate(beta):
                force = np.array([tables.c_x.z[i, j], tables.c_y.z[i, j], tables.c_z.z[i, j]])
                n = direction(a, b)
                assert np.linalg.norm(force) == pytest.approx(1.0)
                assert force @ n == pytest.approx(sign if name == "drag" else 0.0, abs=1e-12)
                if name == "lift":
                    assert force[1] == 0.0
                    assert force[2] * np.cos(a) <= 0.0  # up where the nose looks forward


def test_smooth_at_rest():
    """Through still air the load goes with the square of the speed, with no jump and no division."""
    form = sampled(QuadraticCoefficients.slender((1.0, 2.0, 3.0), 2.0, AREA, LENGTH))
    n = direction(0.3, 0.2)
    sizes = [np.linalg.norm(load(form, v * n)[0]) for v in (0.0, 1.0, 2.0)]
    assert sizes[0] < 1e-9
    assert sizes[2] == pytest.approx(4.0 * sizes[1], rel=1e-3)


def test_extended_keeps_what_is_known(rng):
    """Inside its range a table stays; 15 degrees outside the closed form holds; it closes, so that it is taken."""
    form = QuadraticCoefficients.slender((1.0, 2.0, 3.0), 2.0, AREA, LENGTH)
    alpha, beta = np.radians([-20.0, 0.0, 25.0]), np.radians([-15.0, 0.0, 10.0])
    values = rng.uniform(-1.0, 1.0, (3, 3, 6))
    tables = CoefficientTables.extended(alpha, beta, values, form)
    tables.validate()
    found = tables.coefficients(None, alpha[2], beta[0])
    assert found == pytest.approx(values[2, 0], abs=1e-12)
    for a, b in np.radians([(45.0, 0.0), (-160.0, 30.0), (0.0, 90.0), (5.0, -35.0)]):
        closed = form.coefficients(direction(a, b), a, b)
        assert tables.coefficients(None, a, b) == pytest.approx(closed, abs=0.02)  # bilinear between 5 degrees
    with pytest.raises(ModelError, match="alpha covers -20 to 170 degrees"):
        CoefficientTables.extended(np.radians([-20.0, 0.0, 170.0]), beta, values, form)
    with pytest.raises(ArgumentError, match="values must have the shape"):
        CoefficientTables.sampled(alpha, beta, values[:, :, :5])


# ---- what is refused, by the argument's name
CIRCLE, SIDES, NONE = np.linspace(-np.pi, np.pi, 5), np.linspace(-np.pi / 2, np.pi / 2, 3), np.zeros((5, 3, 6))
WRONG_TABLES = {
    "alpha: none": (None, SIDES, NONE),
    "alpha: a text": ("x", SIDES, NONE),
    "alpha: empty": ([], SIDES, NONE),
    "alpha: falling": (CIRCLE[::-1], SIDES, NONE),
    "alpha: twice": ([-np.pi, 0.0, 0.0, 1.0, np.pi], SIDES, NONE),
    "alpha: a gap": ([-np.pi, np.nan, 0.0, 1.0, np.pi], SIDES, NONE),
    "beta: a number": (CIRCLE, 1.0, NONE),
    "beta: in columns": (CIRCLE, np.zeros((3, 2)), NONE),
    "values: other angles": (CIRCLE, SIDES, np.zeros((3, 5, 6))),
    "values: one coefficient": (CIRCLE, SIDES, np.zeros((5, 3))),
    "values: a gap": (CIRCLE, SIDES, np.full((5, 3, 6), np.nan)),
    "values: ragged": (CIRCLE, SIDES, [[1.0], [1.0, 2.0]]),
    "values: complex": (CIRCLE, SIDES, 1j * NONE),
}


@pytest.mark.parametrize("make", ["sampled", "from_wind_axes", "extended"])
@pytest.mark.parametrize("wrong", WRONG_TABLES)
def test_tables_of_wrong_numbers(refuses, make, wrong):
    argument, given = wrong.partition(":")[0], WRONG_TABLES[wrong]
    beyond = (QuadraticCoefficients(),) if make == "extended" else ()
    with refuses(f"CoefficientTables.{make}: {argument}"):
        getattr(CoefficientTables, make)(*given, *beyond)


WRONG_BODIES = [
    ("areas", ((1.0, 2.0), 1.0, 1.0, 1.0)),
    ("areas", ((1.0, 2.0, -1.0), 1.0, 1.0, 1.0)),
    ("areas", ((1.0, 2.0, np.nan), 1.0, 1.0, 1.0)),
    ("areas", ("abc", 1.0, 1.0, 1.0)),
    ("munk", ((1.0, 1.0, 1.0), np.inf, 1.0, 1.0)),
    ("area", ((1.0, 1.0, 1.0), 1.0, 0.0, 1.0)),
    ("length", ((1.0, 1.0, 1.0), 1.0, 1.0, "long")),
]


@pytest.mark.parametrize(("argument", "given"), WRONG_BODIES)
def test_slender_bodies_of_wrong_numbers(refuses, argument, given):
    with refuses(f"QuadraticCoefficients.slender: {argument}"):
        QuadraticCoefficients.slender(*given)


def test_what_is_no_form_and_no_table():
    with pytest.raises(ArgumentError, match=r"extended: beyond must be a QuadraticCoefficients"):
        CoefficientTables.extended(CIRCLE, SIDES, NONE, None)
    with pytest.raises(ArgumentError, match=r"c_m has 2 values per point: give a Surface for each"):
        CoefficientTables(c_m=Surface(CIRCLE, SIDES, np.zeros((5, 3, 2)))).validate()
    with pytest.raises(ModelError, match=r"linear must have 6 rows of 3 numbers.*got rows of unequal length"):
        QuadraticCoefficients(linear=[[1.0, 2.0], [1.0]]).validate()
