"""The flexible rotor in Samara and in Exudyn: the same rotor, and what happens without Exudyn."""

import math

import numpy as np
import pytest

from samara.benchmarks import peers
from samara.benchmarks.cases.samara_rotor import STEP, STEPS_PER_TURN, TipMotion, tip_motion
from samara.benchmarks.rotorcraft import structures
from samara.models.rotors.rotor4 import MASS, RADIUS, SPEED, STIFFNESS


def test_stretch_is_that_of_masses_on_a_string():
    """N of a piece is the sum of m Omega^2 x over the nodes beyond it; the blade is otherwise straight."""
    piece = RADIUS / 10
    x = piece * np.arange(1, 11)
    tension = np.array([MASS * piece * SPEED**2 * x[k:].sum() for k in range(10)])
    expected = (tension * piece / STIFFNESS[0]).sum()
    # the droop of 16 mm in 7 m and its swing pull the tip in by 1e-5 m, 0.4 %; x grows by 6e-4; the finite-volume
    # beam takes N at its cuts and not piece by piece, exact for the sum within 0.3 %
    assert tip_motion().stretch == pytest.approx(expected, rel=0.01)


def test_motion_of_the_tip_is_read_off():
    time = np.arange(20 * STEPS_PER_TURN) * STEP
    z = -0.02 + 0.01 * np.cos(28.6 * time + 0.3)
    found = TipMotion.of(time, np.column_stack([(RADIUS + 0.004) * np.cos(time), (RADIUS + 0.004) * np.sin(time), z]))
    assert found.droop == pytest.approx(-0.02, abs=1e-8)
    assert found.swing == pytest.approx(0.01, abs=1e-8)
    assert found.frequency == pytest.approx(28.6, abs=1e-6)
    assert found.stretch == pytest.approx(0.004, abs=1e-12)


def test_exudyn_has_the_same_rotor():
    """Three-node beams of fourth order against two-node ones of second on the same nodes: 0.4 % is seen."""
    pytest.importorskip("exudyn", reason="exudyn is not installed (remedy: pip install samara[bench])")
    from samara.benchmarks.peers import exudyn_rotor

    ours, theirs = tip_motion(), exudyn_rotor.tip_motion()
    assert ours.frequency == pytest.approx(theirs.frequency, rel=0.01)
    assert ours.stretch == pytest.approx(theirs.stretch, rel=0.01)
    assert ours.droop == pytest.approx(theirs.droop, rel=0.01)
    assert ours.swing == pytest.approx(theirs.swing, rel=0.05)  # the schemes damp it differently


def test_without_exudyn_a_row_says_so(monkeypatch):
    line = "exudyn: not installed, its rows are left out (remedy: pip install samara[bench])"
    monkeypatch.setattr(structures, "available", lambda: {**peers.available(), "exudyn": line})
    (row,) = structures._peer_rows(None, 3)
    assert row.metric == "speedup_vs_exudyn" and math.isnan(row.value)
    assert "pip install samara[bench]" in row.note
