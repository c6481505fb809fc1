"""Turboshaft engine and governor against closed forms."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

import samara as sm
from samara.elements.drive_train.turboshaft import fuel_flow, gas_speed

AXIS = (0.0, 0.0, 1.0)
POWER, SPEED, FUEL, TIME, IDLE = 1.0e5, 100.0, 0.02, 0.8, 0.25
J = 20.0


def engine(shafts, flow, *, burning=1.0, start=None, speed=SPEED, inertia=J):
    """An engine on a flywheel whose fuel is a Lag of no importance: 1 ms."""
    train = shafts()
    shaft = train.wheel("shaft", inertia, speed=speed)
    first = start if start is not None else 0.02
    valve = train.model.add("valve", sm.Lag(command=flow, time=1e-3, start=first, unit="kg/s", scale=0.01))
    level = (first / FUEL) ** (1 / 3)
    numbers = {"power": POWER, "speed": SPEED, "fuel": FUEL, "time": TIME, "idle": IDLE}
    train.model.add(
        "engine",
        sm.TurboshaftEngine(train.casing, shaft, flow=valve.output, axis=AXIS, burning=burning, start=level, **numbers),
    )
    return train


def test_steady_points(shafts):
    """Willans' line at the design speed, twice the torque at rest, none at twice the speed."""
    for part in (0.3, 0.7, 1.0):
        flow = fuel_flow(part * POWER, POWER, FUEL, IDLE)
        for speed in (0.0, SPEED, 2 * SPEED):
            train = engine(shafts, flow, start=flow, speed=speed, inertia=1e9)
            results = sm.transient(train.model, 0.01, 1e-3, progress=False)
            torque = part * POWER / SPEED * (2.0 - speed / SPEED)
            assert results["engine.torque"][-1] == pytest.approx(torque, rel=1e-6, abs=1e-3)
            level = results["engine.gas_generator.value"][-1]
            assert level == pytest.approx(gas_speed(part * POWER, POWER, IDLE), rel=1e-9)


def test_the_gas_generator_lags(shafts):
    """A small step of the fuel near full power: exp(-t / time). The cube bends it by the size of the step, 1 %."""
    before, after = 0.0198, 0.0199
    train = engine(shafts, sm.Step(after, time=0.1, before=before), start=before, inertia=1e9)
    results = sm.transient(train.model, 4.0, 2e-3, progress=False)
    first, last = ((flow / FUEL) ** (1 / 3) for flow in (before, after))
    t = np.maximum(results.time - 0.1, 0.0)
    expected = last + (first - last) * np.exp(-t / TIME)
    np.testing.assert_allclose(results["engine.gas_generator.value"], expected, atol=0.02 * (last - first))


def test_an_engine_that_fails(shafts):
    """3 time N' = -N^3 after the flame is out: N = 1 / sqrt(1 + 2 t / (3 time)), and no torque below idle."""
    train = engine(shafts, FUEL, burning=sm.Step(0.0, time=0.5, before=1.0), start=FUEL, inertia=1e9)
    results = sm.transient(train.model, 6.0, 2e-3, progress=False)
    t = np.maximum(results.time - 0.5, 0.0)
    level = (1.0 + 2.0 * t / (3.0 * TIME)) ** -0.5
    # a drive that jumps is met within a step
    np.testing.assert_allclose(results["engine.gas_generator.value"], level, atol=2e-3 / (3 * TIME))
    out = level**3 < IDLE - 0.03
    assert np.abs(results["engine.torque"][out]).max() == 0.0
    assert results["engine.burnt"][-1] == 0.0


def test_a_shaft_that_runs_up(shafts):
    """Constant gas: J w' = P / W (2 - w / W), w = 2 W (1 - exp(-t P / (J W^2)))."""
    train = engine(shafts, FUEL, start=FUEL, speed=0.0)
    results = sm.transient(train.model, 4.0, 2e-3, progress=False)
    expected = 2 * SPEED * (1.0 - np.exp(-results.time * POWER / (J * SPEED**2)))
    np.testing.assert_allclose(results["shaft.bearing.angle_rate"], expected, rtol=1e-5, atol=1e-5 * SPEED)
    np.testing.assert_allclose(results["engine.power"], results["model.supplied"], rtol=1e-12)


GAINS = {"lower": 0.0, "upper": FUEL, "corner": 1e-4}


def governed(shafts, brake, sense=1, **gains):
    """Engine, valve and governor on a flywheel that a load brakes [N m]; it starts steady at 40 % of the power."""
    flow = fuel_flow(0.4 * POWER, POWER, FUEL, IDLE)
    train = shafts()
    shaft = train.wheel("shaft", J, speed=sense * SPEED)
    governor = train.model.add(
        "governor",
        sm.Governor(
            train.casing, shaft, axis=AXIS, target=SPEED, start=flow, sense=sense, scale=FUEL, **GAINS, **gains
        ),
    )
    valve = train.model.add(
        "valve",
        sm.LimitedServo(command=0.0, y=[governor.output], time=0.1, rate=0.02, lower=0.0, upper=FUEL, corner=1e-4,
                        start=flow, unit="kg/s", scale=FUEL),
    )  # fmt: skip
    numbers = {"power": POWER, "speed": SPEED, "fuel": FUEL, "time": TIME, "idle": IDLE, "sense": sense}
    level = gas_speed(0.4 * POWER, POWER, IDLE)
    train.model.add(
        "engine", sm.TurboshaftEngine(train.casing, shaft, flow=valve.output, axis=AXIS, start=level, **numbers)
    )
    train.model.add("load", sm.RotaryActuator(train.casing, shaft, axis=AXIS, torque=-sense * brake))
    return train.model


#: From 40 to 60 % of the design torque over 0.2 s.
UP = sm.Cosine(0.2 * POWER / SPEED, 0.2, start=0.5, initial=0.4 * POWER / SPEED)


@pytest.mark.parametrize("sense", [1, -1])
def test_droop(shafts, sense):
    """Without an integral the speed droops until both lines meet: P_gas (2 - w / W) / W = load with the fuel of w."""
    k = 4e-4
    model = governed(shafts, UP, sense, proportional=k)
    results = sm.transient(model, 25.0, 5e-3, progress=False)
    flow0 = fuel_flow(0.4 * POWER, POWER, FUEL, IDLE)

    def missing(w):
        gas = POWER * ((flow0 + k * (SPEED - w)) / FUEL - IDLE) / (1.0 - IDLE)
        return gas / SPEED * (2.0 - w / SPEED) - 0.6 * POWER / SPEED

    w = brentq(missing, 0.5 * SPEED, SPEED)
    assert results["governor.speed"][0] == pytest.approx(SPEED, rel=1e-9)
    assert results["governor.speed"][-1] == pytest.approx(w, rel=1e-5)
    assert SPEED - w > 1.0  # it does droop


def test_an_integral_brings_the_speed_back(shafts):
    """The whole loop against its equations, integrated by another program; and no droop is left."""
    k, i = 4e-4, 3e-4
    model = governed(shafts, UP, proportional=k, integral=i)
    results = sm.transient(model, 25.0, 5e-3, progress=False)
    flow0 = fuel_flow(0.4 * POWER, POWER, FUEL, IDLE)

    def rates(t, y):
        w, level, valve, x = y
        e = SPEED - w
        ramp = 0.5 * (1.0 - np.cos(np.pi * np.clip((t - 0.5) / 0.2, 0.0, 1.0)))
        load = POWER / SPEED * (0.4 + 0.2 * ramp)
        gas = POWER * (level**3 - IDLE) / (1.0 - IDLE)
        torque = gas / SPEED * (2.0 - w / SPEED)
        flow = np.clip((k * e + x - valve) / 0.1, -0.02, 0.02)
        return [(torque - load) / J, (valve / FUEL - level**3) / (3 * TIME), flow, i * e]

    start = [SPEED, (flow0 / FUEL) ** (1 / 3), flow0, flow0]
    found = solve_ivp(rates, (0.0, 25.0), start, max_step=0.01, rtol=1e-8, atol=1e-10)
    dip = SPEED - found.y[0].min()
    assert SPEED - results["governor.speed"].min() == pytest.approx(dip, rel=1e-2)
    assert results["governor.speed"][-1] == pytest.approx(SPEED, rel=2e-3)  # still settling, as below
    expected = np.interp(results.time, found.t, found.y[0])
    np.testing.assert_allclose(results["governor.speed"], expected, atol=0.02 * dip)


def test_anticipation_lessens_the_dip(shafts):
    """Fuel that is announced with the load, as much as it will take: a smaller dip."""
    k, i = 4e-4, 3e-4
    wanted = 0.2 * FUEL * (1.0 - IDLE)
    dips = []
    for ahead in (0.0, wanted):
        load = sm.Cosine(1.0, 0.2, start=0.5)
        model = governed(shafts, UP, proportional=k, integral=i, load=load, anticipation=ahead)
        results = sm.transient(model, 6.0, 5e-3, progress=False)
        dips.append(SPEED - results["governor.speed"].min())
    assert dips[1] < 0.8 * dips[0]


def test_fuel_keeps_its_limits(shafts):
    """A load beyond the full power: the fuel stays at its limit, the speed falls, the integral does not run away."""
    brake = sm.Cosine(0.9 * POWER / SPEED, 0.2, start=0.5, initial=0.4 * POWER / SPEED)
    model = governed(shafts, brake, proportional=4e-4, integral=3e-4)
    results = sm.transient(model, 6.0, 5e-3, progress=False)
    assert results["valve.output.value"].max() <= FUEL * (1 + 1e-9)
    assert results["governor.speed"][-1] < 0.9 * SPEED
    rate = np.gradient(results["valve.output.value"], results.time)
    assert np.abs(rate).max() <= 0.02 * (1 + 1e-6)
    assert results["governor.integral.value"].max() < 2.0 * FUEL


def test_the_flame_is_between_out_and_full(shafts):
    """What commands it beyond burns no more than all of the fuel, and never less than none."""
    for burning, part in ((5.0, 1.0), (-1.0, 0.0)):
        results = sm.transient(engine(shafts, FUEL, burning=burning).model, 0.01, 1e-3, progress=False)
        assert results["engine.burnt"][-1] == pytest.approx(part * FUEL, abs=1e-15)


def test_fuel_does_not_flow_back(shafts):
    """A signal below zero burns nothing: the generator runs down by the closed form; a number is refused."""
    train = shafts()
    shaft = train.wheel("shaft", 1e9, speed=SPEED)
    numbers = {"power": POWER, "speed": SPEED, "fuel": FUEL, "time": TIME, "axis": AXIS}
    flow = sm.Step(-10.0 * FUEL, time=0.0, before=FUEL)
    train.model.add("engine", sm.TurboshaftEngine(train.casing, shaft, flow=flow, **numbers))
    results = sm.transient(train.model, 4.0, 2e-3, progress=False)
    exact = (1.0 + 2.0 * results.time / (3.0 * TIME)) ** -0.5
    np.testing.assert_allclose(results["engine.gas_generator.value"], exact, atol=1e-5)
    assert not results["engine.burnt"][1:].any()
    with pytest.raises(sm.ModelError, match=r"'back'.*flow, of the fuel, must not be negative, got -1 kg/s"):
        train.model.add("back", sm.TurboshaftEngine(train.casing, shaft, flow=-1.0, **numbers))


def test_a_start_beyond_all_engines_is_refused(shafts):
    train = shafts()
    shaft = train.wheel("shaft", J)
    numbers = {"power": POWER, "speed": SPEED, "fuel": FUEL, "time": TIME, "axis": AXIS, "flow": FUEL}
    with pytest.raises(sm.ModelError, match=r"'engine'.*start is the speed of the gas generator.* got 5"):
        train.model.add("engine", sm.TurboshaftEngine(train.casing, shaft, start=5.0, **numbers))


def test_a_sense_of_any_kind_of_number(shafts):
    for given in (-1, -1.0, np.array(-1.0), np.int64(-1)):
        train = shafts()
        shaft = train.wheel("shaft", J)
        made = sm.Freewheel(train.casing, shaft, axis=AXIS, stiffness=1e4, damping=10.0, sense=given)
        assert type(train.model.add("freewheel", made).sense) is int
        assert hash(made.structure()) is not None
    for given in (True, 0, "1", np.array([1, -1]), None):
        train = shafts()
        shaft = train.wheel("shaft", J)
        with pytest.raises(sm.ModelError, match="'freewheel': Freewheel: sense must be 1 or -1"):
            train.model.add(
                "freewheel", sm.Freewheel(train.casing, shaft, axis=AXIS, stiffness=1e4, damping=10.0, sense=given)
            )
