"""Every integrator keeps what the family promises: one suite, run on whatever the folder exports."""

import inspect

import numpy as np
import pytest

import samara as sm
from samara.solve import integrators
from samara.solve.integrators import BDF2, CrankNicolson, LinearTwoStep, TwoStep
from samara.solve.integrators.coefficients import LONGEST_RATIO
from samara.solve.redundant.scheme import C, prepare

ROUNDING = 1e-13
OLD = 0.25  # s, the step before


def exported() -> list[LinearTwoStep]:
    """Each formula of two steps of the package as it is by default, and the two-step family over its range."""
    found = [getattr(integrators, name) for name in integrators.__all__]
    found = [f for f in found if issubclass(f, LinearTwoStep) and not inspect.isabstract(f)]
    return [*(make() for make in found), *(TwoStep(rho) for rho in (0.0, 0.3, 0.8, 1.0))]


MEMBERS = exported()
every_integrator = pytest.mark.parametrize("integrator", MEMBERS, ids=lambda i: i.name)
RATIOS = (0.2, 0.5, 0.9, 1.0, 1.1, 1.7, 2.0, 5.0)


def test_the_suite_covers_the_folder():
    assert {"BDF2", "Crank-Nicolson", "two-step, rho_inf = 0.6"} <= {i.name for i in MEMBERS}


# ---- the formula by itself


@every_integrator
@pytest.mark.parametrize("alpha", RATIOS)
def test_quadratics_are_exact_at_any_ratio_of_steps(integrator, alpha):
    # the definition of order two; times in units of the old step, the present at 0
    f = integrator.formula(alpha)
    for power in range(3):
        x, rate = (lambda t, p=power: t**p), (lambda t, p=power: p * t ** max(p - 1, 0) if p else 0.0)
        new, old, before = alpha, 0.0, -1.0
        predicted = f.a1 * x(old) + f.a2 * x(before) + f.b0 * rate(new) + f.b1 * rate(old) + f.b2 * rate(before)
        assert predicted == pytest.approx(x(new), abs=ROUNDING * max(1, alpha**2))


@every_integrator
def test_the_native_driver_computes_the_same_coefficients(integrator):
    model = sm.Model("free body")
    model.add("body", sm.Body(model.node("node"), mass=1.0, inertia=(1.0, 1.0, 1.0)))
    sim = sm.Simulation(model, integrator)
    for alpha in RATIOS:
        sim.memory.clock.step = OLD
        has_past = alpha <= LONGEST_RATIO  # else it is a first step
        assert prepare(sim.machine, sim.settings, sim.memory, alpha * OLD) == (alpha if has_past else 0.0)
        f = integrator.formula(alpha) if has_past else CrankNicolson().formula(alpha)
        native = sim.machine.coef[[C["A1"], C["A2"], C["POSE"], C["B1"], C["B2"]]]
        assert native == pytest.approx((f.a1, f.a2, *(OLD * b for b in f[2:])), rel=1e-15, abs=1e-16)
        assert sim.machine.coef[C["STEP"]] == alpha * OLD


def amplification(formula, z) -> float:
    """Largest root of the formula on x' = lambda x with z = lambda h."""
    p = [1 - formula.b0 * z, -formula.a1 - formula.b1 * z, -formula.a2 - formula.b2 * z]
    return np.abs(np.roots(p)).max()


@every_integrator
def test_radius_at_infinity_is_the_one_declared(integrator):
    # what is left of the characteristic polynomial is b0 z^2 + b1 z + b2; its coefficients are compared, and not its
    # roots, because for the two-step family both coincide and rounding moves a double root by 1e-8
    f = integrator.formula()
    rho = integrator.radius
    wanted = (rho, 0.0) if isinstance(integrator, CrankNicolson) else (2 * rho, rho**2)
    assert (f.b1 / f.b0, f.b2 / f.b0) == pytest.approx(wanted, abs=ROUNDING)
    assert amplification(f, 1e14j) == pytest.approx(rho, abs=1e-6)


@every_integrator
def test_no_decaying_or_oscillating_mode_grows(integrator):
    # A-stability: radius <= 1 in the left half plane, its edge included
    f = integrator.formula()
    for size in np.logspace(-3, 6, 60):
        for angle in np.linspace(0.5 * np.pi, np.pi, 12):
            assert amplification(f, size * np.exp(1j * angle)) <= 1 + 1e-7  # a double root again


@every_integrator
def test_error_constant(integrator):
    # C in: error per step = C h^3 x''', from the formula's error on t^3 / 6; memory (a2) makes 1 / (1 + a2) of it last
    f = integrator.formula()
    x, rate = (lambda t: t**3 / 6), (lambda t: t**2 / 2)
    error = f.a1 * x(0) + f.a2 * x(-1) + f.b0 * rate(1) + f.b1 * rate(0) + f.b2 * rate(-1) - x(1)
    rho = integrator.radius
    assert error / (1 + f.a2) == pytest.approx(1 / 12 + 0.25 * ((1 - rho) / (1 + rho)) ** 2, abs=ROUNDING)


def test_damping_falls_with_the_radius():
    # at one frequency that the step cannot resolve
    kept = [amplification(TwoStep(rho).formula(), 1e3j) for rho in (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)]
    assert np.all(np.diff(kept) > 0.1)


# ---- limits


@pytest.mark.parametrize("alpha", RATIOS)
def test_radius_zero_is_bdf2(alpha):
    # the textbook's variable-step BDF2 with steps 1 and alpha
    f = BDF2().formula(alpha)
    w = 1 + 2 * alpha
    assert (f.a1, f.a2, f.b0) == pytest.approx(((1 + alpha) ** 2 / w, -(alpha**2) / w, alpha * (1 + alpha) / w))
    assert (f.b1, f.b2) == pytest.approx((0, 0), abs=ROUNDING)
    assert TwoStep(0.0).formula(alpha) == f


def test_radius_one_is_the_trapezoidal_rule_over_two_steps():
    assert TwoStep(1.0).formula() == pytest.approx((0, 1, 0.5, 1, 0.5), abs=ROUNDING)
    assert CrankNicolson().formula() == pytest.approx((1, 0, 0.5, 0.5, 0), abs=ROUNDING)


@pytest.mark.parametrize("radius", [-0.1, 1.1, np.nan])
def test_a_radius_outside_its_range_is_refused(radius):
    with pytest.raises(ValueError, match="TwoStep: radius must be"):
        TwoStep(radius)


# ---- an ordinary differential equation by the formula: x' = x cos t, x = exp(sin t)


def solve_scalar(integrator: LinearTwoStep, times: np.ndarray) -> np.ndarray:
    """Self-starting, like the driver: a trapezoidal first step."""
    x = [1.0]
    for k, t in enumerate(times[1:], start=1):
        start = k == 1
        h = times[k] - times[k - 1] if start else times[k - 1] - times[k - 2]
        alpha = 1.0 if start else (times[k] - times[k - 1]) / h
        f = CrankNicolson().formula() if start else integrator.formula(alpha)
        rate = [x[j] * np.cos(times[j]) for j in (k - 1, max(k - 2, 0))]
        known = f.a1 * x[-1] + f.a2 * x[max(k - 2, 0)] + h * (f.b1 * rate[0] + f.b2 * rate[1])
        x.append(known / (1 - h * f.b0 * np.cos(t)))
    return np.array(x)


def scalar_error(integrator, times):
    return np.abs(solve_scalar(integrator, times) - np.exp(np.sin(times))).max()


@every_integrator
def test_observed_order_is_the_declared_one(integrator):
    coarse, fine = (scalar_error(integrator, np.linspace(0, 6, n + 1)) for n in (800, 1600))
    assert np.log2(coarse / fine) == pytest.approx(integrator.order, abs=0.05)


@every_integrator
def test_order_is_kept_when_steps_are_random(integrator, rng):
    # neighbouring steps differ by up to 1.7 both ways (BDF2 is stable up to 1 + sqrt 2); the slope over a factor of 16
    # in mean step averages the chance of each grid out
    counts, errors = (250, 500, 1000, 2000, 4000), []
    for count in counts:
        times = np.concatenate([[0], np.cumsum(rng.uniform(0.75, 1.27, count))])
        errors.append(scalar_error(integrator, 6 * times / times[-1]))
    slope = np.polyfit(np.log(counts), np.log(errors), 1)[0]
    assert -slope == pytest.approx(integrator.order, abs=0.05)
