"""Multiblade coordinates and maps of the disk."""

import numpy as np
import pytest

import samara as sm
from samara import NoInflow
from samara.analysis.rotors.disk import disk_map
from samara.analysis.rotors.multiblade import azimuths, multiblade
from samara.model import ModelError
from samara.models.rotors import rotor4
from samara.models.rotors.hinged_rotor import SPEED, hinged_rotor
from samara.results import Channel, Channels, Results

PERIOD = 2 * np.pi / SPEED


def made(count: int, sense: float):
    """Blades that follow mean, tilt and, for even numbers, a differential, all changing slowly in time."""
    t = np.linspace(0.0, 3.0, 301)
    psi = 5.0 * t[:, None] + 2 * np.pi * np.arange(count) / count
    mean, c, s, d = 0.1 + 0.01 * t, 0.02 * t, -0.03 + 0 * t, 0.005 * np.sin(t)
    b = mean[:, None] + c[:, None] * np.cos(psi) + s[:, None] * np.sin(psi)
    if count % 2 == 0:
        b = b + d[:, None] * (-1.0) ** np.arange(count)
    azimuth = np.mod(sense * psi[:, 0] + np.pi, 2 * np.pi) - np.pi
    channels = Channels([Channel(f"b{k}.angle", "rad") for k in range(count)] + [Channel("rotor.azimuth", "rad")])
    return Results(channels, t, np.column_stack([b, azimuth])), (mean, c, s, d)


@pytest.mark.parametrize("count", [3, 4, 5])
@pytest.mark.parametrize("sense", [1.0, -1.0])
def test_what_was_put_in_comes_out(count, sense):
    results, (mean, c, s, d) = made(count, sense)
    names = [f"b{k}.angle" for k in range(count)]
    found = multiblade(results, names, sense=sense)
    np.testing.assert_allclose(found.mean, mean, atol=1e-14)
    np.testing.assert_allclose(found.cosine[:, 0], c, atol=1e-14)
    np.testing.assert_allclose(found.sine[:, 0], s, atol=1e-14)
    if count % 2 == 0:
        np.testing.assert_allclose(found.differential, d, atol=1e-14)
    else:
        assert found.differential is None
    back = found.blades(azimuths(results, count, "rotor.azimuth", sense))
    np.testing.assert_allclose(back, np.column_stack([results[name] for name in names]), atol=1e-13)


def test_two_blades_have_coning_and_teetering():
    results, _ = made(4, 1.0)
    found = multiblade(results, ["b0.angle", "b2.angle"])
    assert found.cosine.shape[1] == 0 and found.differential is not None
    with pytest.raises(sm.ModelError, match="at least two blades"):
        multiblade(results, ["b0.angle"])


@pytest.mark.parametrize("sense", [1.0, -1.0])
def test_flapping_of_a_rotor(sense):
    """Without inflow in hover the disk follows the swashplate: beta_1s = theta_1c, beta_1c = -theta_1s."""
    model = hinged_rotor(speed=sense * SPEED, collective=0.05, inflow=NoInflow())
    model.parameters["lateral"].value, model.parameters["longitudinal"].value = 0.01, -0.02
    results = sm.transient(model, end=12 * PERIOD, step=PERIOD / 120, progress=False)
    found = multiblade(results, [f"blade_{k}.flap.angle" for k in (1, 2, 3, 4)], sense=sense)
    assert found.cosine[-1, 0] == pytest.approx(0.02, rel=1e-2)
    assert found.sine[-1, 0] == pytest.approx(0.01, rel=1e-2)
    assert abs(found.differential[-1]) < 1e-4


def test_map_of_the_disk(tmp_path):
    """In edgewise wind the Mach number is (r Omega + V sin psi) / a: the map must have it at every point."""
    model = hinged_rotor(wind=(20.0, 0.0, 0.0), inflow=NoInflow(), collective=0.0)
    results = sm.transient(model, end=3 * PERIOD, step=PERIOD / 60, progress=False)
    radius = model["blade_2.air"].stations.x
    found = disk_map(results, "blade_2.air.mach", radius, ahead=np.pi / 2)
    assert found.values.shape == (60, 8) and np.all(np.diff(found.azimuth) > 0) and np.all(np.diff(found.radius) > 0)
    expected = (found.radius * SPEED + 20.0 * np.sin(found.azimuth)[:, None]) / 340.294
    np.testing.assert_allclose(found.values, np.abs(expected), atol=2e-3)
    found.plot(tmp_path / "disk.png", title="Mach number")
    assert (tmp_path / "disk.png").stat().st_size > 10_000
    with pytest.raises(sm.ModelError, match="8 stations, 7 radii"):
        disk_map(results, "blade_2.air.mach", radius[1:])
    short = sm.transient(hinged_rotor(), end=0.5 * PERIOD, step=PERIOD / 60, progress=False)
    with pytest.raises(sm.ModelError, match="less than one revolution"):
        disk_map(short, "blade_2.air.mach", radius)


@pytest.mark.parametrize("speed", [60.0, -60.0])
def test_a_declared_rotor_knows_its_blades_azimuth_and_sense(speed):
    model = hinged_rotor(speed=speed, wind=(10.0, 0.0, 0.0))
    results = sm.transient(model, end=0.05, step=1e-3, outputs=("*.flap.angle", "rotor.azimuth"))
    found = multiblade(results, "flap.angle", rotor=model.rotor())
    names = [f"blade_{k}.flap.angle" for k in (1, 2, 3, 4)]
    expected = multiblade(results, names, "rotor.azimuth", np.sign(speed))
    assert found.cosine == pytest.approx(expected.cosine, abs=0.0)
    assert np.abs(found.cosine[-1]) > 0.0


def test_a_measure_without_a_rotor_is_refused():
    model = rotor4.build(beams=1)
    results = sm.transient(model, end=0.01, step=1e-3)
    with pytest.raises(ModelError, match=r"'flap.angle' is one channel: .*rotor=model\.rotor\(\)"):
        multiblade(results, "flap.angle")
    with pytest.raises(ModelError, match=r"rotor 'rotor' measures no azimuth: give azimuth"):
        multiblade(results, "beam1.moment_1.y", rotor=model.rotor())


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"results": None}, "give the results of a run, got None"),
        ({"channels": 5}, "channels must be a name or pattern, or several, got 5"),
        ({"channels": ["b0.angle", 5]}, "channels must be a name or pattern, or several, got 5"),
        ({"channels": []}, "channels is empty: give one of each blade"),
        ({"rotor": "rotor"}, r"rotor must be a declared rotor, such as model\.rotor\(\), got 'rotor'"),
        ({"sense": 7}, r"sense must be 1 \(counter-clockwise\) or -1 \(clockwise\), got 7"),
        ({"sense": "left"}, "sense must be 1 .*, got 'left'"),
        ({"azimuth": np.zeros(3)}, r"azimuth has the shape \(3,\), and \(301,\) is needed: one for each time"),
        ({"azimuth": 0.0}, r"azimuth has the shape \(\), and"),
        ({"azimuth": ["a"]}, r"azimuth must be a channel or numbers \[rad\], got \['a'\]"),
        ({"azimuth": np.where(np.arange(301) == 200, np.nan, 0.0)}, "azimuth is nan at 2 s"),
    ],
)
def test_what_is_wrong_is_named(given, words):
    results, _ = made(4, 1.0)
    arguments = {"results": results, "channels": [f"b{k}.angle" for k in range(4)], **given}
    with pytest.raises(sm.ArgumentError, match=f"multiblade: {words}"):
        multiblade(**arguments)
