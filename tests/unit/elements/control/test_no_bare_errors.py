"""Arguments of control and electric elements: whatever is given, it is added or refused by the name of the element."""

import numpy as np
import pytest

import samara as sm

GIVEN = [[], "a", None, 1j, np.array(1.0), np.ones((2, 2)), True, {}, object()]
COIL = {"constant": 1.0, "resistance": 1.0, "inductance": 1.0}
MAGNETS = {
    "pole_pairs": 4, "flux": 0.02, "inductance_d": 1e-3, "inductance_q": 1e-3, "resistance": 0.2, "bandwidth": 500.0,
}  # fmt: skip
LINE = {"lower": 0.0, "upper": 1.0}
#: How an element is made of a model with nodes n and k, junctions p and q, a state x, and something that is tried, v.
MADE = {
    "LinearServo.gains": lambda m, n, k, p, q, x, v: sm.LinearServo(n, k, stiffness=1.0, x=[x], gains=v),
    "LinearServo.x": lambda m, n, k, p, q, x, v: sm.LinearServo(n, k, stiffness=1.0, x=v, gains=[1.0]),
    "SignalSum.gains": lambda m, n, k, p, q, x, v: sm.SignalSum([x], gains=v),
    "SignalSum.u": lambda m, n, k, p, q, x, v: sm.SignalSum(v),
    "Sampled.u": lambda m, n, k, p, q, x, v: sm.SampledBlock(v, law=lambda *a: 0.0, step=0.1),
    "PadeDelay.order": lambda m, n, k, p, q, x, v: sm.ContinuousBlock([x], law=sm.PadeDelay(time=1.0, order=v)),
    "PadeDelay.time": lambda m, n, k, p, q, x, v: sm.ContinuousBlock([x], law=sm.PadeDelay(time=v)),
    "CSS.u": lambda m, n, k, p, q, x, v: sm.ContinuousBlock(v, law=sm.StateSpace(A=-1.0, B=1.0, C=1.0)),
    "CSS.A": lambda m, n, k, p, q, x, v: sm.ContinuousBlock([x], law=sm.StateSpace(A=v, B=1.0, C=1.0)),
    "Battery.voltage": lambda m, n, k, p, q, x, v: sm.Battery(p, q, voltage=v, capacity=1.0, resistance=1.0),
    "Battery.start": lambda m, n, k, p, q, x, v: sm.Battery(
        p, q, voltage=sm.Curve([0, 1], [1, 2]), capacity=1.0, resistance=1.0, start=v
    ),
    "Motor.p": lambda m, n, k, p, q, x, v: sm.Motor(n, k, v, q, **COIL),
    "Motor.gear": lambda m, n, k, p, q, x, v: sm.Motor(n, k, p, q, **COIL, gear=v),
    "Motor.a": lambda m, n, k, p, q, x, v: sm.Motor(v, k, p, q, **COIL),
    "PMM.current": lambda m, n, k, p, q, x, v: sm.PermanentMagnetMotor(n, k, p, q, **MAGNETS, link=48.0, current=v),
    "PMM.link": lambda m, n, k, p, q, x, v: sm.PermanentMagnetMotor(n, k, p, q, **MAGNETS, link=v, current=1.0),
    "DCMotor.scale": lambda m, n, k, p, q, x, v: sm.DCMotor(n, k, voltage=1.0, **COIL, scale=v),
    "DCMotor.voltage": lambda m, n, k, p, q, x, v: sm.DCMotor(n, k, voltage=v, **COIL),
    "Resistor.a": lambda m, n, k, p, q, x, v: sm.Resistor(v, q, resistance=1.0),
    "Inductor.a": lambda m, n, k, p, q, x, v: sm.Inductor(v, q, inductance=1.0),
    "Capacitor.b": lambda m, n, k, p, q, x, v: sm.Capacitor(p, v, capacitance=1.0),
    "Earth": lambda m, n, k, p, q, x, v: sm.Earth(v),
    "HeatingResistor.t": lambda m, n, k, p, q, x, v: sm.HeatingResistor(p, q, v, resistance=1.0),
    "Potentiometer.w": lambda m, n, k, p, q, x, v: sm.Potentiometer(n, k, p, v, q, **LINE),
    "Pot.of": lambda m, n, k, p, q, x, v: sm.Potentiometer(n, k, p, m.potential("w"), q, **LINE, of=v),
    "LoadCell.p": lambda m, n, k, p, q, x, v: sm.LoadCell(n, k, v, q, stiffness=1.0, sensitivity=1.0),
    "Tacho.p": lambda m, n, k, p, q, x, v: sm.Tachometer(n, k, v, q, constant=1.0),
    "Switch.closed": lambda m, n, k, p, q, x, v: sm.Switch(p, q, closed=v),
    "Amplifier.input": lambda m, n, k, p, q, x, v: sm.Amplifier(p, q, input=v, limit=1.0, resistance=1.0),
    "SignalRegulator.law": lambda m, n, k, p, q, x, v: sm.SignalRegulator(target=1.0, law=v),
    "SignalRegulator.target": lambda m, n, k, p, q, x, v: sm.SignalRegulator(target=v, law=sm.PID()),
    "SignalRegulator.pid": lambda m, n, k, p, q, x, v: sm.SignalRegulator(target=1.0, law=sm.PID(proportional=v)),
    "SignalRegulator.lower": lambda m, n, k, p, q, x, v: sm.SignalRegulator(target=1.0, law=sm.PID(lower=v)),
    "SignalLink.y": lambda m, n, k, p, q, x, v: sm.SignalLink(v, x),
    "Attitude.angle": lambda m, n, k, p, q, x, v: sm.AttitudeRegulator(n, k, angle=v, law=sm.PID(), target=0.0),
    "Motion.quantity": lambda m, n, k, p, q, x, v: sm.MotionSensor(n, k, quantity=v),
    "Quant.step": lambda m, n, k, p, q, x, v: sm.ContinuousBlock([x], law=sm.Quantiser(quantum=v)),
    "Accel.gravity": lambda m, n, k, p, q, x, v: sm.Accelerometer(n, gravity=v),
    "Accel.place": lambda m, n, k, p, q, x, v: sm.Accelerometer(n, place=v),
    "Instr.quantum": lambda m, n, k, p, q, x, v: sm.MotionSensor(n, k, quantum=v),
    "Saturation.lower": lambda m, n, k, p, q, x, v: sm.ContinuousBlock([x], law=sm.Saturation(lower=v)),
    "Lag.start": lambda m, n, k, p, q, x, v: sm.Lag(command=x, time=1.0, start=v),
    "LimitedServo.start": lambda m, n, k, p, q, x, v: sm.LimitedServo(command=x, time=1.0, rate=1.0, **LINE, start=v),
    "RateLimit.fall": lambda m, n, k, p, q, x, v: sm.ContinuousBlock([x], law=sm.RateLimit(rise=1.0, fall=v, time=1.0)),
    "Backlash.start": lambda m, n, k, p, q, x, v: sm.ContinuousBlock(
        [x], law=sm.Backlash(gap=1.0, time=1.0, initial=v)
    ),
}


@pytest.mark.parametrize("given", GIVEN, ids=lambda v: type(v).__name__)
@pytest.mark.parametrize("what", MADE)
def test_nothing_bare_comes_through(what, given):
    model = sm.Model("given")
    n, k = model.node("n", position=(1.0, 0.0, 0.0)), model.node("k", position=(2.0, 0.0, 0.0))
    p, q, x = model.potential("p"), model.potential("q"), model.state("x")
    make = MADE[what]
    try:
        element = make(model, n, k, p, q, x, given)
    except sm.ModelError:  # records that are made before the element check themselves
        return
    try:
        model.add("e", element)
    except sm.ModelError as error:
        assert str(error).startswith("element 'e': ")
        assert "e" not in model.elements
