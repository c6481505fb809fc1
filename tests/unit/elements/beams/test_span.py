"""Spanwise tables: values, exact lumping, and the model that is made of them."""

import numpy as np
import pytest

import samara as sm
from samara.model import Inertial
from samara.models.rotors import tm4760

STIFF = {"EA": 1e6, "GJ": 10.0, "EI_y": 20.0, "EI_z": 30.0}


def span(**more):
    return sm.Span(**{"station": [0.0, 2.0], "mass": 3.0, **STIFF, "inertia_y": 1e-3, "inertia_z": 2e-3, **more})


def test_values_between_stations_and_at_jumps():
    s = span(station=[0, 1, 1, 2], mass=[1.0, 3.0, 5.0, 9.0])
    assert s.at("mass", 0.5) == 2.0
    assert s.at("mass", 1.0) == 5.0
    assert s.at("mass", 1.0, side="left") == 3.0
    assert s.at("mass", 2.0) == 9.0
    assert s.at("mass", 7.0) == 9.0
    assert s.at("GA_y", 1.0) == pytest.approx(3e5)


def test_piece_of_a_tapered_and_offset_span():
    # m(x) = 1 + x on [0, 2], centre at y = 0.1 x: integrals by hand
    p = span(mass=[1.0, 3.0], com_y=[0.0, 0.2], inertia_y=0.0, inertia_z=0.0).piece(0.0, 2.0)
    m, mx, mxx = 4.0, 2 + 8 / 3, 8 / 3 + 4
    assert p.mass == pytest.approx(m, rel=1e-14)
    assert p.com == pytest.approx([mx / m, 0.1 * mx / m, 0.0], rel=1e-14)
    spread = mxx - mx * mx / m
    expected = spread * np.array([[0.01, -0.1, 0], [-0.1, 1.0, 0], [0, 0, 1.01]])
    assert p.inertia == pytest.approx(expected, abs=1e-13)


def test_pieces_add_up():
    s = span(station=[0, 0.7, 0.7, 2], mass=[1, 2, 4, 3], com_y=0.1, com_z=[0, 0.1, 0.1, 0.2], twist=[0, 0.2, 0.2, 0.9])
    whole, parts = s.piece(0, 2), [s.piece(0, 0.31), s.piece(0.31, 1.2), s.piece(1.2, 2)]

    def moment(p):
        return p.inertia + p.mass * (p.com @ p.com * np.eye(3) - np.outer(p.com, p.com))

    assert sum(p.mass for p in parts) == pytest.approx(whole.mass, rel=1e-13)
    assert sum(p.mass * p.com for p in parts) == pytest.approx(whole.mass * whole.com, rel=1e-12)
    assert sum(map(moment, parts)) == pytest.approx(moment(whole), abs=1e-12)


def blade(s, **options):
    """A beam on a hub that is free and turns."""
    model = sm.Model("blade")
    hub = model.node("hub", (0, 0, 1), angular_velocity=(0, 0, 5.0))
    place = sm.Placement((0.5, 0, 0))
    return model, sm.add_beam(model, "blade", s, root=hub, place=place, stations=[0.5, 1.0, 2.5], **options)


def test_nodes_move_as_one_at_the_start():
    s = span(station=[0.5, 2.5], com_y=0.05, twist=[0.1, -0.2])
    model, nodes = blade(s)
    assert [n.name for n in nodes] == ["hub", "blade.n1", "blade.n2", "blade.n3", "blade.n4"]
    assert [n.position[0] for n in nodes[1:]] == pytest.approx([0.75, 1.0, 1.75, 2.5])
    assert nodes[-1].velocity == pytest.approx([0, 12.5, 0])
    assert nodes[-1].rotation == pytest.approx(s.rotation(2.5), abs=1e-14)
    assert list(model.elements) == ["blade.beam1", "blade.mass1", "blade.beam2", "blade.mass2"]
    assert sum(e.mass for e in model.elements.values() if isinstance(e, Inertial)) == pytest.approx(6.0, rel=1e-13)


def test_lumped_bodies_have_the_mass_of_the_tables():
    s = span(station=[0.5, 2.5], com_y=0.05, twist=[0.1, -0.2])
    model, nodes = blade(s, inertia="lumped")
    bodies = [(model.elements[f"blade.body{k}"], n) for k, n in enumerate(nodes)]
    assert sum(b.mass for b, _ in bodies) == pytest.approx(6.0, rel=1e-13)
    first = sum(b.mass * n.place.point(b.com) for b, n in bodies)
    whole = s.piece(0.5, 2.5)
    assert first == pytest.approx(whole.mass * (whole.com + np.array([0, 0, 1])), abs=1e-12)
    assert [e for e in model.elements if "beam" in e] == ["blade.beam1", "blade.beam2"]


def test_distributed_mass_is_that_of_the_tables():
    """Momentum and moment of momentum of the untwisted beam that turns as one: parabolas integrate m x^2 exactly."""
    tables = {"mass": [4.0, 2.0, 3.0, 1.0], "com_y": [0.0, 0.05, -0.05, 0.1], "inertia_y": 0.01, "inertia_z": 0.02}
    s = span(station=[0.5, 1.3, 1.3, 2.5], **tables)
    model, _ = blade(s)
    found = sm.transient(model, 1e-9, 1e-9, progress=False)
    linear = sum(found[f"blade.mass{k}.momentum"][0] for k in (1, 2))
    angular = sum(found[f"blade.mass{k}.angular_momentum"][0] for k in (1, 2))
    whole, w = s.piece(0.5, 2.5), np.array([0, 0, 5.0])
    centre = whole.com + np.array([0, 0, 1])
    momentum = whole.mass * np.cross(w, centre)
    assert linear == pytest.approx(momentum, rel=1e-12)
    assert angular == pytest.approx(np.cross(centre, momentum) + whole.inertia @ w, rel=1e-12)


def test_without_inertia():
    model = sm.Model("arm")
    nodes = sm.add_beam(model, "arm", span(), root=model.ground, elements=2, inertia="none")
    assert all(n.kind == "static" for n in nodes[1:])
    assert list(model.elements) == ["arm.beam1", "arm.beam2"]
    model.add("load", sm.Force(nodes[-1], force=(0, 0, 1e-3)))
    deflection = sm.static(model)["arm.n4.position"][-1, 2]
    assert deflection == pytest.approx(1e-3 * (8 / 60 + 2 / 3e5), rel=1e-6)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"station": [0.0, 0.0]}, "non-decreasing"),
        ({"station": [0.0, 2.0, 1.0]}, "non-decreasing"),
        ({"station": [0.0, np.nan, 2.0]}, "station must be finite"),
        ({"station": "ab"}, "station must be numbers"),
        ({"station": [0.0, 1.0, 1.0, 1.0, 2.0]}, "contain a position twice"),
        ({"EI_y": [1.0, -1.0]}, "EI_y must be positive"),
        ({"mass": -1.0}, "mass must not be negative"),
        ({"mass": "heavy"}, "mass must be numbers"),
        ({"twist": [0.0, 1.0, 2.0]}, "twist must be one number, or 2"),
        ({"com_y": np.nan}, "com_y must be finite"),
    ],
)
def test_bad_tables_name_themselves(change, words):
    with pytest.raises(sm.ModelError, match=f"Span: {words}" if "station" not in change else words):
        span(**change)


JUMP = {"station": [0, 0.5, 0.5, 2], "inertia_y": 0.0, "inertia_z": [1.0, 1.0, 1e-3, 1e-3]}


@pytest.mark.parametrize(
    ("tables", "options", "words"),
    [
        ({}, {"elements": 0}, "elements must be a whole number, at least 1, got 0"),
        ({}, {"elements": 2.5}, "elements must be a whole number"),
        ({}, {"elements": 2, "stations": [0.0, 1.0, 2.0]}, "either elements or stations"),
        ({}, {"stations": [0.0, 1.0]}, "must run from 0 m to 2 m"),
        ({}, {"stations": [0.0, 1.0, 1.0, 2.0]}, "increasing"),
        ({}, {"stations": [0.0, np.nan, 2.0]}, "increasing"),
        ({}, {"root": "a"}, "root must be a node, got 'a'"),
        ({}, {"root": sm.Model("other").node("n")}, "root: node 'n' does not belong to model 'arm'"),
        ({}, {"place": (1.0, 0.0)}, "place must be a Placement, or a point"),
        ({}, {"velocity": (1.0, 0.0)}, "velocity must be three finite numbers"),
        ({}, {"damping": -1.0}, "damping must be a number that is not negative"),
        ({"mass": 0.0}, {}, "element 1, from 0 m to 0.4 m, has no mass"),
        ({"mass": 0.0}, {"inertia": "lumped"}, "no mass around node 1"),
        ({"inertia_y": 0.0, "inertia_z": 0.0}, {}, "no inertia about the span"),
        ({"inertia_y": 0.0, "inertia_z": 0.0}, {"inertia": "lumped"}, "no inertia about the span"),
        (JUMP, {"elements": 1}, r"on one side, .* end where the tables jump or bend \(here 0.5 m"),
        ({}, {"inertia": "rods"}, "inertia must be one of distributed, lumped, none"),
    ],
)
def test_bad_beams_name_themselves_and_leave_nothing(tables, options, words):
    model = sm.Model("arm")
    with pytest.raises(sm.ModelError, match=f"beam 'arm': .*{words}" if "root" not in options else words):
        sm.add_beam(model, "arm", span(**tables), **{"root": model.ground, **options})
    assert list(model.nodes) == ["ground"]
    assert not model.elements


def test_a_jump_at_the_end_of_an_element_is_fine():
    model = sm.Model("arm")
    sm.add_beam(model, "arm", span(**JUMP), root=model.ground, stations=[0.0, 0.5, 2.0])
    blade = sm.Model("blade")
    with pytest.raises(sm.ModelError, match="on one side"):
        sm.add_beam(blade, "blade", tm4760.blade(), root=blade.ground, elements=8)


def test_a_name_that_is_taken_leaves_nothing():
    model = sm.Model("arm")
    model.node("arm.n4")
    with pytest.raises(sm.ModelError, match=r"already has an item named 'arm.n4'"):
        sm.add_beam(model, "arm", span(), root=model.ground)
    assert list(model.nodes) == ["ground", "arm.n4"]


def test_a_point_is_a_place():
    model = sm.Model("arm")
    nodes = sm.add_beam(model, "arm", span(), root=model.ground, place=(1.0, 0.0, 0.5), elements=1)
    assert nodes[-1].position == pytest.approx([3.0, 0.0, 0.5])


@pytest.mark.parametrize("inertia", ["distributed", "lumped"])
def test_a_beam_on_a_prescribed_hub_starts_with_it(inertia):
    """It spins at once as a rigid one: tip at w x r, so that nothing rings but what the centrifugal force stretches.

    A beam that started at rest would be hit by the hub: its tip would be slow by all of the speed.
    """
    spin, hub_at = np.array([0.0, 0.0, 20.0]), np.array([0.3, 0.0, 0.0])
    model = sm.Model("spinning")
    sway = sm.Sine(0.01, 30.0)
    motion = sm.Motion(position=(0.0, sway, 0.0), rotation=(0.0, 0.0, lambda t: spin[2] * t))
    hub = model.prescribed("hub", motion, position=hub_at)
    nodes = sm.add_beam(model, "arm", span(), root=hub, elements=2, inertia=inertia)
    swaying = (0.0, 0.01 * 30.0, 0.0)
    for node in nodes[1:]:
        # the rate of a drive is taken from its values, to 1e-8
        np.testing.assert_allclose(node.velocity, swaying + np.cross(spin, node.position - hub_at), atol=1e-7)
        np.testing.assert_allclose(node.angular_velocity, spin, atol=1e-7)
    sim = sm.Simulation(model)
    run = sm.transient(sim, 0.02, 2e-4, outputs=("arm.n4.velocity",), progress=False)
    speed = np.linalg.norm(run["arm.n4.velocity"], axis=1)
    assert np.abs(speed - speed[0]).max() < 0.1 * speed[0]


def test_a_beam_keeps_the_motion_that_is_given():
    model = sm.Model("given")
    hub = model.prescribed("hub", sm.Motion(rotation=(0.0, 0.0, lambda t: 20.0 * t)))
    nodes = sm.add_beam(model, "arm", span(), root=hub, elements=1, angular_velocity=(0, 0, 0))
    assert not np.any(nodes[-1].velocity)
