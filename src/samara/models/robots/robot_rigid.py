"""The two-link robot with rigid links, in joint angles: the reference for the flexible one."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.integrate import solve_ivp

from samara.models.robots.robot import ALUMINIUM, LENGTH, STEEL


def rigid_motion(
    pulse_1: float, pulse_2: float, pulse_time: float, angle_2: float, end: float
) -> Callable[[np.ndarray], np.ndarray]:
    """Angles [rad] and rates [rad/s] of the joints as a function of time, shape (4, n), under the pulses of the model.

        [a + c + 2 b cos q, c + b cos q; c + b cos q, c] (u', v') = (T_1 + b sin q v (2 u + v), T_2 - b sin q u^2)

    q: angle of the second joint; u, v: rates; a, b, c: moments of uniform rods [kg m^2]. SciPy's DOP853, rtol 1e-10.
    """
    moments = [link.mass * (LENGTH**2 + link.thickness**2) / 12 for link in (STEEL, ALUMINIUM)]
    a = moments[0] + STEEL.mass * LENGTH**2 / 4 + ALUMINIUM.mass * LENGTH**2
    b, c = ALUMINIUM.mass * LENGTH**2 / 2, moments[1] + ALUMINIUM.mass * LENGTH**2 / 4
    third = pulse_time / 3

    def rise(t: float, start: float) -> float:
        return 0.5 * (1 - np.cos(np.pi * np.clip((t - start) / third, 0, 1)))

    def slopes(t: float, y: np.ndarray) -> list:
        _, q, u, v = y
        shape = rise(t, 0) - 2 * rise(t, third) + rise(t, 2 * third)
        mass = [[a + c + 2 * b * np.cos(q), c + b * np.cos(q)], [c + b * np.cos(q), c]]
        gyro = b * np.sin(q)
        forces = [pulse_1 * shape + gyro * v * (2 * u + v), pulse_2 * shape - gyro * u**2]
        return [u, v, *np.linalg.solve(mass, forces)]

    start, steps = [0.0, angle_2, 0.0, 0.0], min(0.05, third / 4)
    run = solve_ivp(slopes, (0, end), start, "DOP853", rtol=1e-10, atol=1e-12, max_step=steps, dense_output=True)
    return run.sol
