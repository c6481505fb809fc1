"""Discrete laws in a continuous model: against SciPy and python-control, in loops, and as in a controller process."""

import copy
from dataclasses import dataclass

import control
import numpy as np
import pytest
from scipy import signal

import samara as sm
from samara import ARMAX, PID, Delay, Horizons, PredictiveControl, StateSpace, TransferFunction
from samara.realtime.controllers import Controller, SimulatedLink, run

PERIOD = 0.02
NUMERATOR, DENOMINATOR = (0.2, 0.1, -0.05), (1.0, -1.1, 0.5)
A = np.array([[0.9, 0.2], [-0.1, 0.7]])
B = np.array([[0.1, 0.0], [0.3, -0.2]])
C = np.array([[1.0, 0.5], [0.0, 1.0]])
D = np.array([[0.0, 0.3], [0.1, 0.0]])


def after_samples(results, name, period=PERIOD):
    """What is held from every sample instant on: the records just after them."""
    step = results.time[1] - results.time[0]
    ratio = round(period / step)
    return results[name][1::ratio]


class Plant(sm.Element):
    """time dx/dt + x = u, of a state that is there already: so loops are closed."""

    x: sm.State = sm.state(kw_only=False)
    u: object = sm.signal()
    time: float = sm.number()

    def formulate(self, site):
        x = site.states[0]
        return sm.Contribution(wrenches=[], balances=[self.time * x.rate + x.value - self.received(site, "u")])


@pytest.mark.parametrize("step", [PERIOD, PERIOD / 2, PERIOD / 5])
def test_a_discrete_transfer_function_is_that_of_scipy_and_control_at_any_step(step):
    model = sm.Model("sampled")
    law = TransferFunction(NUMERATOR, DENOMINATOR, step=PERIOD)
    model.add("G", sm.SampledBlock([lambda t: np.sin(9.0 * t)], law=law))
    results = sm.transient(model, end=1.0, step=step, progress=False)
    t = PERIOD * np.arange(50)
    _, exact = signal.dlsim((NUMERATOR, DENOMINATOR, PERIOD), np.sin(9.0 * t), t)
    found = after_samples(results, "G.output.value")
    np.testing.assert_allclose(found, exact[:, 0], atol=1e-9)
    other = control.forced_response(control.tf(NUMERATOR, DENOMINATOR, PERIOD), t, np.sin(9.0 * t)).outputs
    np.testing.assert_allclose(found, other, atol=1e-9)
    held = results["G.output.value"][1:].reshape(50, -1)
    np.testing.assert_allclose(held, held[:, :1] * np.ones(held.shape[1]), atol=1e-9)  # a zero-order hold


def test_a_discrete_mimo_state_space_is_that_of_scipy():
    model = sm.Model("sampled")
    law = StateSpace(A, B, C, D, initial=0.0, step=PERIOD)  # as SciPy begins
    u = model.add("u", sm.Gain(lambda t: np.sin(9.0 * t), gain=1.0)).output
    block = model.add("S", sm.SampledBlock([u, lambda t: 1.0 - t], law=law, count=2))
    assert [y.name for y in block.outputs] == ["S.y1", "S.y2"]
    results = sm.transient(model, end=1.0, step=PERIOD / 4, progress=False)
    t = PERIOD * np.arange(50)
    _, exact, _ = signal.dlsim((A, B, C, D, PERIOD), np.column_stack([np.sin(9.0 * t), 1.0 - t]), t)
    for k in range(2):
        np.testing.assert_allclose(after_samples(results, f"S.y{k + 1}.value"), exact[:, k], atol=1e-9)
    again = sm.transient(model, end=1.0, step=PERIOD / 4, progress=False)  # the law is reset
    np.testing.assert_array_equal(again["S.y1.value"], results["S.y1.value"])


def test_a_delay_by_whole_samples_is_exact_and_blocks_in_a_row_answer_at_once():
    """The second reads the first directly: no sample is lost between them."""
    model = sm.Model("sampled")
    first = model.add("a", sm.SampledBlock([lambda t: np.cos(5.0 * t)], law=Delay(3, step=PERIOD)))
    model.add("b", sm.SampledBlock([first.output], law=Delay(2, step=PERIOD)))
    results = sm.transient(model, end=1.0, step=PERIOD / 2, progress=False)
    t = PERIOD * np.arange(50)
    exact = np.where(np.arange(50) < 5, 0.0, np.cos(5.0 * (t - 5 * PERIOD)))
    np.testing.assert_allclose(after_samples(results, "b.output.value"), exact, atol=1e-9)


def loop(law, time=0.2):
    model = sm.Model("loop")
    x = model.state("x", 1, value=1.0)
    pid = model.add("pid", sm.SampledBlock([0.5, x], law=law))
    model.add("plant", Plant(x, u=pid.output, time=time))
    return model


def test_a_sampled_loop_is_the_discrete_loop_of_the_held_plant():
    """The plant under a zero-order hold is exactly x+ = a x + (1 - a) u: so is the run, to second order of its step."""
    a = np.exp(-PERIOD / 0.2)
    law, x, exact = PID(proportional=3.0, integral=10.0, step=PERIOD), 1.0, []
    for _ in range(50):
        exact.append(x)
        x = a * x + (1.0 - a) * law(0.5, x)
    errors = []
    for step in (PERIOD / 4, PERIOD / 8, PERIOD / 16):
        results = sm.transient(
            loop(PID(proportional=3.0, integral=10.0, step=PERIOD)), end=1.0, step=step, progress=False
        )
        errors.append(np.abs(results["x.value"][:: round(PERIOD / step)][:50] - exact).max())
    assert errors[-1] < 1e-5
    assert np.all(np.log2(np.array(errors[:-1]) / errors[1:]) > 1.6), errors


def test_steps_that_follow_an_accuracy_end_at_sample_instants():
    """Two sample times that no fixed step has in common but a short one; each is met, and the loop is the exact one."""
    a, first = np.exp(-PERIOD / 0.2), PID(proportional=3.0, integral=10.0, step=PERIOD)
    x, exact = 1.0, []
    for _ in range(50):
        exact.append(x)
        x = a * x + (1.0 - a) * first(0.5, x)
    model = loop(PID(proportional=3.0, integral=10.0, step=PERIOD))
    model.add("beside", sm.SampledBlock([lambda t: t], law=lambda t: t, step=0.0137))
    results = sm.transient(model, end=1.0, accuracy=1e-7, progress=False)
    at = [int(np.argmin(np.abs(results.time - PERIOD * k))) for k in range(50)]
    np.testing.assert_allclose(results.time[at], PERIOD * np.arange(50), atol=1e-12)
    np.testing.assert_allclose(results["x.value"][at], exact, atol=3e-5)
    held = results["beside.output.value"]
    np.testing.assert_allclose(held, 0.0137 * np.round(held / 0.0137), atol=1e-9)
    assert np.all(results.time - held < 0.0137 + 1e-9)


class Outside(Controller):
    """The same law in a controller, with a model that has an input in the place of the block."""

    rate = 1.0 / PERIOD
    sensors = ("x.value",)
    actuators = ("u",)

    def start(self, t, y):
        self.law = PID(
            proportional=3.0, integral=10.0, derivative=0.02, lag=0.05, lower=-1.0, upper=1.5, step=PERIOD, c=0.0
        )

    def step(self, t, y):
        return (self.law(0.5, y[0]),)


def test_a_law_does_the_same_as_an_element_and_in_a_controller():
    substeps = 4
    inside = sm.transient(
        loop(
            PID(proportional=3.0, integral=10.0, derivative=0.02, lag=0.05, lower=-1.0, upper=1.5, step=PERIOD, c=0.0)
        ),
        end=1.0,
        step=PERIOD / substeps,
        progress=False,
    )
    model = sm.Model("plant")
    x = model.state("x", 1, value=1.0)
    model.add("plant", Plant(x, u=sm.Input("u"), time=0.2))
    link = SimulatedLink(model, 1.0 / PERIOD, 1.0, substeps=substeps)
    run(Outside(), link)
    outside = link.results()
    assert outside.time.size == inside.time.size
    # both of second order, (h / 0.2)^2 / 12 of what is held: the block's output is one state more
    np.testing.assert_allclose(inside["x.value"], outside["x.value"], atol=2e-5)


def test_runs_do_not_share_the_memory_of_a_law_and_one_goes_on_with_it():
    model = loop(PID(proportional=3.0, integral=10.0, step=PERIOD))
    whole = sm.transient(model, end=1.0, step=PERIOD / 4, progress=False)
    again = sm.transient(model, end=1.0, step=PERIOD / 4, progress=False)
    np.testing.assert_array_equal(whole["x.value"], again["x.value"])
    sim = sm.Simulation(model)
    sm.transient(sim, end=0.5, step=PERIOD / 4, progress=False)
    rest = sm.transient(sim, end=1.0, step=PERIOD / 4, progress=False)
    np.testing.assert_allclose(rest["x.value"][-1], whole["x.value"][-1], rtol=1e-9)
    stepper = sm.Stepper(model, step=PERIOD / 4)
    stepper.advance(200)
    np.testing.assert_allclose(stepper.results()["x.value"], whole["x.value"], rtol=1e-9)


def test_the_first_sample_is_at_the_start_and_settles_what_follows():
    model = sm.Model("sampled")
    y = model.add("y", sm.SampledBlock([2.0], law=lambda u: 3.0 * u, step=PERIOD)).output
    model.add("after", sm.ContinuousBlock([y], law=sm.TransferFunction(denominator=(0.1, 1.0))))
    results = sm.transient(model, end=0.1, step=PERIOD / 2, progress=False)
    np.testing.assert_allclose(results["y.output.value"], 6.0, rtol=1e-12)
    np.testing.assert_allclose(results["after.output.value"], 6.0, rtol=1e-9)


def test_sample_times_that_are_no_whole_number_of_steps_are_refused_by_name():
    model = loop(PID(proportional=3.0, step=PERIOD))
    with pytest.raises(sm.ArgumentError, match=r"'pid' samples every 0\.02 s, .* step of 0\.003 s: take 0\.00285714 s"):
        sm.transient(model, end=1.0, step=3e-3, progress=False)


@pytest.mark.parametrize(
    "analysis",
    [
        sm.static,
        sm.state_space,
        lambda model: sm.linearise(sm.Simulation(model)),
        lambda model: sm.stability(sm.Simulation(model)),
        lambda model: sm.campbell(model, [1.0]),
        lambda model: sm.periodic(model, period=1.0, step=PERIOD),
        lambda model: sm.floquet(model, period=1.0, step=PERIOD),
    ],
)
def test_what_does_not_call_laws_refuses_them_by_name(analysis):
    with pytest.raises(
        sm.ArgumentError, match="element 'pid' of model 'loop' is sampled, and its law is only called in"
    ):
        analysis(loop(PID(proportional=3.0, step=PERIOD)))


def test_a_law_that_answers_with_no_number_is_named():
    model = sm.Model("sampled")
    model.add("y", sm.SampledBlock([2.0], law=lambda u: float("nan"), step=PERIOD))
    with pytest.raises(sm.Diverged, match=r"element 'y' at t = 0 s: its law must return 1 finite number\(s\), got nan"):
        sm.transient(model, end=0.1, step=PERIOD, progress=False)


def failing(law):
    """A law that goes wrong at its third sample."""
    model, calls = sm.Model("failing"), iter(range(99))
    model.add("y", sm.SampledBlock([2.0], law=lambda u: u if next(calls) < 2 else law(u), step=PERIOD))
    return model


@pytest.mark.parametrize("answer", [None, "12", 1j, {1.0: 2.0}, float("nan"), (1.0, 2.0), [[1.0]], [None]])
def test_an_answer_that_is_no_number_ends_the_run_with_its_results(answer):
    with pytest.raises(sm.Diverged, match=r"element 'y' at t = 0.04 s: its law must return 1 finite number") as caught:
        sm.transient(failing(lambda u: answer), end=1.0, step=PERIOD / 2, progress=False)
    assert caught.value.results.time[-1] == pytest.approx(2 * PERIOD)


@pytest.mark.parametrize("way", [{"step": PERIOD / 2}, {"accuracy": 1e-6}])
def test_an_error_in_a_law_ends_the_run_with_its_results_and_its_file(way, tmp_path):
    with pytest.raises(
        sm.Diverged, match=r"'failing': element 'y' at t = 0\.04 s: its law failed, ZeroDivisionError: "
    ) as caught:
        sm.transient(failing(lambda u: u / 0.0), end=1.0, save=tmp_path / "run.nc", progress=False, **way)
    assert isinstance(caught.value.__cause__, ZeroDivisionError)  # where it happened is shown
    results, kept = caught.value.results, sm.Results.load(tmp_path / "run.nc")
    assert results.attrs.status == kept.attrs.status == "failed"
    for found in (results, kept):
        assert found.time[-1] == pytest.approx(2 * PERIOD)
        np.testing.assert_allclose(found["y.output.value"], 2.0, rtol=1e-12)


def test_an_error_in_a_law_leaves_a_stepper_its_results():
    stepper = sm.Stepper(failing(lambda u: u / 0.0), step=PERIOD)
    with pytest.raises(sm.Diverged, match=r"element 'y' at t = 0\.04 s: its law failed") as caught:
        stepper.advance(9)
    assert caught.value.results.time[-1] == pytest.approx(2 * PERIOD)
    assert caught.value.results.attrs.status == stepper.results().attrs.status == "failed"


@dataclass
class Counting:
    """A law with a memory that cannot be the key of a dictionary, as of any dataclass."""

    step: float
    count: int = 0

    def reset(self):
        self.count = 0

    def __call__(self, u):
        self.count += 1
        return self.count


def test_a_dataclass_may_be_a_law():
    model = sm.Model("counting")
    model.add("y", sm.SampledBlock([0.0], law=Counting(PERIOD)))
    for _ in range(2):  # it is reset
        results = sm.transient(model, end=5 * PERIOD, step=PERIOD, progress=False)
        np.testing.assert_allclose(results["y.output.value"], [1, 1, 2, 3, 4, 5], atol=1e-9)


def test_answers_of_the_usual_kinds_are_numbers():
    for answer in (3, np.float32(3.0), np.array(3.0), np.array([3.0]), [3.0], (3,)):
        model = sm.Model("sampled")
        model.add("y", sm.SampledBlock([2.0], law=lambda u, answer=answer: answer, step=PERIOD))
        results = sm.transient(model, end=PERIOD, step=PERIOD, progress=False)
        np.testing.assert_allclose(results["y.output.value"], 3.0, rtol=1e-12)


@pytest.mark.parametrize(
    ("words", "how"),
    [
        ("lists must be whole numbers", {"law": float, "lists": "a"}),
        ("lists must be whole numbers", {"law": float, "lists": 1}),
        ("lists must be whole numbers", {"law": float, "lists": (1.0,)}),
        ("u gives the law 1 signals, but the law takes", {"law": lambda u, v: u}),
        ("u gives the law 1 lists of signals, but the law takes", {"law": lambda u, v: u, "lists": (1,)}),
        ("start must be a finite number, got 'a'", {"law": float, "start": "a"}),
    ],
)
def test_what_a_law_cannot_be_called_with_is_refused_by_name(words, how):
    with pytest.raises(sm.ModelError, match=f"element 'y': SampledBlock: {words}"):
        sm.Model("sampled").add("y", sm.SampledBlock([1.0], step=PERIOD, **how))


def test_a_sample_time_that_is_a_text_is_refused_by_name():
    def law(u):
        return u

    law.step = "slow"
    with pytest.raises(sm.ModelError, match=r"step must be a positive sample time .* got 'slow'"):
        sm.Model("sampled").add("y", sm.SampledBlock([1.0], law=law, step=PERIOD))


class OfItsOwn(PID):
    """A law that answers in its own way: what it inherits is not what it does."""

    def __call__(self, r, y):
        return super().__call__(r, y) + 1.0


def test_runs_take_turns_with_one_law_that_is_compiled():
    """Its memory is that of each run."""
    model = loop(PID(proportional=3.0, integral=10.0, step=PERIOD))
    steppers = [sm.Stepper(model, step=PERIOD) for _ in range(2)]
    for _ in range(20):
        for stepper in steppers:
            stepper.advance(1)
    alone = sm.transient(model, end=20 * PERIOD, step=PERIOD, progress=False)
    for stepper in steppers:
        np.testing.assert_array_equal(stepper.results()["x.value"], alone["x.value"])


def test_two_runs_cannot_take_turns_with_one_law_that_is_python():
    model = loop(OfItsOwn(proportional=3.0, integral=10.0, step=PERIOD))
    first = sm.Stepper(model, step=PERIOD)
    first.advance(2)
    sm.Stepper(model, step=PERIOD)
    with pytest.raises(sm.ModelError, match="'pid': another run has started with its law in the meantime"):
        first.advance(2)


def test_a_copy_of_a_state_space_block_has_a_memory_of_its_own():
    law = StateSpace(A, B, C, D, step=PERIOD)
    law([1.0, 2.0])
    twin = copy.deepcopy(law)
    np.testing.assert_array_equal(twin.state, law.state)
    np.testing.assert_array_equal(twin([0.5, 0.1]).copy(), law([0.5, 0.1]).copy())
    twin([3.0, 0.0])
    assert not np.array_equal(twin.state, law.state)


def test_two_blocks_cannot_share_a_law_that_has_a_memory():
    model, law = sm.Model("shared"), Counting(PERIOD)
    model.add("a", sm.SampledBlock([1.0], law=law))
    model.add("b", sm.SampledBlock([2.0], law=law))
    with pytest.raises(sm.ModelError, match="element 'a': SampledBlock: its law is also used by 'b'"):
        sm.Simulation(model)


def test_blocks_share_a_law_that_is_compiled():
    model, law = sm.Model("shared"), Delay(1, step=PERIOD)
    model.add("a", sm.SampledBlock([1.0], law=law))
    model.add("b", sm.SampledBlock([2.0], law=law))
    results = sm.transient(model, end=3 * PERIOD, step=PERIOD, progress=False)
    np.testing.assert_array_equal(results["a.output.value"][2:], 1.0)
    np.testing.assert_array_equal(results["b.output.value"][2:], 2.0)


def test_predictive_control_is_an_element_too():
    """GPC of a plant whose samples are known exactly: the run is the discrete loop, set point included."""
    a = np.exp(-PERIOD / 0.2)
    model_of = ARMAX(A=[[[a]]], B=[[[1.0 - a]]])

    def make():
        return PredictiveControl(model_of, Horizons(last=10, controls=3), step=PERIOD, increment_weight=0.1)

    law, x, exact = make(), 1.0, []
    for _ in range(40):
        exact.append(x)
        x = a * x + (1.0 - a) * float(law([x], None, [0.4])[0])
    model = sm.Model("loop")
    x = model.state("x", 1, value=1.0)
    gpc = model.add("gpc", sm.SampledBlock([x, 0.4], law=make()))
    model.add("plant", Plant(x, u=gpc.output, time=0.2))
    results = sm.transient(model, end=0.8, step=PERIOD / 16, progress=False)
    np.testing.assert_allclose(results["x.value"][::16][:40], exact, atol=2e-5)  # second order: see the PID
    assert abs(results["x.value"][-1] - 0.4) < 0.02


class Root(sm.Element):
    """y^2 = 1 - u of a state of order 0: there is none once u is above 1."""

    u: object = sm.signal()

    def own_states(self):
        return {"y": sm.State(0, value=1.0)}

    def formulate(self, site):
        y = site.states[-1].value
        return sm.Contribution(wrenches=[], balances=[y * y - 1.0 + self.received(site, "u")])


def test_a_run_that_fails_after_a_sample_names_the_element_and_keeps_its_results():
    model = sm.Model("failing")
    told = model.add("law", sm.SampledBlock([lambda t: t], law=lambda t: 20.0 * t, step=PERIOD))
    model.add("root", Root(u=told.output))
    with pytest.raises(sm.Diverged, match="'root'") as caught:
        sm.transient(model, end=1.0, step=PERIOD / 5, progress=False)
    results = caught.value.results
    assert results.time[-1] == pytest.approx(3 * PERIOD, abs=PERIOD / 2)  # 20 t is above 1 from the third sample on
    y, u = results["root.y.value"], results["law.output.value"]
    np.testing.assert_allclose(y[:-1] ** 2, 1.0 - u[:-1], atol=1e-6)
    assert caught.value.dump.exists()


@pytest.mark.parametrize("way", [{"step": 0.01}, {"accuracy": 1e-6}])
def test_a_step_at_a_sample_instant_is_seen_there(way):
    """`Step` has its value from its time on: a law that samples then answers from then on, not a sample later."""
    model = sm.Model("step")
    model.add("block", sm.SampledBlock([sm.Step(1.0, time=0.3)], law=Delay(0, step=0.1)))
    model.add("beside", sm.ContinuousBlock([sm.Sine(1.0, 50.0)], law=sm.TransferFunction(denominator=(0.01, 1.0))))
    run = sm.transient(model, end=0.6, progress=False, **way)
    late = run.time > 0.3 + 1e-9
    np.testing.assert_array_equal(run["block.output.value"][late], 1.0)
    np.testing.assert_array_equal(run["block.output.value"][~late], 0.0)


@pytest.mark.parametrize("start", [0.0, 0.3])
def test_a_plant_that_starts_settled_is_settled_at_what_is_held_before(start):
    """y = 1 - x before 2 / (1 + 0.5 s): x = 2 start at first, which the law sees; then by hand, sample by sample."""

    def law(t, memory, u, y):
        y[0] = 1.0 - u[0]

    model = sm.Model("loop")
    x = model.state("x", 0)
    block = model.add("law", sm.SampledBlock([x], law=law, step=0.1, memory=1, start=start))
    plant = model.add(
        "plant", sm.ContinuousBlock([block.output], law=sm.TransferFunction(numerator=(2.0,), denominator=(0.5, 1.0)))
    )
    model.add("link", sm.SignalLink(x, plant.output))
    results = sm.transient(model, 0.5, 1e-3, progress=False)
    value, decay = 2.0 * start, np.exp(-0.1 / 0.5)
    for k in range(5):
        assert results["x.value"][100 * k] == pytest.approx(value, abs=1e-6)  # of second order in the step
        value = 2.0 * (1.0 - value) + (value - 2.0 * (1.0 - value)) * decay
