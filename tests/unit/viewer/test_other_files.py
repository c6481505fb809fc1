"""Films, and files for ParaView: the machine where the run has it, bent as its nodes are."""

import base64
import shutil
import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest

import samara as sm
from samara.models import find
from samara.models.rotors import rotor4
from samara.viewer.polygons import solid_of


@pytest.fixture(scope="module")
def run():
    """A rotor of beams whose blades are let go: they bend down."""
    return sm.transient(rotor4.build(beams=1), 0.05, 1e-3, progress=False)


def array(parent, name=None):
    (found,) = [one for one in parent.iter("DataArray") if name is None or one.get("Name") == name]
    octets = base64.b64decode(found.text)
    assert int.from_bytes(octets[:4], "little") == len(octets) - 4
    return np.frombuffer(octets[4:], {"Float32": "<f4", "Int32": "<i4"}[found.get("type")])


def test_paraview_has_the_bent_blades(run, tmp_path):
    series = run.animate(tmp_path / "run.pvd")
    entries = ElementTree.parse(series).findall(".//DataSet")
    times = np.array([float(e.get("timestep")) for e in entries])
    assert np.isin(times, run.time).all() and np.diff(times) == pytest.approx(0.05 / 3, abs=2e-3)
    last = ElementTree.parse(tmp_path / entries[-1].get("file")).getroot()
    points = array(last.find(".//Points")).reshape(-1, 3)
    # the middle of the ends of a beam is on its axis: at the node of the tip
    scene = run.scene
    for skin in scene["surfaces"]:
        ring = skin["rings"][-1]
        (number,) = {scene["node"][k] for k in ring}
        tip = run[f"{scene['nodes'][number]}.position"][-1]
        assert points[ring].mean(axis=0) == pytest.approx(tip, abs=1e-5)
    # all corners of faces are points, and all faces of a closed surface are there: a section has four corners
    corners, ends = (array(last.find(".//Polys"), name) for name in ("connectivity", "offsets"))
    assert 0 <= corners.min() and corners.max() < len(points)
    sections = sum(len(skin["rings"]) for skin in scene["surfaces"])
    closed = 4 * (sections - len(scene["surfaces"])) + 2 * len(scene["surfaces"]) + 6 * len(scene["boxes"])
    assert len(ends) == closed


def test_stress_resultants_are_where_they_are_known(run, tmp_path):
    run.animate(tmp_path / "run.pvd", rate=20.0)
    file = sorted((tmp_path / "run").iterdir())[-1]
    found = array(ElementTree.parse(file).getroot().find(".//PointData"), "moment.y [N m]")
    skin = run.scene["surfaces"][0]
    sections = np.array(skin["rings"])
    at = skin["stations"][skin["name"]]
    # Gauss points of a beam of three nodes
    assert at == pytest.approx([0.5 - 0.5 / 3**0.5, 0.5 + 0.5 / 3**0.5], abs=1e-6)
    known = [run[f"{skin['name']}.moment_{k}"][-1, 1] for k in (1, 2)]
    expected = np.interp(np.linspace(0.0, 1.0, len(sections)), at, known)
    assert found[sections] == pytest.approx(np.repeat(expected[:, None], 4, axis=1), rel=1e-5)


def test_a_solid_is_closed(run):
    """Each edge of a surface belongs to two faces."""
    solid, scene = solid_of(run.scene), run.scene
    rings = scene["surfaces"][0]["rings"]
    edges = {}
    for face in solid.faces[: 4 * (len(rings) - 1) + 2]:
        for a, b in zip(face, (*face[1:], face[0]), strict=True):
            edges[frozenset((a, b))] = edges.get(frozenset((a, b)), 0) + 1
    assert set(edges.values()) == {2}


def test_a_film_is_as_long_as_the_run(tmp_path):
    image = pytest.importorskip("PIL.Image")
    run = sm.transient(find("pendulum").make(), 1.0, 1e-3, progress=False)
    with image.open(run.animate(tmp_path / "run.gif", rate=10.0)) as film:
        assert film.n_frames == 11
        pictures = []
        for k in (0, film.n_frames - 1):
            film.seek(k)
            pictures.append(np.asarray(film.convert("RGB"), int))
        assert film.info["duration"] == pytest.approx(100, abs=1)
    assert np.ptp(pictures[0]) > 100  # not blank
    assert np.abs(pictures[0] - pictures[1]).max() > 50  # and it moves


def test_a_film_without_ffmpeg_names_the_remedy(tmp_path, monkeypatch):
    run = sm.transient(find("pendulum").make(), 0.01, 1e-3, progress=False)
    monkeypatch.setattr(shutil, "which", lambda name: None)
    with pytest.raises(RuntimeError, match=r"needs ffmpeg, which is not installed: install it, or name a \.gif"):
        run.animate(tmp_path / "run.mp4")
