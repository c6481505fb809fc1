"""LuGre friction against an independent integration and its own closed forms."""

import numpy as np
import pytest

import samara as sm

# the numbers of the article, for a normal force of 1 N
COULOMB, STATIC, STRIBECK, BRISTLES, BRISTLE_DAMPING, VISCOUS = 1.0, 1.5, 1e-3, 1e5, np.sqrt(1e5), 0.4
ARTICLE = sm.LuGre(
    COULOMB, BRISTLES, static=STATIC, stribeck=STRIBECK, damping=BRISTLE_DAMPING, viscous=VISCOUS, preload=1.0
)


def block(friction=ARTICLE, velocity=0.0):
    """One kilogram on a straight guide along x, without weight."""
    model = sm.Model("block")
    node = model.node("block", velocity=(velocity, 0, 0))
    model.add("mass", sm.Body(node, mass=1.0, inertia=(1, 1, 1)))
    model.add("guide", sm.Prismatic(model.ground, node, axis=(1, 0, 0), friction=friction))
    return model, node


def force_of(v, z):
    """(T, dz/dt) by hand."""
    fade = np.exp(-((v / STRIBECK) ** 2))
    rate = v - BRISTLES * abs(v) * z / (COULOMB + (STATIC - COULOMB) * fade)
    return BRISTLES * z + BRISTLE_DAMPING * fade * rate + VISCOUS * v, rate


def test_stick_and_slip_of_a_block_on_a_spring():
    """Pulled by 2 N/m at 0.1 m/s it sticks, breaks away, and sticks again; against LSODA at 1e-9."""
    from scipy.integrate import solve_ivp

    def slope(t, y):
        x, v, z = y
        friction, rate = force_of(v, z)
        return [v, 2.0 * (0.1 * t - x) - friction, rate]

    exact = solve_ivp(slope, (0, 20.0), [0.0, 0.0, 0.0], method="LSODA", rtol=1e-9, atol=1e-12, dense_output=True)
    model, node = block()
    driver = model.prescribed("driver", sm.Motion(position=(lambda t: 0.1 * t, 0, 0)))
    model.add("spring", sm.Axial(driver, node, law=sm.LinearLaw(2.0), axis=(1, 0, 0)))
    run = sm.transient(model, 20.0, 1e-3, progress=False, outputs=["guide.displacement", "guide.friction"])
    x = exact.sol(run.time)[0]
    assert np.ptp(x) > 1.0
    sliding = np.abs(exact.sol(run.time)[1]) > 0.05
    assert sliding.any() and not sliding.all()
    # a step of 1 ms at up to 0.3 m/s; the instants of breaking away are known better than that
    assert np.abs(run["guide.displacement"] - x).max() < 5e-4
    assert run["guide.friction"].max() == pytest.approx(STATIC, rel=0.02)


def test_it_sticks_without_creep_and_springs_back():
    """Pushed slowly to half the limit, dz/dx = 1 - z / z_max: x = ln 2 z_max; released, dz/dx = 1 + z / z_max."""
    z_max = STATIC / BRISTLES
    model, node = block()
    push = sm.Cosine(0.75, duration=0.5) - sm.Cosine(0.75, duration=0.5, start=1.0)
    model.add("push", sm.Force(node, force=(push, 0, 0)))
    run = sm.transient(model, 2.0, 1e-3, progress=False)
    x, t = run["guide.displacement"], run.time
    held = x[(t > 0.6) & (t < 1.0)]
    assert np.ptp(held) < 1e-3 * z_max
    assert held[-1] == pytest.approx(np.log(2) * z_max, rel=2e-3)  # speeds of 2 % of Stribeck's, squared
    assert x[-1] == pytest.approx((np.log(2) - np.log(1.5)) * z_max, rel=1e-2)


def test_steady_sliding_is_the_stribeck_curve():
    for v in (5e-4, 2e-3, 0.1):
        model, node = block(velocity=v)
        model.add("drive", sm.TotalJoint(
            model.ground, node, hold_position=(True, False, False), hold_rotation=(False,) * 3,
            position=(lambda t, v=v: v * t, 0.0, 0.0),
        ))  # fmt: skip
        run = sm.transient(model, 0.5, 1e-4, progress=False)
        mu = COULOMB + (STATIC - COULOMB) * np.exp(-((v / STRIBECK) ** 2))
        assert run["guide.friction"][-1] == pytest.approx(mu + VISCOUS * v, rel=1e-4)


def test_energy_is_lost_and_accounted_for():
    model, _ = block(sm.LuGre(0.3, 1e4, stribeck=0.05, damping=5.0, preload=5.0), velocity=0.2)
    run = sm.transient(model, 0.3, 1e-4, integrator=sm.TwoStep(1.0), progress=False)
    lost = run["model.dissipated"]
    assert lost.min() > -1e-9
    energy = run["model.kinetic"] + run["model.potential"]
    heat = np.concatenate([[0.0], np.cumsum(0.5e-4 * (lost[1:] + lost[:-1]))])
    assert np.abs(energy - energy[0] + heat).max() < 2e-3 * energy[0]
    # it slides v^2 / (2 mu N), less what the bristles stop
    assert run["guide.displacement"].max() == pytest.approx(0.2**2 / (2 * 0.3 * 5.0), rel=0.02)


@pytest.mark.parametrize("step", [1e-3, 1e-4])
@pytest.mark.parametrize("distance", [10.0, 1e4])
def test_friction_is_the_same_far_from_the_origin(distance, step):
    """On a craft that turns: places 10 km away are known to 2e-12 m, bristles bend by 1e-5 m."""

    def slide(x: float) -> float:
        at, model = np.array([x, 0.0, 0.0]), sm.Model("craft", gravity=(0, 0, -9.81))
        frame = model.node("frame", at, velocity=(3, -2, 1), angular_velocity=(0, 0, 2.5))
        block = model.node("block", at + np.array([1, 0, 0]))
        model.add("frame_body", sm.Body(frame, mass=20.0, inertia=(6, 9, 10)))
        model.add("block_body", sm.Body(block, mass=3.0, inertia=(0.1, 0.1, 0.1)))
        friction = sm.LuGre(0.3, stiffness=1e5, damping=50.0, preload=5.0)
        guide = {"at": at + np.array([1, 0, 0]), "axis": (0, 1, 0), "start": {"displacement_rate": 1.0}}
        model.add("guide", sm.Prismatic(frame, block, **guide, friction=friction))
        return float(sm.transient(model, 0.6, step, progress=False)["guide.displacement"][-1])

    assert slide(distance) == pytest.approx(slide(0.0), abs=1e-7)
