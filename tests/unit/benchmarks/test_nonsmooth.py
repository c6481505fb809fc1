"""`samara bench nonsmooth` in a tiny setting: its rows, the exact motions, and that both codes have the same cases."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.linalg import expm

from samara.benchmarks.cases.nonsmooth_cases import BALL, OSCILLATOR, StopRun, chain
from samara.benchmarks.cases.nonsmooth_reference import ExactMotion, LinearMotion
from samara.benchmarks.contacts import nonsmooth
from samara.benchmarks.contacts.nonsmooth import AGREEMENT, STEP, NonsmoothSize, rows
from samara.benchmarks.peers import siconos_cases

TINY = NonsmoothSize(
    repeats=2,
    duration=0.5,
    refined=(1, 10),
    chains=(5,),
    long_duration=0.01,
    sailing=0.1,
    before=0.01,
    blades="rigid",
    balls=(2, 4),
    crowds=(8, 27),
)
#: Metrics that are part of the interface.
OWN = ("us_per_step", "us_per_step_p95", "error", "observed_order", "speedup_vs_siconos")
THEIRS = ("siconos_us_per_step", "siconos_us_per_step_as_called", "siconos_error", "speedup_vs_siconos_as_called")
TIMES = 1e-3 * np.arange(1, 3001)


def test_every_case_has_its_figures():
    found = {(row.case, row.metric): row for row in rows(TINY)}
    there = siconos_cases.missing() is None
    wanted = [(case, m) for case in ("ball", "oscillator", "chain") for m in (*OWN, *(THEIRS if there else ()))]
    wanted += [("puma-sailing", m) for m in ("real_over_sim", "real_over_sim_penalty", "speedup_vs_penalty")]
    wanted += [("balls-2", "us_per_step"), ("balls-4", "us_per_step"), ("balls-4", "step_exponent")]
    wanted += [("crowd-8", "us_per_step"), ("crowd-27", "step_exponent"), ("crowd-27", "broad_phase_exponent")]
    wanted += [("crowd-27", "memory_a_ball")]
    assert set(wanted) <= set(found)
    for key in wanted:
        assert np.isfinite(found[key].value) or "left out" in found[key].note


def test_missing_siconos_leaves_its_rows_out(monkeypatch):
    monkeypatch.setattr(siconos_cases, "INTERPRETER", "/interpreter/that/nobody/has")
    found = {row.metric: row for row in nonsmooth.impacts(BALL, TINY)}
    assert set(found) == set(OWN)
    assert np.isnan(found["speedup_vs_siconos"].value)
    assert "apt install python3-siconos" in found["speedup_vs_siconos"].note
    assert found["us_per_step"].value > 0.0


# ---- exact motions
def test_the_ball_is_that_of_the_textbook():
    """Parabolas; impact n comes after t_0 (1 + 2 e + 2 e^2 + ... 2 e^n), with t_0 = sqrt(2 h / g)."""
    exact = ExactMotion(BALL)
    found = exact.positions(TIMES)[:, 0]
    e, g = BALL.restitution, BALL.gravity
    first = np.sqrt(2.0 * BALL.height / g)
    impacts = first * (1.0 + 2.0 * np.cumsum(np.append(0.0, e ** np.arange(1, 8))))
    np.testing.assert_allclose(exact.impacts, impacts[impacts < 3.0], rtol=1e-13)
    wanted = BALL.height - 0.5 * g * TIMES**2
    for n, time in enumerate(impacts):
        after = TIMES - time
        wanted = np.where(after > 0.0, e ** (n + 1) * g * first * after - 0.5 * g * after**2, wanted)
    np.testing.assert_allclose(found, wanted, atol=1e-13)


def test_an_oscillator_that_rests_at_its_stop_hits_it_every_half_period():
    spec = replace(OSCILLATOR, pressed=0.0, height=0.1, duration=2.0)
    exact, w = ExactMotion(spec), np.sqrt(spec.stiffness / spec.mass)
    times = np.array([(0.5 + n + 0.5) * np.pi / w for n in range(10)])
    found = exact.positions(times)[:, 0]
    np.testing.assert_allclose(exact.impacts, (0.5 + np.arange(len(exact.impacts))) * np.pi / w, rtol=1e-12)
    np.testing.assert_allclose(found, 0.1 * 0.8 ** np.arange(1, 11), rtol=1e-12)


def test_modes_are_the_exponential_of_the_matrix(rng):
    spec = chain(3)
    K, f = spec.stiffness_matrix(), spec.force()
    x, v, t = rng.normal(size=3), rng.normal(size=3), 0.7
    motion = LinearMotion(K, spec.mass, f)
    rest = np.linalg.solve(K, f)
    A = np.block([[np.zeros((3, 3)), np.eye(3)], [-K / spec.mass, np.zeros((3, 3))]])
    wanted = expm(t * A) @ np.concatenate([x - rest, v])
    np.testing.assert_allclose(motion.at(np.array([t]), x, v)[0], wanted[:3] + rest, atol=1e-12)
    np.testing.assert_allclose(motion.speeds(t, x, v), wanted[3:], atol=1e-10)
    np.testing.assert_allclose(rest, -spec.pressed, atol=1e-14)


def test_the_chain_stays_at_the_stop_and_leaves_it_again():
    last = ExactMotion(chain()).positions(TIMES)[:, -1]
    assert last.min() >= -1e-12
    stays = last == 0.0
    assert 0.05 < stays.mean() < 0.95
    assert np.count_nonzero(np.diff(stays.astype(int)) == -1) >= 2


# ---- runs
@pytest.mark.parametrize("spec", [BALL, OSCILLATOR, chain()], ids=lambda spec: spec.name)
def test_time_stepping_comes_to_the_exact_motion(spec):
    """Order one: of a hundredth of the step some hundredth of the error is left; impacts make it irregular."""
    run, right = StopRun(spec), ExactMotion(spec).positions(TIMES)
    coarse, fine = (np.abs(run.positions(1e-3 / k, k, TIMES.size) - right).mean() for k in (1, 100))
    assert 2e-4 < coarse < 1e-2
    assert fine < 0.03 * coarse


def test_a_run_starts_anew():
    run = StopRun(OSCILLATOR)
    first = run.positions(STEP, 10, 200)
    run.advance(STEP, 77)
    np.testing.assert_array_equal(run.positions(STEP, 10, 200), first)


@pytest.mark.parametrize("spec", [BALL, OSCILLATOR, chain()], ids=lambda spec: spec.name)
def test_siconos_has_the_same_case(spec):
    """The same formula: a wrong mass, spring or restitution differs by centimetres."""
    why = siconos_cases.missing()
    if why is not None:
        pytest.skip(why)
    with siconos_cases.started(nonsmooth._as_numbers(spec)) as siconos:
        theirs = np.array(siconos.ask(siconos_cases.RECORDED, STEP, 10_000, 10)["positions"])
    own = StopRun(spec).positions(STEP, 10, 1000)
    assert np.ptp(own) > 0.09
    np.testing.assert_allclose(theirs, own, atol=AGREEMENT)
