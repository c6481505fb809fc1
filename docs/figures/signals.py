"""Figure of blocks: a sampled control loop with sensor errors."""

import matplotlib.pyplot as plt
from registry import figure

import samara as sm
from samara import PID


def _positioned(real: bool) -> sm.Results:
    """A flywheel with position control; real: with noise, a coarse sensor, a sampled law and backlash."""
    model = sm.Model("positioned")
    wheel = model.node("wheel")
    hinge: dict = {"axis": (0, 0, 1)}
    model.add("disc", sm.Body(wheel, mass=5.0, inertia=(0.1, 0.1, 0.2)))
    model.add("bearing", sm.Revolute(model.ground, wheel, **hinge))
    model.add("grease", sm.Torsion(model.ground, wheel, law=sm.DamperLaw(0.4), **hinge))
    noise = sm.BandLimitedNoise(deviation=0.01, bandwidth=40.0, period=4.0, seed=3) if real else 0.0
    quantum = {"quantum": 0.02} if real else {}
    sensor = model.add("sensor", sm.MotionSensor(model.ground, wheel, noise=noise, **quantum, **hinge))
    target, limits = sm.Cosine(1.0, duration=0.6, start=0.2), {"lower": -3.0, "upper": 3.0}
    if real:
        law = PID(proportional=4.0, integral=1.0, derivative=1.2, step=0.02, lag=0.04, c=1.0, **limits)
        told = model.add("law", sm.SampledBlock([target, sensor.output], law=law)).output
        told = model.add("play", sm.ContinuousBlock([told], law=sm.Backlash(gap=0.2, time=5e-3))).output
    else:
        pid = sm.PID(proportional=4.0, integral=1.0, derivative=1.2, lag=0.04, **limits)
        told = model.add("law", sm.SignalRegulator(u=sensor.output, target=target, law=pid)).output
    model.add("motor", sm.ServoMotor(model.ground, wheel, told, **hinge))
    return sm.transient(model, end=3.0, step=1e-3, progress=False)


@figure
def signals() -> plt.Figure:
    """A flywheel with an ideal controller, and with one that is sampled, noisy and has backlash."""
    picture, (above, below) = plt.subplots(2, 1, sharex=True)
    ideal, real = _positioned(False), _positioned(True)
    above.plot(real.time, real["sensor.output.value"], color="0.7", linewidth=0.8, label="sensor")
    above.plot(real.time, real["sensor.true"], label="sampled, with noise and backlash")
    above.plot(ideal.time, ideal["sensor.true"], "--", label="continuous")
    above.set(ylabel="angle [rad]")
    above.legend()
    below.plot(real.time, real["motor.torque"], linewidth=0.9)
    below.plot(ideal.time, ideal["motor.torque"], "--")
    below.set(xlabel="time [s]", ylabel="torque [N m]")
    return picture
