"""Memory layout of a running model.

Nodes are stored W abreast: component i of node k is at ``(k // W) * SIZE * W + i * W + k % W``, so that kernels that
process the nodes read whole vectors, and elements gather with a constant stride. Scalar states are stored in the same
way, after the nodes.
"""

from __future__ import annotations

from enum import IntEnum

# ---- components of a node's block
ROTATION = 0  # R_WN, nine numbers by rows
POSITION = 9  # p_WN
ETA = 12  # twist (v, w) in own axes, relative to the carrier
ACC = 18  # its time derivative
CARRIER = 24  # V: velocity of the carrier in world axes, see `solve.redundant.carrier`
INCREMENT = 27  # n: H = H_before exp(n), then moved on by h V
BEFORE = 33  # pose at the last step: nine and three
ETA_1, ACC_1 = 45, 51  # twist and acceleration at the last step
ETA_2, ACC_2 = 57, 63  # and at the step before
INCREMENT_1 = 69  # n of the last step
ACC_BASE = 75  # eta_dot = (eta - base) / c0
INCREMENT_BASE = 81  # n = base + c0 eta
SIZE = 87

# ---- components of a scalar state's block
VALUE, RATE, SECOND = 0, 1, 2
VALUE_1, RATE_1, SECOND_1 = 3, 4, 5  # at the last step
VALUE_2, RATE_2, SECOND_2 = 6, 7, 8  # and at the step before
VALUE_BASE = 9  # value = base + c0 rate
SECOND_BASE = 10  # second = (rate - base) / c0
ALGEBRAIC = 11  # 1 for a state of order zero: its rate means nothing, so its value is extrapolated instead
STATE_SIZE = 12


class Coefficient(IntEnum):
    """Numbers shared by all kernels."""

    TIME = 0
    POSE = 1  # c0: pose increment per unit of the unknown
    TWIST = 2  # c1
    ACCELERATION = 3  # c2
    PER_POSE = 4  # 1 / c0: scale of the constraint rows
    MOVING = 5  # 1 in motion, 0 at rest: whether rate constraints hold
    A1 = 6  # private to the integrator; Samara's use x = a1 x1 + a2 x2 + b0 xdot + b1 xdot1 + b2 xdot2
    A2 = 7
    B1 = 8
    B2 = 9
    E1 = 10  # the predictor: eta = e1 eta1 + e2 eta2 + f1 acc1 + f2 acc2
    E2 = 11
    F1 = 12
    F2 = 13
    STEP = 14  # h
    G1 = 15  # another formula of the same order, for the error estimate: n = g1 eta1 + g2 eta2 + g3 acc1
    G2 = 16
    G3 = 17
    IMPLICIT = 18  # sizes of the error constants of the integrator and of that formula
    EXPLICIT = 19
    LASTING = 20  # persistent part of an error
    PER_ACCELERATION = 21  # 1 / c2
    TIED_RATES = 22  # 0: a tied state equals the value it is tied to; 1: its rate equals the rate of that value
    PART = 23  # fraction of the last step, where it is shown in between
    AHEAD = 24  # c: a two-stage scheme solves at c h first and then at h; 0 for a single-stage scheme
    LIMIT = 25  # on the requested step: 1 where it must not pass the end of the step, 2 where the scheme solves once
    TURNED = 26  # 1 in the second stage
    U1 = 27  # second stage: x = u1 x1 + u2 x2 + u3 xc + c0 xdot + v1 xdot1 + v2 xdot2, xc from the first stage
    U2 = 28
    U3 = 29
    V1 = 30
    V2 = 31
    W1 = 32  # prediction of the second stage: eta = w1 eta1 + w2 eta2 + w3 etac
    W2 = 33
    W3 = 34
    RATIO = 35  # c h over the previous step, 0 without a past


COEFFICIENTS = len(Coefficient)
