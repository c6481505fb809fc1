"""Branches joined from sets of eigenvalues in any order, against the curves that they were taken from."""

import numpy as np
import pytest

import samara as sm
from samara.analysis import track
from samara.analysis.modal.tracking import likeness

SPEED = np.linspace(0.0, 10.0, 21)
#: Two lines that cross between two points, and a third with damping alone.
CURVES = np.array([-0.1 + 1j * (2.0 + 0.6 * SPEED), -0.2 + 1j * (7.3 - 0.4 * SPEED), -1.0 - 0.05 * SPEED + 0j]).T


def shuffled(curves: np.ndarray, rng) -> list[np.ndarray]:
    return [row[rng.permutation(len(row))] for row in curves]


def test_lines_that_cross_are_followed_by_where_they_lead(rng):
    found = track(SPEED, shuffled(CURVES, rng))
    order = [np.abs(found.eigenvalues[0] - s).argmin() for s in CURVES[0]]
    assert found.eigenvalues[:, order] == pytest.approx(CURVES)
    assert found.frequencies_hz.shape == (21, 3)
    assert np.isnan(found.likeness).all()


def test_the_index_leads_back_to_the_sets(rng):
    sets = shuffled(CURVES, rng)
    found = track(SPEED, sets)
    for k, values in enumerate(sets):
        assert values[found.index[k]] == pytest.approx(found.eigenvalues[k])


def test_a_mode_may_be_missing_and_come_back():
    """As nan, or as a shorter set; the branch is taken up where its line leads."""
    curves = CURVES.copy()
    curves[8:10, 0] = np.nan  # where the two lines meet
    sets = [row[np.isfinite(row)] if k % 2 else row for k, row in enumerate(curves)]
    found = track(SPEED, sets, reach=0.5)
    assert found.eigenvalues == pytest.approx(curves, nan_ok=True)
    assert np.all(found.index[8:10, 0] == -1)


def test_what_appears_later_begins_a_branch():
    sets = [row[:2] if k < 5 else row for k, row in enumerate(CURVES)]
    found = track(SPEED, sets)
    assert found.eigenvalues.shape == (21, 3)
    assert np.isnan(found.eigenvalues[:5, 2]).all()
    assert found.eigenvalues[5:, 2] == pytest.approx(CURVES[5:, 2])
    assert track(SPEED, sets, count=1).eigenvalues[:, 0] == pytest.approx(CURVES[:, 0])


def test_a_jump_is_another_mode_when_the_reach_says_so():
    sets = [np.array([5.0j]), np.array([5.1j]), np.array([9.0j])]
    assert track([0, 1, 2], sets).eigenvalues.shape == (3, 1)
    found = track([0, 1, 2], sets, reach=1.0)
    assert found.eigenvalues.shape == (3, 2)
    assert np.isnan(found.eigenvalues[2, 0])
    assert found.eigenvalues[2, 1] == 9.0j


def test_shapes_decide_where_frequencies_mislead(rng):
    """Frequencies veer away from each other, and so do branches by place; shapes say that the modes did cross."""
    gap = np.sqrt((SPEED - 5.0) ** 2 + 4.0)
    values = np.array([1j * (10.0 - gap), 1j * (10.0 + gap)]).T
    rising, falling = np.array([1.0, 0.0, 0.2]), np.array([0.0, 1.0, 0.2j])
    before = SPEED < 5.0
    shapes = [np.array([rising, falling] if b else [falling, rising]) for b in before]
    by_shape, by_place = track(SPEED, values, shapes), track(SPEED, values)
    assert by_shape.eigenvalues[:, 0] == pytest.approx(np.where(before, values[:, 0], values[:, 1]))
    assert by_shape.likeness == pytest.approx(1.0)
    assert by_place.eigenvalues == pytest.approx(values)
    swapped = track(SPEED, [v[::-1] for v in values], [s[::-1] for s in shapes])
    assert swapped.eigenvalues[:, ::-1] == pytest.approx(by_shape.eigenvalues)
    scaled = track(SPEED, values, [s * np.exp(1j * rng.uniform(0, 6, (2, 1))) * 3.0 for s in shapes])
    assert scaled.eigenvalues == pytest.approx(by_shape.eigenvalues)


def test_modes_of_one_frequency_are_compared_by_what_they_span():
    equal, turned = np.eye(3)[:2], np.array([[0.8, 0.6, 0.0], [-0.6, 0.8, 0.0]])
    alike = likeness(np.array([2j, 2j]), equal, np.array([2j, 2j]), turned)
    assert alike == pytest.approx(1.0)
    apart = likeness(np.array([2j, 3j]), equal, np.array([2j, 3j]), turned)
    assert apart == pytest.approx(np.array([[0.64, 0.36], [0.36, 0.64]]))


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: track([], []), "track: 0 values of the parameter and 0 sets"),
        (lambda: track([1.0], [[1j], [2j]]), "1 values of the parameter and 2 sets: give the same number"),
        (lambda: track([np.nan], [[1j]]), "track: a value of the parameter must be a finite number"),
        (lambda: track([1.0], [np.eye(2)]), "track: set 0 must be a list of eigenvalues, got shape (2, 2)"),
        (lambda: track([1.0], [[1j]], [np.eye(2)]), "shapes of set 0 have shape (2, 2): give (1, components)"),
        (lambda: track([1.0], [[1j]], []), "0 arrays of shapes for 1 sets"),
        (lambda: track([1.0], [[1j]], reach=-1.0), "track: reach must be a positive number, got -1.0"),
        (lambda: track([1.0], [[1j]], count=0), "track: count must be at least 1, got 0"),
    ],
)
def test_refused(call, words):
    with pytest.raises(sm.ArgumentError) as error:
        call()
    assert words in str(error.value)
