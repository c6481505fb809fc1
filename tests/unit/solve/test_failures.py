"""A run that fails: the error names element and time, nothing computed is lost, the last states can be looked at."""

import numpy as np
import pytest

import samara as sm
from samara import models
from samara.solve.report.diagnosis import KEPT

STEP = 1e-3
FALL = 0.05  # m: a free fall through it takes 0.101 s
TIME = np.sqrt(2 * FALL / 9.81)


class Root(sm.Coupling):
    """A force that depends on the square root of the height: without meaning below the ground."""

    strength: float = sm.number(default=1e-6, unit="N")

    def coordinates(self, a, b):
        return [(b.p - a.p)[2]]

    def effort(self, q, q_rate):
        return [self.strength * np.sqrt(q[0])]


class Kink(sm.Coupling):
    """A force that jumps by far more than inertia can balance in a step."""

    def coordinates(self, a, b):
        return [(b.p - a.p)[2]]

    def effort(self, q, q_rate):
        return [sm.select(q[0] > 0.0, 0.0, -1e8) + sm.select(q[0] > -1e-4, 0.0, 2e8)]


class Sudden(sm.Coupling):
    """A force whose value is finite and whose slope is not, at zero height."""

    def coordinates(self, a, b):
        return [(b.p - a.p)[2]]

    def effort(self, q, q_rate):
        return [np.sqrt(sm.fmax(q[0], 0.0))]


def falling(element) -> sm.Model:
    """A ball on its way down to where the element fails, and another far above that has the same element."""
    model = sm.Model("falling", gravity=(0, 0, -9.81))
    for name, height in (("high", 50.0), ("low", FALL)):
        ball = model.node(name, (0, 0, height))
        model.add(f"{name}_ball", sm.Body(ball, mass=1.0, inertia=(1, 1, 1)))
        model.add(f"{name}_law", element(model.ground, ball))
    return model


def failure(model, **options) -> sm.Diverged:
    with pytest.raises(sm.Diverged) as caught:
        sm.transient(model, **{"end": 1.0, "step": STEP, "progress": False, **options})
    return caught.value


# ---- not a number


def test_nan_names_element_and_time():
    error = failure(falling(Root))
    assert "not finite" in str(error)
    assert "element 'low_law' (Root)" in str(error)
    assert "high_law" not in str(error)
    assert f"t = {np.ceil(TIME / STEP) * STEP:g} s" in str(error)


def test_everything_before_the_failure_is_returned_and_saved(tmp_path):
    error = failure(falling(Root), save=tmp_path / "run.nc")
    found = error.results
    assert found.attrs.status == "failed"
    assert found.attrs.message == str(error)
    steps = int(TIME / STEP)
    assert found.time == pytest.approx(STEP * np.arange(steps + 1), abs=1e-12)
    assert found["low.position"][:, 2] == pytest.approx(FALL - 0.5 * 9.81 * found.time**2, abs=1e-5)
    saved = sm.Results.load(tmp_path / "run.nc")
    assert saved.attrs.status == "failed"
    assert np.array_equal(saved.table, found.table)


def test_last_states_are_dumped(tmp_path):
    error = failure(falling(Root), dump=tmp_path / "last.dump.npz")
    assert error.dump == tmp_path / "last.dump.npz"
    with np.load(error.dump) as dump:
        data = {name: dump[name] for name in dump.files}
    assert list(data["nodes"]) == ["ground", "high", "low"]
    count = len(data["time"])
    assert KEPT - 1 <= count <= KEPT
    # the last is the one that failed, perhaps a part of a step
    assert np.diff(data["time"])[:-1] == pytest.approx(np.full(count - 2, STEP))
    assert TIME < data["time"][-1] <= np.ceil(TIME / STEP) * STEP + 1e-12
    assert data["position"].shape == (count, 3, 3)
    assert data["rotation"].shape == (count, 3, 9)
    assert data["twist"].shape == data["acceleration"].shape == (count, 3, 6)
    before = data["time"] < TIME
    height = FALL - 0.5 * 9.81 * data["time"][before] ** 2
    assert data["position"][before, 2, 2] == pytest.approx(height, abs=1e-5)


def test_dump_of_a_long_run_has_the_last_hundred_states(tmp_path):
    model = falling(Root)
    model.nodes["low"].begin(velocity=(0, 0, 9.81 * 2.0))  # up first: the ground is reached after four seconds
    error = failure(model, end=10.0, save=tmp_path / "run.nc")
    assert error.dump == tmp_path / "run.dump.npz"
    with np.load(error.dump) as dump:
        times = dump["time"]
    assert len(times) == KEPT
    assert error.results.time[-1] < times[-1] <= error.results.time[-1] + 1.001 * STEP
    assert np.diff(times)[:-1] == pytest.approx(np.full(KEPT - 2, STEP))


def test_nan_with_a_variable_step(tmp_path):
    error = failure(falling(Root), step=None, accuracy=1e-6, save=tmp_path / "run.nc")
    assert "element 'low_law' (Root)" in str(error)
    assert error.results.time[-1] == pytest.approx(TIME, abs=1e-3)
    assert error.dump is not None and error.dump.exists()
    with np.load(error.dump) as dump:
        assert dump["time"][-1] == pytest.approx(TIME, abs=1e-3)


def test_slope_that_is_not_finite_is_named():
    model = falling(Sudden)
    low = model.nodes["low"]
    low.begin(sm.Placement((*low.position[:2], 0.0), low.rotation))  # the Jacobian is wanted there at once
    with pytest.raises((sm.Diverged, sm.SolveError), match="low"):
        sm.transient(model, 1.0, STEP, progress=False)


# ---- Newton


def test_a_law_that_jumps_is_named():
    error = failure(falling(Kink))
    assert "did not converge" in str(error)
    assert "node 'low' (with 'low_ball', 'low_law')" in str(error)
    assert error.results.time[-1] == pytest.approx(TIME, abs=2 * STEP)
    assert len(error.results) == len(error.results["low.position"]) > 100
    assert error.dump.exists()


def fast_chain(speed) -> sm.Model:
    model = sm.Model("fast chain", gravity=(0, 0, -9.81))
    before = model.ground
    for k in range(2):
        node = model.node(
            f"link{k}", (k + 0.5, 0, 0), angular_velocity=(0, speed, 0), velocity=(0, 0, -speed * (k + 0.5))
        )
        model.add(f"body{k}", sm.Body(node, mass=1.0, inertia=(0.1, 0.2, 0.3)))
        model.add(f"joint{k}", sm.Spherical(before, node, at=(k, 0, 0)))
        before = node
    return model


@pytest.mark.parametrize("step", [0.1, 1.0])
def test_a_step_far_too_large_ends_in_the_same_way(step, tmp_path):
    # a hundred and more radians of rotation a step: whatever goes wrong, it is told with names and time
    error = failure(fast_chain(1000.0), end=100.0, step=step, save=tmp_path / "run.nc")
    assert "'fast chain'" in str(error)
    assert "t = " in str(error)
    assert "link" in str(error) or "joint" in str(error)
    assert sm.Results.load(tmp_path / "run.nc").attrs.status == "failed"
    assert error.dump.exists()


def test_a_failed_run_leaves_no_checkpoint(tmp_path):
    failure(falling(Root), checkpoint=tmp_path / "state.npz")
    assert not (tmp_path / "state.npz").exists()


# ---- requests that make no sense


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"step": None}, "either a fixed step or an accuracy"),
        ({"step": -1.0}, "step must be a positive number"),
        ({"end": np.nan}, "end must be a positive number"),
        ({"step": None, "accuracy": 0.0}, "accuracy must be a positive number"),
        ({"every": 0}, "every must be at least 1"),
    ],
)
def test_bad_requests_name_themselves(options, message):
    with pytest.raises(ValueError, match=message):
        sm.transient(falling(Root), **{"end": 1.0, "step": STEP, "progress": False, **options})


# ---- files that cannot be written at the end


@pytest.fixture
def full_disk(monkeypatch):
    """No .npz and no .nc file can be written."""

    def full(*_, **__):
        raise OSError(28, "No space left on device")

    def fill(*kinds):
        if "npz" in kinds:
            monkeypatch.setattr("samara.solve.files.np.savez", full)
        if "nc" in kinds:
            monkeypatch.setattr("samara.results.netcdf._require_room", full)

    return fill


def resting() -> sm.Model:
    model = sm.Model("resting")
    model.add("body", sm.Body(model.node("node"), mass=1.0, inertia=(1, 1, 1)))
    return model


@pytest.mark.parametrize(("full", "lost", "left"), [("nc", "run.nc", "run.npz"), ("npz", "run.npz", "run.nc")])
def test_a_file_that_cannot_be_written_takes_neither_results_nor_the_other_along(full, lost, left, full_disk, tmp_path):
    full_disk(full)
    files = {"save": tmp_path / "run.nc", "checkpoint": tmp_path / "run.npz"}
    with pytest.raises(sm.NotSaved, match=rf"'resting' completed its run, but .*{lost}.*No space left") as error:
        sm.transient(resting(), 0.1, STEP, progress=False, **files)
    assert len(error.value.results) == 101
    assert error.value.results.attrs.status == "completed"
    assert [p.name for p in tmp_path.iterdir()] == [left]


def test_a_failed_run_stays_one_where_nothing_can_be_written(full_disk, tmp_path):
    full_disk("nc", "npz")
    with pytest.raises(sm.Diverged, match=r"not finite.*last states cannot be written .*run\.nc: cannot be") as error:
        sm.transient(falling(Root), 1.0, STEP, progress=False, save=tmp_path / "run.nc", dump=tmp_path / "d.npz")
    assert error.value.results.time[-1] == pytest.approx(TIME, abs=2 * STEP)
    assert error.value.dump is None
    assert not list(tmp_path.iterdir())


def test_the_dump_has_the_name_that_it_was_given(tmp_path):
    with pytest.raises(sm.Diverged):
        sm.transient(falling(Root), 1.0, STEP, progress=False, dump=tmp_path / "last.states")
    assert [p.name for p in tmp_path.iterdir()] == ["last.states"]


@pytest.mark.parametrize("step", [5.0, 20.0])
def test_a_step_that_is_too_long_does_not_blame_the_model(step):
    """A pendulum of 2 s, in steps of many swings."""
    with pytest.raises(sm.Diverged, match=f"step of {step:g} s from t = 0 s is too long") as failure:
        sm.transient(models.find("pendulum").make(), 50.0, step, progress=False)
    assert "singular" not in str(failure.value)
