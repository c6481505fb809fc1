"""Access by name, labelled data, plots and summary."""

import pickle
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest

from samara.results import (
    Channel,
    Channels,
    Recorder,
    Results,
    ResultsFileError,
    RunAttrs,
    UnknownChannelError,
)


def test_channels_by_name_are_views_of_the_table(results):
    assert results["arm.position"].shape == (41, 3)
    assert results["arm.angle"].shape == (41,)
    assert type(results["arm.angle"]) is np.ndarray
    assert np.shares_memory(results["arm.position"], results.table)
    assert results["arm.angle"].tobytes() == results.table[:, 3].tobytes()
    assert results.unit("hinge.reaction_force") == "N"
    assert len(results) == 41
    assert "energy" in results
    assert "entropy" not in results


def test_results_cannot_be_changed_by_accident(results):
    with pytest.raises(ValueError, match="read-only"):
        results["arm.angle"][0] = 1.0
    with pytest.raises(ValueError, match="read-only"):
        results.time[0] = 1.0


def test_the_caller_keeps_a_writable_table():
    table = np.zeros((2, 1))
    results = Results(Channels([Channel("a", "m")]), np.arange(2.0), table)
    table[0, 0] = 5.0
    assert results["a"][0] == 5.0


def test_an_unknown_name_lists_near_ones(results):
    with pytest.raises(UnknownChannelError, match=r"arm\.position"):
        results["arm.positon"]


def test_shapes_that_do_not_fit_are_refused(results):
    with pytest.raises(ValueError, match="do not fit 14 columns"):
        Results(results.channels, np.arange(3.0), np.zeros((3, 13)))
    with pytest.raises(ValueError, match="do not fit"):
        Results(results.channels, np.arange(4.0), np.zeros((3, 14)))


def test_from_recorder_without_a_copy(results):
    recorder = Recorder(results.channels, expected_rows=41)
    times, rows = recorder.room(41)
    times[:], rows[:] = results.time, results.table
    recorder.commit(41)
    made = Results.from_recorder(recorder, results.attrs)
    assert np.shares_memory(made.table, rows)
    assert made.table.tobytes() == results.table.tobytes()


def test_select_keeps_matching_channels(results):
    few = results.select("energy", "hinge.*")
    assert few.channels.names == ("energy", "hinge.reaction_force")
    assert few["energy"].tobytes() == results["energy"].tobytes()
    assert few["hinge.reaction_force"].tobytes() == results["hinge.reaction_force"].tobytes()
    assert few.attrs is results.attrs


def test_pickle_for_parallel_sweeps(results):
    _ = results.dataset
    copy = pickle.loads(pickle.dumps(results))
    assert copy.table.tobytes() == results.table.tobytes()
    assert copy.attrs == results.attrs
    assert not copy.table.flags.writeable


def test_dataset_is_labelled_and_made_once(results):
    dataset = results.dataset
    assert dataset is results.dataset
    assert dataset["arm.position"].dims == ("time", "xyz")
    assert dataset["hinge.reaction_force"].dims == ("time", "xyz")
    assert dataset["arm.orientation"].dims == ("time", "wxyz")
    assert dataset["blade[1].loads"].dims == ("time", "lift_drag")
    assert dataset["arm.angle"].dims == ("time",)
    assert dataset["arm.position"].attrs["units"] == "m"
    assert dataset["arm.position"].attrs["long_name"] == "position of the arm's centre of mass"
    assert dataset["arm.position"].attrs["frame"] == "W"
    assert dataset["time"].attrs["units"] == "s"
    assert dataset.attrs["model"] == "pendulum"
    y = dataset["arm.position"].sel(xyz="y").values
    assert y.tobytes() == results["arm.position"][:, 1].tobytes()


def test_dimension_names_never_collide():
    channels = Channels(
        [
            Channel("xyz", "m", ("x", "y", "z")),
            Channel("a", "m", ("u_v", "w")),
            Channel("b", "m", ("u", "v_w")),
            Channel("c", "m", tuple(f"station {i}" for i in range(30))),
            Channel("d", "m", ("1", "2")),
        ]
    )
    dataset = Results(channels, np.zeros(1), np.zeros((1, channels.width))).dataset
    dims = [dataset[name].dims[1] for name in channels.names]
    assert dims == ["xyz_2", "u_v_w", "u_v_w_2", "component_30", "component_2"]


def test_summary_says_what_matters(results):
    text = results.summary()
    assert text.splitlines()[0] == "pendulum: 41 samples from 0 s to 0.04 s"
    for expected in (
        "completed",
        "stand-in data",
        "assemble, transient",
        "multistep (rho_inf = 0.6, step = 0.001, adaptive = False",
        "iterations = 83",
        "arm.mass = 1.5 kg",
        "hinge.reaction_force",
        "partly non-finite",
    ):
        assert expected in text
    assert all(line == line.rstrip() for line in text.splitlines())


def test_summary_gives_times_in_four_digits(results):
    attrs = replace(results.attrs, counters={"steps": 123456, "seconds": 0.14847410400034278})
    text = Results(results.channels, results.time, results.table, attrs).summary()
    assert "steps = 123456, seconds = 0.1485\n" in text


def test_summary_of_an_interrupted_run_gives_the_reason(results):
    attrs = replace(results.attrs, status="interrupted", message="stopped by the user at 0.02 s")
    text = Results(results.channels, results.time[:20], results.table[:20], attrs).summary()
    assert "interrupted: stopped by the user at 0.02 s" in text


def test_summary_of_nothing_and_of_very_much():
    assert Results(Channels(), np.empty(0), np.empty((0, 0))).summary().startswith("unnamed model: no samples")
    many = Channels(Channel(f"c{i}", "m") for i in range(50))
    attrs = RunAttrs(parameters={f"p{i}": (i, "m") for i in range(9)})
    text = Results(many, np.zeros(1), np.zeros((1, 50)), attrs).summary()
    assert "and 30 more channels" in text
    assert "parameters    9" in text


def test_attrs_are_made_plain():
    attrs = RunAttrs(
        parameters={"m": (np.float32(0.5), "kg")}, options={"n": np.int64(3)}, counters={"steps": np.int64(4)}
    )
    assert attrs.parameters == {"m": (0.5, "kg")}
    assert type(attrs.options["n"]) is int
    assert type(attrs.counters["steps"]) is int


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"status": "done"}, "status 'done' is none of completed"),
        ({"parameters": {"m": 1.5}}, "parameter 'm' = 1.5: give"),
        ({"parameters": {"a/b": (1.0, "m")}}, "parameter name 'a/b'"),
        ({"options": {"law": [1, 2]}}, "option 'law'"),
        ({"counters": {"steps": "many"}}, "counter 'steps'"),
    ],
)
def test_bad_attrs_name_themselves(wrong, message):
    with pytest.raises(ValueError, match=message):
        RunAttrs(**wrong)


@pytest.fixture
def smooth() -> Results:
    time = np.linspace(0.0, 2.0, 201)
    channels = Channels(
        [
            Channel("arm.position", "m", ("x", "y", "z"), frame="W"),
            Channel("arm.angle", "rad"),
            Channel("gear.ratio", "1"),
        ]
    )
    table = np.column_stack([np.sin(time), np.cos(time), 0 * time, time, 3.0 + 1e-15 * np.sin(50 * time)])
    return Results(channels, time, table, RunAttrs(model="pendulum", stand_in="guessed inertia"))


def test_plot_has_one_labelled_axes_per_channel(smooth):
    figure = smooth.plot()
    position, angle, ratio = figure.axes
    assert position.get_title(loc="left") == "arm.position, in W"
    assert [axes.get_ylabel() for axes in figure.axes] == ["position [m]", "angle [rad]", "ratio [-]"]
    assert [text.get_text() for text in position.get_legend().get_texts()] == ["x", "y", "z"]
    assert angle.get_legend() is None
    assert ratio.get_xlabel() == "time [s]"
    np.testing.assert_array_equal(position.lines[1].get_ydata(), smooth["arm.position"][:, 1])
    assert figure.get_suptitle() == "pendulum"


def test_plot_does_not_magnify_round_off(smooth):
    low, high = smooth.plot("gear.*").axes[0].get_ylim()
    assert high - low > 0.1


def test_plot_prints_stand_in_data_and_an_early_end(smooth):
    assert smooth.plot("arm.*").get_supxlabel() == "stand-in data: guessed inertia"
    attrs = replace(smooth.attrs, stand_in="", status="failed", message="no convergence at 2 s")
    failed = Results(smooth.channels, smooth.time, smooth.table, attrs)
    assert failed.plot("arm.*").get_supxlabel() == "run failed: no convergence at 2 s"
    clean = Results(smooth.channels, smooth.time, smooth.table)
    assert clean.plot("arm.*").get_supxlabel() == ""


@pytest.mark.parametrize(("suffix", "signature"), [("png", b"\x89PNG"), ("svg", b"<?xml"), ("pdf", b"%PDF")])
def test_plot_writes_the_file(smooth, tmp_path, suffix, signature):
    path = tmp_path / f"figure.{suffix}"
    smooth.plot("arm.*", path=path, title="A pendulum, m_1 and $2")
    assert path.read_bytes().startswith(signature)


def test_plot_draws_everything_it_may_meet(tmp_path):
    channels = Channels(Channel(f"c{i}", "m", tuple(f"s{j}" for j in range(9)) if i % 2 else ()) for i in range(7))
    table = np.zeros((1, channels.width))
    table[0, 0] = np.nan
    Results(channels, np.zeros(1), table).plot(path=tmp_path / "one_sample.png")
    Results(channels, np.empty(0), np.empty((0, channels.width))).plot(path=tmp_path / "no_sample.png")


def test_plot_refuses_what_cannot_be_drawn(smooth, tmp_path):
    with pytest.raises(UnknownChannelError, match="near names"):
        smooth.plot("arm.positions")
    with pytest.raises(ValueError, match="no channels"):
        Results(Channels(), np.empty(0), np.empty((0, 0))).plot()
    many = Channels(Channel(f"c{i}", "m") for i in range(41))
    with pytest.raises(ValueError, match="narrower patterns"):
        Results(many, np.zeros(1), np.zeros((1, 41))).plot()
    with pytest.raises(ResultsFileError, match="does not exist"):
        smooth.plot("arm.*", path=tmp_path / "missing" / "a.png")
    with pytest.raises(ResultsFileError, match=r"a\.zzz: unsupported figure format \.zzz: use \.png"):
        smooth.plot("arm.*", path=tmp_path / "a.zzz")
    assert not list(tmp_path.iterdir())


def test_import_stays_light():
    heavy = ("xarray", "pandas", "matplotlib", "h5netcdf", "h5py")
    code = f"import sys, samara.results; print([m for m in {heavy} if m in sys.modules])"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"


def test_plotting_needs_no_display_and_no_pyplot(tmp_path):
    code = (
        "import sys, numpy as np; from samara.results import *\n"
        "r = Results(Channels([Channel('a', 'm')]), np.arange(3.0), np.zeros((3, 1)))\n"
        f"r.plot(path={str(tmp_path / 'a.png')!r}); print('matplotlib.pyplot' in sys.modules)"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "False"


def test_load_steps_are_not_seconds(results, tmp_path):
    """A static run in load steps records the load factor in place of time; in one step it records the time."""
    attrs = replace(results.attrs, options={"along": "loads", "steps": 4})
    loaded = Results(results.channels, np.linspace(0.25, 1.0, 4), results.table[4:8], attrs)
    loaded = Results.load(loaded.save(tmp_path / "loaded.nc"))
    assert loaded.attrs.abscissa == ("load factor", "1")
    assert loaded.summary().splitlines()[0] == "pendulum: 4 samples from load factor 0.25 to 1"
    assert loaded.dataset["time"].attrs == {"units": "1", "long_name": "load factor"}
    assert loaded.plot("energy").axes[0].get_xlabel() == "load factor"
    once = replace(results.attrs, options={"along": "loads", "steps": 1})
    single = Results(results.channels, np.array([2.0]), results.table[4:5], once)
    assert single.summary().splitlines()[0] == "pendulum: 1 sample at 2 s"
    assert single.dataset["time"].attrs["units"] == "s"


def test_results_by_number_say_how_they_are_taken(results):
    for call in (lambda: results[0], lambda: results[:, 0], lambda: list(results), lambda: results.unit(0)):
        with pytest.raises(KeyError, match=r"channels go by their names, got .*: take a sample of one by results\["):
            call()


@pytest.mark.parametrize("width", [4.0, 7.5, 9.0])
def test_long_titles_go_on_below(width):
    """Within the figure, and above its axes."""
    from samara.results.plotting import canvas

    figure = canvas(width, 6.0)
    axes = figure.subplots(2, 1)
    title = figure.suptitle("Rotor sailing, gust: blade 1 of the Puma (profile of the gust is a stand-in; " * 2)
    figure.canvas.draw()
    box, room = title.get_window_extent(), figure.bbox
    assert room.x0 <= box.x0 and box.x1 <= room.x1 and box.y1 <= room.y1
    assert axes[0].get_tightbbox().y1 <= box.y0
