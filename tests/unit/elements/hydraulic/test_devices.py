"""Valves, pumps, accumulators and dampers against closed forms."""

import re
import warnings

import numpy as np
import pytest
import scipy

import samara as sm

RHO, MU, ATMOSPHERE = 870.0, 0.0696, 101325.0
OIL = {"reference_density": RHO, "viscosity": MU}


def stiff():
    """All but incompressible."""
    return sm.LinearFluid(bulk_modulus=1.7e9, **OIL)


def rigid():
    return sm.IncompressibleFluid(**OIL)


def circuit(fluid, *levels):
    """A model with a tank and junctions held at these pressures: (model, tank's junction, the others)."""
    model = sm.Model("circuit")
    back = model.pressure("back")
    model.add("tank", sm.Tank(back, fluid=fluid))
    points = []
    for k, level in enumerate(levels):
        points.append(model.pressure(f"p{k}", level))
        model.add(f"source{k}", sm.PressureSource(points[-1], fluid=fluid, pressure=level))
    return model, back, points


def test_minor_loss_both_ways():
    """K rho v^2 / 2 in turbulent flow, another K the way back."""
    fluid, D, K = sm.IncompressibleFluid(reference_density=1000.0, viscosity=1e-3), 0.02, (0.5, 1.0)
    model, back, _ = circuit(fluid)
    bore, speed = 0.25 * np.pi * D**2, 4.0
    for name, sense in (("forth", 1), ("back_", -1)):
        end = model.pressure(name)
        model.add(f"{name}_flow", sm.FlowSource(back, end, fluid=fluid, amount=1000.0 * bore * speed))
        ends = (end, back) if sense > 0 else (back, end)
        loss = sm.MinorLoss(*ends, fluid=fluid, diameter=D, coefficient=K[0], coefficient_back=K[1])
        model.add(f"{name}_loss", loss)
    results = sm.static(model)
    for name, sense, k in (("forth", 1, K[0]), ("back_", -1, K[1])):
        exact = 0.5 * k * 1000.0 * speed**2
        # the transition is at Re = 100, and the flow has 8e4: what is left of it is (1 / 800)^4
        assert results[f"{name}_loss.drop"][-1] == pytest.approx(sense * exact, rel=1e-5)


def test_pump_and_relief_valve():
    """All that a pump delivers goes back through the valve: the drop at which the open part of its area passes it."""
    fluid, displacement, speed, area = rigid(), 2e-6, 150.0, 1e-5
    model, back, _ = circuit(fluid)
    out = model.pressure("out", 1.05e7)
    model.add("pump", sm.Pump(back, out, fluid=fluid, displacement=displacement, speed=speed))
    valve = {"opening": 1e7, "full": 1.2e7, "area": area, "start": 0.3}
    model.add("relief", sm.ReliefValve(out, back, fluid=fluid, **valve))
    results = sm.transient(model, 0.05, 1e-4, progress=False)
    drop, lift = results["relief.drop"][-1], results["relief.opening.value"][-1]
    assert lift == pytest.approx((drop - 1e7) / 2e6, rel=1e-6)
    assert 0.1 < lift < 0.9
    assert displacement * speed == pytest.approx(0.7 * lift * area * np.sqrt(2.0 * drop / RHO), rel=1e-5)
    assert results["pump.shaft_power"][-1] == pytest.approx(displacement * speed * drop, rel=1e-9)


def test_leaking_pump_against_a_closed_end():
    """The pressure rises until all comes back through its gaps."""
    fluid = rigid()
    model, back, _ = circuit(fluid)
    out = model.pressure("out")
    model.add("pump", sm.Pump(back, out, fluid=fluid, displacement=2e-6, speed=100.0, leakage=1e-8))
    results = sm.static(model)
    assert results["out.value"][-1] - ATMOSPHERE == pytest.approx(RHO * 2e-6 * 100.0 / 1e-8, rel=1e-9)


def test_shaft_pump_and_motor_are_a_gear():
    """A pump drives a motor of twice its displacement: half the speed, twice the torque, in incompressible liquid."""
    fluid = rigid()
    model, back, _ = circuit(fluid)
    line = model.pressure("line")
    shafts = [model.node(name) for name in ("fast", "slow")]
    for shaft, inertia in zip(shafts, (1.0, 2.0), strict=True):
        model.add(f"{shaft.name}_wheel", sm.Body(shaft, mass=1.0, inertia=(inertia,) * 3))
        model.add(f"{shaft.name}_bearing", sm.Revolute(model.ground, shaft, axis=(0, 0, 1)))
    size = 1e-5
    model.add("pump", sm.ShaftPump(model.ground, shafts[0], back, line, fluid=fluid, displacement=size, axis=(0, 0, 1)))
    motor = {"displacement": 2 * size, "axis": (0, 0, 1), "leakage": 1e-11}
    model.add("motor", sm.ShaftPump(model.ground, shafts[1], line, back, fluid=fluid, **motor))
    model.add("engine", sm.Couple(shafts[0], couple=(0, 0, 3.0)))
    results = sm.transient(model, 0.2, 1e-3, progress=False)
    fast, slow = results["pump.speed"], results["motor.speed"]
    leaks = 1e-11 * results["pump.rise"] / (RHO * 2 * size)
    np.testing.assert_allclose(slow, 0.5 * fast - leaks, atol=1e-8 * np.abs(fast).max())
    np.testing.assert_allclose(results["motor.torque"], -2.0 * results["pump.torque"], rtol=1e-9, atol=1e-9)
    # energy: 3 N m turn the two wheels, whose inertia the fast one feels as 1 + 2 / 4, but for the leak
    assert fast[-1] == pytest.approx(3.0 * 0.2 / 1.5, rel=2e-4)


@pytest.mark.parametrize("exponent", [1.0, 1.4])
def test_accumulator_follows_its_gas(exponent):
    """Liquid that is pumped in compresses the gas: p V^n stays."""
    fluid, gas, precharge = stiff(), 1e-3, 1e6
    model = sm.Model("charge")
    a, b = model.pressure("a"), model.pressure("b", 1.1e6)
    model.add("tank", sm.Tank(a, fluid=fluid))
    model.add("flow", sm.FlowSource(a, b, fluid=fluid, amount=0.1))
    gas_settings = {"gas": gas, "precharge": precharge, "exponent": exponent}
    model.add("gas", sm.Accumulator(b, fluid=fluid, **gas_settings))
    results = sm.transient(model, 2.0, 1e-2, progress=False)
    p, V = results["b.value"], results["gas.gas_volume"]
    np.testing.assert_allclose(p * V**exponent, precharge * gas**exponent, rtol=3e-6)
    mass = results["gas.content"]
    assert mass[-1] - mass[0] == pytest.approx(0.2, rel=1e-4)
    assert p[-1] > 1.2e6


def test_accumulator_energy_is_the_work_of_the_gas():
    """precharge gas / (n - 1) ((p / precharge)^((n - 1) / n) - 1), but for what the corner takes, of second order."""
    for corner in (0.02, 0.01):
        vessel = sm.Accumulator(None, fluid=stiff(), gas=1e-3, precharge=1e6, exponent=1.4, corner=corner)
        exact = 1e6 * 1e-3 / 0.4 * (3.0 ** (0.4 / 1.4) - 1.0)
        assert vessel.work(3e6) == pytest.approx(exact, rel=corner**2)
        assert vessel.taken(3e6) == pytest.approx(1e-3 * (1.0 - 3.0 ** (-1 / 1.4)), rel=1e-12)
        begin = scipy.optimize.brentq(
            vessel.taken, 0.9e6, 1e6
        )  # where the bladder lies on its seat, which hardly gives
        assert -1e-4 * 1e-3 / 1.4 * (1.0 - 0.9) <= vessel.taken(0.9e6) < 0.0
        p = np.linspace(0.9e6, begin, 2001)
        assert vessel.work(0.9e6) == pytest.approx(-scipy.integrate.simpson(p * 1e-4 * 1e-3 / 1.4e6, x=p), rel=1e-9)


def test_accumulator_solved_for_its_pressure():
    """On its seat, lifting off, free, and beyond what its gas can be pressed to."""
    vessel = sm.Accumulator(None, fluid=stiff(), gas=1e-3, precharge=1e6)
    for p in (1e5, 9.7e5, 9.9e5, 1e6, 1.01e6, 1.02e6, 1.03e6, 5e6, 1e8):
        assert vessel.pressure(vessel.taken(p)) == pytest.approx(p, rel=1e-12)
    end = vessel.pressure(1e-3 * np.array([0.98999, 0.99001]))  # the tangent goes on
    assert end[1] > end[0] and vessel.pressure(2e-3) > end[1]


@pytest.mark.parametrize("exponent", [1.0, 1.4])
def test_accumulator_beyond_its_law_agrees_with_itself(exponent):
    """Where 1 % of the gas is left: volume, pressure and work go on together; the work by quadrature."""
    vessel = sm.Accumulator(None, fluid=stiff(), gas=1e-3, precharge=1e6, exponent=exponent)
    last = 1e6 * 100.0 ** max(exponent, 1.0 + 1e-6)
    for p in (0.5 * last, last, 1.2 * last, 2.0 * last):
        assert vessel.pressure(vessel.taken(p)) == pytest.approx(p, rel=1e-9)
    assert vessel.taken(last) == pytest.approx(0.99e-3, rel=1e-9)
    ends = vessel.taken(0.5 * last), vessel.taken(2.0 * last)
    work, _ = scipy.integrate.quad(vessel.pressure, *ends, points=[0.99e-3], epsrel=1e-10)
    assert vessel.work(2.0 * last) - vessel.work(0.5 * last) == pytest.approx(work, rel=1e-8)


def test_an_accumulator_filled_beyond_its_law_keeps_its_budgets_and_says_so():
    """Mass by what was pumped; energy by what that brought, by the trapezium rule over the steps."""
    fluid = stiff()
    model, back, _ = circuit(fluid)
    p = model.pressure("p", 1.5e6)
    model.add("gas", sm.Accumulator(p, fluid=fluid, gas=1e-5, precharge=1e6, exponent=1.0))
    model.add("pump", sm.FlowSource(back, p, fluid=fluid, amount=1.0))
    with pytest.warns(UserWarning, match=r"'gas': its gas was pressed to less than 1 % of its volume"):
        results = sm.transient(model, 6.25e-3, 2e-6, progress=False)
    assert results["gas.gas_volume"][-1] < 0.01e-5
    flown = results.time
    np.testing.assert_allclose(results["gas.content"] - results["gas.content"][0], flown, atol=1e-9 * flown[-1])
    np.testing.assert_allclose(results["gas.amount.value"], results["gas.content"], rtol=1e-9)
    potential = results["gas.potential"]
    brought = np.array([float(fluid.enthalpy(x)) for x in results["p.value"]])
    energy = np.concatenate([[0.0], np.cumsum(0.5 * (brought[1:] + brought[:-1]) * np.diff(results.time))])
    assert potential[-1] - potential[0] == pytest.approx(energy[-1], rel=1e-4)


@pytest.mark.parametrize("step", [1e-2, 1e-3])
def test_accumulators_fill_across_their_precharge_without_making_liquid(step):
    """The law bends a thousandfold within the first step: what one loses the others gain, to rounding."""
    fluid = stiff()
    model = sm.Model("filling")
    p, q = model.pressure("p", 2e6), model.pressure("q", 3e7)
    model.add("low", sm.Accumulator(p, fluid=fluid, gas=1e-3, precharge=5e6))
    model.add("line", sm.Volume(p, fluid=fluid, volume=1e-4))
    model.add("high", sm.Accumulator(q, fluid=fluid, gas=2e-3, precharge=1e7))
    model.add("hole", sm.Orifice(q, p, fluid=fluid, diameter=2e-3))
    for run in ({"step": step}, {"accuracy": 10.0 * step**2}):
        results = sm.transient(model, 1.0, **run, progress=False)
        mass = sum(results[f"{name}.content"] for name in ("low", "line", "high"))
        np.testing.assert_allclose(mass, mass[0], rtol=1e-10)  # Newton's method ends at 1e-8 of a step's change
        assert results["p.value"][-1] > 9e6


def test_minimal_coordinates_say_what_a_step_that_is_too_long_makes():
    """No liquid comes in: what the accumulators hold by their pressures, beyond what they held, was made."""
    fluid = stiff()
    model = sm.Model("filling")
    p, q = model.pressure("p", 2e6), model.pressure("q", 3e7)
    model.add("low", sm.Accumulator(p, fluid=fluid, gas=1e-3, precharge=5e6))
    model.add("high", sm.Accumulator(q, fluid=fluid, gas=2e-3, precharge=1e7))
    model.add("hole", sm.Orifice(q, p, fluid=fluid, diameter=2e-3))
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        results = sm.transient(model, 0.2, 1e-3, formulation="recursive", progress=False)
    words = r"'low': in minimal coordinates its step is too long: up to (.*) kg were made or lost; take a shorter step"
    found = [match for warning in caught if (match := re.search(words, str(warning.message)))]
    mass = results["low.content"] + results["high.content"]
    assert len(found) == 1 and float(found[0][1]) == pytest.approx(np.max(np.abs(mass - mass[0])), rel=0.02)
    true = results["low.amount.value"] + results["high.amount.value"]
    np.testing.assert_allclose(true, true[0], rtol=1e-12)


def test_a_damper_in_minimal_coordinates_says_so_too():
    """Half a wave of its stroke in few steps."""
    model = sm.Model("damper")
    rod = model.node("rod", position=(0.3, 0, 0))
    model.add("guide", sm.Prismatic(model.ground, rod, at=(0.3, 0, 0), axis=(1, 0, 0)))
    model.add("mass", sm.Body(rod, mass=200.0, inertia=(1, 1, 1)))
    model.add("push", sm.Force(rod, force=(sm.Sine(2e4, 40.0), 0, 0)))
    valves = {"diameter": 2e-3, "opening": 5e6, "full": 6e6, "relief_area": 2e-5, "charge": 2e7}
    model.add("damper", sm.HydraulicDamper(model.ground, rod, fluid=stiff(), area=2e-3, volume=3e-4, **valves))
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        sm.transient(model, 0.1, 2e-3, formulation="recursive", progress=False)
    assert any("'damper': in minimal coordinates its step is too long" in str(warning.message) for warning in caught)
    sm.transient(model, 0.1, 2e-3, progress=False)


def test_check_valve_lets_pass_one_way():
    """Open it is an orifice of its area, shut it leaks the part that was said."""
    fluid, area, leak = rigid(), 1e-5, 1e-4
    model, back, (high,) = circuit(fluid, 5e6)
    for name, ends, start in (("forth", (high, back), 1.0), ("against", (back, high), 0.0)):
        model.add(name, sm.CheckValve(*ends, fluid=fluid, area=area, leak=leak, start=start))
    results = sm.transient(model, 0.05, 1e-3, progress=False)
    full = 0.7 * area * np.sqrt(2.0 * RHO * (5e6 - ATMOSPHERE))
    assert results["forth.mass_flow"][-1] == pytest.approx(full, rel=1e-4)
    assert results["against.mass_flow"][-1] == pytest.approx(-leak * full, rel=1e-4)


def test_servo_valve_flow_and_spool():
    """Without load each edge takes half the drop: Q = Cd A y sqrt(ps / rho); the spool is an oscillator."""
    fluid, area, supply, y = rigid(), 5e-6, 1.4e7, 0.6
    model, back, (pressure,) = circuit(fluid, supply)
    a, b = model.pressure("a", 7e6), model.pressure("b", 7e6)
    frequency, damping = 300.0, 0.7
    valve = {"area": area, "frequency": frequency, "damping": damping, "leak": 1e-9, "corner": 1e-3}
    model.add("valve", sm.ServoValve(pressure, back, a, b, fluid=fluid, command=y, start=0.3, **valve))
    model.add("load", sm.Pipe(a, b, fluid=fluid, length=0.01, radius=0.02))
    results = sm.transient(model, 0.06, 1e-4, integrator=sm.TwoStep(1.0), progress=False)
    drop = supply - ATMOSPHERE
    exact = RHO * 0.6 * area * y * np.sqrt(drop / RHO)
    assert results["valve.mass_flow_supply"][-1] == pytest.approx(exact, rel=1e-3)
    t, w = results.time, frequency * np.sqrt(1.0 - damping**2)
    step = 1.0 - np.exp(-damping * frequency * t) * (np.cos(w * t) + damping * frequency / w * np.sin(w * t))
    np.testing.assert_allclose(results["valve.spool.value"], 0.3 + 0.3 * step, atol=2e-4)
    flows = [results[f"valve.mass_flow_{name}"] for name in ("supply", "back", "a", "b")]
    assert np.abs(sum(flows)).max() < 1e-12


def damper_force(speed, **settings):
    """Of a damper whose end is moved at a constant speed, when the pressures have settled [N]."""
    model = sm.Model("damper")
    end = model.prescribed("end", sm.Motion(position=(lambda t: speed * t, 0.0, 0.0)))
    numbers = {"area": 2e-3, "volume": 1e-3, "diameter": 1.5e-3, "transition": 1000.0}
    numbers |= {"opening": 4e6, "full": 5e6, "relief_area": 1e-4}
    damper = sm.HydraulicDamper(
        model.ground, end, fluid=stiff(), place_b=(1, 0, 0), charge=6e6, bleed=0.0, **{**numbers, **settings}
    )
    model.add("damper", damper)
    results = sm.transient(model, 0.02, 2e-5, progress=False)
    return results["damper.effort"][-1]


def test_hydraulic_damper():
    """At slow speed a Maxwell element, F = c v (1 - exp(-t k / c)), of laminar flow, c = A^2 mu Re / (2 Cd^2 D a), and
    the liquid's spring, k = 2 K A^2 / V; at speed the valves hold it down; in thin oil it grows by the square."""
    area, D, Cd, Re = 2e-3, 1.5e-3, 0.6, 1000.0
    hole = 0.25 * np.pi * D**2
    slow = 1e-4
    # the transition is at 3.4e6 Pa in this narrow hole: at 7e3 Pa, 1e-6 is turbulent
    c, k = area**2 * MU * Re / (2.0 * Cd**2 * D * hole), 2.0 * 1.7e9 * area**2 / 1e-3
    laminar = c * slow * (1.0 - np.exp(-0.02 * k / c))
    assert damper_force(slow) == pytest.approx(laminar, rel=5e-3)
    assert damper_force(-slow) == pytest.approx(-laminar, rel=5e-3)
    quick, twice = damper_force(0.1), damper_force(0.2)
    assert 4e6 * area < quick < twice < 5e6 * area
    wide = 6e-3  # with thin oil's transition: F = A rho / 2 (A v / (Cd a))^2
    turbulent = damper_force(0.4, diameter=wide, transition=1.0)
    hole = 0.25 * np.pi * wide**2
    assert turbulent == pytest.approx(area * 0.5 * RHO * (area * 0.4 / (Cd * hole)) ** 2, rel=1e-2)


def test_hinge_damper_is_the_same_about_an_axis():
    """A lever of 0.1 m: displacement = area lever, and the couple is the force times it."""
    lever, speed = 0.1, 0.05
    model = sm.Model("hinge")
    end = model.prescribed("end", sm.Motion(rotation=(0.0, 0.0, lambda t: speed / lever * t)))
    numbers = {"volume": 1e-3, "diameter": 1.5e-3, "opening": 4e6, "full": 5e6, "relief_area": 1e-4, "charge": 6e6}
    settings = {"bleed": 0.0, "displacement": 2e-3 * lever, "transition": 1000.0, "axis": (0, 0, 1)}
    model.add("damper", sm.HydraulicHingeDamper(model.ground, end, fluid=stiff(), **numbers, **settings))
    results = sm.transient(model, 0.02, 2e-5, progress=False)
    assert results["damper.effort"][-1] == pytest.approx(lever * damper_force(speed), rel=1e-6)
    content = results["damper.content"]
    assert np.abs(content / content[0] - 1.0).max() < 1e-6


def test_lag_damper_of_a_blade():
    """At rest it holds nothing; about it, it is a Maxwell element beside the spring of the hinge: the roots of
    (I s^2 + k_0) (s + k / c) + k s."""
    inertia, k_0, size, volume, D, Cd, Re = 100.0, 1e4, 2e-4, 1e-4, 1.5e-3, 0.6, 1000.0
    model = sm.Model("blade")
    blade = model.node("blade")
    model.add("body", sm.Body(blade, mass=10.0, inertia=(1.0, inertia, inertia)))
    model.add("hinge", sm.Revolute(model.ground, blade, axis=(0, 0, 1)))
    model.add("spring", sm.Torsion(model.ground, blade, axis=(0, 0, 1), law=sm.LinearLaw(k_0)))
    numbers = {"displacement": size, "volume": volume, "diameter": D, "discharge": Cd, "transition": Re}
    valves = {"opening": 4e6, "full": 5e6, "relief_area": 2e-5, "charge": 1e6}
    damper = sm.HydraulicHingeDamper(model.ground, blade, fluid=stiff(), axis=(0, 0, 1), **numbers, **valves)
    model.add("damper", damper)
    found = sm.modes(model).eigenvalues
    bulk = 1.7e9 * (1.0 + (1e6 - ATMOSPHERE) / 1.7e9)  # rho dp/drho at the charge
    hole = 0.25 * np.pi * D**2
    through = 2.0 * Cd**2 * D * hole / (MU * Re) + 0.5e-11 / stiff().density(1e6)  # the bleed passes a little, too
    k, c = 2.0 * bulk * size**2 / volume, size**2 / through
    exact = np.roots([inertia, inertia * k / c, k_0 + k, k_0 * k / c])
    swing = exact[exact.imag > 0][0]
    assert found[found.imag > 1.0][0] == pytest.approx(swing, rel=1e-6)
    model.add("load", sm.Couple(blade, couple=(0, 0, 100.0)))
    rest = sm.static(model)
    assert rest["spring.angle"][-1] == pytest.approx(100.0 / k_0, rel=1e-9)
    assert rest["damper.pressure_1.value"][-1] == pytest.approx(1e6, rel=1e-6)


def test_seals_bend_before_they_slide():
    """Dahl's curve from rest: F = static (1 - exp(-x / critical)), whatever the speed."""
    critical, static = 5e-4, 100.0
    model = sm.Model("seal")
    end = model.prescribed("end", sm.Motion(position=(lambda t: 0.01 * t, 0.0, 0.0)))
    model.add("seal", sm.SealFriction(model.ground, end, place_b=(1, 0, 0), static=static, critical=critical))
    results = sm.transient(model, 0.2, 5e-4, progress=False)
    x = 0.01 * results.time
    # |v| is rounded: 1e-6 / 0.01 of the speed is missing
    np.testing.assert_allclose(results["seal.effort"], static * (1.0 - np.exp(-x / critical)), atol=2e-4 * static)


def test_end_stops_hold_a_piston():
    """Pressed against its stop, a piston stands where the stop's force is that of the pressure."""
    fluid = stiff()
    model, _, (high,) = circuit(fluid, 3e6)
    sled = model.node("sled", position=(1.0, 0.0, 0.0))
    model.add("mass", sm.Body(sled, mass=5.0, inertia=(1.0, 1.0, 1.0)))
    model.add("rail", sm.Prismatic(model.ground, sled, at=(1, 0, 0), axis=(1, 0, 0)))
    port = model.pressure("port")
    model.add("hole", sm.Orifice(high, port, fluid=fluid, diameter=3e-3))
    stops = sm.StopLaw(sm.LinearLaw(1e7, 1e4), lower=-0.05, upper=0.05)
    settings = {"area_1": 1e-3, "volume_1": 1e-4, "seal": sm.DamperLaw(2000.0), "stops": stops}
    model.add("cylinder", sm.LinearActuator(model.ground, sled, port, fluid=fluid, **settings))
    results = sm.transient(model, 0.5, 1e-3, progress=False)
    push = (3e6 - ATMOSPHERE) * 1e-3
    assert results["cylinder.stroke"][-1] == pytest.approx(0.05 + push / 1e7, rel=1e-4)


def test_a_chamber_at_a_source_breathes():
    """A chamber that a tank holds takes and gives what the piston displaces, and no more."""
    fluid = stiff()
    model, back, _ = circuit(fluid)
    end = model.prescribed("end", sm.Motion(position=(lambda t: 0.1 * t, 0.0, 0.0)))
    settings = {"area_1": 1e-3, "volume_1": 1e-3, "place_b": (1, 0, 0)}
    model.add("cylinder", sm.LinearActuator(model.ground, end, back, fluid=fluid, **settings))
    results = sm.transient(model, 0.1, 1e-3, progress=False)
    np.testing.assert_allclose(results["tank.inflow.value"], RHO * 1e-3 * 0.1, rtol=1e-9)


def test_modes_with_a_chamber_at_a_tank():
    """A mass on the spring of one chamber, K A^2 / V; the other breathes, and is not felt."""
    fluid = stiff()
    model, back, _ = circuit(fluid)
    sled = model.node("sled", position=(1.0, 0.0, 0.0))
    model.add("mass", sm.Body(sled, mass=20.0, inertia=(1.0, 1.0, 1.0)))
    model.add("rail", sm.Prismatic(model.ground, sled, at=(1, 0, 0), axis=(1, 0, 0)))
    port = model.pressure("port")
    settings = {"area_1": 2e-3, "volume_1": 1e-3}
    model.add("cylinder", sm.LinearActuator(model.ground, sled, port, p2=back, fluid=fluid, **settings))
    found = sm.modes(model).eigenvalues
    assert found.imag.max() == pytest.approx(np.sqrt(1.7e9 * 4e-6 / 1e-3 / 20.0), rel=1e-9)


def test_what_networks_refuse():
    fluid = stiff()
    model, back, _ = circuit(fluid)
    a, b = model.pressure("a"), model.pressure("b")
    model.add("hole", sm.Orifice(a, b, fluid=fluid, diameter=1e-3))
    with pytest.raises(sm.ModelError, match=r"the network of 'a', 'b' is floating.*a Tank or a PressureSource"):
        sm.System(model)
    model.add("flow", sm.FlowSource(back, a, fluid=fluid, amount=1.0))
    with pytest.raises(sm.ModelError, match="an open circuit at 'a', 'b': 'flow'"):
        sm.System(model)
    model.add("volume", sm.Volume(b, fluid=fluid, volume=1e-3))
    sm.System(model)


def test_two_liquids_in_a_circuit_are_refused():
    model, back, _ = circuit(stiff())
    a = model.pressure("a")
    model.add("hole", sm.Orifice(back, a, fluid=stiff(), diameter=1e-3))  # another record of the same liquid
    with pytest.raises(sm.ModelError, match="'volume': its fluid is not that of 'hole', with which it meets at 'a'"):
        model.add("volume", sm.Volume(a, fluid=sm.LinearFluid(bulk_modulus=2e9, **OIL), volume=1e-3))


def test_a_store_at_a_source_that_changes_is_refused():
    fluid = stiff()
    model = sm.Model("driven")
    a = model.pressure("a")
    model.add("source", sm.PressureSource(a, fluid=fluid, pressure=lambda t: 1e5 + 1e5 * t))
    model.add("volume", sm.Volume(a, fluid=fluid, volume=1e-3))
    with pytest.raises(sm.ModelError, match=r"'volume'.*held by 'source'.*put an Orifice or a Pipe between"):
        sm.System(model)


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"pieces": 0}, "pieces"),
        ({"length": -1.0}, "length"),
        ({"fluid": rigid()}, "waves need a compressible fluid"),
        ({"a": 3.0}, "is not what model.pressure"),
    ],
)
def test_pipes_that_are_refused(settings, words):
    model = sm.Model("pipe")
    given = {"a": model.pressure("a"), "b": model.pressure("b"), "fluid": stiff(), "length": 1.0, "radius": 1e-2}
    with pytest.raises(ValueError, match=words):
        sm.add_pipe(model, "pipe", **{**given, **settings})


def test_boiling_ends_a_run_by_name():
    """Oil is drawn from a volume until it would boil: at the pressure, and at the time, that compression gives."""
    fluid = sm.LinearFluid(bulk_modulus=1.7e9, vapour_pressure=2e4, **OIL)
    model, back, _ = circuit(fluid)
    vessel = model.pressure("vessel", 5e6)
    model.add("vessel_oil", sm.Volume(vessel, fluid=fluid, volume=1e-3))
    model.add("suction", sm.FlowSource(vessel, back, fluid=fluid, amount=1e-3))
    with pytest.raises(sm.SolveError, match=r"'vessel' fell to .* below 20000, .*boils.*raise the pressure") as caught:
        sm.transient(model, 10.0, 1e-3, progress=False)
    exact = RHO * 1e-3 * (5e6 - 2e4) / 1.7e9 / 1e-3
    results = caught.value.results
    assert results.time[-1] == pytest.approx(exact, abs=2e-3)
    assert results["vessel.value"][-2] > 2e4


def test_a_piston_that_leaves_its_cylinder_is_told():
    fluid = stiff()
    model, back, _ = circuit(fluid)
    end = model.prescribed("end", sm.Motion(position=(lambda t: -t, 0.0, 0.0)))
    settings = {"area_1": 1e-3, "volume_1": 1e-4, "place_b": (1, 0, 0)}
    model.add("cylinder", sm.LinearActuator(model.ground, end, back, fluid=fluid, **settings))
    with pytest.warns(UserWarning, match="its piston left chamber 1"):
        sm.transient(model, 0.2, 1e-2, progress=False)


def test_sources_follow_states():
    """Pressure, flow and speed may be states: here of lags, whose exponentials come out again."""
    fluid, time = rigid(), 0.02
    model, back, _ = circuit(fluid)
    lag = model.add("lag", sm.Lag(command=1.0, time=time))
    ends = [model.pressure(name) for name in ("p", "q", "r")]
    pressure = model.add("level", sm.Lag(command=2e6, time=time, start=1e5, unit="Pa", scale=1e5))
    model.add("source", sm.PressureSource(ends[0], fluid=fluid, pressure=pressure.output))
    model.add("flow", sm.FlowSource(back, ends[1], fluid=fluid, amount=lag.output))
    model.add("pump", sm.Pump(back, ends[2], fluid=fluid, displacement=1e-3, speed=lag.output))
    for k, end in enumerate(ends):
        model.add(f"pipe{k}", sm.Pipe(end, back, fluid=fluid, length=1.0, radius=0.02))
    results = sm.transient(model, 0.1, 2e-4, integrator=sm.TwoStep(1.0), progress=False)
    grown = 1.0 - np.exp(-results.time / time)
    np.testing.assert_allclose(results["p.value"], 1e5 + 1.9e6 * grown, rtol=1e-4)
    np.testing.assert_allclose(results["pipe1.mass_flow.value"], grown, atol=1e-4)
    np.testing.assert_allclose(results["pipe2.mass_flow.value"], 1e-3 * RHO * grown, atol=1e-4)


def test_reciprocating_pump():
    """A piston and two check valves: each stroke delivers what it displaces, less what compression keeps back.

    The oil left in the chamber, compressed and let go again, takes V dp / K of a stroke of 2e-5 m^3; valves that shut
    with a lag of a thousandth of the period let a little back.
    """
    fluid, area, half, rate, high = stiff(), 1e-3, 1e-2, 20.0, 2e6
    model, back, (out,) = circuit(fluid, high)
    piston = model.prescribed("piston", sm.Motion(position=(lambda t: half * (1.0 - np.cos(rate * t)), 0.0, 0.0)))
    chamber = model.pressure("chamber")
    settings = {"area_1": area, "volume_1": 2e-5, "place_b": (1, 0, 0)}
    model.add("cylinder", sm.LinearActuator(model.ground, piston, chamber, fluid=fluid, **settings))
    valve = {"area": 1e-4, "time": 3e-4, "full": 2e4}
    model.add("inlet", sm.CheckValve(back, chamber, fluid=fluid, **valve))
    model.add("outlet", sm.CheckValve(chamber, out, fluid=fluid, **valve))
    period = 2.0 * np.pi / rate
    results = sm.transient(model, 3 * period, period / 2000, progress=False)
    last = results.time >= 2 * period - 1e-9
    t, flow = results.time[last], results["outlet.mass_flow"][last]
    stroke = 2.0 * half * area
    kept = 2e-5 * (high - ATMOSPHERE) / 1.7e9
    assert np.trapezoid(flow, t) == pytest.approx(RHO * (stroke - kept), rel=0.02)
    assert np.trapezoid(results["inlet.mass_flow"][last], t) == pytest.approx(np.trapezoid(flow, t), rel=2e-3)


@pytest.mark.parametrize("start", [-5.0, 5.0])
def test_valves_start_within_their_travel(start):
    model, back, (p,) = circuit(stiff(), 1e6)
    numbers = {"fluid": stiff(), "area": 1e-5, "full": 2e6, "start": start}
    for made in (sm.CheckValve(p, back, **numbers), sm.ReliefValve(p, back, opening=1e6, **numbers)):
        with pytest.raises(sm.ModelError, match=f"'valve'.*start is an opening.* got {start:g}"):
            model.add("valve", made)
    a, b = model.pressure("a"), model.pressure("b")
    spool = sm.ServoValve(p, back, a, b, fluid=stiff(), area=1e-5, frequency=100.0, start=start)
    with pytest.raises(sm.ModelError, match=f"'valve'.*start is a position of the spool.* got {start:g}"):
        model.add("valve", spool)


def test_a_volume_keeps_its_liquid_when_its_size_changes():
    """0.1 % more room takes a thousandth of the bulk modulus off the pressure."""
    fluid, size = stiff(), sm.Parameter("size", 1e-4, unit="m^3")
    model, back, _ = circuit(fluid)
    p = model.pressure("p", 5e6)
    model.add("vessel", sm.Volume(p, fluid=fluid, volume=size))
    model.add("hole", sm.Orifice(p, back, fluid=fluid, diameter=1e-6))  # hardly any: 1e-9 kg/s
    stepper = sm.Stepper(model, step=1e-4)
    stepper.advance(10)
    mass, before = stepper.measure("vessel.content"), stepper.measure("p.value")
    stepper.sim.system.set_parameter("size", 1.001e-4)
    stepper.advance()
    assert stepper.measure("vessel.content") == pytest.approx(mass, rel=1e-10)
    assert before - stepper.measure("p.value") == pytest.approx(1e-3 * 1.7e9 * mass / (1.001e-4 * RHO), rel=1e-4)


def test_a_source_fills_its_volume_from_outside():
    """When its parameter changes; the inflow that is told stays what flows through the hole."""
    fluid, level = stiff(), sm.Parameter("level", 5e6, unit="Pa")
    model, back, _ = circuit(fluid)
    p = model.pressure("p", 5e6)
    model.add("source", sm.PressureSource(p, fluid=fluid, pressure=level))
    model.add("vessel", sm.Volume(p, fluid=fluid, volume=1e-4))
    model.add("hole", sm.Orifice(p, back, fluid=fluid, diameter=1e-4))
    stepper = sm.Stepper(model, step=1e-4)
    stepper.advance(10)
    stepper.sim.system.set_parameter("level", 6e6)
    stepper.advance()
    assert stepper.measure("vessel.content") == pytest.approx(1e-4 * float(fluid.density(6e6)), rel=1e-12)
    assert stepper.measure("source.inflow.value") == pytest.approx(stepper.measure("hole.mass_flow"), rel=1e-9)
