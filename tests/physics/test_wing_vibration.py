"""Predictive control of the tiltrotor's wing in gusts, off-line: decibels with and without noise, and live changes."""

import functools

import numpy as np
import pytest

from samara.models import find
from samara.models.tiltrotors import tiltrotor_gusts
from samara.realtime.controllers import ControllerError, SimulatedLink, run
from samara.realtime.controllers.ready import WingVibration, WingVibrationFed
from samara.realtime.controllers.ready.wing_vibration import WING

END, SETTLED, STEP = 14.0, 7.0, 1e-3  # s


def wing(results, since=SETTLED):
    """Amplitudes of the first three modes about their mean."""
    found = np.column_stack([results[name] for name in WING])[round(since / STEP) :]
    return found - found.mean(axis=0)


@functools.cache
def shaken(gust, kind=None, **settings):
    """A run in gusts, with a controller or without: the wing's amplitudes once all has settled, and the controller."""
    link = SimulatedLink(
        find("tiltrotor-gusts").make(gust=gust), 100.0, END, substeps=10, tolerance=1e-7, outputs=("wing.q*", "vane*")
    )
    law = None
    if kind is None:
        link.stepper.advance(round(END / STEP))
    else:
        law = kind(**settings)
        summary = run(law, link, report=lambda line: None)
        assert summary.exceptions == summary.not_finite == 0
    return wing(link.results()), law


def fall(gust, kind, **settings):
    """By how much the sum of the squares falls [dB]."""
    before, after = shaken(gust)[0], shaken(gust, kind, **settings)[0]
    return -10.0 * np.log10(np.sum(after**2) / np.sum(before**2))


@pytest.mark.parametrize("gust", ["turbulence", "harmonic"])
def test_the_wing_is_quieted(gust):
    """By far more than the wing's own damping would; noise of 5 % costs, and so does not seeing the gust come."""
    plain, noisy, fed = (
        fall(gust, WingVibration), fall(gust, WingVibration, noise=0.05), fall(gust, WingVibrationFed),
    )  # fmt: skip
    assert 6.0 < noisy < plain < fed
    assert plain > 10.0
    assert fed > 20.0


def test_limits_of_the_swashplate_are_kept():
    """Half of the angle that it would like to have."""
    link = SimulatedLink(find("tiltrotor-gusts").make(gust="turbulence"), 100.0, 8.0, substeps=10, tolerance=1e-7)
    law, limit = WingVibration(limit=np.radians(0.3)), np.radians(0.3)
    given, send = [], link.send
    link.send = lambda values, time: (given.append(values), send(values, time))
    run(law, link, report=lambda line: None)
    assert np.abs(given).max() == pytest.approx(limit, rel=1e-12)
    assert np.abs(law.law.identification.error).max() < 0.5  # by 2 mm: the model goes on to be right


def test_it_is_tuned_while_it_runs():
    """Opened, the wing shakes as before; closed with other horizons, it is quiet; wrong numbers change nothing."""
    end = 24.0
    link = SimulatedLink(find("tiltrotor-gusts").make(gust="turbulence"), 100.0, end, substeps=10, tolerance=1e-7)
    wait, told = link.wait, []
    orders = {
        10.0: {"loop": 0.0, "dither": 0.0},
        17.0: {"loop": 1.0, "horizon": 30.0, "controls": 15.0, "weight_3": 0.2},
        18.0: {"first": 40.0},  # beyond the horizon
    }

    def ordering(timeout=0.0):
        for at in [at for at in orders if link.stepper.time >= at - 1e-9]:
            link.change(**orders.pop(at))
        return wait(timeout)

    link.wait = ordering
    law = WingVibration()
    run(law, link, report=told.append)
    results = link.results()
    sizes = []
    for a, b in ((6.0, 10.0), (13.0, 17.0), (20.0, 24.0)):
        part = wing(results, 0.0)[round(a / STEP) : round(b / STEP)]
        sizes.append(10.0 * np.log10(np.mean(np.sum((part - part.mean(axis=0)) ** 2, axis=1))))
    assert sizes[0] < sizes[1] - 8.0 and sizes[2] < sizes[1] - 8.0
    assert law.law.horizons.last == 30 and law.law.horizons.controls == 15 and law.first == 1.0
    assert "Horizons: first (40) must not be after last (30)" in told[0]


def test_a_loop_that_makes_it_worse_is_opened_and_learns_anew():
    """The plant's sign is turned round after 8 s, as a wrong rigging would: found, given up, learnt, quiet again."""
    end = 26.0
    link = SimulatedLink(find("tiltrotor-gusts").make(gust="turbulence"), 100.0, end, substeps=10, tolerance=1e-7)
    send = link.send
    link.send = lambda values, time: send([v if time < 8.0 else -v for v in values], time)
    law = WingVibration(forgetting=1.0)  # it would hardly see it by itself
    run(law, link, report=lambda line: None)
    assert law.given_up == 1
    before, after = (shaken("turbulence")[0], wing(link.results(), 20.0))
    assert 10.0 * np.log10(np.mean(after**2) / np.mean(before**2)) < -6.0


def test_it_waits_until_it_has_learnt():
    """Half of the samples come after a gap: none of them teaches, and the loop stays open."""
    law = WingVibration(learning=1.0)
    law.period = law.elapsed = 0.01
    y = [1e-3, 0.0, 0.0]
    law.start(0.0, y)
    for k in range(400):
        law.elapsed = 0.02 if k % 4 == 0 else 0.01
        law.step(0.01 * k, Measured(y))
    assert law.law.learnt < 20 and not law.law.closed
    law.elapsed = 0.01
    for k in range(400, 520):
        law.step(0.01 * k, Measured(y))
    assert law.law.closed


class Measured(list):
    """Samples of the sensors as `Measures` has them."""

    @property
    def values(self):
        return list(self)


def test_the_vane_feels_the_gust_before_the_hub():
    """Frozen turbulence reaches the vane 10 ms earlier: what it says is the gust of then, behind its lag of 2 ms."""
    model = tiltrotor_gusts.build(gust="turbulence")
    gust = model.elements["rotor"].air.gusts[0]
    link = SimulatedLink(model, 1000.0, 1.0, tolerance=1e-7, outputs=("vane*",))
    link.stepper.advance(1000)
    results = link.results()
    ahead = tiltrotor_gusts.VANE_AHEAD / tiltrotor_gusts.tiltrotor.WIND
    hub = (-tiltrotor_gusts.tiltrotor.MAST, 0.0, 0.0)
    for name, axis in (("vane_x", 0), ("vane_z", 2)):
        seen = results[f"{name}.output.value"][200:]
        there = np.array([gust.velocity(hub, t + ahead - tiltrotor_gusts.VANE_LAG)[axis] for t in results.time[200:]])
        # waves below 100 Hz, most of them below 20 Hz: a lag of 2 ms is a delay but for (w T)^2 / 2
        assert np.std(seen - there) < 0.15 * np.std(there)


def test_it_needs_its_machine():
    """A tiltrotor without inputs of the swashplate is refused by name."""
    link = SimulatedLink(find("tiltrotor").make(), 100.0, 1.0, substeps=10)
    with pytest.raises(ControllerError, match="the simulator has no actuator 'added'"):
        run(WingVibration(), link)
