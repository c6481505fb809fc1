"""Blades from spanwise tables: where loads act, and that rigid parts and beams agree on them."""

import numpy as np
import pytest

import samara as sm
from samara import Air, KirchhoffAerofoil, Planform, QuasiSteady, ThinAerofoil, add_beam_air, add_blade_air
from samara.models.articulated_rotors import puma
from samara.system import System

SLOPE, WIND, CHORD = 5.73, 30.0, 0.4
THIN = ThinAerofoil(slope=SLOPE)


DRAGGED = ThinAerofoil(slope=SLOPE, cd_0=0.05)


def wing(aerofoil=THIN, **fields):
    return Planform(station=(1.0, 3.0), chord=CHORD, aerofoil=aerofoil, **fields)


@pytest.mark.parametrize("leading", [1, -1])
@pytest.mark.parametrize("twist", [0.05, -0.1])
def test_lift_of_a_wing_that_is_held(leading, twist):
    """Lift q S a twist, up, at the middle of the span, whichever way the leading edge looks; wind from ahead."""
    model = sm.Model("wing")
    root = model.node("root")
    model.add("body", sm.Body(root, mass=1.0, inertia=(1, 1, 1)))
    model.add("clamp", sm.Clamp(model.ground, root))
    air = Air(wind=(0.0, -leading * WIND, 0.0))
    add_blade_air(model, "wing", wing(twist=twist), node=root, leading=leading, segments=2, points=3, air=air)
    run = sm.transient(model, 2e-3, 1e-3, progress=False)
    lift = 0.5 * 1.225 * WIND**2 * CHORD * 2.0 * SLOPE * twist
    assert sum(run[f"wing.air{k}.force"][-1, 2] for k in (1, 2)) == pytest.approx(lift, rel=1e-6)
    moment = sum(run[f"wing.air{k}.moment"][-1] for k in (1, 2))
    assert moment == pytest.approx([0.0, -2.0 * lift, 0.0], abs=1e-6 * abs(lift))  # span along x, middle at 2 m


@pytest.mark.parametrize("sweep", [0.0, 0.3], ids=["straight", "swept"])
@pytest.mark.parametrize("leading", [1, -1])
def test_beams_feel_what_rigid_parts_do(leading, sweep):
    """A twisted beam, all but rigid: the reaction at its root is that of the rigid blade; twist is not doubled.

    Swept: with friction along the span, in wind that has a part along it.
    """
    surface = wing(twist=(0.1, -0.05), sweep=sweep, aerofoil=DRAGGED)
    air = Air(wind=(8.0 if sweep else 0.0, -leading * WIND, 0.0))
    surroundings = {"air": air, "unsteady": QuasiSteady("drag" if sweep else "none")}
    reactions = []
    for kind in ("rigid", "beam"):
        model = sm.Model(kind)
        root = model.node("root")
        model.add("body", sm.Body(root, mass=1.0, inertia=(1, 1, 1)))
        model.add("clamp", sm.Clamp(model.ground, root))
        if kind == "rigid":
            add_blade_air(model, "wing", surface, node=root, leading=leading, points=8, **surroundings)
        else:
            twist = leading * np.array([0.1, 0.1, -0.05])
            stiff = {"EA": 1e9, "GJ": 1e9, "EI_y": 1e9, "EI_z": 1e9}
            span = sm.Span(station=(0.0, 1.0, 3.0), mass=1.0, inertia_y=0.01, inertia_z=0.01, twist=twist, **stiff)
            sm.add_beam(model, "wing", span, root=root, stations=(0.0, 1.0, 2.0, 3.0), inertia="none")
            beams = [model.elements[f"wing.beam{k}"] for k in (1, 2, 3)]
            added = add_beam_air(
                model, "wing", surface, beams=beams, start=0.0, axes=np.eye(3), leading=leading, **surroundings
            )
            assert len(added) == 2  # none inboard of 1 m
        rest = sm.static(model)
        reactions.append(np.concatenate([rest["clamp.force"][-1], rest["clamp.couple"][-1]]))
    # the beam bends by lift / stiffness, about 1e-7, and the quadrature of a linear twist is exact
    assert reactions[1] == pytest.approx(reactions[0], rel=1e-5, abs=1e-5 * np.abs(reactions[0]).max())


def test_a_swept_blade_and_its_mirror_image():
    """Leading edges to either side, the same wind from ahead and from the root outward: mirrored loads."""
    found = {}
    for leading in (1, -1):
        model = sm.Model("wing")
        root = model.node("root")
        model.add("body", sm.Body(root, mass=1.0, inertia=(1, 1, 1)))
        model.add("clamp", sm.Clamp(model.ground, root))
        air = Air(wind=(8.0, -leading * WIND, 0.0))
        surface = wing(twist=0.1, sweep=(0.0, 0.4), aerofoil=DRAGGED)
        add_blade_air(
            model, "wing", surface, node=root, leading=leading, points=3, air=air, unsteady=QuasiSteady("drag")
        )
        run = sm.transient(model, 2e-3, 1e-3, progress=False, outputs="wing.*")
        found[leading] = np.concatenate([run["wing.air1.force"][-1], run["wing.air1.moment"][-1]])
    mirror = np.array([1, -1, 1, -1, 1, -1])  # at the plane y = 0
    np.testing.assert_allclose(found[-1], mirror * found[1], rtol=1e-9, atol=1e-9)
    assert found[1][0] > 1.0  # the wind drags it out


def test_pieces_and_tip_loss():
    other = KirchhoffAerofoil()
    surface = Planform(station=(1.0, 3.0), chord=CHORD, aerofoil=((0.0, THIN), (2.5, other)), tip_loss=0.9)
    assert surface.pieces((0.0, 1.5)) == [(1.0, 1.5)]
    assert surface.pieces((0.5, 3.0)) == [(1.0, 2.5), (2.5, pytest.approx(2.7))]
    assert surface.pieces((2.8, 3.0)) == []
    assert surface.aerofoil_at(2.4) is THIN and surface.aerofoil_at(2.6) is other


@pytest.mark.parametrize("blades", puma.KINDS)
def test_all_segments_of_all_blades_are_one_kind(blades):
    groups = [g for g in System(puma.build(blades=blades)).groups if g.kind.name.startswith("Aero")]
    assert len(groups) == 1 and len(groups[0].elements) == (4 if blades == "rigid" else 16)


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"station": (3.0, 1.0)}, "station"),
        ({"chord": (0.1, 0.2, 0.3)}, "chord must be one number"),
        ({"station": (np.nan, 3.0)}, "Planform: station must be at least two non-decreasing positions"),
        ({"station": (1.0, np.inf)}, "Planform: station must be finite"),
        ({"station": (-1.0, 3.0)}, "Planform: station must be finite and not negative, got -1 .. 3 m"),
        ({"chord": 0.0}, "chord must be positive"),
        ({"chord": -0.1}, "Planform: chord must be positive everywhere, got -0.1 m"),
        ({"chord": (0.1, np.nan)}, "Planform: chord must be finite"),
        ({"twist": np.nan}, "Planform: twist must be finite"),
        ({"aerofoil": "naca0012"}, r"Planform: aerofoil must be one such as naca0012\(\), .* got 'naca0012'"),
        ({"aerofoil": ((1.0, "naca0012"),)}, "Planform: aerofoil must be one"),
        ({"sweep": 30.0}, "sweep must be less than a right angle"),
        ({"tip_loss": 1.1}, "tip_loss"),
        ({"tip_loss": 0.2}, "tip_loss"),
        ({"aerofoil": ((2.0, THIN),)}, "aerofoil"),
    ],
)
def test_what_a_planform_refuses(fields, words):
    with pytest.raises(sm.ModelError, match=words):
        Planform(**({"station": (1.0, 3.0), "chord": CHORD, "aerofoil": THIN} | fields))


def test_leading_is_a_sign():
    with pytest.raises(ValueError, match="leading"):
        add_blade_air(sm.Model("m"), "w", wing(), node=sm.Model("m").node("n"), leading=2)
