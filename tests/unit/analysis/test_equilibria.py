"""Which equilibrium modes are about: the same for every size, mass, gravity and direction, against closed forms."""

import numpy as np
import pytest
from scipy.linalg import eigh

import samara as sm
from samara.rotations import exp_so3


def double_pendulum(angles, length=1.0, mass=1.0, gravity=9.81, R=None, shares=(0.5, 0.5)) -> sm.Model:
    """Two rods, the angles from the level against gravity; each weighs `mass` at this share of its length."""
    R = np.eye(3) if R is None else R
    model, inner, p = sm.Model("double", gravity=R @ (0, 0, -gravity)), None, np.zeros(3)
    for k, (angle, share) in enumerate(zip(angles, shares, strict=True)):
        way = length * (R @ (np.cos(angle), 0.0, np.sin(angle)))
        node = model.node(f"rod{k}", p + share * way)
        J = mass * length**2 / 12.0
        model.add(f"body{k}", sm.Body(node, mass=mass, inertia=(J, J, J)))
        model.add(f"hinge{k}", sm.Revolute(inner or model.ground, node, at=p, axis=R[:, 1]))
        inner, p = node, p + way
    return model


def hanging(length, mass, gravity, shares) -> np.ndarray:
    """Frequencies of the same [rad/s], in absolute angles."""
    a, b = (length * share for share in shares)
    J, across = mass * length**2 / 12.0, mass * length * b
    inertia = [[J + mass * (a**2 + length**2), across], [across, J + mass * b**2]]
    return np.sqrt(eigh(mass * gravity * np.diag([a + length, b]), inertia)[0])


CASES = [
    *({"length": x} for x in (1e-3, 0.01, 0.1, 1.0, 10.0, 1000.0)),
    *({"mass": x} for x in (1e-6, 1e6)),
    *({"gravity": x} for x in (1e-3, 1e3)),
    {"shares": (1.0, 1.0)},
    {"shares": (0.3, 0.7)},
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_level_double_pendulum_hangs_in_every_size_and_direction(case, rng):
    """Level, no motion meets any stiffness; rounding alone said where Newton's method went."""
    given = {"length": 0.8, "mass": 0.6, "gravity": 9.81, "shares": (0.5, 0.5)} | case
    for turn in (np.zeros(3), *rng.normal(size=(4, 3))):
        found = sm.modes(double_pendulum((0.0, 0.0), R=exp_so3(turn), **given))
        assert found.about == "static equilibrium"
        assert found.eigenvalues == pytest.approx(1j * hanging(**given), rel=1e-8)


def test_a_double_pendulum_hangs_from_any_start_that_is_no_equilibrium(rng):
    for angles in rng.uniform(-np.pi / 3, np.pi / 3, (8, 2)):
        found = sm.modes(double_pendulum(angles))
        assert found.eigenvalues == pytest.approx(1j * hanging(1.0, 1.0, 9.81, (0.5, 0.5)), rel=1e-8)


@pytest.mark.parametrize("tilt", [0.0, 0.05])
@pytest.mark.parametrize("length", [0.01, 1.0, 100.0])
def test_what_stands_upright_is_looked_at_there(tilt, length):
    """The masses are those of hanging, the stiffness changes its sign: frequencies become growth and decay."""
    found = sm.modes(double_pendulum((np.pi / 2 - tilt, np.pi / 2 + tilt), length))
    grown = hanging(length, 1.0, 9.81, (0.5, 0.5))
    assert found.about == "an unstable equilibrium"
    assert np.sort(found.eigenvalues.real) == pytest.approx(np.sort([*grown, *-grown]), rel=1e-8)


@pytest.mark.parametrize("length", [0.01, 1.0, 100.0])
def test_where_no_stiffness_leads_static_goes_downhill(length, rng):
    """Also if any equilibrium would do: none is near."""
    for turn in rng.normal(size=(4, 3)):
        rest = sm.static(double_pendulum((0.0, 0.0), length, R=exp_so3(turn)), stable=False)
        assert rest.attrs.stability == "stable"
