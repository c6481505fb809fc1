"""Figures of circuits and motors."""

import matplotlib.pyplot as plt
import numpy as np
from registry import figure

import samara as sm


@figure
def rectifier() -> plt.Figure:
    """A diode, a capacitor and a load at an alternating voltage."""
    model = sm.Model("rectifier")
    e, a, b = (model.potential(name) for name in "eab")
    model.add("earth", sm.Earth(e))
    model.add("winding", sm.VoltageSource(a, e, voltage=sm.Sine(10.0, 2 * np.pi * 50)))
    model.add("diode", sm.Diode(a, b, resistance=0.5))
    model.add("capacitor", sm.Capacitor(b, e, capacitance=1e-4))
    model.add("load", sm.Resistor(b, e, resistance=100.0))
    run = sm.transient(model, end=0.1, step=2e-5, progress=False)
    picture, (above, below) = plt.subplots(2, 1, sharex=True)
    above.plot(1e3 * run.time, run["a.value"], linewidth=0.9, label="winding")
    above.plot(1e3 * run.time, run["b.value"], linewidth=1.2, label="load")
    above.set(ylabel="potential [V]")
    above.legend()
    below.plot(1e3 * run.time, run["diode.current"], linewidth=0.9)
    below.set(xlabel="time [ms]", ylabel="diode current [A]")
    return picture


@figure
def motor_current_loop() -> plt.Figure:
    """A geared motor with a step of its current set point."""
    model = sm.Model("servo")
    arm = model.node("arm")
    model.add("body", sm.Body(arm, mass=1.0, inertia=(0.01, 0.02, 0.02)))
    model.add("hinge", sm.Revolute(model.ground, arm, axis=(0, 0, 1)))
    e, a = model.potential("e"), model.potential("a")
    model.add("earth", sm.Earth(e))
    gear = sm.ElasticMotorGear(ratio=50.0, friction=0.1, inertia=1e-5, stiffness=2000.0, damping=1.0)
    motor = sm.Motor(model.ground, arm, a, e, constant=0.05, resistance=1.0, inductance=1e-3, gear=gear)
    model.add("motor", motor)
    law = sm.PID(proportional=1.0, integral=1100.0, lower=-24.0, upper=24.0, tracking=1e-3)
    loop = model.add("loop", sm.ValueRegulator(motor.current, law=law, target=sm.Step(2.0, time=0.01), unit="V"))
    model.add("amplifier", sm.Amplifier(a, e, input=loop.output, limit=24.0, resistance=0.1))
    run = sm.transient(model, end=0.15, step=1e-4, progress=False)
    picture, panels = plt.subplots(3, 1, sharex=True, figsize=(6.4, 5.0))
    for axes, (name, label) in zip(
        panels,
        (
            ("motor.current.value", "current [A]"),
            ("motor.voltage", "voltage [V]"),
            ("motor.angle_rate", "speed of the arm [rad/s]"),
        ),
        strict=True,
    ):
        axes.plot(1e3 * run.time, run[name], linewidth=0.9)
        axes.set(ylabel=label)
    panels[-1].set(xlabel="time [ms]")
    return picture
