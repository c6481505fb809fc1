"""The beam that a cylinder raises, and the water hammer beside it."""

import numpy as np
import pytest

import samara as sm
from samara import ArgumentError
from samara.experiments.mechanisms import hydraulic_beam as experiment
from samara.models.beams import hydraulic_beam


@pytest.fixture(scope="module")
def results():
    return hydraulic_beam.HYDRAULIC_BEAM.run(pieces=5)


def test_stroke_is_the_volume_by_the_area(results):
    """2e-3 m^3 by 0.01 m^2, whatever beam, pipe and orifice do meanwhile; the oil is all but relaxed after 5 s.

    What is left: the chamber's pressure swings by 0.1 MPa, 6e-5 of the bulk modulus, of 3e-3 m^3.
    """
    left = 1e5 / hydraulic_beam.BULK_MODULUS * 3e-3 / hydraulic_beam.AREA
    assert results["cylinder.stroke"][-1] == pytest.approx(0.2, abs=left)


def test_beam_goes_where_the_cylinder_pushes_it(results):
    """The law of cosines of pin, foot and end of the cylinder gives the angle; the tip swings about it."""
    side = 0.5 * np.hypot(1.0, 1.0)
    angle = np.arccos((0.25 + 0.25 - (side + 0.2) ** 2) / (2 * 0.25)) - 0.5 * np.pi
    late = results.time > 4.0
    tip = results["beam.n8.position"][late]
    turned = np.arctan2(tip[:, 1], tip[:, 0])
    assert turned.mean() == pytest.approx(angle, abs=2e-3)
    assert np.abs(tip[:, 2]).max() < 1e-9


def test_energy_budget(results):
    """Supplied by the pump, stored, or heat: to the error of the time step."""
    assert abs(experiment.budget(results)) < 1e-6


def test_loss_of_the_pipe(results):
    """Laminar friction and inertia, less what the oil takes up on the way: below 1 % here."""
    assert results["pipe.piece1.reynolds"][results.time <= 0.5].max() < 2000
    assert experiment.loss_of_pipe(results, 0.5) == pytest.approx(experiment.exact_loss(0.5), rel=0.012)


def test_water_hammer():
    """4 L / c = 57.14 ms; friction takes 8 nu / r^2 t / 4 of the pressure on the way there and back, some 13 %."""
    hammer = experiment.shut_valve(40, end=1.3 * experiment.PERIOD)
    assert experiment.period_of(hammer) == pytest.approx(57.14e-3, rel=5e-3)
    joukowsky = hydraulic_beam.DENSITY * experiment.SOUND * experiment.SPEED
    assert 0.8 * joukowsky < experiment.plateau(hammer) < joukowsky


def test_arguments():
    with pytest.raises(ArgumentError, match="elements must be even"):
        hydraulic_beam.build(elements=3)


def test_its_pipe_sounds_beside_strong_dampers_of_the_beam():
    """A pipe that is closed at one end and ends in an orifice at the other: c / 4 L, low by the volumes at its ends."""
    found = sm.modes(hydraulic_beam.build())
    sounding = found.eigenvalues.imag[np.abs(found.eigenvalues.real) < 15.0] / (2.0 * np.pi)
    quarter = 1400.0 / (4.0 * 20.0)
    assert np.abs(sounding - quarter).min() < 0.02 * quarter
    assert np.abs(sounding - 3.0 * quarter).min() < 0.02 * 3.0 * quarter
