"""Hydraulics against closed forms: waves in pipes, losses, cylinders, and budgets of mass and energy."""

from itertools import pairwise

import numpy as np
import pytest
from scipy.linalg import expm

import samara as sm

# the hydraulically driven beam of Makinen, Ellman and Piche, 1997: reference/formulation/hydraulics_makinen.toml
RHO, NU, C = 870.0, 8e-5, 1400.0  # kg/m^3, m^2/s, m/s
LENGTH, RADIUS = 20.0, 6e-3  # m
AREA, CYLINDER = np.pi * RADIUS**2, 0.01  # m^2
BULK, ATMOSPHERE = RHO * C**2, 101325.0  # Pa


def oil(viscosity=NU * RHO, **others):
    return sm.LinearFluid(reference_density=RHO, bulk_modulus=BULK, viscosity=viscosity, **others)


def closed_pipe(pieces: int, speed: float, viscosity: float = 1e-5) -> sm.Model:
    """A pipe from a tank to a closed end, in which liquid flows at the start: the valve has just been shut."""
    model, fluid = sm.Model("hammer"), oil(viscosity)
    a, b = model.pressure("a"), model.pressure("b")
    sm.add_pipe(model, "pipe", a, b, fluid=fluid, length=LENGTH, radius=RADIUS, pieces=pieces, start=RHO * AREA * speed)
    model.add("tank", sm.Tank(a, fluid=fluid))
    return model


@pytest.mark.parametrize("pieces", [1, 4, 10])
def test_frequencies_of_a_lumped_pipe(pieces):
    """Those of a chain of n masses and springs: 2 c n / L sin((2 k - 1) pi / (4 n)); laminar friction damps them all
    alike, by 4 nu / r^2."""
    found = sm.modes(closed_pipe(pieces, 0.0)).eigenvalues
    k = np.arange(1, pieces + 1)
    exact = 2.0 * C * pieces / LENGTH * np.sin((2 * k - 1) * np.pi / (4 * pieces))
    np.testing.assert_allclose(np.sort(found.imag[found.imag > 0]), exact, rtol=1e-9)
    np.testing.assert_allclose(found.real, -4.0 * (1e-5 / RHO) / RADIUS**2, rtol=1e-6)


@pytest.mark.parametrize("pressure", [1e5, 3.5e7, 1e8])
def test_sound_travels_alike_at_any_pressure(pressure):
    """sqrt(K / rho_0) of a linear fluid, whose d rho/dp is the same: a quarter wave in 60 pieces is off by 3e-5."""
    fluid = oil(1e-5)
    model = sm.Model("sound")
    a, b = model.pressure("a", pressure), model.pressure("b", pressure)
    sm.add_pipe(model, "pipe", a, b, fluid=fluid, length=LENGTH, radius=RADIUS, pieces=60)
    model.add("tank", sm.Tank(a, fluid=fluid, pressure=pressure))
    found = sm.modes(model).eigenvalues.imag
    assert found[found > 1.0].min() == pytest.approx(0.5 * np.pi * C / LENGTH, rel=5e-5)


def test_water_hammer_period_converges(orders):
    """To 4 L / c = 57.14 ms, with the square of the length of a piece."""
    periods = []
    for pieces in (4, 8, 16):
        found = sm.modes(closed_pipe(pieces, 0.0)).eigenvalues
        periods.append(2.0 * np.pi / found.imag[found.imag > 0].min())
    exact = 4.0 * LENGTH / C
    assert exact == pytest.approx(57.14e-3, abs=0.005e-3)
    errors = np.array(periods) - exact
    assert errors[-1] < 5e-4 * exact
    np.testing.assert_allclose(orders(errors), 2.0, atol=0.02)


def test_joukowsky_pressure():
    """rho c v at the valve that shuts, until the wave is back; the lumped pipe oscillates about it.

    The chain's own solution, by a matrix exponential, is followed to the error of the time step.
    """
    speed, pieces, step = 1e-3, 40, 5e-5
    results = sm.transient(
        closed_pipe(pieces, speed), 2.0 * LENGTH / C, step, integrator=sm.TwoStep(1.0), progress=False
    )
    rise, t = results["b.value"] - ATMOSPHERE, results.time
    back = 2.0 * LENGTH / C
    plateau = rise[(t > 0.2 * back) & (t < 0.8 * back)]
    assert plateau.mean() == pytest.approx(RHO * C * speed, rel=5e-3)
    chain = chain_pressure(pieces, speed, t[100])
    assert rise[100] == pytest.approx(chain, rel=2e-2)
    finer = sm.transient(closed_pipe(pieces, speed), t[100], step / 4, integrator=sm.TwoStep(1.0), progress=False)
    assert abs(finer["b.value"][-1] - ATMOSPHERE - chain) < 0.1 * abs(rise[100] - chain)


def chain_pressure(pieces: int, speed: float, t: float) -> float:
    """Over that of the tank at the closed end of n columns of liquid and springs between [Pa], written by hand."""
    d = LENGTH / pieces
    A = np.zeros((2 * pieces, 2 * pieces))  # flows, then pressures p_1 .. p_n
    for k in range(pieces):
        A[k, pieces + k] -= AREA / d
        if k > 0:
            A[k, pieces + k - 1] += AREA / d
        share = 0.5 if k == pieces - 1 else 1.0
        A[pieces + k, k] += C**2 / (AREA * d * share)
        if k < pieces - 1:
            A[pieces + k, k + 1] -= C**2 / (AREA * d * share)
    start = np.concatenate([np.full(pieces, RHO * AREA * speed), np.zeros(pieces)])
    return float((expm(A * t) @ start)[-1])


def through(element, amount, fluid, **settings) -> sm.Results:
    """A mass flow through an element from a junction to a tank, at once in balance."""
    model = sm.Model("through")
    a, b = model.pressure("a"), model.pressure("b")
    model.add("tank", sm.Tank(b, fluid=fluid))
    model.add("source", sm.FlowSource(b, a, fluid=fluid, amount=amount))
    model.add("x", element(a, b, fluid=fluid, **settings))
    return sm.static(model)


def test_hagen_poiseuille():
    """8 mu L Q / (pi r^4) in laminar flow, exactly; in a compressible liquid to the square of drop / bulk modulus."""
    mu, Q = NU * RHO, 1e-4
    water = sm.IncompressibleFluid(reference_density=RHO, viscosity=mu)
    exact = 8.0 * mu * LENGTH * Q / (np.pi * RADIUS**4)
    results = through(sm.Pipe, RHO * Q, water, length=LENGTH, radius=RADIUS)
    assert results["x.reynolds"][-1] == pytest.approx(2.0 * Q / (np.pi * RADIUS * NU), rel=1e-12)
    assert results["x.reynolds"][-1] < 2000
    assert results["x.drop"][-1] == pytest.approx(exact, rel=1e-10)
    results = through(sm.Pipe, RHO * Q, oil(), length=LENGTH, radius=RADIUS)
    assert results["x.drop"][-1] == pytest.approx(exact * RHO / density_between(results), rel=1e-7)


def density_between(results) -> float:
    return RHO * (1.0 + (0.5 * (results["a.value"][-1] + results["b.value"][-1]) - ATMOSPHERE) / BULK)


def test_blasius():
    """f = 0.3164 Re^(-1/4) in turbulent flow in smooth pipes."""
    mu, speed = 1e-3, 2.0
    water = sm.IncompressibleFluid(reference_density=1000.0, viscosity=mu)
    results = through(sm.Pipe, 1000.0 * AREA * speed, water, length=LENGTH, radius=RADIUS)
    reynolds = 1000.0 * speed * 2.0 * RADIUS / mu
    exact = 0.3164 * reynolds**-0.25 * LENGTH / (2.0 * RADIUS) * 1000.0 * speed**2 / 2.0
    assert 4000 < reynolds < 1e5
    assert results["x.drop"][-1] == pytest.approx(exact, rel=1e-10)


def test_orifice_in_both_regimes():
    """Q = Cd A sqrt(2 dp / rho) far above the transition, Q = 2 (Cd^2 / Re_t) D A dp / mu far below it.

    Both are limits: with s the ratio of drop and transition's, what is left is s^2 / 4 below and 1 / (4 s^2) above.
    """
    D, Cd, Re = 6e-3, 0.6, 1000.0
    hole, mu = 0.25 * np.pi * D**2, NU * RHO
    water = sm.IncompressibleFluid(reference_density=RHO, viscosity=mu)
    change = (Re * mu / (Cd * D)) ** 2 / (2.0 * RHO)
    for ratio in (1e-3, 1e3):
        drop = ratio * change
        laminar, turbulent = 2.0 * Cd**2 / Re * D * hole * drop / mu, Cd * hole * np.sqrt(2.0 * drop / RHO)
        Q = laminar if ratio < 1 else turbulent
        settings = {"diameter": D, "discharge": Cd, "transition": Re}
        found = through(sm.Orifice, RHO * Q, water, **settings)["x.drop"][-1]
        assert found == pytest.approx(drop, rel=1e-6)
    # where the two laws meet they have the Reynolds number that was asked for
    speed = Cd * np.sqrt(2.0 * change / RHO)
    assert speed * D / NU == pytest.approx(Re)


def test_stroke_of_the_cylinder():
    """A volume of 2e-3 m^3 pumped in moves the piston by V / A = 0.2 m, once the pressure is that of the air again.

    The ramp of the flow has a corner at each end, where the trapezoidal rule loses a little of the volume: h^2.
    """
    model, fluid = sm.Model("stroke"), oil()
    sled = model.node("sled", position=(1.0, 0.0, 0.0))
    model.add("mass", sm.Body(sled, mass=20.0, inertia=(1.0, 1.0, 1.0)))
    model.add("rail", sm.Prismatic(model.ground, sled, at=(1, 0, 0), axis=(1, 0, 0)))
    a, b = model.pressure("a"), model.pressure("b")
    model.add("tank", sm.Tank(a, fluid=fluid))
    model.add(
        "flow", sm.FlowSource(a, b, fluid=fluid, amount=sm.Tabulated(sm.Curve([0, 1, 2], [0, 2e-3, 0])), by="volume")
    )
    friction = sm.DamperLaw(2500.0)
    model.add(
        "cylinder", sm.LinearActuator(model.ground, sled, b, fluid=fluid, area_1=0.01, volume_1=1e-3, seal=friction)
    )
    results = sm.transient(model, 3.0, 5e-3, progress=False)
    assert results["cylinder.stroke"][-1] == pytest.approx(2e-3 / CYLINDER, rel=1e-4)
    assert results["b.value"][-1] == pytest.approx(ATMOSPHERE, abs=50.0)


def test_cylinder_of_incompressible_liquid():
    """Behind a laminar orifice it is a damper: the speed comes up to (p A) / (friction + rho A^2 / (dw/dp)) with that
    lag, m over the sum of both."""
    fluid = sm.IncompressibleFluid(reference_density=RHO, viscosity=NU * RHO)
    model = sm.Model("damped")
    sled = model.node("sled", position=(1.0, 0.0, 0.0))
    model.add("mass", sm.Body(sled, mass=20.0, inertia=(1.0, 1.0, 1.0)))
    model.add("rail", sm.Prismatic(model.ground, sled, at=(1, 0, 0), axis=(1, 0, 0)))
    a, b = model.pressure("a", 2e5), model.pressure("b")
    model.add("source", sm.PressureSource(a, fluid=fluid, pressure=2e5))
    length, radius, area = 1.0, 3e-3, 1e-3
    model.add("pipe", sm.Pipe(a, b, fluid=fluid, length=length, radius=radius))
    model.add("cylinder", sm.LinearActuator(model.ground, sled, b, fluid=fluid, area_1=area, volume_1=1e-3))
    damping = 8.0 * NU * RHO * length * area**2 / (np.pi * radius**4)
    speed = (2e5 - ATMOSPHERE) * area / damping
    lag = 20.0 / damping
    results = sm.transient(model, 3 * lag, lag / 200, progress=False)
    exact = speed * (1.0 - np.exp(-results.time / lag))
    assert results["pipe.reynolds"].max() < 2000
    assert np.abs(results["cylinder.stroke_rate"] - exact).max() < 1e-4 * speed


def machine(speed_0: float = 0.1) -> sm.Model:
    """A mass on a two-chamber cylinder, whose chambers are joined by a long pipe; an orifice leads to a volume."""
    model, fluid = sm.Model("machine"), oil()
    sled = model.node("sled", position=(1.0, 0.0, 0.0), velocity=(speed_0, 0.0, 0.0))
    model.add("mass", sm.Body(sled, mass=1000.0, inertia=(1.0, 1.0, 1.0)))
    model.add("rail", sm.Prismatic(model.ground, sled, at=(1, 0, 0), axis=(1, 0, 0)))
    a, b, c = (model.pressure(name, 8e6) for name in "abc")
    settings = {"area_1": 2e-3, "volume_1": 1e-3, "area_2": 2e-3, "volume_2": 1.2e-3}
    seal = sm.FrictionLaw(20.0, transition=0.05, breakaway=30.0, stribeck=0.1) + sm.DamperLaw(50.0)
    model.add("cylinder", sm.LinearActuator(model.ground, sled, a, p2=b, fluid=fluid, seal=seal, **settings))
    model.add("pipe", sm.InertialPipe(a, b, fluid=fluid, length=2.0, radius=RADIUS))
    model.add("hole", sm.Orifice(b, c, fluid=fluid, diameter=3e-3))
    model.add("gas", sm.Accumulator(c, fluid=fluid, gas=1e-3, precharge=6e6))
    return model


def test_mass_at_junctions():
    """What leaves a junction through all that meet there adds up to nothing, always, to Newton's tolerance."""
    results = sm.transient(machine(), 0.2, 1e-3, tolerance=1e-12, progress=False)
    pipe, hole = results["pipe.mass_flow.value"], results["hole.mass_flow"]
    assert np.abs(pipe).max() > 0.1
    scale = 1e-9 * np.abs(pipe).max()  # 1e-7 at the step in which the bladder lifts off, where iterations stall
    assert np.abs(results["cylinder.mass_flow_1"] + pipe).max() < scale
    for left in (results["cylinder.mass_flow_2"] - pipe + hole, results["gas.mass_flow"] - hole):
        assert np.abs(left).max() < 100.0 * scale and np.median(np.abs(left)) < 1e-3 * scale


def test_budgets_of_mass_and_energy(orders):
    """Of a closed machine: mass stays, and what energy goes is heat.

    Mass is closed to rounding whatever the step. The power balance itself is a row of the contract; here it is
    integrated: what the trapezoidal rule leaves falls with the square of the step, to 4e-5 of the heat, and
    extrapolated to no step at all the energy is closed to 1e-9 of the heat.
    """
    energy = []
    for step in (2.5e-4, 1.25e-4, 6.25e-5):
        r = sm.transient(machine(), 0.1, step, integrator=sm.TwoStep(1.0), tolerance=1e-13, progress=False)
        content = r["cylinder.content"] + r["gas.content"]
        np.testing.assert_allclose(content, content[0], rtol=1e-13)
        total = r["model.kinetic"] + r["model.potential"]
        heat = np.trapezoid(r["model.dissipated"], r.time)
        given = np.trapezoid(r["model.supplied"], r.time)  # kinetic energy of the pipe at the present density
        energy.append((total[-1] - total[0] + heat - given) / heat)
    np.testing.assert_allclose(orders(np.abs(energy)), 2.0, atol=0.01)
    coarse, fine = ((4.0 * b - a) / 3.0 for a, b in pairwise(energy))
    assert abs((16.0 * fine - coarse) / 15.0) < 1e-9
