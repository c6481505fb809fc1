"""The integrator is the one that was published: Masarati, Lanz and Mantegazza 2001, as collected in multistep.toml."""

import re
import tomllib

import numpy as np
import pytest

from samara.solve.integrators import TwoStep

SAME = 1e-12  # both sides are a handful of operations on numbers of order one


@pytest.fixture
def published(data):
    return tomllib.loads((data / "multistep.toml").read_text("utf-8"))


def evaluate(formula: str, **known: float) -> float:
    """A formula as it is printed: brackets, powers by ^, products without a sign."""
    text = formula.split("=", 1)[-1].replace("[", "(").replace("]", ")").replace("^", "**")
    text = re.sub(r"(?<=[\w)])\s*(?=\()", "*", text)  # 2(1+alpha), )(
    text = re.sub(r"(?<=\d)\s+(?=[a-z])", "*", text)  # 2 rho
    return eval(text, {"__builtins__": {}}, known)


def from_file(published, rho: float, alpha: float) -> tuple[float, ...]:
    """(a1, a2, b0, b1, b2) by the formulas of the file."""
    known = {"rho": rho, "alpha": alpha}
    for name, key in (("D", "den"), ("beta", "beta"), ("delta", "delta"), ("b0", "b0"), ("b1", "b1"), ("b2", "b2")):
        known[name] = evaluate(published[key], **known)
    return 1 - known["beta"], known["beta"], known["b0"], known["b1"], known["b2"]


def test_coefficients_at_any_radius_and_ratio_of_steps(published):
    for rho in np.linspace(0, 1, 11):
        for alpha in (0.1, 0.5, 1.0, 1.5, 2.0, 10.0):
            assert TwoStep(rho).formula(alpha) == pytest.approx(from_file(published, rho, alpha), rel=SAME, abs=SAME)


def test_constant_step_form(published):
    beta_text, delta_text = published["constant_step"].split(", ")
    for rho in np.linspace(0, 1, 11):
        f = TwoStep(rho).formula()
        assert f.a2 == pytest.approx(evaluate(beta_text, rho=rho), abs=SAME)
        assert f.b2 - f.a2 / 2 == pytest.approx(evaluate(delta_text, rho=rho), abs=SAME)


def test_printed_values(published):
    # the file prints six digits at most
    for rho, text in ((1.0, published["check"]["rho1"]), (0.6, published["check"]["rho06"])):
        a, b = ([evaluate(x) for x in group.split(",")] for group in re.findall(r"\(([^)]*)\)", text))
        assert TwoStep(rho).formula() == pytest.approx((*a, *b), abs=1e-6)
    b0, b1, b2 = (evaluate(x) for x in re.search(r"\(([^)]*)\)", published["check"]["rho0"])[1].split(","))
    assert TwoStep(0.0).formula()[2:] == pytest.approx((b0, b1, b2), abs=1e-6)
