"""Numbers of the X-Cell model beside the files they come from, kinds of sources apart."""

import tomllib
from pathlib import Path

import numpy as np
import pytest

from samara.models.helicopters import xcell

DATA = Path(__file__).parent / "data"


@pytest.fixture(scope="module")
def gavrilets():
    return tomllib.loads((DATA / "xcell60_gavrilets.toml").read_text())


@pytest.fixture(scope="module")
def kahn():
    return tomllib.loads((DATA / "xcell_autopilot_kahn.toml").read_text())


def test_what_was_found_in_public_code(gavrilets):
    """As written in the file: X-Cell 60 SE after Gavrilets."""
    conf = gavrilets["conf"]
    assert (conf["mass_kg"], conf["hub_height_above_cg_m"]) == (xcell.MASS, xcell.HUB_HEIGHT)
    assert (conf["Ixx"], conf["Iyy"], conf["Izz"]) == xcell.INERTIA
    assert (conf["omega_mr_rad_s"], conf["R_mr_m"]) == (xcell.SPEED, xcell.RADIUS)
    assert tuple(conf["fuselage_area_m2"]) == xcell.AREAS
    assert (conf["tail_gear_ratio"], conf["R_tr_m"]) == (xcell.TAIL_RATIO, xcell.TAIL_RADIUS)
    assert (conf["l_tr_m"], conf["h_tr_m"]) == xcell.TAIL


def test_what_is_quoted_without_a_source(gavrilets):
    """The entries that the file marks as recalled; the docstring of the model says so."""
    recall = gavrilets["recall"]
    assert recall["hub_torsional_stiffness_Nm_rad"] == xcell.FLAP_STIFFNESS
    assert (recall["chord_mr_m"], recall["lift_slope_mr"], recall["cd0_mr"]) == (xcell.CHORD, xcell.SLOPE, xcell.CD_0)
    assert recall["I_beta_mr_kgm2"] == xcell.FLAP_INERTIA
    tail = (recall["chord_tr_m"], recall["lift_slope_tr"], recall["cd0_tr"])
    assert tail == (xcell.TAIL_CHORD, xcell.TAIL_SLOPE, xcell.TAIL_CD_0)
    assert (recall["l_ht_m"], recall["S_vf_m2"], recall["S_ht_m2"]) == (
        xcell.TAILPLANE_ARM, xcell.FIN, xcell.TAILPLANE
    )  # fmt: skip
    assert "Quoted without a source" in xcell.build.__doc__


def test_what_another_machine_has(kahn):
    """Hinge offset, cut-out and limits of the X-Cell in the project autopilot."""
    rotor, limits = kahn["main_rotor"], kahn["servo_limits_deg"]
    assert (rotor["flap_hinge_offset_m"], rotor["root_cutout_m"]) == (xcell.FLAP_HINGE, xcell.CUTOUT)
    assert np.degrees(xcell.COLLECTIVE) == pytest.approx(limits["collective"])
    assert np.degrees([xcell.CYCLIC, xcell.TAIL_PITCH]) == pytest.approx([limits["cyclic"], limits["tail"]])
    assert rotor["direction"] == "clockwise from above"


def test_hover_coefficient(gavrilets):
    """CT = W / (rho A (Omega R)^2) as the file derives it, to its four digits."""
    tip = xcell.SPEED * xcell.RADIUS
    derived = gavrilets["derived_from_conf"]
    assert tip == pytest.approx(derived["tip_speed_m_s"], abs=0.05)
    CT = xcell.WEIGHT / (1.225 * np.pi * xcell.RADIUS**2 * tip**2)
    assert pytest.approx(derived["hover_CT"], rel=1e-3) == CT


def test_the_parts_make_the_whole_machine():
    """Masses sum up; the rotor's flap inertia is the one that is quoted."""
    made, body = xcell.blade(), xcell.body()
    rotor = xcell.HUB[0] + xcell.BLADES * (made.mass + xcell.LINK + xcell.GRIP)
    assert body["mass"] + rotor == pytest.approx(xcell.MASS)
    assert body["mass"] * body["com"] + rotor * np.array([0, 0, xcell.HUB_HEIGHT]) == pytest.approx(np.zeros(3))
    r = np.linspace(xcell.LAG_HINGE, xcell.RADIUS, 100001) - xcell.FLAP_HINGE
    arm = xcell.LAG_HINGE - xcell.FLAP_HINGE
    flap = made.mass * np.mean(r**2) + xcell.LINK * arm**2 / 3.0 + xcell.GRIP * arm**2
    assert flap == pytest.approx(xcell.FLAP_INERTIA, rel=1e-4)
