"""Discrete laws in native code: what is compiled, when it is called, and what it remembers."""

import control
import numpy as np
import pytest

import samara as sm
from samara import PID, Delay, LowPass, TransferFunction
from samara.solve.errors import SolveError
from samara.solve.laws.compiled import as_part
from samara.solve.sampling import sampling_of
from samara.solve.store.checkpoint import restore, snapshot
from samara.sweep import grid, sweep

H = 0.02
#: What is left of a state in a step: some times the tolerance of Newton's method, 1e-10.
NEWTON = 1e-9


def pid(**how):
    return PID(proportional=3.0, integral=10.0, derivative=0.05, step=H, lag=0.03, b=0.7, c=0.2, **how)


def answers(stepper, count):
    """What laws have answered, at each step: as it is held, without the rounding of a step."""
    found = []
    for _ in range(count):
        stepper.advance()
        found.append(stepper.sim.machine.samples.y.copy())
    return np.array(found)


def counted(t, memory, u, y):
    """How often it was called, and the sum of what went in."""
    memory[0] += 1.0
    memory[1] += u[0]
    y[0], y[1] = memory[0], memory[1]


def with_text(t, memory, u, y):
    """Numba refuses it: it allocates."""
    memory[0] += 1.0
    y[0], y[1] = float(f"{memory[0]:.1f}"), 0.0


def of_own(law, **how):
    model = sm.Model("own")
    model.add("law", sm.SampledBlock([lambda t: t], law=law, step=H, count=2, memory=(0.0, 5.0), **how))
    return sm.Simulation(model)


def test_a_law_of_ones_own_is_compiled():
    sim = of_own(counted)
    results = sm.transient(sim, end=1.0, step=H / 4, progress=False)
    assert not sampling_of(sim).refused
    k = np.arange(1, 51)
    np.testing.assert_allclose(results["law.y1.value"][1::4], k, rtol=NEWTON)
    np.testing.assert_allclose(results["law.y2.value"][1::4], 5.0 + H * np.cumsum(k - 1), rtol=NEWTON)


def raising(t, memory, u, y):
    if t > 0.05:
        raise ValueError("too late")
    y[0] = y[1] = 0.0


def test_a_compiled_law_that_raises_an_error_is_named():
    sim = of_own(raising)
    with pytest.raises(
        sm.Diverged, match=r"'own': element 'law' at t = 0\.06 s: its law failed, ValueError: too late$"
    ):
        sm.transient(sim, end=1.0, step=H, progress=False)
    assert not sampling_of(sim).refused


def raising_once(t, memory, u, y):
    memory[0] += 1.0
    if memory[0] == 3.0:
        raise ValueError
    y[0] = y[1] = 0.0


def test_an_error_that_does_not_come_again_in_python_is_told_as_far_as_it_is_known():
    with pytest.raises(sm.Diverged, match=r"at t = 0\.04 s: its law failed: it raised an error, which compiled code"):
        sm.transient(of_own(raising_once), end=1.0, step=H, progress=False)


def reading(t, memory, u, y):
    y[0] = memory[int(50.0 * t)]  # it has two
    y[1] = 0.0


def writing(t, memory, u, y):
    for i in range(200 if t > 0.03 else 2):
        y[i] = u[0]


@pytest.mark.parametrize("law", [reading, writing])
def test_an_index_out_of_range_ends_the_run_with_its_results(law):
    """Without bounds it would read the memory of another law, or write over it."""
    model = sm.Model("own")
    first = model.add("law", sm.SampledBlock([lambda t: t], law=law, step=H, count=2, memory=(0.5, 5.0)))
    model.add("other", sm.SampledBlock([first.outputs[0]], law=law, step=H, count=2, memory=(7.0, 8.0, 9.0, 10.0)))
    sim = sm.Simulation(model)
    words = r"element 'law' at t = 0\.04 s: its law failed, IndexError: index 2 is out of bounds .* with size 2$"
    with pytest.raises(sm.Diverged, match=words) as caught:
        sm.transient(sim, end=1.0, step=H, progress=False)
    assert not sampling_of(sim).refused
    assert caught.value.results.time[-1] == pytest.approx(2 * H)


def test_users_laws_are_compiled_with_bounds():
    assert as_part(reading).targetoptions["boundscheck"]


def test_a_law_that_numba_refuses_is_called_as_it_is():
    sim = of_own(with_text)
    results = sm.transient(sim, end=1.0, step=H, progress=False)
    assert "Numba refuses it" in sampling_of(sim).refused["law"]
    np.testing.assert_allclose(results["law.y1.value"][1:], np.arange(1, 51), rtol=NEWTON)


@pytest.mark.parametrize(
    ("words", "how"),
    [
        ("memory must be a whole number, or finite numbers", {"memory": -1}),
        ("memory must be a whole number, or finite numbers", {"memory": (np.inf,)}),
        ("memory must be of 1000000 numbers at most, got 1000000000", {"memory": 10**9}),
        ("memory must be of 1000000 numbers at most, got 1000001", {"memory": np.zeros(1_000_001)}),
        ("count must be a whole number, 1 to 1000, got 1000000000", {"count": 10**9}),
        (r"is called as law\(t, memory, u, y\), this one takes", {"law": lambda u: u, "memory": 1}),
        ("a law with memory= receives all inputs in u", {"memory": 1, "lists": (1,)}),
    ],
)
def test_a_law_of_ones_own_that_cannot_be_is_refused(words, how):
    with pytest.raises(sm.ModelError, match=f"element 'law': SampledBlock: .*{words}"):
        sm.Model("own").add("law", sm.SampledBlock([1.0], **{"law": counted, "step": H} | how))


def endless(t, memory, u, y):
    """It divides by zero at its fourth sample."""
    y[0] = u[0] / (3.0 - memory[0])
    memory[0] += 1.0


def test_a_compiled_law_that_has_no_answer_is_named():
    model = sm.Model("endless")
    model.add("law", sm.SampledBlock([1.0], law=endless, memory=1, step=H))
    with pytest.raises(
        sm.Diverged, match=r"'endless': element 'law' at t = 0\.06 s: .* finite numbers, .*inf"
    ) as caught:
        sm.transient(model, end=1.0, step=H / 2, progress=False)
    assert caught.value.results.time[-1] == pytest.approx(3 * H)


def test_samples_are_counted_in_steps_however_long_a_run_is():
    """After 4e5 steps of 0.1 s their sum is off by 3e-6 of one: no sample is lost by it."""
    model = sm.Model("long")
    model.add("law", sm.SampledBlock([1.0], law=counted, step=0.2, count=2, memory=2))
    count = 400_000
    results = sm.transient(model, end=0.1 * count, step=0.1, every=count, outputs="law.y1.value", progress=False)
    assert results["law.y1.value"][-1] == pytest.approx(count // 2, rel=NEWTON)


# ---- what is remembered
class Plant(sm.Element):
    """time dx/dt + x = u, of a state that is there already: so loops are closed."""

    x: sm.State = sm.state(kw_only=False)
    u: object = sm.signal()
    time: float = sm.number()

    def formulate(self, site):
        x = site.states[0]
        return sm.Contribution(wrenches=[], balances=[self.time * x.rate + x.value - self.received(site, "u")])


def loop(law=None, name="loop"):
    """A plant of first order with a discrete law, a delay, and a filter of another period."""
    model = sm.Model(name)
    wanted = model.add("wanted", sm.SampledBlock([sm.Sine(1.0, 0.7)], law=LowPass(2.0, step=3 * H)))
    x = model.state("x", 1, value=1.0)
    late = model.add("late", sm.SampledBlock([x], law=Delay(2, step=H)))
    told = model.add("pid", sm.SampledBlock([wanted.output, late.output], law=law or pid(lower=-2.0, upper=2.0)))
    model.add("plant", Plant(x, u=told.output, time=0.2))
    return model


@pytest.mark.parametrize("way", [{"step": H / 4}, {"accuracy": 1e-6}])
@pytest.mark.parametrize("middle", [0.4, 0.43])
def test_a_run_that_is_saved_and_taken_up_again_is_one_that_was_not_bit_by_bit(way, middle, tmp_path):
    """At a sample instant and between two; in another simulation, whose laws begin anew otherwise."""
    sim = sm.Simulation(loop())
    sm.transient(sim, end=middle, progress=False, checkpoint=tmp_path / "kept.npz", **way)
    whole = sm.transient(sim, end=1.0, progress=False, **way)
    rest = sm.transient(loop(), end=1.0, progress=False, resume=tmp_path / "kept.npz", **way)
    assert rest.time.size > 10
    for name in ("x.value", "pid.output.value", "late.output.value", "wanted.output.value"):
        np.testing.assert_array_equal(rest[name], whole[name][-rest.time.size :])


def test_a_run_that_stops_goes_on_as_one_that_does_not():
    """Fixed steps: the same run in one go, bit by bit."""
    whole = sm.transient(loop(), end=1.0, step=H / 4, progress=False)
    sim = sm.Simulation(loop())
    first = sm.transient(sim, end=0.43, step=H / 4, progress=False)
    rest = sm.transient(sim, end=1.0, step=H / 4, progress=False)
    found = np.concatenate([first["pid.output.value"], rest["pid.output.value"]])
    np.testing.assert_array_equal(found, whole["pid.output.value"])


def test_a_step_that_misses_what_is_left_until_a_sample_is_refused():
    sim = sm.Simulation(loop())
    sm.transient(sim, end=0.43, step=H / 4, progress=False)
    with pytest.raises(
        sm.ArgumentError, match=r"element 'wanted' takes its next sample in 0\.05 s, .* of 0\.02 s: continue with"
    ):
        sm.transient(sim, end=1.0, step=H, progress=False)


def test_a_checkpoint_is_not_taken_up_with_steps_that_miss_samples(tmp_path):
    sm.transient(loop(), end=0.43, step=H / 4, progress=False, checkpoint=tmp_path / "kept.npz")
    with pytest.raises(
        sm.ArgumentError, match=r"element 'wanted' takes its next sample in 0\.05 s, .* of 0\.02 s: continue with"
    ):
        sm.transient(loop(), end=1.0, step=H, progress=False, resume=tmp_path / "kept.npz")


def test_a_stepper_does_not_gather_what_python_laws_have_answered():
    model = sm.Model("plain")
    model.add("law", sm.SampledBlock([1.0], law=lambda u: u, step=H))
    stepper = sm.Stepper(model, step=H)
    stepper.advance(100)
    assert not stepper.sim.sampling._python["law"]._told


def test_a_snapshot_has_the_memory_of_laws():
    sim = sm.Simulation(loop())
    sm.transient(sim, end=0.4, step=H / 4, progress=False)
    kept = snapshot(sim)
    once = sm.transient(sim, end=0.8, step=H / 4, progress=False)
    restore(sim, kept)
    again = sm.transient(sim, end=0.8, step=H / 4, progress=False)
    np.testing.assert_array_equal(again["pid.output.value"], once["pid.output.value"])


@pytest.mark.parametrize(
    "other",
    [
        lambda: pid(lower=-2.0, upper=2.5),
        lambda: PID(proportional=3.0, step=H),
        lambda: pid(lower=-2.0, upper=2.0 + 1e-6),
    ],
)
def test_a_checkpoint_of_other_gains_is_refused(other, tmp_path):
    sm.transient(loop(), end=0.4, step=H, progress=False, checkpoint=tmp_path / "kept.npz")
    with pytest.raises(SolveError, match="with other numbers, law of element 'pid'"):
        sm.transient(loop(other()), end=1.0, step=H, progress=False, resume=tmp_path / "kept.npz")


class Drifting:
    """A Python law with a memory."""

    step = H

    def reset(self):
        self.y = 0.0

    def __call__(self, r, y):
        self.y += 0.1 * (r - y)
        return self.y


def test_a_checkpoint_refuses_the_memory_of_a_law_that_is_python(tmp_path):
    with pytest.raises(sm.ArgumentError, match="'pid' of model 'loop' is sampled, and a checkpoint cannot store"):
        sm.transient(loop(Drifting()), end=0.1, step=H, checkpoint=tmp_path / "kept.npz", progress=False)


def test_a_python_law_without_a_memory_is_taken_up_again(tmp_path):
    model = sm.Model("plain")
    x = model.state("x", 1, value=1.0)
    told = model.add("law", sm.SampledBlock([x], law=lambda x: -x, step=H))
    model.add("plant", Plant(x, u=told.output, time=0.2))
    sim = sm.Simulation(model)
    sm.transient(sim, end=0.4, step=H / 4, progress=False, checkpoint=tmp_path / "kept.npz")
    whole = sm.transient(sim, end=1.0, step=H / 4, progress=False)
    rest = sm.transient(model, end=1.0, step=H / 4, progress=False, resume=tmp_path / "kept.npz")
    np.testing.assert_array_equal(rest["x.value"], whole["x.value"])


def test_gains_that_are_changed_between_steps_of_a_stepper_act():
    law = PID(proportional=1.0, step=H)
    model = sm.Model("gain")
    model.add("law", sm.SampledBlock([1.0, 0.0], law=law))
    stepper = sm.Stepper(model, step=H)
    stepper.advance(2)
    law.tune(proportional=3.0)
    stepper.advance(2)
    np.testing.assert_allclose(stepper.results()["law.output.value"], [1.0, 1.0, 1.0, 3.0, 3.0], rtol=1e-12)


def test_a_fed_input_reaches_a_law_at_the_instant_it_is_fed():
    model = sm.Model("fed")
    doubled = model.add("doubled", sm.Gain(sm.Input("u"), gain=2.0)).output
    model.add("law", sm.SampledBlock([doubled], law=Delay(0, step=H)))
    stepper = sm.Stepper(model, step=H)
    assert list(stepper.inputs) == ["u"]
    assert answers(stepper, 1) == 0.0  # the first sample is that of the start
    for value in (0.1, 0.7, 0.75):
        stepper.feed("u", value)
        assert answers(stepper, 1) == pytest.approx(2.0 * value, rel=1e-12)
    with pytest.raises(sm.ModelError, match=r"'law\.held1' holds the output of a discrete law"):
        stepper.feed("law.held1", 1.0)


# ---- through algebraic blocks
PATHS = {
    "directly": lambda model, u: u,
    "a gain": lambda model, u: model.add("gain", sm.Gain(u, gain=1.0)).output,
    "two gains": lambda model, u: (
        model.add("second", sm.Gain(model.add("first", sm.Gain(u, gain=4.0)).output, gain=0.25)).output
    ),
    "a saturation": lambda model, u: (
        model.add("limits", sm.ContinuousBlock([u], law=sm.Saturation(lower=-5.0, upper=5.0, corner=0.1))).output
    ),
}


@pytest.mark.parametrize("formulation", ["redundant", "recursive"])
@pytest.mark.parametrize("way", [{"step": 0.01}, {"step": 0.1}, {"accuracy": 1e-6}])
@pytest.mark.parametrize("path", PATHS)
def test_a_step_at_a_sample_instant_is_seen_there_through_algebraic_blocks(path, way, formulation):
    """As by python-control, and as when it is read directly: not a sample later."""
    model = sm.Model("step")
    ball = model.node("ball")
    model.add("body", sm.Body(ball, mass=1.0, inertia=(1, 1, 1)))
    law = TransferFunction((0.2, 0.1, -0.05), (1.0, -1.1, 0.5), step=0.1)
    u = PATHS[path](model, sm.Step(1.0, time=0.3))
    model.add("law", sm.SampledBlock([u], law=law))
    run = sm.transient(model, end=1.0, formulation=formulation, progress=False, **way)
    t = 0.1 * np.arange(10)
    system = control.tf((0.2, 0.1, -0.05), (1.0, -1.1, 0.5), 0.1)
    exact = control.forced_response(system, t, np.where(t > 0.3 - 1e-9, 1.0, 0.0)).outputs
    held = [run["law.output.value"][np.searchsorted(run.time, time + 1e-6)] for time in t]
    np.testing.assert_allclose(held, exact, atol=1e-9)


@pytest.mark.parametrize("formulation", ["redundant", "recursive"])
def test_laws_answer_each_other_through_algebraic_blocks_at_the_same_instant(formulation):
    """A delay by two samples, a gain, a delay by one: by three, and not by four."""
    model = sm.Model("row")
    ball = model.node("ball")
    model.add("body", sm.Body(ball, mass=1.0, inertia=(1, 1, 1)))
    first = model.add("first", sm.SampledBlock([lambda t: np.cos(5.0 * t)], law=Delay(2, step=H)))
    gain = model.add("gain", sm.Gain(first.output, gain=3.0))
    model.add("second", sm.SampledBlock([gain.output], law=Delay(1, step=H)))
    results = sm.transient(model, end=1.0, step=H / 2, formulation=formulation, progress=False)
    t = H * np.arange(50)
    exact = np.where(np.arange(50) < 3, 0.0, 3.0 * np.cos(5.0 * (t - 3 * H)))
    np.testing.assert_allclose(results["second.output.value"][1::2], exact, atol=1e-9)


def test_an_algebraic_loop_in_front_of_a_law_is_solved_there():
    """z = u - 0.5 z: a law reads 2/3 u of the very instant."""
    model = sm.Model("loop")
    z = model.state("z", 0)
    u = sm.Step(3.0, time=5 * H)
    sum_of = model.add("sum", sm.SignalSum([u, z], gains=(1.0, -0.5)))
    model.add("link", sm.SignalLink(z, sum_of.output))
    model.add("law", sm.SampledBlock([z], law=Delay(0, step=H)))
    results = sm.transient(model, end=0.2, step=H, progress=False)
    np.testing.assert_allclose(results["law.output.value"], np.where(results.time > 5.5 * H, 2.0, 0.0), atol=1e-9)


def test_a_circuit_in_front_of_laws_is_solved_at_the_instant_of_a_jump():
    """A resistor and a capacitor: its voltage goes on, the current jumps to that of the resistor alone, V / R."""
    model = sm.Model("circuit")
    e, a, b = (model.potential(name) for name in "eab")
    model.add("earth", sm.Earth(e))
    source = model.add("source", sm.VoltageSource(a, e, voltage=sm.Step(1.0, time=5 * H)))
    model.add("resistor", sm.Resistor(a, b, resistance=2.0))
    model.add("capacitor", sm.Capacitor(b, e, capacitance=0.05))
    for name, state in (("A", model.states["a"]), ("B", model.states["b"]), ("I", source.owned["current"])):
        model.add(name, sm.SampledBlock([state], law=Delay(0, step=H)))
    results = sm.transient(model, end=6 * H, step=H / 4, progress=False)
    late = results.time > 5.1 * H
    for name, before, after in (("A", 0.0, 1.0), ("B", 0.0, 0.0), ("I", 0.0, -0.5)):
        np.testing.assert_allclose(results[f"{name}.output.value"], np.where(late, after, before), atol=1e-9)


@pytest.mark.parametrize("volumes", [1, 2])
def test_a_hydraulic_circuit_in_front_of_laws_is_solved_at_the_instant_of_a_jump(volumes):
    """Two equal orifices in a row to a vessel: the pressure between them jumps to the mean, that of the vessel goes on.

    The mean to the change of the density over the drops, 2e5 Pa of 1.7e9 Pa.
    """
    oil = sm.LinearFluid(reference_density=870.0, bulk_modulus=1.7e9, viscosity=0.07, vapour_pressure=100.0)
    model = sm.Model("circuit")
    a, between, b = (model.pressure(name, 1e5) for name in ("a", "between", "b"))
    model.add("source", sm.PressureSource(a, fluid=oil, pressure=sm.Step(2e5, time=5 * H) + 1e5))
    model.add("first", sm.Orifice(a, between, fluid=oil, diameter=1e-3))
    model.add("second", sm.Orifice(between, b, fluid=oil, diameter=1e-3))
    for k in range(volumes):
        model.add(f"vessel{k}", sm.Volume(b, fluid=oil, volume=2e-3))
    for name in ("between", "b"):
        seen = model.add(f"{name}.bar", sm.Gain(model.states[name], gain=1e-5))
        model.add(f"{name}.law", sm.SampledBlock([seen.output], law=Delay(0, step=H)))
    results = sm.transient(model, end=6 * H, step=H / 20, progress=False)
    late = results.time > 5.01 * H
    np.testing.assert_allclose(results["between.law.output.value"], np.where(late, 2.0, 1.0), rtol=2e-4)
    np.testing.assert_allclose(results["b.law.output.value"], 1.0, rtol=2e-4)


class Root(sm.Element):
    """y^2 = 1 - u of a state of order 0: there is none once u is above 1."""

    u: object = sm.signal()

    def own_states(self):
        return {"y": sm.State(0, value=1.0)}

    def formulate(self, site):
        y = site.states[-1].value
        return sm.Contribution(wrenches=[], balances=[y * y - 1.0 + self.received(site, "u")])


def test_algebraic_blocks_without_a_solution_in_front_of_a_law_are_told():
    model = sm.Model("root")
    root = model.add("root", Root(u=sm.Step(4.0, time=5 * H)))
    model.add("law", sm.SampledBlock([root.owned["y"]], law=Delay(0, step=H)))
    with pytest.raises(sm.Diverged, match=r"element 'law' at t = 0\.1 s: no solution of the algebraic blocks in front"):
        sm.transient(model, end=1.0, step=H, progress=False)


def test_the_same_system_runs_again_from_the_same_start():
    """What laws have held in the run before is forgotten."""
    system = sm.System(loop())
    runs = [sm.transient(system, end=0.5, step=H, progress=False) for _ in range(2)]
    np.testing.assert_array_equal(runs[0]["pid.output.value"], runs[1]["pid.output.value"])


def tuned_loop(gain):
    return loop(PID(proportional=gain, integral=10.0, step=H), name="tuned")


def last(results):
    return results["x.value"][-1]


def test_sweeps_run_laws_in_their_processes():
    gains = [1.0, 2.0, 3.0]
    found = sweep(tuned_loop, last, grid(gain=gains), end=0.5, step=H / 2, workers=2, progress=False)
    alone = [last(sm.transient(tuned_loop(gain), end=0.5, step=H / 2, progress=False)) for gain in gains]
    np.testing.assert_allclose(np.ravel(found["value"].values), alone, rtol=1e-12)
