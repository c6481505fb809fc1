"""The study of the soft-in-plane tiltrotor: eigenvalues and transients against its surrogate, and each other.

VALIDATION, row 14. The surrogate's equations share no code with Samara; `test_soft_in_plane` holds its file to them.
"""

import numpy as np
import pytest

import samara as sm
from samara.cli import main
from samara.experiments.tiltrotors import tiltrotor_stability, tiltrotor_statements, tiltrotor_study
from samara.experiments.tiltrotors.tiltrotor_figures import DRAWN, figures
from samara.experiments.tiltrotors.tiltrotor_modes import AEROPLANE, AEROPLANE_RPM, Coleman, least_stable, steady_modes
from samara.experiments.tiltrotors.tiltrotor_runs import (
    CONVERT_AT,
    SoftInPlane,
    beside_trend,
    converted,
    onset,
    per_turn,
    wing_root,
)
from samara.experiments.tiltrotors.tiltrotor_study import RATIOS, study
from samara.models.tiltrotors.soft_in_plane import WING, windmill_collective

RIGID = SoftInPlane()


@pytest.fixture(scope="module")
def surrogate(data):
    """Largest real parts [1/s] by part of the speed and lag damping."""
    rows = np.loadtxt(data / "surrogate_softinplane_coleman.csv", delimiter=",", skiprows=2)
    return {(round(row[0], 2), ratio): row[4 + k] for row in rows for k, ratio in enumerate(RATIOS)}


@pytest.fixture(scope="module")
def found():
    """A short study: five speeds from far below to beyond the meeting of lag and wing, two of them by transients."""
    return study(beams=0, wing_stiffness=1.0, end=12.0, speeds=4, circles=1, pitches=2, smoothing=0.2, last=80.0)


# ---- eigenvalues
def test_eigenvalues_are_those_of_the_surrogate(found, surrogate):
    """The file has five digits; flap is not in it."""
    parts = found.coleman.parts
    np.testing.assert_allclose(parts, [0.3, 0.6, 0.9, 1.0, 1.2])
    for ratio in RATIOS:
        wanted = [surrogate[round(part, 2), ratio] for part in parts]
        np.testing.assert_allclose(found.coleman.damped[ratio].real, wanted, atol=2e-5)


def test_without_dampers_lag_and_wing_share_a_frequency_where_they_meet(found):
    """And one of the two grows."""
    low, high, _ = found.coleman.undamped[2]
    assert low.imag == pytest.approx(high.imag, rel=1e-6)
    assert low.real == pytest.approx(-high.real, rel=1e-3) and abs(low.real) > 1.0
    np.testing.assert_allclose(np.delete(found.coleman.undamped, 2, axis=0).real, 0.0, atol=1e-6)


def test_lag_meets_the_wing_at_nine_tenths(found):
    """A straight line between 85 and 95 %: 2e-4 off."""
    assert found.meets == pytest.approx(0.9, abs=5e-4)


def test_floquet_finds_the_same():
    """At the meeting, from the transition matrix of a third of a turn, without what the step adds."""
    settings = {"lag_damping": 0.2, "speed_rpm": 0.9 * 888.0}
    period = 60.0 / settings["speed_rpm"]
    motion = sm.periodic(RIGID.make(**settings), period, period / 120, outputs="model.violation")
    by_turn = sm.floquet(motion, without_step=True).eigenvalues[0]
    assert by_turn == pytest.approx(least_stable(steady_modes(RIGID, **settings)), rel=1e-5)


# ---- transients
def test_transients_grow_as_the_surrogate_does(found, surrogate):
    """Asked for: 0.02 1/s. The step of a quarter of a millisecond errs by 2e-4."""
    for ratio in RATIOS:
        identified = found.circles[ratio][1.0].eigenvalues[0]
        assert identified.real == pytest.approx(surrogate[1.0, ratio], abs=1e-3)


def test_transients_grow_as_eigenvalues_say(found):
    """To 2 %, in vacuum at full speed and in air with two collective pitches."""
    pairs = [(found.circles[ratio][1.0].eigenvalues[0], found.rate(ratio)) for ratio in RATIOS]
    pairs += [(lift.identified.eigenvalues[0], lift.exponent) for lift in found.lifts]
    for identified, exponent in pairs:
        assert identified.real == pytest.approx(exponent.real, rel=0.02)
        assert identified.imag == pytest.approx(exponent.imag, rel=1e-3)


def test_an_aeroplane_flutters_as_eigenvalues_say():
    """At 85 m/s, where the wing's torsion grows: to 2 %."""
    settings = AEROPLANE | {"wind": 85.0, "speed_rpm": AEROPLANE_RPM}
    settings["collective_deg"] = windmill_collective(85.0, AEROPLANE_RPM)
    exponent = least_stable(steady_modes(RIGID, **settings))
    assert exponent.real > 0.5
    identified = RIGID.identified(length=3.0, **settings).eigenvalues[0]
    assert identified.real == pytest.approx(exponent.real, rel=0.02)
    assert identified.imag == pytest.approx(exponent.imag, rel=1e-3)


def test_flutter_speed_is_where_nothing_grows_or_decays(found):
    """Found by the secant rule between 70 and 80 m/s; long transients bracket it too (`test_soft_in_plane`)."""
    flutter = found.flutters[1.0]
    assert 70.0 < flutter.speed < 80.0
    pitch = windmill_collective(flutter.speed, AEROPLANE_RPM)
    there = steady_modes(RIGID, wind=flutter.speed, collective_deg=pitch, speed_rpm=AEROPLANE_RPM, **AEROPLANE)
    assert abs(least_stable(there).real) < 0.01
    assert least_stable(there).imag / (2 * np.pi) == pytest.approx(flutter.frequency, rel=1e-3)


def test_the_wing_carries_the_thrust(found):
    """Moments at its root: thrust times span, up as a helicopter and forward as an aeroplane."""
    run = found.conversion
    up, forward = wing_root(run, 1.0)
    before, after = (np.abs(run.time - t) < 0.3 for t in (CONVERT_AT - 0.5, converted(found.smoothing) + 2.0))
    for moment, when in ((up, before), (forward, after)):
        wanted = run["rotor.thrust"][when].mean() * WING.length
        assert moment[when].mean() == pytest.approx(wanted, rel=0.005)


# ---- the experiment
def test_statements_have_verdicts(found):
    """What the surrogate was chosen for is marked, what it cannot do is not hidden."""
    sheet = tiltrotor_statements.sheet(found)
    verdicts = dict(zip(sheet[sheet.head[0]], sheet["verdict"], strict=True))
    assert sum(v == "agrees, built in" for v in verdicts.values()) == 3
    assert verdicts["30 % is stable with 0.2 % of wing damping"] == "does not agree"
    assert verdicts["out-of-plane bending disappears with the manoeuvre"] == "agrees"
    assert all(np.isfinite(sheet["found"]))


def test_all_figures_are_drawn(found):
    made = figures(found)
    assert list(made) == list(DRAWN) == list(tiltrotor_stability.EXPERIMENT.figures)
    for draw in made.values():
        texts = [text.get_text() for text in draw().findobj(match=lambda artist: hasattr(artist, "get_text"))]
        assert any("surrogate" in text for text in texts)


@pytest.mark.parametrize(("error", "code"), [(sm.SolveError("no steady turning"), 1), (KeyboardInterrupt(), 130)])
def test_figures_that_are_computed_stay_when_a_later_part_fails(error, code, tmp_path, monkeypatch):
    """Figures of the wind-ups are written before the conversion is run."""

    def fail(*_):
        raise error

    monkeypatch.setattr(SoftInPlane, "convert", fail)
    words = ["experiment", "tiltrotor-stability", "--out", str(tmp_path / "study"), "--set", "end=4"]
    assert main(words) == code
    assert [path.name for path in sorted((tmp_path / "study").iterdir())] == ["03_wind_up.png", "04_release.png"]


def test_nothing_is_computed_before_it_is_asked_for():
    outcome = tiltrotor_stability.run(end=4.0)
    assert not set(vars(outcome.found)) & {"wind_ups", "conversion", "lifts", "full_speed", "coleman", "flutters"}
    assert outcome.results.time[-1] == pytest.approx(4.0)
    assert "wind_ups" in vars(outcome.found) and "conversion" not in vars(outcome.found)


def test_lines_have_the_speeds_that_are_asked_for(monkeypatch):
    """Rigid and elastic blades have their own number; full speed is among them once."""
    monkeypatch.setattr(tiltrotor_study, "coleman", _zero)
    for given, count in (({}, 19), ({"beams": 8}, 10), ({"beams": 8, "speeds": 4}, 5)):
        parts = tiltrotor_study.TiltrotorStudy(**given).coleman.parts
        assert parts.size == count and (np.diff(parts) > 0.01).all() and 1.0 in parts


def _zero(machine, parts, ratios):
    return Coleman(
        parts, np.zeros((parts.size, 3), complex), {ratio: np.zeros(parts.size, complex) for ratio in ratios}
    )


# ---- measures
def test_measures_of_known_signals():
    t = np.arange(0.0, 4.0, 1e-3)
    turn = 60.0 / 888.0
    signal = 2.0 + 3.0 * t**2 + 0.7 * np.cos(2 * np.pi * t / turn + 0.4)
    assert per_turn(t, signal, 1.0, 20) == pytest.approx(0.7, rel=1e-3)
    assert beside_trend(t, signal, 1.0, 1.0 + 15 * turn) == pytest.approx(0.7, rel=0.06)  # it takes some of the wave


def test_onset_is_when_bending_has_doubled(found):
    """The lag damper moves it, and more of it takes it away."""
    assert 7.5 < onset(found.wind_ups[0.2]) < 9.5
    assert np.isnan(onset(found.wind_ups[0.4]))
