"""Drives: values, rates and accelerations in native code against plain evaluation and differences."""

import numpy as np
import pytest

import samara as sm
from samara.model import as_drive
from samara.solve.native.kernels import set_time
from samara.system.memory.blocks import ACC
from samara.tracing import TracingError, fmax, select

TIMES = (-0.7, 0.02, 0.31, 0.9, 1.7, 2.05, 4.4)  # away from the corners of the drives below
TABLE = ([0.0, 0.5, 1.5, 3.0], [1.0, -2.0, 0.5, 4.0])
GAIN = sm.Parameter("gain", 1.7)
SHARED = sm.Sine(0.4, 3.0, phase=0.2)

DRIVES = {
    "constant": sm.Constant(3.5),
    "parameter": as_drive(GAIN),
    "number": as_drive(2),
    "ramp": sm.Ramp(2.0, start=0.25, end=1.75, initial=-1.0),
    "ramp without end": sm.Ramp(-3.0),
    "step": sm.Step(4.0, time=1.0, before=-2.0),
    "sine": sm.Sine(1.5, 4.0, phase=0.3, offset=0.7),
    "sine from a start": sm.Sine(1.5, 4.0, phase=0.3, offset=0.7, start=0.5),
    "cosine": sm.Cosine(2.0, duration=1.5, start=0.5, initial=-1.0),
    "linear table": sm.Tabulated(sm.Curve(*TABLE)),
    "smooth table": sm.Tabulated(sm.Curve(*TABLE, "smooth")),
    "spline table": sm.Tabulated(sm.Curve(*TABLE, "spline", "linear")),
    "sum": SHARED + sm.Ramp(0.5, start=0.1) + 2,
    "difference": 1.0 - SHARED,
    "product": SHARED * sm.Cosine(2.0, 3.0, start=-1.0, initial=0.5) * GAIN,
    "negative": -SHARED,
    "expression": sm.Expression(lambda t: np.exp(-t) * np.sin(3 * t) + t**3 / 7 + np.arctan2(t, 2.0)),
    "function": as_drive(lambda t: fmax(t, 0.6) ** 2 + np.hypot(t, 1.0)),
    "function with a choice": as_drive(lambda t: select((t > 0.5) & (t < 2.0), np.cos(t), 0.25 * t)),
    "comparison": as_drive(lambda t: t > 1.0),
    "function of nothing": as_drive(lambda t: 2),
    "input": sm.Input("stick", initial=0.8),
    "with an input": sm.Input("pedal", initial=0.5) * SHARED + 1.0,
}


def model_of(drives):
    """A body loaded by drives, three a force (padded with zeros)."""
    model = sm.Model("driven")
    node = model.node("bob")
    model.add("body", sm.Body(node, mass=1.0, inertia=(1.0, 1.0, 1.0)))
    drives = [*drives, *[as_drive(0.0)] * (-len(drives) % 3)]
    for k in range(0, len(drives), 3):
        model.add(f"force{k}", sm.Force(node, force=drives[k : k + 3]))
    return model


@pytest.fixture(scope="module")
def sim():
    return sm.Simulation(model_of(list(DRIVES.values())))


def signal(sim, drive, t):
    """Value, rate and acceleration of a drive as the native kernel gives them."""
    set_time(sim.machine, t)
    first = sim.system.layout.signal(drive)
    return sim.system.arrays.state[first : first + 3].copy()


def plain(drive, t):
    """The drive's own Python."""
    numbers = (leaf.initial if isinstance(leaf, sm.Input) else leaf for leaf in drive.leaves())
    return drive.rebuild(iter([x if isinstance(x, sm.Curve) else float(x) for x in numbers]))(t)


@pytest.mark.parametrize("name", DRIVES)
def test_native_values_and_rates(sim, name):
    drive, h = DRIVES[name], 1e-4
    for t in TIMES:
        value, rate, acceleration = signal(sim, drive, t)
        before, here, after = (plain(drive, t + s) for s in (-h, 0.0, h))
        assert value == pytest.approx(here, rel=1e-14, abs=1e-14)
        assert rate == pytest.approx((after - before) / (2 * h), abs=1e-5)
        assert acceleration == pytest.approx((after - 2 * here + before) / h**2, abs=1e-4)


def test_the_kernel_holds_each_drive_once(sim):
    assert len({id(d) for d in sim.system.drives.all}) == len(sim.system.drives.all)
    assert len(sim.system.drives.inputs) == 2


def test_a_plain_drive_is_a_function():
    assert sm.Ramp(2.0, start=1.0)(3.0) == pytest.approx(4.0)
    assert sm.Step(4.0, time=1.0)(0.999) == 0.0
    assert sm.Step(4.0, time=1.0)(1.0) == 4.0
    assert sm.Cosine(2.0, duration=1.0)(0.5) == pytest.approx(1.0)
    assert (sm.Sine(1.0, np.pi) * 3 - 1)(0.5) == pytest.approx(2.0)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: as_drive("fast"), "'fast' is not a drive: give a number, a Parameter, a drive or a function of t"),
        (lambda: as_drive(None), "None is not a drive"),
        (lambda: as_drive(True), "True is not a drive"),
        (lambda: as_drive(lambda t: np.array([t, t])), "must return one number, got ndarray"),
        (lambda: as_drive(lambda t: (t, t)), "must return one number, got tuple"),
        (lambda: as_drive(lambda t: None), "must return one number, got NoneType"),
        (lambda: as_drive(lambda t: 1j), "must return one number, got complex"),
        (lambda: as_drive(lambda t: [t][1]), "the function cannot be called, IndexError: list index out of range"),
        (lambda: as_drive(lambda t: 1 / 0), "the function cannot be called, ZeroDivisionError: division by zero"),
        (lambda: as_drive(sm.Constant(float("inf"))), "Constant: value must be a finite number"),
        (lambda: as_drive(sm.Sine(1.0, "fast")), "Sine: frequency must be a finite number"),
        (lambda: as_drive(sm.Cosine(1.0, duration=0.0)), "Cosine: duration must be a positive number"),
        (lambda: as_drive(sm.Ramp(1.0, start=2.0, end=1.0)), "Ramp: end (1 s) is before start (2 s)"),
        (lambda: as_drive(sm.Tabulated([1.0, 2.0])), "Tabulated: curve must be a Curve"),
        (lambda: as_drive(sm.Sum(())), "Sum: needs at least one drive"),
        (lambda: as_drive(sm.Product((sm.Constant(1.0), 2.0))), "does not take 2.0"),
        (lambda: as_drive(sm.Sum((sm.LinearLaw(1.0),))), "is not a drive"),
        (lambda: as_drive(sm.Input("")), "Input: name must be a non-empty string"),
        (lambda: as_drive(sm.Input("stick", initial="low")), "Input: initial must be a finite number"),
        (lambda: sm.Constant(1.0) + sm.Sine("a", 1.0), "Sine: amplitude must be a finite number"),
        (lambda: sm.Tabulated(sm.Curve([0, 2, 1], [0, 0, 0])), "x of a table must increase: 2 is followed by 1"),
        (lambda: sm.Tabulated(sm.Curve([0, 1, 2], [0, np.nan, 0])), "a table has a gap"),
        (lambda: sm.Motion(position=(0.0, 0.0)), "needs three drives for position and three for rotation"),
    ],
)
def test_errors_say_what_is_wrong(make, words):
    with pytest.raises(ValueError) as error:
        make()
    assert words in str(error.value)


def test_an_error_in_an_expression_tells_where_it_was_written():
    with pytest.raises(sm.ModelError, match=r"test_drives\.py, line \d+"):
        as_drive(lambda t: [t])


def test_a_branch_on_time_cannot_be_traced():
    branch = "a branch .* that depends on a simulated value cannot be traced into a kernel.* write select"
    with pytest.raises(TracingError, match=branch):
        as_drive(lambda t: 1.0 if t > 1 else 0.0)
    with pytest.raises(sm.ModelError, match=f"element 'force0': Force: force: {branch}"):
        model_of([lambda t: 1.0 if t > 1 else 0.0])


class TestInput:
    @staticmethod
    def pushed():
        model = sm.Model("pushed")
        node = model.node("bob")
        model.add("body", sm.Body(node, mass=2.0, inertia=(1.0, 1.0, 1.0)))
        thrust = sm.Input("thrust", initial=1.0, unit="N")
        model.add("force", sm.Force(node, force=(thrust, 0, 2.0 * thrust)))
        return model

    def test_it_changes_the_motion_between_two_runs(self):
        sim = sm.Simulation(self.pushed())
        sm.transient(sim, 1.0, 1e-2, progress=False)
        sim.system.set_input("thrust", -3.0)
        results = sm.transient(sim, 2.0, 1e-2, progress=False)
        v = results["bob.velocity"][-1]
        # 1 N for a second, then -3 N for another, on 2 kg; a jump costs the scheme half a step
        assert v == pytest.approx([0.5 - 1.5, 0.0, 1.0 - 3.0], abs=3e-2)
        assert results["bob.acceleration"][-1] == pytest.approx([-1.5, 0.0, -3.0], abs=1e-6)

    def test_one_input_feeds_all_that_use_it(self):
        sim = sm.Simulation(self.pushed())
        sim.system.set_input("thrust", 4.0)
        sm.assemble(sim)
        assert sim.state.read(sim.model["bob"], ACC, 3) == pytest.approx([2.0, 0.0, 4.0])

    def test_an_unknown_input_names_those_that_exist(self):
        system = sm.System(self.pushed())
        with pytest.raises(sm.ModelError, match=r"no input 'trust' \(it has: thrust\)"):
            system.set_input("trust", 1.0)

    def test_two_inputs_of_one_name(self):
        model = model_of([sm.Input("stick"), sm.Input("stick")])
        with pytest.raises(sm.ModelError, match="two inputs of model 'driven' have the same name"):
            sm.System(model)
