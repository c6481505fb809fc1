"""How a craft lies and moves, as a pilot reads it: roll, pitch, heading, height, speed, climb."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Attitude:
    """Angles [rad]: roll, right side down; pitch, nose up; heading, clockwise from above, zero at the scene's north.

    They are the Euler angles of axes forward, right, down: first heading, then pitch, then roll. height: of the craft's
    node over the ground that is drawn [m].
    """

    roll: float
    pitch: float
    heading: float
    height: float


def attitude(sticks: Mapping[str, Any], pose: np.ndarray) -> Attitude:
    """Of a craft at a pose, position [m] and rotation by rows (12,); sticks: of the scene."""
    R, upright = np.asarray(pose[3:], float).reshape(3, 3), np.array([0.0, 0.0, 1.0])
    forward, up = R @ np.asarray(sticks["forward"], float), R @ np.asarray(sticks["up"], float)
    right = np.cross(forward, up)
    right /= np.linalg.norm(right)
    up = np.cross(right, forward)
    north = np.asarray(sticks["north"], float)
    east = np.cross(north, upright)
    return Attitude(
        roll=float(np.arctan2(-right[2], up[2])),
        pitch=float(np.arcsin(np.clip(forward[2], -1.0, 1.0))),
        heading=float(np.mod(np.arctan2(forward @ east, forward @ north), 2.0 * np.pi)),
        height=float(pose[2]) - float(sticks["ground"]),
    )


def readings(scene: Mapping[str, Any], latest: Mapping[str, float]) -> dict[str, float]:
    """What else is measured: speed over the ground and climb [m/s], and the speed of each rotor [rpm], where it is."""
    name, found = scene["sticks"]["name"], {}
    velocity = [latest.get(f"{name}.velocity.{which}") for which in "xyz"]
    if all(part is not None for part in velocity):
        x, y, z = np.array(velocity, float).tolist()
        found = {"speed": float(np.hypot(x, y)), "climb": z}
    for rotor in scene.get("rotors", ()):
        speed = latest.get(f"{rotor['name']}.speed")
        if speed is not None:
            found[f"{rotor['name']} rpm"] = abs(speed) * 30.0 / np.pi
    return found
