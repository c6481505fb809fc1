"""Schemes of one's own that are wrong are refused by name, before anything is compiled or run."""

from dataclasses import dataclass

import numpy as np
import pytest

import samara as sm
from samara.solve.integrators import Functions, Integrator, LinearTwoStep, SecondOrder
from samara.solve.integrators.contract import check_scheme
from samara.solve.integrators.family import euler, milne
from samara.solve.tree.order_conditions import check_table, trees
from samara.solve.tree.schemes import TreeIntegrator
from samara.system.memory.blocks import Coefficient

POSE, TWIST, ACCELERATION, PER_POSE, PER_ACCELERATION, A2, B1, B2, E1, G1 = (
    int(Coefficient[name]) for name in "POSE TWIST ACCELERATION PER_POSE PER_ACCELERATION A2 B1 B2 E1 G1".split()
)


def falling() -> sm.Model:
    model = sm.Model("falling", gravity=(0.0, 0.0, -9.81))
    model.add("body", sm.Body(model.node("stone"), mass=1.0, inertia=(1.0, 1.0, 1.0)))
    return model


def refused(scheme: Integrator, *words: str) -> None:
    """One sentence that begins with the name of the scheme."""
    with pytest.raises(sm.ArgumentError) as error:
        sm.Simulation(falling(), scheme)
    said = str(error.value)
    assert said.startswith(f"integrator {scheme.name!r}")
    assert "\n" not in said
    for word in words:
        assert word in said


def linear(weights, **attributes) -> LinearTwoStep:
    """A scheme with these weights, of first order unless told otherwise."""
    usual = {"name": "mine", "radius": 0.0, "order": 1, "weights": staticmethod(weights)}
    return type("Mine", (LinearTwoStep,), {**usual, **attributes})()


def backward(alpha, numbers):
    return 1.0, 0.0, alpha, 0.0, 0.0


# ---- weights


@pytest.mark.parametrize(
    ("weights", "words"),
    [
        (lambda alpha, numbers: (1.0, 0.0, 3.0 * alpha, 0.0, 0.0), "b0 + b1 + b2 = 3, and it must be alpha + a2 = 1"),
        (lambda alpha, numbers: (0.5, 0.0, alpha, 0.0, 0.0), "a1 + a2 = 0.5, and it must be 1"),
        (lambda alpha, numbers: (1.0, 0.0, 1.0, 0.0, 0.0), "b0 + b1 + b2 = 1, and it must be alpha + a2 = 0.5"),
        (lambda alpha, numbers: (1.0, 0.0, 0.0, 0.0, 0.0), "b0 = 0, and it must be above 0"),
        (lambda alpha, numbers: (1.0, 0.0, 0.0, alpha, 0.0), "b0 = 0, and it must be above 0"),  # Euler's explicit one
        (lambda alpha, numbers: (1.0, 0.0, alpha * np.nan, 0.0, 0.0), "finite numbers, got b0 = nan"),
        (lambda alpha, numbers: (1.0, 0.0, alpha / (alpha - 1.0), 0.0, 0.0), "finite numbers, got b0 = inf"),
        (lambda alpha, numbers: (-1.0, 2.0, alpha, 2.0, 0.0), "a2 = 2 at equal steps, and it must be above -1"),
        (lambda alpha, numbers: (2.0, -1.0, alpha, -1.0, 0.0), "a2 = -1 at equal steps, and it must be above -1"),
    ],
)  # fmt: skip
def test_weights_that_integrate_nothing_are_refused(weights, words):
    refused(linear(weights), words)


@pytest.mark.parametrize(
    ("found", "words"),
    [
        ((1.0, 0.0, 1.0, 0.0), "a tuple of 5 numbers, got (1, 0, 1, 0)"),
        (None, "must return (a1, a2, b0, b1, b2), a tuple of 5 numbers, got None"),
        ([1.0, 0.0, 1.0, 0.0, 0.0], "a tuple of 5 numbers, got [1.0"),
        ({"a1": 1.0}, "a tuple of 5 numbers, got {'a1': 1.0}"),
        (tuple("abcde"), "finite numbers, got a1 = 'a'"),
        ((1.0, 0.0, 1.0 + 1.0j, 0.0, 0.0), "finite numbers, got b0 = (1+1j)"),
    ],
)
def test_weights_are_five_numbers(found, words):
    refused(linear(lambda alpha, numbers: found), "weights(alpha, numbers)", words)


def test_weights_have_their_signature():
    refused(linear(lambda alpha: (1.0, 0.0, alpha, 0.0, 0.0)), "weights(alpha, numbers) fails", "with these arguments")

    class Bound(LinearTwoStep):
        name, radius = "bound", 0.0

        def weights(self, alpha, numbers):
            return backward(alpha, numbers)

    refused(Bound(), "write @staticmethod above def weights(alpha, numbers)")


@pytest.mark.parametrize("k", [-1, 1])
def test_numbers_that_a_scheme_does_not_have_are_not_read(k):
    """Native code would find whatever lies beside them."""
    own = linear(lambda alpha, numbers: (1.0, 0.0, alpha * numbers[k], 0.0, 0.0), numbers=(1.0,))
    refused(own, f"there is no [{k}] among 1 numbers")


def test_weights_that_cannot_be_compiled_are_named():
    def weights(alpha, numbers):
        return 1.0, 0.0, alpha * {"one": 1.0}["one"], 0.0, 0.0

    refused(linear(weights), "weights cannot be compiled", "plain arithmetic, without texts, lists, dicts")


def test_an_order_that_is_not_kept_is_refused():
    refused(linear(backward, order=2), "it is of order 1, not 2", "let order be 1")

    def trapezoidal(alpha, numbers):
        return 1.0, 0.0, 0.5 * alpha, 0.5 * alpha, 0.0

    check_scheme(linear(trapezoidal, order=2, radius=1.0))
    refused(linear(trapezoidal, order=3, radius=1.0), "it is of order 2, not 3")

    def bdf2_for_equal_steps(alpha, numbers):
        return 4.0 / 3.0, -1.0 / 3.0, alpha - 1.0 / 3.0, 0.0, 0.0

    refused(linear(bdf2_for_equal_steps, order=2), "of order 1, not 2: at alpha = 0.5")


def test_a_radius_that_is_not_kept_is_refused():
    refused(linear(backward, radius=0.6), "radius is 0.6, but", "is 0: let radius be 0")

    def adams_moulton(alpha, numbers):  # of order 3 at equal steps: its root at infinity is -1.717
        return 1.0, 0.0, 5.0 / 12.0 * alpha, 8.0 / 12.0 * alpha, -1.0 / 12.0 * alpha

    refused(linear(adams_moulton, radius=1.0), "is 1.717: more than 1 lets the fastest modes grow")


class Choosing(SecondOrder):
    """BDF2 by its beta and delta."""

    name, radius = "choosing", 0.0

    @staticmethod
    def choice(alpha, numbers):
        return -alpha * alpha / (1.0 + 2.0 * alpha), 0.5 * alpha * alpha / (1.0 + 2.0 * alpha)


def test_a_choice_is_two_numbers():
    check_scheme(Choosing())
    for found, words in ((None, "got None"), ((1.0,), "got (1)"), ((np.nan, 0.0), "got beta = nan")):
        own = type("Own", (Choosing,), {"choice": staticmethod(lambda alpha, numbers, found=found: found)})
        refused(own(), "choice(alpha, numbers) must return", words)


# ---- attributes


@pytest.mark.parametrize(
    ("attributes", "words"),
    [
        ({"radius": 2.0}, "radius must be from 0 to 1, got 2"),
        ({"radius": "a"}, "radius must be a finite number, got 'a'"),
        ({"radius": np.nan}, "radius must be a finite number, got nan"),
        ({"order": 0}, "order must be at least 1, got 0"),
        ({"order": 1.5}, "order must be a whole number, got 1.5"),
        ({"numbers": (np.nan,)}, "numbers[0] must be a finite number, got nan"),
        ({"numbers": (1.0, "a")}, "numbers[1] must be a finite number, got 'a'"),
        ({"numbers": 3.0}, "numbers must be a tuple of numbers, got 3.0"),
        ({"numbers": (1.0,) * 5}, "has 5 numbers: give at most 4"),
        ({"__hash__": None}, "it cannot be hashed: make its class a dataclass(frozen=True)"),
    ],
)
def test_attributes(attributes, words):
    refused(linear(backward, **attributes), words)


def test_a_scheme_has_a_name_and_a_radius():
    class Bare(LinearTwoStep):
        weights = staticmethod(backward)

    with pytest.raises(sm.ArgumentError, match='integrator Bare has no name: define name = "mine" in its class'):
        sm.Simulation(falling(), Bare())
    Bare.name = 5
    with pytest.raises(sm.ArgumentError, match="integrator Bare has no radius: define radius"):
        sm.Simulation(falling(), Bare())
    Bare.radius = 0.0
    with pytest.raises(sm.ArgumentError, match="integrator Bare: name must be a non-empty string"):
        sm.Simulation(falling(), Bare())


# ---- the contract of any scheme


class Own(Integrator):
    """Backward Euler by the contract alone."""

    name, radius, order = "own", 0.0, 1

    def functions(self, compiled):
        return Functions(euler, euler, milne)

    def velocity_weights(self):
        return 1.0, 0.0, 0.0

    def predicted(self, c, past):
        return c[E1] * past.rate_1

    def known_value(self, c, x_1, x_2, past):
        return x_1

    def known_increment(self, c, n_1, past):
        return 0.0 * n_1

    def known_rate(self, c, past):
        return past.rate_1


def nothing(c, numbers, h, old):
    pass


def half_a_step(c, numbers, h, old):
    euler(c, numbers, 0.5 * h, old)


def twist_of_two(c, numbers, h, old):
    euler(c, numbers, h, old)
    c[TWIST] = 2.0


def no_inverse(c, numbers, h, old):
    euler(c, numbers, h, old)
    c[PER_POSE] = 1.0


def not_a_step(c, h):
    pass


def backwards(c, numbers, h, old):
    c[-1] = 0.0


@pytest.mark.parametrize(
    ("method", "wrong", "words"),
    [
        ("functions", lambda self, compiled: None, "must return Functions(begin, restart, estimate)"),
        ("functions", lambda self, compiled: (euler, euler), "three functions, got (<function"),
        ("functions", lambda self: None, "functions(compiled) fails on plain numbers"),
        ("functions", lambda self, compiled: (self.predicted,) * 3, "begin of functions(compiled) must be a function"),
        ("functions", lambda self, compiled: compiled(self.rate), "compiled(f) takes a function by itself"),
        ("functions", lambda self, compiled: (nothing,) * 3, "begin(c, numbers, h, old) must set POSE"),
        ("functions", lambda self, compiled: (euler, nothing, milne), "restart(c, numbers, h, old) must set POSE"),
        ("functions", lambda self, compiled: (euler, euler, nothing), "estimate(c, numbers, h, old) must set G1"),
        ("functions", lambda self, compiled: (not_a_step,) * 3, "begin(c, numbers, h, old) fails on plain numbers"),
        ("functions", lambda self, compiled: (backwards,) * 3, "there is no [-1] among"),
        ("functions", lambda self, compiled: (twist_of_two,) * 3, "must set TWIST to 1, and sets 2"),
        ("functions", lambda self, compiled: (no_inverse,) * 3, "must set POSE to a positive number and PER_POSE to 1"),
        ("functions", lambda self, compiled: (half_a_step, euler, milne), "value must meet a constant rate"),
        ("velocity_weights", lambda self: None, "velocity_weights() must return (now, before, two before)"),
        ("velocity_weights", lambda self: (0.0, 0.0, 0.0), "with a sum above 0"),
        ("predicted", lambda self, c, past: None, "predicted(c, past) must return a finite number, got None"),
        ("predicted", lambda self, c: 1.0, "predicted(c, past) fails on plain numbers"),
        ("predicted", lambda self, c, past: c[G1] * past.rate_1, "reads and nobody sets"),
        ("known_value", lambda self, c, x_1, x_2, past: None, "known_value(c, x_1, x_2, past) must return"),
        ("known_value", lambda self, c, x_1, x_2, past: x_2, "known_value and value must meet a constant value"),
        ("known_increment", lambda self, c, n_1, past: 0.0, "an array of 6 finite numbers for a node, got 0"),
        ("known_increment", lambda self, c, n_1, past: n_1, "known_increment and value must meet a constant twist"),
        ("known_rate", lambda self, c, past: 0.5 * past.rate_1, "known_rate and second must meet a constant rate"),
        ("second", lambda self, c, known, rate: 2.0 * c[ACCELERATION] * (rate - known), "grows evenly"),
        ("rate", lambda self, c, known, value: value - known, "rate must meet a constant rate"),
        ("stabilised", lambda self: None, "stabilised() must return an Integrator"),
    ],
)  # fmt: skip
def test_the_contract(method, wrong, words):
    check_scheme(Own())
    refused(type("Wrong", (Own,), {method: wrong})(), words)


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (lambda self, c, past: past.rate_1 if np.all(c[E1] > 0.5) else past.rate_2, "cannot be traced into a kernel"),
        (lambda self, c, past: past.rate_1 + float(c[E1]), "cannot be traced"),
    ],
)
def test_formulas_that_cannot_be_traced_name_the_scheme(wrong, words):
    refused(type("Wrong", (Own,), {"predicted": wrong})(), words)


# ---- what a scheme does, measured


@dataclass(frozen=True)
class Newmark(Own):
    """n = h v_1 + h^2 ((1/2 - beta) a_1 + beta a),   v = v_1 + h (a_1 + a) / 2, solved for v."""

    beta: float = 0.25
    name, radius, order = "Newmark", 1.0, 2

    @property
    def numbers(self):
        return (self.beta,)

    def functions(self, compiled):
        return Functions(_newmark_by(compiled(euler)), euler, milne)

    def known_value(self, c, x_1, x_2, past):
        return x_1 + self.known_increment(c, x_1, past)

    def known_increment(self, c, n_1, past):
        return c[B1] * past.rate_1 + c[B2] * past.second_1

    def known_rate(self, c, past):
        return past.rate_1 + c[A2] * past.second_1


def _newmark_by(others):
    def newmark(c, numbers, h, old):
        others(c, numbers, h, old)
        c0, c2 = 2.0 * h * numbers[0], 2.0 / h
        c[POSE], c[ACCELERATION], c[PER_POSE], c[PER_ACCELERATION] = c0, c2, 1.0 / c0, 1.0 / c2
        c[A2], c[B1], c[B2] = 0.5 * h, h - c0, h * h * (0.5 - 2.0 * numbers[0])

    return newmark


def test_a_radius_that_lets_held_values_ring_is_refused():
    """Linear acceleration is stable below omega h = sqrt(12) alone: rates of what is held grow by 2 + sqrt(3)."""
    refused(Newmark(1.0 / 6.0), "radius is 1, but where a value is held", f"{2.0 + 3.0**0.5:.4g}", "lets them grow")


@pytest.mark.parametrize(("order", "adapts"), [(2, False), (3, False)])
def test_an_order_that_no_scheme_of_the_contract_has_is_refused(order, adapts):
    refused(type("Wrong", (Own,), {"order": order, "adapts": adapts})(), f"it is of order 1.0, not {order}, on x' = -x")


def test_an_estimate_of_another_error_is_refused():
    """`milne` looks at coefficients of linear formulas, which mean something else here."""
    refused(Newmark(), "estimate(c, numbers, h, old) must set IMPLICIT to 0.0833333", "or let adapts be False")


def test_steps_follow_no_accuracy_without_an_estimate():
    for scheme in (linear(backward), type("Silent", (Newmark,), {"adapts": False})()):
        assert not scheme.adapts
        with pytest.raises(sm.ArgumentError, match=f"transient: {scheme.name} has no error estimate"):
            sm.transient(falling(), 0.1, accuracy=1e-6, integrator=scheme, progress=False)
    refused(linear(backward, adapts=True), "adapts is for schemes of order 2, not 1")


# ---- tables of explicit formulas for trees
HEUN = {"name": "Heun", "order": 2, "a": ((), (1.0,)), "b": (0.5, 0.5), "c": (0.0, 1.0)}


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"order": 3}, "it is of order 2, not 3: a condition of b gives"),
        ({"order": 9}, "order is 8 at most, got 9"),
        ({"order": 0}, "order"),
        ({"b": (0.5, 0.4)}, "it is of order 0, not 2: b adds up to 0.9, and must 1"),
        ({"b": (1.0, 0.0)}, "it is of order 1, not 2"),
        ({"b": (0.5, np.nan)}, "its table must have finite numbers"),
        ({"c": (0.0, 0.5)}, "row 1 of a adds up to 1, and must to c = 0.5"),
        ({"c": (0.0,)}, "c must have as many numbers as b, 2, and has 1"),
        ({"a": ((),)}, "a must have a row for each of the 2 stages, and has 1"),
        (
            {"a": ((0.5, 0.5), (1.0,)), "c": (1.0, 1.0)},
            "row 0 of a must have 0 numbers at most",
        ),
        ({"low": (1.0,)}, "low must have as many numbers as b, 2, and has 1"),
        ({"low": (0.5, 0.4)}, "low adds up to 0.9"),
        ({"low": (0.5, 0.5)}, "low must differ from b"),
        ({"dense": ((1.0, -0.5), (0.0, 0.4))}, "rows of dense must add up to b"),
    ],
)
def test_tables_that_are_none_are_refused_by_name(changes, words):
    """Before, order one was taken for five, and an implicit table for an explicit one, without a word."""
    scheme = TreeIntegrator(**HEUN | changes)
    with pytest.raises(sm.ArgumentError) as error:
        sm.Simulation(falling(), scheme, formulation="recursive")
    assert str(error.value).startswith("integrator 'Heun'") and words in str(error.value)


def test_tables_of_the_package_have_their_order():
    """And no more: the next conditions fail. Rooted trees are counted (Cayley): 1, 1, 2, 4, 9, 20."""
    assert [sum(1 for _ in trees(order)) for order in range(1, 7)] == [1, 2, 4, 8, 17, 37]
    for scheme in (sm.RungeKutta4(), sm.DormandPrince(), sm.SemiImplicitEuler(), sm.MoreauJean()):
        check_table(scheme)
        more = TreeIntegrator("more", scheme.order + 1, scheme.a, scheme.b, scheme.c)
        if isinstance(scheme, sm.MoreauJean):  # theta = 1/2: the trapezoidal rule where nothing touches
            check_table(more)
        else:
            with pytest.raises(sm.ArgumentError, match=f"it is of order {scheme.order}, not {scheme.order + 1}"):
                check_table(more)


# ---- what is right


def test_a_scheme_by_the_contract_alone_falls_as_it_should():
    """Backward Euler after n steps of h: z = -g h^2 n (n + 1) / 2; functions may be compiled already."""

    class Compiled(Own):
        def functions(self, compiled):
            return Functions(compiled(euler), compiled(euler), compiled(milne))

    for scheme in (Own(), Compiled()):
        z = sm.transient(falling(), 0.5, 1e-2, integrator=scheme, progress=False)["stone.position"][-1, 2]
        assert z == pytest.approx(-9.81 * 1e-4 * 50 * 51 / 2, rel=1e-9)  # of Newton's tolerance


def test_bdf2_written_anew_is_bdf2():
    """By its beta and delta, and by the textbook's weights: the same motion but for rounding."""

    def weights(alpha, numbers):
        w = 1.0 + 2.0 * alpha
        return (1.0 + alpha) ** 2 / w, -alpha * alpha / w, alpha * (1.0 + alpha) / w, 0.0, 0.0

    def swing(scheme):
        model = falling()
        model.add("hinge", sm.Revolute(model.ground, model.nodes["stone"], at=(1.0, 0.0, 0.0), axis=(0.0, 1.0, 0.0)))
        return sm.transient(model, 0.3, 1e-2, integrator=scheme, progress=False)["stone.position"]

    for scheme in (Choosing(), linear(weights, order=2)):
        np.testing.assert_allclose(
            swing(scheme), swing(sm.BDF2()), rtol=0.0, atol=1e-9
        )  # Newton's tolerance, adding up


def test_functions_made_with_a_value_are_compiled_for_each_value():
    """Theta method, one class, two values in a closure: (theta - 1/2) g h^2 too far per step, but for the first one."""

    @dataclass(frozen=True)
    class Theta(LinearTwoStep):
        theta: float
        name, order = "theta", 1

        @property
        def radius(self):
            return (1.0 - self.theta) / self.theta

        weights = staticmethod(backward)

        def combined(self, compiled):
            theta = self.theta

            def weights(alpha, numbers):
                return 1.0, 0.0, theta * alpha, (1.0 - theta) * alpha, 0.0

            return compiled(weights)

    def fallen(scheme):
        return sm.transient(falling(), 0.5, 1e-2, integrator=scheme, progress=False)["stone.position"][-1, 2]

    half, most = fallen(Theta(0.5)), fallen(Theta(0.9))
    assert half == pytest.approx(-9.81 / 8, rel=1e-9)  # the trapezoidal rule is exact here
    assert most == pytest.approx(-9.81 * (1 / 8 + 0.4 * 1e-4 * 49), rel=1e-9)


@pytest.mark.parametrize("radius", np.linspace(0.0, 1.0, 11))
def test_the_schemes_of_the_package_keep_the_contract(radius):
    for scheme in (sm.TwoStep(radius), sm.BDF2(), sm.CrankNicolson()):
        check_scheme(scheme)
