"""One contact with Coulomb friction, solved exactly with all others fixed.

    v = W P + b,   components: normal, tangent 1, tangent 2; P [N s], v [m/s], W [1/kg]

    open    b_n >= 0:                    P = 0
    stick   v = 0, |P_t| <= mu P_n:      P = -W^-1 b
    slip    v_n = 0, P_t = mu P_n e, v_t = -s e with s >= 0 and a unit vector e

In the last case v_n = 0 gives P_n = -b_n / A(e) with A = W_nn + mu W_nt e, and the component of A v_t across e,

    g(e) = e_perp . h(e),   h = A v_t = A b_t - b_n (W_tn + mu W_tt e)

must vanish with e.h <= 0 and A > 0: one equation for the angle of e. Newton's method starts from the last slip
direction; if it does not find the root, all angles are scanned.

Sources: the three cases as in Acary and Brogliato, Numerical Methods for Nonsmooth Dynamical Systems, 2008; that the
angle satisfies an equation of fourth degree in tan(angle / 2), Bonnefon and Daviet, INRIA report RT-0400, 2011.
"""

from __future__ import annotations

import numpy as np

from samara.tracing.driver.driver_cache import inner, routine

#: Pivots of W that are smaller beside its diagonal are rounding errors.
SINGULAR = 1e-12
#: Velocity that may remain where a contact sticks, beside that before.
STUCK_SPEED = 1e-10
#: Newton's iterations for the angle, its largest step [rad], and what is left of g when it is found.
NEWTONS, LARGEST_TURN, FOUND = 12, 0.5, 1e-14
#: Angles of a scan, and halvings of the interval between two of them.
SCAN, HALVINGS = 48, 60
DIRECTIONS = np.array([(np.cos(a), np.sin(a)) for a in 2.0 * np.pi * np.arange(SCAN + 1) / SCAN])


@routine
def solve_contact_point(W, k, b_n, b_1, b_2, mu, p_1, p_2):
    """The impulse of the contact whose rows begin at k; p_1, p_2 is that in the tangents at first guess."""
    if b_n >= 0.0:
        return 0.0, 0.0, 0.0
    if mu == 0.0 or not W[k, k] > 0.0:
        return (-b_n / W[k, k] if W[k, k] > 0.0 else 0.0), 0.0, 0.0
    p_n, s_1, s_2, sticks = _stick(W, k, b_n, b_1, b_2)
    if sticks and p_n >= 0.0 and s_1 * s_1 + s_2 * s_2 <= mu * mu * p_n * p_n:
        return p_n, s_1, s_2
    size = np.hypot(p_1, p_2)
    if size == 0.0:
        p_1, p_2 = -b_1, -b_2
        size = np.hypot(p_1, p_2)
    if size == 0.0:
        p_1, p_2 = s_1, s_2
        size = np.hypot(p_1, p_2)
    if size > 0.0:
        c, s, found = _turn(W, k, b_n, b_1, b_2, mu, p_1 / size, p_2 / size)
        if found:
            return _slipping(W, k, b_n, mu, c, s)
    c, s, found = _scan(W, k, b_n, b_1, b_2, mu)
    if found:
        return _slipping(W, k, b_n, mu, c, s)
    return -b_n / W[k, k], 0.0, 0.0  # none that is seen: at least it does not sink in


@inner
def _slipping(W, k, b_n, mu, c, s):
    p_n = -b_n / (W[k, k] + mu * (W[k, k + 1] * c + W[k, k + 2] * s))
    return p_n, mu * p_n * c, mu * p_n * s


@inner
def _stick(W, k, b_n, b_1, b_2):
    """-W^-1 b by elimination; what has no pivot stays zero. Returns also whether b is taken away.

    Not by `dense.factor`, which stops at a column without a pivot: contacts that share their load have such matrices.
    """
    a, b, c = W[k, k], W[k, k + 1], W[k, k + 2]
    f, g = W[k + 1, k] / a, W[k + 2, k] / a
    d_11, d_12 = W[k + 1, k + 1] - f * b, W[k + 1, k + 2] - f * c
    d_21, d_22 = W[k + 2, k + 1] - g * b, W[k + 2, k + 2] - g * c
    y_1, y_2 = -b_1 + f * b_n, -b_2 + g * b_n
    x_1, x_2 = 0.0, 0.0
    floor = SINGULAR * max(W[k + 1, k + 1], W[k + 2, k + 2])
    if d_11 > floor and d_11 >= d_22:
        rest = d_22 - d_21 * d_12 / d_11
        x_2 = (y_2 - d_21 * y_1 / d_11) / rest if rest > floor else 0.0
        x_1 = (y_1 - d_12 * x_2) / d_11
    elif d_22 > floor:
        rest = d_11 - d_12 * d_21 / d_22
        x_1 = (y_1 - d_12 * y_2 / d_22) / rest if rest > floor else 0.0
        x_2 = (y_2 - d_21 * x_1) / d_22
    x_n = (-b_n - b * x_1 - c * x_2) / a
    left_1 = abs(W[k + 1, k] * x_n + W[k + 1, k + 1] * x_1 + W[k + 1, k + 2] * x_2 + b_1)
    left_2 = abs(W[k + 2, k] * x_n + W[k + 2, k + 1] * x_1 + W[k + 2, k + 2] * x_2 + b_2)
    return x_n, x_1, x_2, left_1 + left_2 <= STUCK_SPEED * (abs(b_n) + abs(b_1) + abs(b_2))


@inner
def _across(W, k, b_n, b_1, b_2, mu, c, s):
    """A, e.h, g and its derivative by the angle, for e = (c, s)."""
    A, A_turn = W[k, k] + mu * (W[k, k + 1] * c + W[k, k + 2] * s), mu * (W[k, k + 2] * c - W[k, k + 1] * s)
    h_1 = A * b_1 - b_n * (W[k + 1, k] + mu * (W[k + 1, k + 1] * c + W[k + 1, k + 2] * s))
    h_2 = A * b_2 - b_n * (W[k + 2, k] + mu * (W[k + 2, k + 1] * c + W[k + 2, k + 2] * s))
    turn_1 = A_turn * b_1 - b_n * mu * (W[k + 1, k + 2] * c - W[k + 1, k + 1] * s)
    turn_2 = A_turn * b_2 - b_n * mu * (W[k + 2, k + 2] * c - W[k + 2, k + 1] * s)
    along = c * h_1 + s * h_2
    return A, along, c * h_2 - s * h_1, c * turn_2 - s * turn_1 - along


@inner
def _turn(W, k, b_n, b_1, b_2, mu, c, s):
    """Newton's method for the angle; returns e and whether it is that of a slip."""
    for _ in range(NEWTONS):
        A, along, g, slope = _across(W, k, b_n, b_1, b_2, mu, c, s)
        if abs(g) <= FOUND * abs(along):
            return c, s, A > 0.0 and along <= 0.0
        if slope == 0.0:
            break
        t = min(max(-g / slope, -LARGEST_TURN), LARGEST_TURN)
        size = 1.0 / np.sqrt(1.0 + t * t)
        c, s = (c - t * s) * size, (s + t * c) * size
        if abs(t) <= FOUND:
            return c, s, A > 0.0 and along <= 0.0
    return c, s, False


@routine
def _scan(W, k, b_n, b_1, b_2, mu):
    """Looks for a change of the sign of g between neighbouring angles, and halves the interval; the first slip."""
    before = 0.0
    for i in range(SCAN + 1):
        _, _, g, _ = _across(W, k, b_n, b_1, b_2, mu, DIRECTIONS[i, 0], DIRECTIONS[i, 1])
        if i > 0 and g * before <= 0.0:
            c_0, s_0, c_1, s_1 = DIRECTIONS[i - 1, 0], DIRECTIONS[i - 1, 1], DIRECTIONS[i, 0], DIRECTIONS[i, 1]
            for _ in range(HALVINGS):
                c, s = c_0 + c_1, s_0 + s_1
                size = 1.0 / np.sqrt(c * c + s * s)
                c, s = c * size, s * size
                _, _, middle, _ = _across(W, k, b_n, b_1, b_2, mu, c, s)
                if middle * before > 0.0:
                    c_0, s_0 = c, s
                else:
                    c_1, s_1 = c, s
            A, along, _, _ = _across(W, k, b_n, b_1, b_2, mu, c_1, s_1)
            if A > 0.0 and along <= 0.0:
                return c_1, s_1, True
        before = g
    return 1.0, 0.0, False
