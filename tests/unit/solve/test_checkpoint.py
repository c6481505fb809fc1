"""A run that is taken up again goes on as if it had not stopped, bit by bit."""

import contextlib
import importlib
import os

import numpy as np
import pytest

import samara as sm
from samara.solve.native.codes import Counter
from samara.solve.store.checkpoint import load_checkpoint, save_checkpoint, snapshot

STEP = 1e-3


def double_pendulum(name="double pendulum", mass=1.0) -> sm.Model:
    model = sm.Model(name, gravity=(0, 0, -9.81))
    before = model.ground
    for k in range(2):
        node = model.node(f"link{k}", (k + 0.5, 0, 0))
        model.add(f"body{k}", sm.Body(node, mass=mass, inertia=(0.1, 0.2, 0.3)))
        model.add(f"hinge{k}", sm.Revolute(before, node, at=(k, 0, 0), axis=(0, 1, 0)))
        before = node
    return model


def run(model_or_sim, end, **options):
    return sm.transient(model_or_sim, **{"end": end, "step": STEP, "progress": False, **options})


@pytest.fixture(scope="module")
def whole():
    return run(double_pendulum(), 2.0)


def same(joined, whole):
    return np.array_equal(joined[0], whole.time) and np.array_equal(joined[1], whole.table)


def join(first, second):
    return np.concatenate([first.time, second.time]), np.concatenate([first.table, second.table])


@pytest.mark.parametrize("end", [0.001, 0.7, 1.999])
def test_resumed_run_is_bitwise_the_same(end, whole, tmp_path):
    first = run(double_pendulum(), end, checkpoint=tmp_path / "state.npz")
    second = run(double_pendulum(), 2.0, resume=tmp_path / "state.npz")
    assert same(join(first, second), whole)
    counted = set(whole.attrs.counters) - {"seconds"}
    assert counted >= {"steps", "iterations", "jacobians"}
    assert all(second.attrs.counters[name] == whole.attrs.counters[name] for name in counted)


def test_rarely_recorded_rows_fall_on_the_same_steps(whole, tmp_path):
    # 0.777 s is in the middle between two records
    first = run(double_pendulum(), 0.777, every=10, checkpoint=tmp_path / "state.npz")
    second = run(double_pendulum(), 2.0, every=10, resume=tmp_path / "state.npz")
    times, table = join(first, second)
    assert np.array_equal(times, whole.time[::10])
    assert np.array_equal(table, whole.table[::10])


def test_after_a_new_pivot_sequence(tmp_path):
    """The analysis is made again in mid-run, at a state that only the checkpoint knows."""
    sim = sm.Simulation(double_pendulum())
    run(sim, 0.5)
    sim.analyse(sim.matrix_values())
    run(sim, 0.8)
    save_checkpoint(sim, tmp_path / "state.npz")
    straight = run(sim, 1.5)
    assert sim.counters[Counter.ANALYSES] == 2
    resumed = run(double_pendulum(), 1.5, resume=tmp_path / "state.npz")
    assert np.array_equal(resumed.table, straight.table)
    assert np.array_equal(resumed.time, straight.time)


def interrupted_at(monkeypatch, chunks):
    """Ctrl-C seen after so many native calls."""

    @contextlib.contextmanager
    def stub():
        calls = iter([False] * chunks + [True])
        yield lambda: next(calls)

    module = importlib.import_module("samara.solve.transient")  # the package exports a function of that name
    monkeypatch.setattr(module, "noting_interrupts", stub)


@pytest.mark.parametrize("options", [{"step": STEP}, {"step": None, "accuracy": 1e-6}], ids=["fixed", "variable"])
def test_interrupted_run_goes_on_bitwise(options, monkeypatch, tmp_path):
    straight = run(double_pendulum(), 2.0, **options)
    interrupted_at(monkeypatch, 1)
    with pytest.raises(sm.Interrupted) as stop:
        run(double_pendulum(), 2.0, checkpoint=tmp_path / "state.npz", **options)
    monkeypatch.undo()
    first = stop.value.results
    assert 0 < first.time[-1] < 2.0
    second = run(double_pendulum(), 2.0, resume=tmp_path / "state.npz", **options)
    assert same(join(first, second), straight)


def same_bits(one, two):
    """By bits: among the numbers of the state lie whole ones, and some of those look like nan."""
    return one.keys() == two.keys() and all(one[name].tobytes() == two[name].tobytes() for name in one)


def test_a_snapshot_has_everything(tmp_path):
    sim, other = sm.Simulation(double_pendulum()), sm.Simulation(double_pendulum())
    run(sim, 0.3)
    save_checkpoint(sim, tmp_path / "state.npz")
    load_checkpoint(other, tmp_path / "state.npz")
    one, two = snapshot(sim), snapshot(other)
    assert same_bits(one, two)
    assert other.time == sim.time


# ---- what is refused


def test_another_model_is_refused(tmp_path):
    run(double_pendulum(), 0.1, checkpoint=tmp_path / "state.npz")
    with pytest.raises(sm.SolveError, match="belongs to another model"):
        run(double_pendulum("another"), 0.2, resume=tmp_path / "state.npz")
    bigger = double_pendulum()
    node = bigger.node("extra", (3, 0, 0))
    bigger.add("extra_body", sm.Body(node, mass=1.0, inertia=(1, 1, 1)))
    with pytest.raises(sm.SolveError, match="belongs to another model"):
        run(bigger, 0.2, resume=tmp_path / "state.npz")


def test_another_integrator_is_refused(tmp_path):
    # it could not go on as if it had not stopped
    run(double_pendulum(), 0.1, checkpoint=tmp_path / "state.npz")
    for options in ({"integrator": sm.BDF2()}, {"tolerance": 1e-6}):
        with pytest.raises(sm.SolveError, match=r"made with two-step, rho_inf = 0\.6.*give the same integrator"):
            run(double_pendulum(), 0.2, resume=tmp_path / "state.npz", **options)


def test_missing_and_damaged_files_are_named(tmp_path):
    with pytest.raises(sm.SolveError, match=r"none\.npz does not exist"):
        run(double_pendulum(), 0.2, resume=tmp_path / "none.npz")
    run(double_pendulum(), 0.1, checkpoint=tmp_path / "state.npz")
    whole = (tmp_path / "state.npz").read_bytes()
    (tmp_path / "state.npz").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(sm.SolveError, match=r"state\.npz is damaged"):
        run(double_pendulum(), 0.2, resume=tmp_path / "state.npz")


def rewritten(path, **changes):
    """The checkpoint with some arrays replaced, or left out where None."""
    with np.load(path) as data:
        arrays = dict(data) | changes
    np.savez(path, **{name: array for name, array in arrays.items() if array is not None})


@pytest.mark.parametrize(
    "spoil",
    [
        lambda saved: {"carriers.lumps": None},
        lambda saved: {"numbers": None},
        lambda saved: {"state": saved["state"][:-3]},
        lambda saved: {"state": saved["state"][:1]},
        lambda saved: {"state": np.full_like(saved["state"], np.nan)},
        lambda saved: {"factors": saved["factors"][:-2]},
        lambda saved: {"settings": np.zeros(3)},
    ],
)
def test_arrays_that_are_missing_or_do_not_fit_are_damage(spoil, tmp_path):
    path = tmp_path / "state.npz"
    run(double_pendulum(), 0.1, checkpoint=path)
    with np.load(path) as data:
        changes = spoil(dict(data))
    rewritten(path, **changes)
    with pytest.raises(sm.SolveError, match=r"state\.npz is damaged, not a checkpoint, or of another version"):
        run(double_pendulum(), 0.2, resume=path)


def test_other_plain_numbers_are_named(tmp_path):
    run(double_pendulum(), 0.1, checkpoint=tmp_path / "state.npz")
    with pytest.raises(sm.SolveError, match=r"with other numbers, mass of element 'body0' and 1 more: describe it"):
        run(double_pendulum(mass=2.0), 0.2, resume=tmp_path / "state.npz")
    # the same number, computed in another way
    run(double_pendulum(mass=1.0 + 1e-15), 0.2, resume=tmp_path / "state.npz")


def pushed() -> sm.Model:
    """1 kg on a spring of 400 N/m, at rest until the force changes: x = F / k (1 - cos(20 t)) from then on."""
    model = sm.Model("pushed")
    node = model.node("mass")
    model.add("body", sm.Body(node, mass=1.0, inertia=(1, 1, 1)))
    model.add("rail", sm.Prismatic(model.ground, node, axis=(1, 0, 0)))
    model.add("spring", sm.Axial(model.ground, node, axis=(1, 0, 0), law=sm.LinearLaw(400.0)))
    model.add("push", sm.Force(node, force=(sm.Parameter("force", 0.0, unit="N"), 0, 0)))
    return model


@pytest.mark.parametrize("when", ["before the simulation", "after it"])
def test_a_parameter_changed_before_it_is_taken_up_changes_there(when, tmp_path):
    """As if it had been set between two steps of one run."""
    one = sm.Simulation(pushed())
    run(one, 0.5, step=0.01, checkpoint=tmp_path / "state.npz")
    one.system.set_parameter("force", 400.0)
    expected = run(one, 1.0, step=0.01)
    system = sm.System(pushed())
    if when == "after it":
        sim = sm.Simulation(system)
        system.set_parameter("force", 400.0)
    else:
        system.set_parameter("force", 400.0)
        sim = sm.Simulation(system)
    found = run(sim, 1.0, step=0.01, resume=tmp_path / "state.npz")
    assert np.array_equal(found.table, expected.table)
    assert found.attrs.counters["events"] == expected.attrs.counters["events"] == 1
    # the step leaves 0.03 m of 2 m; a force that came without an event, 0.13 m
    error = found["mass.position"][:, 0] - (1.0 - np.cos(20.0 * (found.time - 0.5)))
    assert np.abs(error).max() < 0.04


@pytest.mark.parametrize("option", ["checkpoint", "save", "dump"])
def test_a_folder_is_refused_before_the_run(option, tmp_path, monkeypatch):
    folder = tmp_path / "results.nc"
    folder.mkdir()
    module = importlib.import_module("samara.solve.transient")
    monkeypatch.setattr(module, "as_simulation", None)  # it does not come to that
    with pytest.raises(sm.SolveError, match=rf"transient: {option}: .*results\.nc is a folder: give a file name"):
        run(double_pendulum(), 0.1, **{option: folder})


@pytest.mark.parametrize("option", ["save", "checkpoint", "dump", "resume"])
@pytest.mark.parametrize("path", [5, "", True])
def test_what_is_no_path_is_refused(option, path):
    with pytest.raises(sm.ArgumentError, match=rf"transient: {option} must be the name of a file, got "):
        run(double_pendulum(), 0.1, **{option: path})


def test_an_old_checkpoint_is_replaced_whole_or_not_at_all(tmp_path):
    path = tmp_path / "state.npz"
    run(double_pendulum(), 0.1, checkpoint=path)
    run(double_pendulum(), 0.2, checkpoint=path)
    assert [p.name for p in tmp_path.iterdir()] == ["state.npz"]
    assert len(run(double_pendulum(), 0.3, resume=path)) == 100


# ---- the same names, other equations


def forced(*elements) -> sm.Model:
    """Two free bodies, and elements made from the ground and the two nodes."""
    model = sm.Model("forced")
    nodes = [model.node(name, (k, 0, 0)) for k, name in enumerate("ab")]
    for node in nodes:
        model.add(f"{node.name}_body", sm.Body(node, mass=1.0, inertia=(1, 1, 1)))
    for k, make in enumerate(elements):
        model.add(f"element{k}", make(model.ground, *nodes))
    return model


def pulled(drive):
    return lambda ground, a, b: sm.Force(a, force=(drive, 0, 0))


def sprung(law):
    return lambda ground, a, b: sm.Axial(ground, a, axis=(1, 0, 0), law=law)


def held(*position):
    return lambda ground, a, b: sm.TotalJoint(ground, a, hold_position=position)


STIFF = sm.Parameter("stiffness", 10.0)
OTHERS = {
    "slope": (pulled(sm.Ramp(1.0)), pulled(sm.Ramp(9.0)), r"numbers, force\[0\].slope of element 'element0': describe"),
    "sine": (pulled(sm.Sine(1.0, 3.0)), pulled(sm.Sine(9.0, 3.0)), r"numbers, force\[0\].amplitude of"),
    "sum": (
        pulled(sm.Ramp(1.0) + sm.Step(1.0)),
        pulled(sm.Ramp(1.0) + sm.Step(9.0)),
        r"force\[0\].terms\[1\].after of",
    ),
    "constant": (pulled(lambda t: 3.0 * t + 2.0), pulled(lambda t: 900.0 * t + 2.0), r"constants of force\[0\] of"),
    "function": (pulled(lambda t: 2.0 * np.sin(t)), pulled(lambda t: 2.0 * np.cos(t)), "equations, element 'element0'"),
    "law": (sprung(sm.LinearLaw(10.0)), sprung(sm.CubicLaw(10.0, 0.0)), "equations, element 'element0'"),
    "small": (sprung(sm.LinearLaw(1e9, 1e-4)), sprung(sm.LinearLaw(1e9, 5e-4)), "numbers, law.damping of element"),
    "option": (held(True, True, False), held(False, True, True), "equations, element 'element0'"),
    "ends": (lambda g, a, b: sm.Spherical(g, a), lambda g, a, b: sm.Spherical(g, b), "equations, element 'element0'"),
    "parameter": (sprung(sm.LinearLaw(STIFF)), sprung(sm.LinearLaw(10.0)), "equations, element 'element0'"),
}


@pytest.mark.parametrize("case", OTHERS)
def test_other_equations_are_named(case, tmp_path):
    one, other, message = OTHERS[case]
    sim, path = sm.Simulation(forced(one)), tmp_path / "state.npz"
    run(sim, 0.01, checkpoint=path)
    with pytest.raises(sm.SolveError, match=message):
        run(forced(other), 0.02, resume=path)
    assert len(run(forced(one), 0.02, resume=path)) == 10


# ---- what native code would not survive


def moving():
    """Two bodies in flight, with a carrier each, and a tie that a drive makes."""
    model = forced(lambda ground, a, b: sm.Lock(a, b, engaged=sm.Step(1.0, time=0.05), hold_position=(True,) * 3))
    for node in ("a", "b"):
        model[node].begin(velocity=(70.0, 0.0, 0.0), angular_velocity=(0.0, 0.0, 50.0))
    return model


@pytest.mark.parametrize(
    ("name", "change"),
    [
        *((name, lambda array: array + 10**7) for name in ("carriers.members", "carriers.rules", "carriers.ties")),
        *((name, lambda array: array - 10**7) for name in ("carriers.members", "carriers.rules", "carriers.ties")),
        *(
            (name, lambda array: array * np.nan)
            for name in ("carriers.members", "carriers.lumps", "state", "factors", "analysed")
        ),
        *(
            (name, lambda array: array[:0])
            for name in ("carriers.members", "carriers.rules", "factors", "counters", "numbers")
        ),
        *((name, lambda array: None) for name in ("carriers.ties", "turning", "equations", "state", "layout")),
        ("turning", lambda array: np.array(["nothing"])),
        ("counters", lambda array: array - 10**7),
        *((name, lambda array: array + 1e-3) for name in ("state", "factors", "reactions.slope")),
        ("state", lambda array: array + 1e300),
        ("layout", lambda array: array[::-1]),
        ("number_counts", lambda array: array.astype(float) + 0.5),
    ],
)
def test_a_damaged_checkpoint_leaves_the_simulation_as_it_was(name, change, tmp_path):
    path, sim = tmp_path / "state.npz", sm.Simulation(moving())
    run(sim, 0.01, checkpoint=path)
    with np.load(path) as data:
        rewritten(path, **{name: change(data[name])})
    before = snapshot(sim)
    with pytest.raises(sm.SolveError, match=r"state\.npz is (damaged|of model 'forced' with other)"):
        run(sim, 0.02, resume=path)
    assert same_bits(before, snapshot(sim))
    assert len(run(sim, 0.02)) == 10


def test_a_checkpoint_from_after_the_end_leaves_the_simulation_as_it_was(tmp_path):
    sim = sm.Simulation(double_pendulum())
    run(sim, 0.1)
    run(double_pendulum(), 0.5, checkpoint=tmp_path / "state.npz")
    with pytest.raises(sm.ArgumentError, match=r"end = 0\.3 s is not after the present time, 0\.5 s"):
        run(sim, 0.3, resume=tmp_path / "state.npz")
    assert sim.time == pytest.approx(0.1)
    assert np.array_equal(run(sim, 0.2).table, run(double_pendulum(), 0.2).table[101:])


@pytest.mark.parametrize("name", ["n" * 300 + ".nc", "a\0b.nc"])
@pytest.mark.parametrize("option", ["save", "checkpoint", "dump"])
def test_what_cannot_be_the_name_of_a_file_is_refused_before_the_run(option, name, tmp_path):
    sim = sm.Simulation(double_pendulum())
    with pytest.raises(sm.SolveError, match=f"transient: {option}"):
        run(sim, 0.1, **{option: tmp_path / name})
    assert sim.time == 0.0


def test_a_pipe_is_not_replaced_by_a_file(tmp_path):
    os.mkfifo(tmp_path / "pipe.nc")
    for option in ("save", "checkpoint", "dump"):
        with pytest.raises(sm.SolveError, match=rf"transient: {option}: .*pipe\.nc is a device or a pipe"):
            run(double_pendulum(), 0.1, **{option: tmp_path / "pipe.nc"})
    assert (tmp_path / "pipe.nc").is_fifo()
