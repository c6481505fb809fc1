"""A block is one law, whoever evaluates it: Python, a model off-line, hard real time, a controller process."""

import numpy as np
import pytest
from scipy.linalg import expm
from scipy.signal import bilinear, cont2discrete, dlsim, lfilter, lsim, tf2ss

import samara as sm
from samara.realtime.controllers import Controller, SimulatedLink, run
from samara.realtime.loop import RealTime
from samara.realtime.loop.clock import made_up
from samara.solve.sampling import sampling_of
from samara.solve.store.checkpoint import restore, snapshot

H = 0.02
COUNT = 60
WAVES = np.random.default_rng(7).normal(size=(COUNT, 6))
GAINS = {"proportional": 3.0, "integral": 10.0, "derivative": 0.05, "lag": 0.03, "b": 0.7, "c": 0.2}
LIMITS = {"lower": -1.0, "upper": 1.5}
A = np.array([[0.9, 0.2], [-0.1, 0.7]])
B = np.array([[0.1, 0.0], [0.3, -0.2]])
C = np.array([[1.0, 0.5], [0.0, 1.0]])
D = np.array([[0.0, 0.3], [0.1, 0.0]])
L = np.array([[0.2, 0.0], [0.0, 0.1]])
NUMERATOR, DENOMINATOR = (0.2, 0.1, -0.05), (1.0, -1.1, 0.5)


def predictive(disturbances=0, errors=0, **how):
    """Of a model of two outputs and two inputs with two samples of the past of each."""
    rng = np.random.default_rng(4)
    more = {} if not disturbances else {"D": 0.2 * rng.standard_normal((2, 2, disturbances))}
    if errors:
        more["C"] = 0.1 * rng.standard_normal((errors, 2, 2))
    model = sm.ARMAX(A=[0.9 * A, -0.1 * A], B=[B, 0.3 * B], **more)
    return sm.PredictiveControl(model, sm.Horizons(8, 3), step=H, control_weight=0.2, **how)


#: How each law is made, the ends of the lists in which it takes its signals, and how many it gives.
LAWS = {
    "pid": (lambda: sm.PID(**GAINS), (1, 2), 1),
    "pid, fed forward": (lambda: sm.PID(**GAINS), (1, 2, 3), 1),
    "pid with back-calculation": (lambda: sm.PID(**GAINS, **LIMITS), (1, 2), 1),
    "pid that clamps": (lambda: sm.PID(**GAINS, **LIMITS, anti_windup="clamping"), (1, 2), 1),
    "pid that winds up": (lambda: sm.PID(**GAINS, **LIMITS, anti_windup="none"), (1, 2), 1),
    "pid without a filter": (lambda: sm.PID(**GAINS | {"lag": 0.0}), (1, 2), 1),
    "integral": (lambda: sm.Integral(gain=3.0, lower=-0.2, upper=0.1), (1, 2), 1),
    "two axes": (
        lambda: sm.MultiPID([sm.PID(**GAINS, lower=-0.5), sm.PID(proportional=2.0, integral=1.0)]),
        (2, 4),
        2,
    ),
    "state space": (lambda: sm.StateSpace(A, B, C, D, step=H), (2,), 2),
    "state space of one": (lambda: sm.StateSpace(A, B[:, :1], C[:1], step=H), (1,), 1),
    "held oscillator": (lambda: sm.StateSpace([[0, 1], [-9.0, -0.4]], [[0], [9]], [[1, 0]]).discretise(H), (1,), 1),
    "transfer function": (lambda: sm.TransferFunction(NUMERATOR, DENOMINATOR, step=H), (1,), 1),
    "integrator": (lambda: sm.TransferFunction([H], [1.0, -1.0], step=H), (1,), 1),
    "gain": (lambda: sm.TransferFunction([3.0], [2.0], step=H), (1,), 1),
    "observer": (lambda: sm.Observer(A, B, C, D, L, step=H), (2, 4), 2),
    "low pass": (lambda: sm.LowPass(3.0), (1,), 1),
    "high pass": (lambda: sm.HighPass(3.0), (1,), 1),
    "second order": (lambda: sm.LowPass2(3.0), (1,), 1),
    "notch": (lambda: sm.Notch(3.0), (1,), 1),
    "derivative": (lambda: sm.Derivative(0.03), (1,), 1),
    "mean": (lambda: sm.MovingAverage(7), (1,), 1),
    "unwrap": (lambda: sm.Unwrap(), (1,), 1),
    "delay": (lambda: sm.Delay(3, 0.5), (1,), 1),
    "no delay": (lambda: sm.Delay(0), (1,), 1),
    "saturation": (lambda: sm.Saturation(-1.0, 1.5), (1,), 1),
    "dead zone": (lambda: sm.DeadZone(-1.0, 0.5), (1,), 1),
    "rate limit": (lambda: sm.RateLimit(5.0, 9.0), (1,), 1),
    "rate limit behind a lag": (lambda: sm.RateLimit(5.0, time=0.1), (1,), 1),
    "play": (lambda: sm.Backlash(0.7), (1,), 1),
    "quantiser": (lambda: sm.Quantiser(0.3), (1,), 1),
    "two parabolas": (lambda: sm.TwoParabolas(0.2, 1.7, 2.0, begin=-1.0), (1,), 3),
    "cubic": (lambda: sm.Cubic(1.0, -2.0, 2.0, begin=-1.0), (1,), 3),
    "quintic": (lambda: sm.Quintic(1.0, -2.0, 2.0, begin=-1.0), (1,), 3),
    "trapezoid": (lambda: sm.Trapezoid(0.0, 3.0, 2.0, 3.0, begin=-1.0), (1,), 3),
    "table": (lambda: sm.TableTrajectory([-1.0, 0.0, 0.5, 2.0], [0.0, 2.0, -1.0, 1.0]), (1,), 3),
    "predictive": (predictive, (2,), 2),
    "predictive with set points": (lambda: predictive(lower=-0.5, upper=0.4), (2, 2, 4), 2),
    "predictive of errors": (lambda: predictive(errors=2), (2,), 2),
    "predictive with outliers": (lambda: predictive(errors=1, largest=1.7), (2,), 2),
    "predictive with a disturbance": (lambda: predictive(disturbances=1), (2, 3), 2),
    "predictive with it and set points": (lambda: predictive(disturbances=1, increment_weight=0.3), (2, 3, 5), 2),
}


def made(name):
    law = LAWS[name][0]()
    if law.step is None:
        law = law.sampled_at(H)
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
    law = sm.PID(**GAINS | {"b": 1.0, "c": 1.0} | weights)
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


def from_rest(b, a, u):
    """SciPy's filter of what goes on from the first sample, which has stood there always."""
    still = np.sum(b) / np.sum(a) if abs(np.sum(a)) > 1e-12 else None
    return lfilter(b, a, u) if still is None else still * u[0] + lfilter(b, a, u - u[0])


def bent(b, a, frequency):
    """SciPy's bilinear transform of polynomials in s, the frequency [Hz] being 1, bent to be exact there."""
    return bilinear(b, a, 0.5 / np.tan(np.pi * frequency * H))


SHAPES = {
    "low pass": ([1.0], [1.0, 1.0]),
    "high pass": ([1.0, 0.0], [1.0, 1.0]),
    "second order": ([1.0], [1.0, np.sqrt(2.0), 1.0]),
    "notch": ([1.0, 0.0, 1.0], [1.0, 1.0, 1.0]),
}
SAMPLED = {
    "transfer function": (NUMERATOR, DENOMINATOR),
    "integrator": ([0.0, H], [1.0, -1.0]),
    "gain": ([1.5], [1.0]),
    "derivative": ([1.0, -1.0], [0.03 + H, -0.03]),
    **{name: bent(*shape, 3.0) for name, shape in SHAPES.items()},
}


@pytest.mark.parametrize("name", SAMPLED)
def test_sampled_linear_laws_are_scipys(name):
    exact = from_rest(*SAMPLED[name], WAVES[:, 0])
    np.testing.assert_allclose(in_python(name)[:, 0], exact, rtol=0, atol=1e-12 * np.abs(exact).max())


def test_a_sampled_state_space_is_scipys():
    """From rest under the first sample; the held oscillator by SciPy's zero-order hold."""
    x = np.linalg.solve(np.eye(2) - A, B @ WAVES[0, :2])
    exact = dlsim((A, B, C, D, H), WAVES[:, :2], x0=x)[1]
    np.testing.assert_allclose(in_python("state space"), exact, rtol=0, atol=1e-12)
    held = cont2discrete(tuple(map(np.array, ([[0, 1], [-9.0, -0.4]], [[0], [9]], [[1, 0]], [[0]]))), H)
    exact = dlsim((*held[:4], H), WAVES[:, 0], x0=[WAVES[0, 0], 0.0])[1]
    np.testing.assert_allclose(in_python("held oscillator"), exact, rtol=0, atol=1e-12)


def test_an_observer_is_scipys_system():
    """Of its error equation: x+ = (A - L C) x + (B - L D) u + L y."""
    inputs = np.hstack([B - L @ D, L])
    states = dlsim((A - L @ C, inputs, np.eye(2), np.zeros((2, 4)), H), WAVES[:, :4])[1]
    np.testing.assert_allclose(in_python("observer")[:-1], states[1:], rtol=0, atol=1e-12)


def test_sampled_laws_that_bend_are_their_closed_forms():
    u, y, followed, played = WAVES[:, 0], WAVES[0, 0], [], []
    for one in u:
        y += np.clip(one - y, -9.0 * H, 5.0 * H)
        followed.append(y)
    y = 0.0
    for one in u:
        y = np.clip(y, one - 0.35, one + 0.35)
        played.append(y)
    late = np.concatenate([[0.5] * 3, u[:-3]])
    means = [np.mean(u[max(0, k - 6) : k + 1]) for k in range(COUNT)]
    turns = np.unwrap(u)
    for name, exact in (
        ("saturation", np.clip(u, -1.0, 1.5)),
        ("dead zone", u - np.clip(u, -1.0, 0.5)),
        ("rate limit", followed),
        ("play", played),
        ("quantiser", 0.3 * np.round(u / 0.3)),
        ("delay", late),
        ("mean", means),
        ("unwrap", turns),
    ):
        np.testing.assert_allclose(in_python(name)[:, 0], exact, rtol=0, atol=1e-14, err_msg=name)


def swept():
    return sm.SineSweep(0.3, 0.5, 4.0, 0.8, begin=0.1, logarithmic=True)


def test_a_sweep_is_the_same_to_the_rounding_of_sines():
    """Those of the kernels are not those of NumPy: 1e-15 of a phase of 8 rad, times the square of 25 rad/s."""
    model = sm.Model("sweep")
    clock = model.add("t", sm.SampledBlock([], law=count_time, step=H, memory=[0.0]))
    model.add("path", sm.SampledBlock([clock.output], law=swept(), step=H, count=3))
    stepper, path = sm.Stepper(model, step=H), swept()
    for k in range(COUNT):
        stepper.advance()
        np.testing.assert_allclose(stepper.sim.machine.samples.y[-3:], path(k * H), rtol=0, atol=1e-11)


def count_time(t, memory, u, y):
    """The time of the sample."""
    y[0] = 0.02 * memory[0]
    memory[0] += 1.0


CONTINUOUS = {
    **{
        name: (LAWS[name][0], *(np.array(p) / (6.0 * np.pi) ** np.arange(len(p) - 1.0, -1.0, -1.0) for p in shape))
        for name, shape in SHAPES.items()
    },
    "derivative": (lambda: sm.Derivative(0.03), [1.0, 0.0], [0.03, 1.0]),
    "transfer function": (lambda: sm.TransferFunction([2.0, 3.0], [1.0, 4.0, 90.0]), [2.0, 3.0], [1.0, 4.0, 90.0]),
}


@pytest.mark.parametrize("name", CONTINUOUS)
def test_continuous_linear_laws_are_scipys(name):
    """The same records as equations: `lsim` from rest, on a grid 10 times finer; second order in the step."""
    make, b, a = CONTINUOUS[name]
    errors = []
    for step in (2e-3, 1e-3):
        model = sm.Model("continuous")
        model.add("law", sm.ContinuousBlock([lambda t: np.cos(7.0 * t)], law=make()))
        run = sm.transient(model, end=0.6, step=step, progress=False)
        t = np.linspace(0.0, 0.6, 10 * (run.time.size - 1) + 1)
        still = b[-1] / a[-1] if len(b) == len(a) or b[-1] else 0.0
        exact = still + lsim((b, a), np.cos(7.0 * t) - 1.0, t)[1][::10]
        errors.append(np.abs(run["law.output.value"] - exact).max() / np.abs(exact).max())
    assert errors[1] < 1e-3
    assert errors[1] < 0.35 * errors[0]


def test_a_continuous_observer_follows_its_plant():
    """Error equation e' = (A - L C) e: by the matrix exponential, whatever drives both."""
    plant, gain = np.array([[0.0, 1.0], [-9.0, -0.4]]), np.array([[8.0], [20.0]])
    model = sm.Model("observer")
    u = model.add("u", sm.Gain(sm.Sine(1.0, 5.0), gain=1.0)).output
    true = model.add(
        "true", sm.ContinuousBlock([u], law=sm.StateSpace(plant, [[0], [9]], np.eye(2), initial=[0.5, 1.0]))
    )
    law = sm.Observer(plant, [[0], [9]], [[1, 0]], [[0]], gain)
    model.add("seen", sm.ContinuousBlock([u, true.outputs[0]], law=law))
    run = sm.transient(model, end=1.0, step=1e-3, progress=False)
    off = np.column_stack([run[f"true.y{k}.value"] - run[f"seen.y{k}.value"] for k in (1, 2)])
    exact = [expm((plant - gain @ [[1.0, 0.0]]) * t) @ [0.5, 1.0] for t in run.time]
    np.testing.assert_allclose(off, exact, rtol=0, atol=1e-4)


# ---- missed samples and other numbers, of all laws alike
@pytest.mark.parametrize("name", ["delay", "mean", "transfer function", "observer", "predictive"])
def test_a_law_of_even_samples_has_the_last_one_in_the_place_of_those_missed(name):
    law, other = made(name), made(name)
    ends = LAWS[name][1]
    for k, row in enumerate(WAVES[:20]):
        if k == 10:
            continue
        answer = law(*split(row, ends), elapsed=2.0 * H if k == 11 else None)
        if k == 11:
            other(*split(WAVES[9], ends))
        assert np.array_equal(answer, other(*split(row, ends)))


@pytest.mark.parametrize(
    ("law", "changed"),
    [
        (sm.LowPass2(3.0, step=H), {"frequency": 5.0}),
        (sm.TransferFunction(NUMERATOR, DENOMINATOR, step=H), {"denominator": (1.0, -0.9, 0.4)}),
        (sm.Derivative(0.03, step=H), {"time": 0.1}),
    ],
)
def test_tuning_makes_no_bump(law, changed):
    """At the sample after, with the same u, the answer moves no more than from sample to sample before and after."""
    u = np.sin(0.05 * np.arange(200))
    y = []
    for k, one in enumerate(u):
        if k == 100:
            law.tune(**changed)
        y.append(law(float(one)))
    steps = np.abs(np.diff(y[50:150]))
    assert steps[49] <= 1.5 * np.median(steps)
    with pytest.raises(sm.BlockError, match="tune has no parameter 'nonsense'"):
        law.tune(nonsense=1.0)


def test_a_law_in_a_model_is_tuned_without_a_bump_by_a_parameter():
    """The memory is carried in one place, `Block.carried`: here and in a model the same bits."""
    time = sm.Parameter("time", 0.03)
    model = sm.Model("tuned")
    waves = model.add("waves", sm.SampledBlock([], law=play, step=H, memory=[0.0, *WAVES[:, 0]]))
    model.add("law", sm.SampledBlock([waves.output], law=sm.Derivative(time), step=H))
    stepper, law = sm.Stepper(model, step=H), sm.Derivative(0.03, step=H)
    for k in range(20):
        if k == 10:
            time.value = 0.1
            law.tune(time=0.1)
        stepper.advance()
        assert stepper.sim.machine.samples.y[-1] == law(WAVES[k, 0])


# ---- memory and derivatives
@pytest.mark.parametrize("name", ["pid", "delay", "mean", "predictive"])
def test_the_memory_of_a_law_is_part_of_the_state(name):
    """A snapshot in the middle, and the same run from it, bit by bit."""
    sim, runs = sm.Simulation(model_with(name)), []
    sm.transient(sim, end=0.4, step=H, progress=False)
    kept = snapshot(sim)
    for _ in range(2):
        restore(sim, kept)
        run = sm.transient(sim, end=0.8, step=H, progress=False)
        runs.append(run["law.y1.value" if LAWS[name][2] > 1 else "law.output.value"])
    np.testing.assert_array_equal(*runs)
    assert np.ptp(runs[0]) > 0.0
