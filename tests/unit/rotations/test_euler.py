"""Euler angles in all orders, against SciPy. 1e-15 is round-off in a product of three matrices."""

from itertools import permutations, product

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from samara.rotations import (
    euler_from_rotation,
    euler_from_rotation_deg,
    rotation_from_euler,
    rotation_from_euler_deg,
    rotation_x,
    rotation_y,
    rotation_z,
)

TAIT_BRYAN = ["".join(p) for p in permutations("XYZ")]
PROPER = [a + b + a for a, b in permutations("XYZ", 2)]
ORDERS = [case(name) for name in TAIT_BRYAN + PROPER for case in (str.upper, str.lower)]


def test_there_are_twelve_orders_of_each_kind():
    assert len(set(ORDERS)) == 24


@pytest.mark.parametrize("order", ORDERS)
def test_matches_scipy_both_ways(rng, order):
    angles = rng.uniform(-np.pi, np.pi, size=(200, 3))
    R = rotation_from_euler(order, angles)
    oracle = Rotation.from_euler(order, angles)
    np.testing.assert_allclose(R, oracle.as_matrix(), atol=2e-15)
    # Within 0.01 rad of gimbal lock, angles are ill-conditioned by 100: the next test looks there.
    expected = oracle.as_euler(order)
    middle = expected[:, 1] if order.upper() in TAIT_BRYAN else expected[:, 1] - np.pi / 2.0
    clear = np.abs(np.abs(middle) - np.pi / 2.0) > 0.01
    assert clear.sum() > 150
    np.testing.assert_allclose(euler_from_rotation(order, R)[clear], expected[clear], atol=2e-13)


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("distance", [0.0, 1e-15, 1e-13, 1e-11, 1e-9, 1e-7, 1e-3])
def test_rotation_is_reproduced_near_gimbal_lock(rng, order, distance):
    ends = (-np.pi / 2.0, np.pi / 2.0) if order.upper() in TAIT_BRYAN else (0.0, np.pi)
    for end, side in product(ends, (-1.0, 1.0)):
        first, third = rng.uniform(-3.0, 3.0, size=2)
        R = rotation_from_euler(order, [first, end + side * distance, third])
        angles = euler_from_rotation(order, R)
        # Angles closer than 1e-12 to the lock are snapped to it: the error is at most that.
        np.testing.assert_allclose(rotation_from_euler(order, angles), R, atol=3e-15 if distance > 1e-12 else 3e-13)
        if distance < 1e-12:
            assert angles[2] == pytest.approx(0.0, abs=1e-12), "at gimbal lock the third angle is zero"


@pytest.mark.parametrize("order", ORDERS)
def test_identity_and_ranges(rng, order):
    np.testing.assert_allclose(euler_from_rotation(order, np.eye(3)), np.zeros(3), atol=1e-15)
    second = euler_from_rotation(order, Rotation.random(300, rng=rng).as_matrix())[:, 1]
    low, high = (-np.pi / 2.0, np.pi / 2.0) if order.upper() in TAIT_BRYAN else (0.0, np.pi)
    assert second.min() >= low and second.max() <= high


def test_upper_case_turns_about_moving_axes_and_lower_case_about_fixed_ones():
    yaw, pitch, roll = 0.3, -0.5, 1.1
    expected = rotation_z(yaw) @ rotation_y(pitch) @ rotation_x(roll)
    np.testing.assert_allclose(rotation_from_euler("ZYX", [yaw, pitch, roll]), expected, atol=1e-15)
    np.testing.assert_allclose(rotation_from_euler("xyz", [roll, pitch, yaw]), expected, atol=1e-15)


def test_degrees():
    R = rotation_from_euler_deg("ZYX", [30.0, 20.0, -10.0])
    np.testing.assert_allclose(R, rotation_from_euler("ZYX", np.deg2rad([30.0, 20.0, -10.0])), atol=1e-16)
    np.testing.assert_allclose(euler_from_rotation_deg("ZYX", R), [30.0, 20.0, -10.0], rtol=1e-14)


def test_leading_axes_are_kept(rng):
    angles = rng.uniform(-1.0, 1.0, size=(2, 5, 3))
    R = rotation_from_euler("XYZ", angles)
    assert R.shape == (2, 5, 3, 3)
    np.testing.assert_allclose(euler_from_rotation("XYZ", R), angles, atol=2e-15)
    assert euler_from_rotation("XYZ", R[0, 0]).shape == (3,)


@pytest.mark.parametrize(
    ("order", "message"),
    [
        ("XY", "three of"),
        ("abc", "three of"),
        ("Xyz", "upper case"),
        ("XXY", "adjacent"),
        ("zyy", "adjacent"),
    ],
)
def test_bad_orders_say_why(order, message):
    with pytest.raises(ValueError, match=message):
        rotation_from_euler(order, [0.0, 0.0, 0.0])


def test_bad_shapes_are_refused():
    with pytest.raises(ValueError, match="shape"):
        rotation_from_euler("XYZ", [0.0, 0.0])
    with pytest.raises(ValueError, match="shape"):
        euler_from_rotation("XYZ", np.zeros(9))
