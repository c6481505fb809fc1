"""A rotor of lagging blades on a hub that moves in its plane: linear equations, derived here, without any multibody.

Rigid blades, rotor speed W, hub displacements x and y, lag angles z_i (ahead is positive), azimuths
psi_i = W t + psi_0 + 2 pi i / N. The centre of mass of a blade lies at

    hub + e (cos psi, sin psi) + r (cos(psi + z), sin(psi + z))

With first moment S and inertia I about the hinge, hinge at e, hub of masses m_x, m_y without its blades, blade mass m,
Lagrange's equations to first order are

    (m_x + N m) x'' + c_x x' + k_x x = S (sum_i z_i sin psi_i)''
    (m_y + N m) y'' + c_y y' + k_y y = -S (sum_i z_i cos psi_i)''
    I z_i'' + c_i z_i' + (k + W^2 e S) z_i = S (x'' sin psi_i - y'' cos psi_i)

A hub that moves along x alone has no second equation. Blades with equal dampers: with z_i = c cos psi_i + s sin psi_i
+ parts that do not move the hub (collective, differential: I z'' + c z' + (k + W^2 e S) z = 0 each),

    sum z_i sin psi_i = N s / 2,   sum z_i cos psi_i = N c / 2   (N >= 3)
    I (c'' + 2 W s' - W^2 c) + c_d (c' + W s) + (k + W^2 e S) c = -S y''
    I (s'' - 2 W c' - W^2 s) + c_d (s' - W c) + (k + W^2 e S) s =  S x''
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.integrate import solve_ivp


@dataclass(frozen=True)
class LagHub:
    """Blade (moment, inertia about the hinge), hinge, lag spring and dampers, hub along each axis in which it moves."""

    blades: int
    blade_mass: float
    moment: float
    inertia: float
    hinge: float
    spring: float
    dampers: tuple[float, ...]
    mass: tuple[float, ...]
    stiffness: tuple[float, ...]
    damping: tuple[float, ...]
    sense: int = 1
    azimuth: float = 0.0

    def coleman(self, speed: float) -> np.ndarray:
        """Eigenvalues with constant coefficients: hub, cyclic lag and what is uncoupled. All dampers alike."""
        (c_d,) = set(self.dampers)
        n, S, inertia, W = len(self.mass), self.moment, self.inertia, self.sense * speed
        M, C, K = (np.zeros((n + 2, n + 2)) for _ in range(3))
        hub, lag = slice(0, n), slice(n, n + 2)
        M[hub, hub] = np.diag(np.array(self.mass) + self.blades * self.blade_mass)
        C[hub, hub], K[hub, hub] = np.diag(self.damping), np.diag(self.stiffness)
        turn = np.array([[0.0, 1.0], [-1.0, 0.0]])  # of (c, s)
        k = self.spring + W**2 * self.hinge * S
        M[lag, lag] = inertia * np.eye(2)
        C[lag, lag] = c_d * np.eye(2) + 2 * W * inertia * turn
        K[lag, lag] = (k - inertia * W**2) * np.eye(2) + c_d * W * turn
        towards = np.array([[0.0, -1.0], [1.0, 0.0]])[:, :n]  # of (c, s) by (x, y)
        M[lag, hub] = -S * towards
        M[hub, lag] = -0.5 * self.blades * S * towards.T
        alone = np.roots([inertia, c_d, k])
        coupled = np.linalg.eigvals(_first_order(M, C, K))
        return np.concatenate([coupled, *[alone] * (self.blades - 2)])

    def matrix(self, speed: float, t: float) -> np.ndarray:
        """A(t) of the state (x, y, z_1 .. z_N and their rates), in a fixed frame and each blade by its own angle."""
        n, N, W = len(self.mass), self.blades, self.sense * speed
        psi = self.sense * self.azimuth + W * t + self.sense * 2 * np.pi * np.arange(N) / N
        s, c = np.sin(psi), np.cos(psi)
        # ahead is along the motion: an angle about z has the sign of the sense
        shape = self.sense * self.moment * np.vstack([s, -c])[:n]  # S (sin, -cos)
        first = W * self.sense * self.moment * np.vstack([c, s])[:n]
        M, C, K = (np.zeros((n + N, n + N)) for _ in range(3))
        M[:n, :n] = np.diag(np.array(self.mass) + N * self.blade_mass)
        C[:n, :n], K[:n, :n] = np.diag(self.damping), np.diag(self.stiffness)
        M[:n, n:], C[:n, n:], K[:n, n:] = -shape, -2 * first, W**2 * shape
        M[n:, :n] = -shape.T
        M[n:, n:] = self.inertia * np.eye(N)
        C[n:, n:] = np.diag(self.dampers)
        K[n:, n:] = (self.spring + W**2 * self.hinge * self.moment) * np.eye(N)
        return _first_order(M, C, K)

    def floquet(self, speed: float) -> np.ndarray:
        """Characteristic exponents, imaginary parts within half the rotor speed."""
        period, size = 2 * np.pi / speed, 2 * (len(self.mass) + self.blades)

        def rate(t: float, flat: np.ndarray) -> np.ndarray:
            return (self.matrix(speed, t) @ flat.reshape(size, size)).ravel()

        end = solve_ivp(rate, (0.0, period), np.eye(size).ravel(), method="DOP853", rtol=1e-12, atol=1e-13).y[:, -1]
        return np.log(np.linalg.eigvals(end.reshape(size, size)).astype(complex)) / period

    def history(self, speed: float, start: np.ndarray, times: np.ndarray) -> np.ndarray:
        """The state at these times, rows, from that at the first."""
        run = solve_ivp(
            lambda t, y: self.matrix(speed, t) @ y,
            (times[0], times[-1]), start, method="DOP853", t_eval=times, rtol=1e-12, atol=1e-16,
        )  # fmt: skip
        return run.y.T


def _first_order(M: np.ndarray, C: np.ndarray, K: np.ndarray) -> np.ndarray:
    n = len(M)
    return np.block([[np.zeros((n, n)), np.eye(n)], [-np.linalg.solve(M, K), -np.linalg.solve(M, C)]])
