"""Laws: effort is the slope of the potential, losses are losses, one-sided laws never pull."""

import numpy as np
import pytest
from scipy.integrate import quad

import samara as sm

X = [-0.4, -0.1, 0.0, 0.15, 0.5]
Y = [-60.0, -9.0, 2.0, 15.0, 20.0]
LINEAR = sm.LinearLaw(40.0, damping=3.0)
LAWS = {
    "linear": sm.LinearLaw(40.0, damping=3.0, preload=-7.0),
    "cubic": sm.CubicLaw(40.0, 300.0, damping=2.0),
    "softening": sm.CubicLaw(40.0, -100.0),
    "damper": sm.DamperLaw(4.0, quadratic=1.5),
    "damper table": sm.DamperTableLaw(sm.Curve([-1.0, 0.0, 2.0], [-5.0, 0.0, 4.0], "smooth")),
    "table": sm.TableLaw(sm.Curve(X, Y), damping=1.0),
    "table, smooth, linear outside": sm.TableLaw(sm.Curve(X, Y, "smooth", "linear")),
    "table, spline": sm.TableLaw(sm.Curve(X, Y, "spline")),
    "table, zero outside": sm.TableLaw(sm.Curve([0.1, 0.2, 0.4], [1.0, 5.0, 6.0], "spline", "linear")),
    "stop": sm.OneSidedLaw(LINEAR, gap=0.1),
    "smooth stop": sm.OneSidedLaw(LINEAR, gap=0.1, onset=0.2),
    "cable": sm.OneSidedLaw(LINEAR, side="tension"),
    "hard smooth cable": sm.OneSidedLaw(sm.CubicLaw(10.0, 500.0, 1.0), gap=-0.1, side="tension", onset=0.05),
    "contact": sm.ContactLaw(300.0, damping=0.4),
    "stops of Flores": sm.StopLaw(sm.FloresLaw(300.0, 0.6, 1.0), -0.2, 0.3),
    "stops of Hunt and Crossley": sm.StopLaw(sm.HuntCrossleyLaw(300.0, 0.6, 1.0, 1.0), -0.2, 0.3, onset=0.1),
    "sum": sm.LinearLaw(5.0) + sm.CubicLaw(1.0, 30.0) + sm.DamperLaw(2.0),
}
each_law = pytest.mark.parametrize("law", LAWS.values(), ids=LAWS.keys())
GRID = np.linspace(-0.613, 0.787, 57)  # away from the kinks of the tables


@each_law
def test_elastic_effort_is_the_slope_of_the_potential(law):
    h = 1e-5
    for q in GRID:
        slope = (law.potential(q + h) - law.potential(q - h)) / (2 * h)
        assert law.elastic(q) == pytest.approx(slope, abs=2e-6)


@each_law
def test_no_energy_is_stored_at_zero_or_out_of_contact(law):
    q = law.gap - 0.1 * law._sign if isinstance(law, sm.OneSidedLaw) else 0.0
    assert law.potential(q) == pytest.approx(0.0, abs=1e-14)


@each_law
def test_losses_are_never_negative_and_account_for_the_rest_of_the_effort(law, rng):
    for q, rate in rng.uniform(-1.0, 1.0, (200, 2)) * [0.7, 3.0]:
        lost = law.dissipation(q, rate)
        assert lost >= -1e-12
        assert (law(q, rate) - law.elastic(q)) * rate == pytest.approx(lost, abs=1e-12)


def test_linear_law_is_the_textbooks():
    law = sm.LinearLaw(40.0, damping=3.0, preload=-7.0)
    assert law(0.5, 2.0) == pytest.approx(-7.0 + 40.0 * 0.5 + 3.0 * 2.0)
    assert law.potential(0.5) == pytest.approx(-7.0 * 0.5 + 0.5 * 40.0 * 0.5**2)
    assert law.dissipation(0.5, 2.0) == pytest.approx(3.0 * 2.0**2)


def test_cubic_law_is_the_textbooks():
    law = sm.CubicLaw(40.0, 300.0, damping=2.0)
    assert law(-0.5, 2.0) == pytest.approx(-40.0 * 0.5 - 300.0 * 0.125 + 4.0)
    assert law.potential(-0.5) == pytest.approx(0.5 * 40.0 * 0.25 + 0.25 * 300.0 * 0.0625)


def test_quadratic_damper_opposes_both_ways():
    law = sm.DamperLaw(4.0, quadratic=1.5)
    assert law(9.0, 2.0) == pytest.approx(8.0 + 6.0)
    assert law(9.0, -2.0) == pytest.approx(-14.0)
    assert law.potential(9.0) == 0.0


@pytest.mark.parametrize("interpolation", ["linear", "smooth", "spline"])
@pytest.mark.parametrize("outside", ["hold", "linear"])
def test_table_potential_is_the_exact_integral(interpolation, outside):
    curve = sm.Curve(X, Y, interpolation, outside)
    law = sm.TableLaw(curve)
    for q in (-0.9, -0.4, -0.25, -0.05, 0.0, 0.1, 0.31, 0.5, 0.8):
        points = sorted(x for x in X if min(q, 0.0) < x < max(q, 0.0))
        assert law.potential(q) == pytest.approx(quad(curve, 0.0, q, points=points or None)[0], rel=1e-12, abs=1e-13)


def test_a_sum_is_flat_and_adds():
    a, b, c = sm.LinearLaw(5.0), sm.CubicLaw(1.0, 30.0), sm.DamperLaw(2.0)
    law = (a + b) + c
    assert isinstance(law, sm.SumLaw)
    assert law.terms == (a, b, c)
    assert law(0.3, 0.7) == pytest.approx(a(0.3, 0.7) + b(0.3, 0.7) + c(0.3, 0.7))
    with pytest.raises(TypeError):
        a + 3.0


class TestOneSided:
    @pytest.mark.parametrize("side", ["compression", "tension"])
    @pytest.mark.parametrize("onset", [0.0, 0.05])
    def test_never_pulls(self, side, onset, rng):
        law = sm.OneSidedLaw(sm.LinearLaw(100.0, damping=30.0), gap=0.1, side=side, onset=onset)
        good = 1.0 if side == "tension" else -1.0
        for q, rate in rng.uniform(-1.0, 1.0, (500, 2)) * [0.3, 5.0]:
            effort = law(q, rate)
            assert good * effort >= 0.0
            if good * (q - 0.1) <= 0.0:
                assert effort == 0.0

    def test_sharp_law_is_the_inner_one_in_contact(self):
        stop = sm.OneSidedLaw(LINEAR, gap=0.1)
        assert stop(0.03, -0.2) == pytest.approx(-(40.0 * 0.07 + 3.0 * 0.2))
        cable = sm.OneSidedLaw(LINEAR, gap=0.1, side="tension")
        assert cable(0.3, 0.2) == pytest.approx(40.0 * 0.2 + 3.0 * 0.2)

    def test_smooth_onset_has_no_jump_in_effort_or_slope(self):
        law = sm.OneSidedLaw(LINEAR, gap=0.1, onset=0.05)
        h = 1e-7
        for q in (0.1, 0.05):  # begin and end of the onset
            assert law(q + h, -1.0) == pytest.approx(law(q - h, -1.0), abs=1e-4)
            left, right = ((law.elastic(q + s + h) - law.elastic(q + s - h)) / (2 * h) for s in (-2 * h, 2 * h))
            assert left == pytest.approx(right, abs=1e-3)
        # fully in contact it is the inner law, late by half the onset
        assert law.elastic(-0.2) == pytest.approx(-40.0 * (0.3 - 0.025))


@pytest.mark.parametrize(
    ("law", "words"),
    [
        (lambda: sm.LinearLaw(40.0, damping=-1.0), "LinearLaw: damping must be a number that is not negative"),
        (lambda: sm.LinearLaw(float("nan")), "LinearLaw: stiffness must be a finite number"),
        (lambda: sm.LinearLaw("stiff"), "LinearLaw: stiffness must be a finite number"),
        (lambda: sm.CubicLaw(1.0, 2.0, damping=-1.0), "CubicLaw: damping must be a number that is not negative"),
        (lambda: sm.DamperLaw(-1.0), "DamperLaw: damping must be a number that is not negative"),
        (lambda: sm.TableLaw([1.0, 2.0]), "TableLaw: curve must be a Curve"),
        (lambda: sm.OneSidedLaw(LINEAR, side="left"), "OneSidedLaw: side must be one of compression, tension"),
        (lambda: sm.OneSidedLaw(LINEAR, onset=-0.1), "OneSidedLaw: onset must be a number that is not negative"),
        (
            lambda: sm.OneSidedLaw(sm.LinearLaw(1.0, -2.0)),
            "OneSidedLaw: law: LinearLaw: damping must be a number that is not negative",
        ),
        (lambda: sm.DamperTableLaw(sm.Curve([-1.0, 1.0], [2.0, 3.0])), "generates energy at the rate -1"),
    ],
)
def test_bad_numbers_name_themselves(law, words):
    with pytest.raises(sm.ModelError) as error:
        law().validate()
    assert words in str(error.value)


def test_what_is_not_a_table_is_refused_where_the_table_is_made():
    with pytest.raises(ValueError, match="must increase: 2 is followed by 1"):
        sm.TableLaw(sm.Curve([0.0, 2.0, 1.0], [0.0, 1.0, 2.0]))
