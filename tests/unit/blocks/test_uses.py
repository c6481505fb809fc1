"""A block is one law, whoever evaluates it: Python, a model off-line, hard real time, a controller process."""

import numpy as np
import pytest
from scipy.signal import lfilter, lsim, tf2ss

import samara as sm
from samara.realtime.controllers import PID, Controller, MultiPID, SimulatedLink, run
from samara.realtime.loop import RealTime
from samara.realtime.loop.clock import made_up
from samara.solve.sampling import sampling_of

H = 0.02
COUNT = 60
WAVES = np.random.default_rng(7).normal(size=(COUNT, 4))
GAINS = {"proportional": 3.0, "integral": 10.0, "derivative": 0.05, "lag": 0.03, "b": 0.7, "c": 0.2}
LIMITS = {"lower": -1.0, "upper": 1.5}
#: How each law is made, the ends of the lists in which it takes its signals, and how many it gives.
LAWS = {
    "pid": (lambda: PID(**GAINS), (1, 2), 1),
    "pid, fed forward": (lambda: PID(**GAINS), (1, 2, 3), 1),
    "pid with back-calculation": (lambda: PID(**GAINS, **LIMITS), (1, 2), 1),
    "pid that clamps": (lambda: PID(**GAINS, **LIMITS, anti_windup="clamping"), (1, 2), 1),
    "pid that winds up": (lambda: PID(**GAINS, **LIMITS, anti_windup="none"), (1, 2), 1),
    "pid without a filter": (lambda: PID(**GAINS | {"lag": 0.0}), (1, 2), 1),
    "integral": (lambda: sm.Integral(gain=3.0, lower=-0.2, upper=0.1), (1, 2), 1),
    "two axes": (lambda: MultiPID([PID(**GAINS, lower=-0.5), PID(proportional=2.0, integral=1.0)]), (2, 4), 2),
}


def made(name):
    law = LAWS[name][0]()
    law.step = H
    law.reset()
    return law


def split(row, ends):
    """Signals as the arguments of a call: one by itself, several as a list."""
    parts = np.split(row[: ends[-1]], ends[:-1])
    return [part.tolist() if len(ends) != ends[-1] else float(part[0]) for part in parts]


def in_python(name):
    law, ends = made(name), LAWS[name][1]
    return np.array([np.ravel(law(*split(row, ends))) for row in WAVES])


def play(t, memory, u, y):
    """Answers with rows of numbers, one after the other."""
    first = 1 + y.size * int(memory[0])
    for i in range(y.size):
        y[i] = memory[first + i]
    memory[0] += 1.0


def model_with(name):
    """The samples come from a law that plays them: what goes in has all its bits."""
    _, ends, count = LAWS[name]
    model = sm.Model("uses")
    kept = [0.0, *WAVES[:, : ends[-1]].ravel()]
    waves = model.add("waves", sm.SampledBlock([], law=play, step=H, count=ends[-1], memory=kept))
    model.add("law", sm.SampledBlock(waves.outputs, law=made(name), count=count))
    return model


def held(sim, name):
    assert not sampling_of(sim).refused
    return sim.machine.samples.y[-LAWS[name][2] :].copy()


def off_line(name):
    stepper = sm.Stepper(model_with(name), step=H)
    return np.array([(stepper.advance(), held(stepper.sim, name))[1] for _ in range(COUNT)])


def in_real_time(name):
    real = RealTime(model_with(name), 1.0 / H, clock=made_up(), tolerance=1e-10, iterations=20)
    found = []
    for _ in range(COUNT):
        assert real.run(H).ended == "done"
        found.append(held(real.sim, name))
    return np.array(found)


class Process(Controller):
    """The law in a controller; its sensors show what goes in."""

    rate, actuators = 1.0 / H, ("unused",)

    def __init__(self, name):
        self.name, self.sensors = name, tuple(f"waves.y{k + 1}.value" for k in range(LAWS[name][1][-1]))

    def start(self, t, y):
        self.law, self.rows = made(self.name), []

    def step(self, t, y):
        row = np.array(y.values)
        self.rows.append((row, np.ravel(self.law(*split(row, LAWS[self.name][1]), elapsed=self.elapsed))))
        return (0.0,)


@pytest.mark.parametrize("name", LAWS)
def test_all_uses_give_the_same_bits(name):
    """One source: off-line, in real time and in Python, sample by sample."""
    exact = in_python(name)
    assert np.ptp(exact) > 0.2  # it does something
    np.testing.assert_array_equal(off_line(name), exact)
    np.testing.assert_array_equal(in_real_time(name), exact)


@pytest.mark.parametrize("name", [name for name in LAWS if LAWS[name][1][-1] > 1])
def test_a_controller_process_gives_them_too(name):
    """Its samples are the states of a model, known to what Newton leaves of them: a law of the same samples."""
    model = model_with(name)
    model.add("unused", sm.Gain(sm.Input("unused"), gain=1.0))
    process = Process(name)
    run(process, SimulatedLink(model, 1.0 / H, 0.5))
    law = made(name)
    for row, answer in process.rows:
        np.testing.assert_array_equal(np.ravel(law(*split(row, LAWS[name][1]))), answer)
    assert len(process.rows) > 20


# ---- against SciPy
def test_a_sampled_pid_is_its_transfer_functions():
    """kp (b r - y) + ki h / (z - 1) (r - y) + kd (z - 1) / ((lag + h) z - lag) (c r - y), from rest."""
    r, y = WAVES[:, 0], WAVES[:, 1]
    g = GAINS
    d = g["c"] * r - y
    slope = lfilter([g["derivative"], -g["derivative"]], [g["lag"] + H, -g["lag"]], d - d[0])
    exact = g["proportional"] * (g["b"] * r - y) + lfilter([0.0, g["integral"] * H], [1.0, -1.0], r - y) + slope
    np.testing.assert_allclose(in_python("pid")[:, 0], exact, rtol=0, atol=1e-12 * np.abs(exact).max())


@pytest.mark.parametrize("weights", [{}, {"b": 0.7, "c": 0.2}])
def test_a_continuous_pid_is_its_transfer_functions(weights):
    """The same record in a regulator: SciPy's `lsim` of kp (b r - y) + ki / s (r - y) + kd s / (lag s + 1) (c r - y).

    Second order in the step: (h w)^2 / 12 of the signals, the fastest being the lag's, and as much for what SciPy
    interpolates; a factor of 4.
    """
    law = PID(**GAINS | {"b": 1.0, "c": 1.0} | weights)
    step = 1e-3
    model = sm.Model("continuous")
    model.add("pid", sm.SignalRegulator(u=lambda t: 1.0 - np.cos(3.0 * t), target=sm.Sine(1.0, 5.0), law=law))
    run = sm.transient(model, end=1.0, step=step, progress=False)
    t = run.time
    r, y = np.sin(5.0 * t), 1.0 - np.cos(3.0 * t)
    proper = tf2ss([law.derivative, 0.0], [law.lag, 1.0])
    exact = law.proportional * (law.b * r - y)
    exact += lsim(tf2ss([law.integral], [1.0, 0.0]), r - y, t)[1] + lsim(proper, law.c * r - y, t)[1]
    size = law.proportional + law.integral + law.derivative / law.lag
    np.testing.assert_allclose(run["pid.output.value"], exact, rtol=0, atol=4 * (step / law.lag) ** 2 / 6 * size)
