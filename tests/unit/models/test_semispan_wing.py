"""Modes of the tiltrotors' wing, against beams of another kind."""

import numpy as np

from samara import Body, Span, add_beam
from samara.analysis import craig_bampton
from samara.model import Model
from samara.models.tiltrotors.tiltrotor import WING


def test_modes_are_those_of_finite_volume_beams():
    """Slender cubic elements against geometrically exact beams made stiff in shear, on eight elements each.

    Both are fine: the meshes differ by less than 1 % in the fourth mode.
    """
    alone = Model("wing alone")
    span = Span(
        station=[0.0, WING.length], mass=WING.mass, EA=WING.EA, GJ=WING.GJ, EI_y=WING.EI_beam, EI_z=WING.EI_chord,
        GA_y=1e3 * WING.EA, GA_z=1e3 * WING.EA, inertia_x=WING.polar, inertia_y=1e-6, inertia_z=1e-6,
    )  # fmt: skip
    tip = add_beam(alone, "wing", span, root=alone.node("root"), elements=8)[-1]
    alone.add(
        "pylon",
        Body(tip, mass=WING.pylon_mass, inertia=WING.pylon_inertia, com=(0.0, WING.pylon_ahead, 0.0)),
    )
    other = craig_bampton(alone, "root", modes=4)
    ours = WING.reduction(4)
    np.testing.assert_allclose(ours.frequencies, other.frequencies, rtol=0.01)
    # shapes at the tip, up to their sign and scale
    for k in range(4):
        a = np.concatenate([ours.points["tip"].move[:, k], ours.points["tip"].turn[:, k]])
        b = np.concatenate([other.points[tip.name].move[:, k], other.points[tip.name].turn[:, k]])
        assert abs(a @ b) / np.linalg.norm(a) / np.linalg.norm(b) > 0.999


def test_slowest_mode_is_that_of_a_cantilever_with_a_tip_mass():
    """w^2 = 3 EI / (L^3 (M + 33/140 m L)), the pylon's inertia and offset left out: 2 % lower with its rotation."""
    beam = np.sqrt(3 * WING.EI_beam / (WING.length**3 * (WING.pylon_mass + 33 / 140 * WING.mass * WING.length)))
    np.testing.assert_allclose(WING.reduction(4).frequencies[0], beam, rtol=0.03)
