"""The wake of a run, looked at from outside: velocity anywhere, and the file of its lines."""

import numpy as np
import pytest

import samara as sm
from samara import FreeWake
from samara.elements.aero.wake.near import segment_velocity
from samara.models.rotors.caradonna_tung import RADIUS, caradonna_tung

TURN = 60 / 1250


@pytest.fixture(scope="module")
def sim():
    sim = sm.Simulation(caradonna_tung(8.0, 1250.0, 0.439, inflow=FreeWake(step=TURN / 30, turns=1.0)))
    with pytest.raises(sm.ArgumentError, match="take a step first"):
        sm.wake_geometry(sim)
    sm.transient(sim, 10 * TURN, TURN / 30, progress=False, outputs="rotor.CT")
    return sim


def around(count=24):
    """Points below and beside the disk that a half turn leads to others of them."""
    angle = np.arange(count) * 2 * np.pi / count
    return np.stack([0.6 * RADIUS * np.cos(angle), 0.6 * RADIUS * np.sin(angle), np.full(count, -0.2)], axis=1)


def test_filaments_begin_at_the_blades(sim):
    found = sm.wake_geometry(sim)
    assert [(f.blade, f.number) for f in found.filaments] == [(0, 0), (0, 1), (1, 0), (1, 1)]
    angle = 2 * np.pi * sim.time / TURN
    for filament in found.filaments:
        x, y, z = filament.points[0]
        assert z == pytest.approx(0.0, abs=1e-9)
        turned = angle + np.pi * filament.blade
        assert np.cos(np.arctan2(y, x) - turned) == pytest.approx(1.0, abs=1e-9)
        assert len(filament.circulation) == len(filament.core) == len(filament.points) - 1
        assert np.all(np.diff(filament.core) > 0)
    tip, sheet = found.filaments[:2]
    assert np.hypot(*tip.points[0, :2]) == pytest.approx(RADIUS, rel=1e-9)
    np.testing.assert_allclose(tip.circulation, -sheet.circulation, rtol=1e-12)  # no vortex ends on its way


def test_velocity_is_that_of_the_textbook(sim):
    found, points = sm.wake_geometry(sim), around()
    S = found.segments
    start, turn = S[:, :3] + found.hub, S[:, 3:6]
    G = 4 * np.pi * np.einsum("ij,ij->i", S[:, 6:9], turn) / S[:, 9]
    core = (S[:, 10] / S[:, 9] ** 2) ** 0.25
    textbook = sum(
        g * segment_velocity(a[None], (a + s)[None], c, points)[:, 0]
        for a, s, g, c in zip(start, turn, G, core, strict=True)
    )
    np.testing.assert_allclose(found.velocity(points), textbook, rtol=1e-8, atol=1e-8)


def test_two_blades_alike_induce_alike(sim):
    """Half a turn on, all is as before: to 1e-4, single precision that ten turns have made grow."""
    points, mirror = around(), np.array([-1.0, -1.0, 1.0])
    u = sm.wake_geometry(sim).velocity(points)
    np.testing.assert_allclose(sm.wake_geometry(sim).velocity(points * mirror) * mirror, u, atol=1e-4 * np.abs(u).max())
    assert sm.wake_geometry(sim).velocity(points.reshape(4, 6, 3)).shape == (4, 6, 3)


def test_the_file_has_the_lines(sim, tmp_path):
    found = sm.wake_geometry(sim)
    found.save(tmp_path / "wake.vtk")
    lines = (tmp_path / "wake.vtk").read_text().splitlines()
    count = sum(len(f.points) for f in found.filaments)
    assert lines[4] == f"POINTS {count} double"
    np.testing.assert_allclose(np.array(lines[5].split(), float), found.filaments[0].points[0], atol=1e-8)
    assert lines[5 + count] == f"LINES 4 {count + 4}"
    assert len(lines) == 5 + count + 1 + 4 + 1 + 2 * (2 + count)


def test_rotors_without_such_a_wake_are_refused():
    sim = sm.Simulation(caradonna_tung(8.0, 1250.0, 0.439))
    with pytest.raises(sm.ArgumentError, match="has a FreeWake"):
        sm.wake_geometry(sim)
