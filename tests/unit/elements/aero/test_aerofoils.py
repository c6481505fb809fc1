"""Aerofoils: closed forms, periodicity, symmetry, tables with open corrections, and the same numbers in a kernel."""

import numpy as np
import pytest

import samara as sm
from samara import (
    AeroBody,
    Aerofoil,
    KirchhoffAerofoil,
    Stations,
    TabulatedAerofoil,
    ThinAerofoil,
    extended,
    flat_plate,
    naca0012,
)
from samara.elements.aero.aerofoils.naca0012 import CORRECTIONS
from samara.model import Model, ModelError, record
from samara.tracing import Surface

AEROFOILS = {
    "thin": ThinAerofoil(cd_0=0.01, cd_2=0.3, cm_0=-0.02, alpha_0=-0.03),
    "thin, compressible": ThinAerofoil(compressible="prandtl_glauert", cd_0=0.01, cm_0=-0.02, stall=0.2),
    "kirchhoff": KirchhoffAerofoil(),
    "naca 0012": naca0012(),
}
each = pytest.mark.parametrize("aerofoil", AEROFOILS.values(), ids=AEROFOILS.keys())
SYMMETRIC = [ThinAerofoil(cd_0=0.01, cd_2=0.3), KirchhoffAerofoil(), naca0012()]


@each
def test_around_the_circle_without_a_jump(aerofoil):
    """Continuous everywhere: over a step of 1e-7 rad a coefficient changes by less than a slope of 100 explains."""
    for mach in (0.0, 0.35, 0.6, 0.95):
        for alpha in np.linspace(-np.pi, np.pi, 73):
            a, b = (np.array(aerofoil.coefficients(alpha + d, mach)) for d in (-1e-7, 1e-7))
            np.testing.assert_allclose(a, b, atol=2e-5)


@each
def test_a_full_turn_is_the_same_angle(aerofoil, rng):
    for alpha, mach in zip(rng.uniform(-3, 3, 20), rng.uniform(0, 1, 20), strict=True):
        once = aerofoil.coefficients(alpha, mach)
        for turns in (-2, 1, 3):
            np.testing.assert_allclose(aerofoil.coefficients(alpha + 2 * np.pi * turns, mach), once, atol=1e-12)


@pytest.mark.parametrize("aerofoil", SYMMETRIC, ids=lambda a: type(a).__name__)
def test_symmetric_sections(aerofoil, rng):
    """cl and cm odd, cd even in alpha."""
    for alpha, mach in zip(rng.uniform(-3.1, 3.1, 100), rng.uniform(0, 1, 100), strict=True):
        np.testing.assert_allclose(
            aerofoil.coefficients(-alpha, mach),
            np.array(aerofoil.coefficients(alpha, mach)) * [-1, 1, -1],
            atol=1e-12,
        )


@each
def test_drag_takes_energy(aerofoil):
    for mach in (0.1, 0.5, 0.8):
        drag = [aerofoil.coefficients(alpha, mach)[1] for alpha in np.linspace(-np.pi, np.pi, 181)]
        assert min(drag) > 0


def test_thin_aerofoil_is_straight_up_to_the_stall():
    """cl = slope (alpha - alpha_0) to rounding: what closed forms of hover ask for."""
    thin = ThinAerofoil(slope=5.7, alpha_0=0.02, cd_0=0.01, cd_2=0.4, cm_0=-0.03)
    for alpha in np.radians(np.linspace(-30, 30, 31)):
        b = alpha - 0.02
        expected = [5.7 * b, 0.01 + 0.4 * b**2, -0.03]
        np.testing.assert_allclose(thin.coefficients(alpha, 0.7), expected, rtol=1e-14, atol=1e-15)
    for alpha in np.radians([46.0, 90.0, 150.0, -120.0]):
        lift, drag, moment = flat_plate(alpha)
        np.testing.assert_allclose(thin.coefficients(alpha, 0.7), [lift, drag + 0.01, moment], rtol=1e-14, atol=1e-15)


def test_prandtl_glauert():
    thin = ThinAerofoil(cm_0=-0.02, compressible="prandtl_glauert")
    for mach in (0.0, 0.3, 0.7):
        cl, _, cm = thin.coefficients(0.05, mach)
        assert cl == pytest.approx(2 * np.pi * 0.05 / np.sqrt(1 - mach**2))
        assert cm == pytest.approx(-0.02 / np.sqrt(1 - mach**2))
    assert thin.coefficients(0.05, 1.5) == thin.coefficients(0.05, 0.85)


def test_a_plate_across_the_stream():
    """Hoerner, Fluid-Dynamic Drag (1965), 3-16: cd of a long plate across the stream is 1.98 to 2.0."""
    lift, drag, moment = flat_plate(np.pi / 2)
    assert lift == pytest.approx(0.0, abs=1e-15)
    assert drag == pytest.approx(1.99, abs=0.02)
    assert moment == pytest.approx(-drag / 4)  # in the middle, a quarter chord behind the quarter chord


@pytest.mark.parametrize("mach", [0.3, 0.4, 0.5, 0.6, 0.7])
def test_kirchhoff_aerofoil_against_the_table(mach):
    """Two descriptions of the same section: the bounds are those that the docstring states."""
    formula, tabulated = KirchhoffAerofoil(), naca0012()
    end = formula.constants.alpha_1(mach) - np.radians(3.0)
    for alpha in np.linspace(-0.35, 0.35, 71):
        off = np.abs(np.subtract(formula.coefficients(alpha, mach), tabulated.coefficients(alpha, mach)))
        assert np.all(off <= ([0.03, 0.01, 0.05] if abs(alpha) <= end else [0.4, 0.2, 0.13])), (mach, alpha)


def test_kirchhoff_separation_point():
    """f = 0.7 at alpha_1 from both sides, and nearly attached at zero."""
    constants = KirchhoffAerofoil().constants
    for mach in (0.3, 0.5):
        one = constants.alpha_1(mach)
        for side in (-1e-9, 1e-9):
            assert constants.separation(one + side, mach) == pytest.approx(0.7, abs=1e-6)
        assert constants.separation(0.0, mach) > 0.98


# ---- tables
def test_corrections_are_exactly_the_differences():
    printed, used = naca0012(corrected=False), naca0012()
    found = set()
    for name in ("cl", "cd", "cm"):
        a, b = getattr(printed, name), getattr(used, name)
        np.testing.assert_array_equal(a.x, b.x)
        np.testing.assert_array_equal(a.y, b.y)
        for i, j in zip(*np.nonzero(a.z != b.z), strict=True):
            found.add((name, round(float(np.degrees(a.x[i])), 6), a.y[j], a.z[i, j], b.z[i, j]))
    assert found == {tuple(c[:5]) for c in CORRECTIONS}
    assert len(CORRECTIONS) == len(found)
    assert all(c.why for c in CORRECTIONS)


def test_what_breaks_the_symmetry_is_corrected_and_nothing_else_does():
    """Every entry as printed that differs from its mirror image is in the list, on the one side or the other."""
    printed = naca0012(corrected=False)
    for name, parity in (("cl", -1), ("cd", 1), ("cm", -1)):
        surface = getattr(printed, name)
        broken = surface.z != parity * surface.z[::-1]
        listed = {(abs(c.alpha_deg), c.mach) for c in CORRECTIONS if c.table == name}
        found = {
            (round(abs(float(np.degrees(surface.x[i]))), 6), surface.y[j])
            for i, j in zip(*np.nonzero(broken), strict=True)
        }
        assert found <= listed
        used = getattr(naca0012(), name)
        np.testing.assert_array_equal(used.z, parity * used.z[::-1])


def test_corrected_drag_rises_with_the_angle():
    """To 16 degrees at each Mach number: the printed table fails this at 5 degrees, Mach 0.8."""
    for corrected in (True, False):
        cd = naca0012(corrected).cd
        low = (cd.x >= -1e-9) & (cd.x <= np.radians(16.1))
        assert np.all(np.diff(cd.z[low], axis=0) >= 0) is np.bool_(corrected)


def test_table_holds_beyond_its_mach_numbers():
    section = naca0012()
    assert section.coefficients(0.1, 0.05)[2] == section.coefficients(0.1, 0.2)[2]
    assert section.coefficients(0.1, 1.7) == section.coefficients(0.1, 1.0)


def surface(x, values=0.0):
    return Surface(x, [0.0, 1.0], np.zeros((len(x), 2)) + values)


@pytest.mark.parametrize(
    ("bad", "words"),
    [
        (surface([-180.0, 0.0, 180.0]), "cm covers -10313.2 to 10313.2 degrees.*in radians"),
        (surface([-np.pi, 0.0, 3.0]), "cm covers -180 to 171.887 degrees"),
        (Surface([-np.pi, np.pi], [-0.1, 1.0], np.zeros((2, 2))), "cm has a negative Mach number"),
        (Surface([-np.pi, np.pi], [0.0, 1.0], [[0, 0], [0, 1]]), "cm at Mach 1 is 0 at -180 degrees and 1 at 180"),
        (sm.Curve([0, 1], [0, 1]), "cm must be a Surface"),
    ],
)
def test_wrong_tables_name_themselves(bad, words):
    good = surface([-np.pi, 0.0, np.pi])
    with pytest.raises(ModelError, match=words):
        TabulatedAerofoil(good, good, bad).validate()


# ---- in a kernel
class Polar(sm.Element):
    """Coefficients at an angle of attack that follows the node's position, for the tests: alpha = x, Mach = y."""

    n: sm.Node = sm.node(kw_only=False)
    aerofoil: Aerofoil = record()

    def formulate(self, site):
        def coefficients(n):
            place = site.world.see(n.p)
            return list(self.aerofoil.coefficients(place[0], place[1]))

        polar = site.measure(coefficients)
        outputs = [
            sm.Output("polar", "1", polar.value, ("cl", "cd", "cm")),
            sm.Output("slopes", "1/s", polar.rate, ("cl", "cd", "cm")),
        ]
        return sm.Contribution([np.zeros(6)], outputs=outputs)


@each
def test_a_kernel_has_the_same_coefficients_and_slopes(aerofoil):
    """The node sweeps the circle; slopes against central differences. No recorded place is within 1e-5 of a kink."""
    model = sm.Model("polar")
    ball = model.node("ball", position=(-4.0137, 0.1031, 0.0), velocity=(8.0, 0.8, 0.0))
    model.add("mass", sm.Body(ball, mass=1.0, inertia=(1, 1, 1)))
    model.add("polar", Polar(ball, aerofoil=aerofoil))
    results = sm.transient(model, end=1.0, step=0.003, progress=False)
    h = 1e-6
    for p, polar, slopes in zip(results["ball.position"], results["polar.polar"], results["polar.slopes"], strict=True):
        np.testing.assert_allclose(polar, aerofoil.coefficients(p[0], p[1]), atol=1e-12)
        a, b = (np.array(aerofoil.coefficients(p[0] + d * 8.0, p[1] + d * 0.8)) for d in (-h, h))
        np.testing.assert_allclose(slopes, (b - a) / (2 * h), atol=1e-5 * (1 + np.abs(slopes).max()))


def short(values, low=-15.0, high=20.0) -> Surface:
    """A table over few angles; values: of the angle [rad] and the Mach number."""
    x, y = np.radians(np.linspace(low, high, 15)), np.array([0.0, 0.5, 0.8])
    return Surface(x, y, [[values(a, m) for m in y] for a in x])


def test_a_table_of_few_angles_is_refused_and_can_be_extended():
    """In its range it is the table, far outside of it the plate with the least drag on top, and it closes."""
    tables = (
        short(lambda a, m: 6.0 * a * (1 + m)),
        short(lambda a, m: 0.01 + 0.1 * m + a**2),
        short(lambda a, m: -0.02 * m),
    )
    with pytest.raises(ModelError, match=r"cl covers -15 to 20 degrees.*`extended\(cl, cd, cm\)` adds a flat plate"):
        TabulatedAerofoil(*tables).validate()
    model = Model("wing")
    node = model.node("n")
    with pytest.raises(ModelError, match=r"'blade'.*aerofoil.*cl covers -15 to 20 degrees"):
        wing = AeroBody(node, stations=Stations.gauss(0, 1, 2, 0.1), aerofoil=TabulatedAerofoil(*tables))
        model.add("blade", wing)
    section = extended(*tables)
    section.validate()
    for a, m in ((0.1, 0.25), (-0.2, 0.8), (0.3, 0.0)):
        for k, table in enumerate(tables):
            assert section.coefficients(a, m)[k] == pytest.approx(table(a, m))
    grid = np.radians(np.arange(-180.0, 181.0, 5.0))
    for a in grid[np.abs(np.degrees(grid) - 2.5) > 35.0]:
        plate = flat_plate(float(a))
        cl, cd, cm = section.coefficients(float(a), 0.5)
        # the least drag of the table at this Mach number is 0.06; bilinear in between
        assert (cl, cd, cm) == pytest.approx((plate[0], plate[1] + 0.06, plate[2]), abs=0.02)


@pytest.mark.parametrize(("low", "high"), [(5.0, 20.0), (-170.0, 170.0), (-900.0, 900.0)])
def test_what_cannot_be_extended(low, high):
    with pytest.raises(ModelError, match=r"extended: cl covers .* must include zero and end within 150 degrees"):
        extended(*[short(lambda a, m: 0.0, low, high)] * 3)
