"""Constrained motion as a DAE of index 3: orders of positions, velocities and reactions.

What docs/theory/integrators.md states is asserted here:

- positions and velocities are of order two, for every radius;
- reactions are of order two once the start is forgotten. Their first values are of order one (the trapezoidal first
  step), and that error dies as rho_inf^k; with rho_inf = 1 it never does, and reactions are of no use.
"""

from dataclasses import dataclass

import numpy as np
import pytest
from scipy.special import ellipj

import samara as sm

GRAVITY = 9.81
UP = np.array([0.0, 0.0, GRAVITY])
AXIS = (0.0, 1.0, 0.0)  # of all hinges: motion in the plane of x and z


def along(angle):
    """Unit vector at an angle from the downward vertical, towards x; times go first."""
    return np.stack([np.sin(angle), np.zeros_like(angle), -np.cos(angle)], axis=-1)


def across(angle):
    """Its derivative by the angle."""
    return np.stack([np.cos(angle), np.zeros_like(angle), np.sin(angle)], axis=-1)


@dataclass
class Motion:
    """Of one rod's centre of mass, in world axes; one row a time."""

    position: np.ndarray
    velocity: np.ndarray
    acceleration: np.ndarray

    @classmethod
    def on_circle(cls, radius, angle, rate, acceleration):
        rate, acceleration = np.asarray(rate)[..., None], np.asarray(acceleration)[..., None]
        d, n = along(angle), across(angle)
        return cls(radius * d, radius * rate * n, radius * (acceleration * n - rate**2 * d))

    def __add__(self, other):
        return Motion(
            self.position + other.position, self.velocity + other.velocity, self.acceleration + other.acceleration
        )


def add_rod(model, name, place, velocity, rate, mass, inertia):
    """Inertia `inertia` about the hinges' axis, some other about the rest."""
    node = model.node(name, place, velocity=velocity, angular_velocity=(0, -rate, 0))
    model.add(f"{name}_body", sm.Body(node, mass=mass, inertia=(0.9 * inertia, inertia, 0.3 * inertia)))
    return node


def reaction(run, model, joint):
    """Force of a joint on its node b, world axes."""
    element = model.elements[joint]
    R = run[f"{element.b.name}.rotation"].reshape(-1, 3, 3) @ element.place_b.rotation
    return np.einsum("tij,tj->ti", R, run[f"{joint}.force"])


def errors(model, integrator, step, end, reference, **options):
    """Largest errors of positions, velocities, reactions late in the run, and of reactions in the first ten steps.

    reference: times -> (motions {node: Motion}, reactions {joint: force}).
    """
    if isinstance(integrator, float):
        integrator = sm.TwoStep(integrator)
    run = sm.transient(sm.Simulation(model, integrator, tolerance=1e-13, **options), end, step, progress=False)
    late = run.time > 0.5 * end
    moved, forces = reference(run.time)
    position = max(np.abs(run[f"{n}.position"] - m.position).max() for n, m in moved.items())
    velocity = max(np.abs(run[f"{n}.velocity"] - m.velocity).max() for n, m in moved.items())
    force = np.max([np.abs(reaction(run, model, joint) - F) for joint, F in forces.items()], axis=(0, 2))
    return position, velocity, force[late].max(), force[:10].max()


# ---- a compound pendulum: closed form


def pendulum(mass=1.7, length=1.2, inertia=0.3, start=2.0):
    """Let go at rest from `start` [rad]: sin(theta/2) = k cd(omega t, k^2) with k = sin(start/2)."""
    model = sm.Model("pendulum", gravity=-UP)
    bob = add_rod(model, "bob", length * along(start), (0, 0, 0), 0.0, mass, inertia)
    model.add("hinge", sm.Revolute(model.ground, bob, at=(0, 0, 0), axis=AXIS))
    omega = np.sqrt(mass * GRAVITY * length / (inertia + mass * length**2))
    k = np.sin(start / 2)

    def reference(t):
        sn, cn, dn, _ = ellipj(omega * t, k**2)
        angle = 2 * np.arcsin(k * cn / dn)
        rate = -2 * k * omega * (1 - k**2) * sn / (dn**2 * np.cos(angle / 2))
        bob = Motion.on_circle(length, angle, rate, -(omega**2) * np.sin(angle))
        return {"bob": bob}, {"hinge": mass * (bob.acceleration + UP)}

    return model, reference


# ---- a double pendulum: Lagrange's equations in its two angles

MASSES, LENGTHS, INERTIAS = (1.0, 0.7), (1.0, 0.8), (0.1, 0.05)
ANGLES, RATES = np.array([1.5, 2.5]), np.array([0.5, -1.0])


def double_pendulum():
    model, at, velocity, before = sm.Model("double pendulum", gravity=-UP), np.zeros(3), np.zeros(3), None
    for k, (mass, length, inertia) in enumerate(zip(MASSES, LENGTHS, INERTIAS, strict=True)):
        half, half_velocity = length / 2 * along(ANGLES[k]), length / 2 * RATES[k] * across(ANGLES[k])
        rod = add_rod(model, f"rod{k}", at + half, velocity + half_velocity, RATES[k], mass, inertia)
        model.add(f"hinge{k}", sm.Revolute(before or model.ground, rod, at=at, axis=AXIS))
        at, velocity, before = at + 2 * half, velocity + 2 * half_velocity, rod
    return model


def double_pendulum_reference(fine, end):
    (m1, m2), (l1, l2), (j1, j2) = MASSES, LENGTHS, INERTIAS
    a, b = l1 / 2, l2 / 2

    def accelerations(angles, rates):
        c, s = np.cos(angles[0] - angles[1]), np.sin(angles[0] - angles[1])
        M = [[j1 + m1 * a * a + m2 * l1 * l1, m2 * l1 * b * c], [m2 * l1 * b * c, j2 + m2 * b * b]]
        Q = [
            -m2 * l1 * b * s * rates[1] ** 2 - (m1 * a + m2 * l1) * GRAVITY * np.sin(angles[0]),
            m2 * l1 * b * s * rates[0] ** 2 - m2 * b * GRAVITY * np.sin(angles[1]),
        ]
        return np.linalg.solve(M, Q)

    solution = fine(lambda t, y: [*y[2:], *accelerations(y[:2], y[2:])], end, [*ANGLES, *RATES])

    def reference(t):
        y = solution(t)
        second = np.array([accelerations(p[:2], p[2:]) for p in y.T]).T
        inner = Motion.on_circle(a, y[0], y[2], second[0])
        outer = Motion.on_circle(l1, y[0], y[2], second[0]) + Motion.on_circle(b, y[1], y[3], second[1])
        force = m2 * (outer.acceleration + UP)
        return {"rod0": inner, "rod1": outer}, {"hinge0": force + m1 * (inner.acceleration + UP), "hinge1": force}

    return reference


# ---- a four-bar linkage: one degree of freedom, by virtual power along the closed loop

BARS = (0.5, 1.3, 0.9)  # crank from A up to B, coupler from B to C, rocker from C down to D
BASE = np.array([1.0, 0.0, 0.0])  # D seen from A
CRANK_RATE = 4.0


def bar_mass(length):
    return 2.0 * length


def bar_inertia(length):
    return bar_mass(length) * length**2 / 12 + 0.01


def loop_angles():
    """Crank horizontal to the left; the others from the triangle B, C, D, elbow up."""
    A = -0.5 * np.pi
    B = BARS[0] * along(np.array(A))
    gap = BASE - B
    distance = np.linalg.norm(gap)
    inner = np.arccos((BARS[1] ** 2 + distance**2 - BARS[2] ** 2) / (2 * BARS[1] * distance))
    towards = np.arctan2(gap[0], -gap[2])
    C = B + BARS[1] * along(np.array(towards + inner))
    down = BASE - C
    return np.array([A, towards + inner, np.arctan2(down[0], -down[2])])


def four_bar_rates(angles, crank):
    """Rates of coupler and rocker: l1 n1 w1 + l2 n2 w2 + l3 n3 w3 = 0."""
    n = across(angles)[:, [0, 2]]
    w2, w3 = np.linalg.solve(np.column_stack([BARS[1] * n[1], BARS[2] * n[2]]), -BARS[0] * n[0] * crank)
    return np.array([crank, w2, w3])


def four_bar_accelerations(angles, crank):
    """Angular accelerations: rates' accelerations are affine in the crank's, and virtual power gives that one."""
    rates, unit = four_bar_rates(angles, crank), four_bar_rates(angles, 1.0)
    n, d = across(angles)[:, [0, 2]], along(angles)[:, [0, 2]]
    inward = (np.array(BARS) * rates**2) @ d
    bias = np.array([0.0, *np.linalg.solve(np.column_stack([BARS[1] * n[1], BARS[2] * n[2]]), inward)])

    def centres(first, second):  # accelerations of the centres of mass for given rates squared and accelerations
        ends, result = np.zeros(2), []
        for length, di, ni, w, a in zip(BARS, d, n, first, second, strict=True):
            half = length / 2 * (a * ni - w**2 * di)
            result.append(ends + half)
            ends = ends + 2 * half
        return np.array(result)

    virtual = centres(np.zeros(3), unit)
    masses, inertias = np.array([bar_mass(x) for x in BARS]), np.array([bar_inertia(x) for x in BARS])
    gained = (masses[:, None] * virtual**2).sum() + inertias @ unit**2
    fixed = (masses[:, None] * (centres(rates, bias) + UP[[0, 2]]) * virtual).sum() + inertias @ (bias * unit)
    return bias - fixed / gained * unit


def four_bar():
    """Hinges at A and D, ball joints at B and C: the coupler may also spin about itself, and does not."""
    model, angles = sm.Model("four-bar", gravity=-UP), loop_angles()
    rates = four_bar_rates(angles, CRANK_RATE)
    corner, velocity, nodes, corners = np.zeros(3), np.zeros(3), [], []
    for name, length, angle, rate in zip(("crank", "coupler", "rocker"), BARS, angles, rates, strict=True):
        half, half_velocity = length / 2 * along(angle), length / 2 * rate * across(angle)
        place = (corner + half, velocity + half_velocity)
        nodes.append(add_rod(model, name, *place, rate, bar_mass(length), bar_inertia(length)))
        corners.append(corner)
        corner, velocity = corner + 2 * half, velocity + 2 * half_velocity
    assert corner == pytest.approx(BASE)
    model.add("A", sm.Revolute(model.ground, nodes[0], at=corners[0], axis=AXIS))
    model.add("B", sm.Spherical(nodes[0], nodes[1], at=corners[1]))
    model.add("C", sm.Spherical(nodes[1], nodes[2], at=corners[2]))
    model.add("D", sm.Revolute(model.ground, nodes[2], at=BASE, axis=AXIS))
    return model


def four_bar_reference(fine, end):
    def rate(t, y):
        return [*four_bar_rates(y[:3], y[3]), four_bar_accelerations(y[:3], y[3])[0]]

    solution = fine(rate, end, [*loop_angles(), CRANK_RATE])

    def reference(t):
        y = solution(t)
        rates = np.array([four_bar_rates(p[:3], p[3]) for p in y.T]).T
        second = np.array([four_bar_accelerations(p[:3], p[3]) for p in y.T]).T
        bars, corner = [], Motion.on_circle(0.0, y[0], rates[0], second[0])
        for length, *turning in zip(BARS, y[:3], rates, second, strict=True):
            bars.append(corner + Motion.on_circle(length / 2, *turning))
            corner = corner + Motion.on_circle(length, *turning)
        forces = np.array([corner_forces(bars, k, second[:, k]) for k in range(len(t))])
        return dict(zip(("crank", "coupler", "rocker"), bars, strict=True)), {
            j: forces[:, k] for k, j in enumerate("ABCD")
        }

    return reference


def corner_forces(bars, k, second):
    """Forces at A, B, C on the bar after it, at D on the rocker, from the equations of all bars at time k."""
    centres = [bar.position[k] for bar in bars]
    corners = [np.zeros(3), 2 * centres[0], 2 * centres[1] - 2 * centres[0], BASE]
    equations, known = np.zeros((9, 8)), np.zeros(9)
    for i, (bar, centre) in enumerate(zip(bars, centres, strict=True)):
        for end, sign in ((i, 1.0), (i + 1, -1.0 if i < 2 else 1.0)):
            arm = corners[end] - centre
            equations[3 * i : 3 * i + 3, 2 * end : 2 * end + 2] = sign * np.array([[1, 0], [0, 1], [-arm[2], arm[0]]])
        load = bar_mass(BARS[i]) * (bar.acceleration[k] + UP)
        known[3 * i : 3 * i + 3] = load[0], load[2], bar_inertia(BARS[i]) * second[i]
    force = np.linalg.lstsq(equations, known, rcond=None)[0].reshape(4, 2)
    return np.column_stack([force[:, 0], np.zeros(4), force[:, 1]])


# ---- orders

SECOND = pytest.approx(2.0, abs=0.05)


def check(found, second_order_start=True):
    position, velocity, reaction_late, reaction_start = found
    assert position == SECOND
    assert velocity == SECOND
    assert reaction_late == SECOND
    if second_order_start:  # of the first ten steps; terms of third order are still seen
        assert reaction_start == pytest.approx(2.0, abs=0.2)


@pytest.mark.parametrize("rho", [0.0, 0.6, 0.8])
def test_pendulum(rho, orders):
    # here even the start is of higher order: a hinge on the ground makes the twist of the body a constant direction
    model, reference = pendulum()
    found = orders([errors(model, rho, h, 2.0, reference) for h in (0.005, 0.0025)])[-1]
    check(found, second_order_start=False)


@pytest.mark.parametrize("rho", [0.0, 0.6, 0.8])
def test_double_pendulum(rho, fine, orders):
    end = 1.5
    reference = double_pendulum_reference(fine, end)
    check(orders([errors(double_pendulum(), rho, h, end, reference) for h in (0.0025, 0.00125)])[-1])


@pytest.mark.parametrize("rho", [0.6])
def test_four_bar(rho, fine, orders):
    end = 1.0
    reference = four_bar_reference(fine, end)
    check(orders([errors(four_bar(), rho, h, end, reference) for h in (0.002, 0.001)])[-1])


@pytest.mark.parametrize("integrator", [sm.CrankNicolson(), sm.TwoStep(1.0), sm.TwoStep(0.6)], ids=lambda i: i.name)
def test_stabilised_steps_have_clean_reactions(integrator, fine, orders):
    """Velocities on the constraints after every step: order two in all, also without numerical damping."""
    end = 1.5
    reference = double_pendulum_reference(fine, end)
    found = [errors(double_pendulum(), integrator, h, end, reference, stabilise=True) for h in (0.0025, 0.00125)]
    assert orders(found)[-1][:3] == pytest.approx([2, 2, 2], abs=0.05)
    assert found[-1][3] < 1e-6  # N, where the reactions are about 20 N: from the first step on


def test_without_damping_and_without_stabilisation_reactions_ring(fine, orders):
    # rho_inf = 1: nothing removes what Newton leaves, while positions and velocities stay of order two
    end = 1.5
    reference = double_pendulum_reference(fine, end)
    found = [errors(double_pendulum(), 1.0, h, end, reference, stabilise=False) for h in (0.0025, 0.00125)]
    assert orders(found)[-1][:2] == pytest.approx([2, 2], abs=0.05)


def test_a_long_chain_runs_without_damping():
    """Ten links for 2 s: unstabilised, this fails; energy swings with the square of the step."""
    model, before = sm.Model("chain", gravity=-UP), None
    for k in range(10):
        link = model.node(f"link{k}", (k + 0.5, 0.0, 0.0))
        model.add(f"body{k}", sm.Body(link, mass=1.0, inertia=(0.01, 0.1, 0.1)))
        model.add(f"hinge{k}", sm.Revolute(before or model.ground, link, at=(k, 0.0, 0.0), axis=(0.0, 1.0, 0.0)))
        before = link
    run = sm.transient(sm.Simulation(model, sm.CrankNicolson()), 2.0, 2e-3, progress=False)
    energy = run["model.kinetic"] + run["model.potential"]
    assert np.abs(energy - energy[0]).max() < 2e-3 * np.ptp(run["model.kinetic"])
    assert np.abs(run["hinge0.force"]).max() < 2000.0  # N, of a chain of 98 N that swings: no ringing
