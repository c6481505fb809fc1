"""A sweep in one process: what goes where, what fails, what comes back."""

import numpy as np
import pytest

import samara as sm
from samara.model import ArgumentError, ModelError
from samara.results.netcdf import ResultsFileError
from samara.sweep import ChannelMeasures, NamedModel, SweepResults, grid, latin_hypercube, listed, sweep

VARIANTS = grid(length=[0.5, 1.0], damping=[0.0, 0.2, 0.4])


@pytest.fixture(scope="module")
def found(study):
    make, measure, options = study
    return sweep(make, measure, VARIANTS, **options)


def test_each_variant_is_what_it_is_by_itself(found, separately):
    """Bit for bit, though a compiled model serves several: nothing of one variant is left for the next."""
    for variant in VARIANTS:
        one = found.dataset.sel(variant)
        alone = separately(**variant)
        assert one["last"].item() == alone["last"] and one["ends"].values.tolist() == alone["ends"]


def test_the_order_of_variants_does_not_matter(found, study):
    make, measure, options = study
    rows = list(VARIANTS)[::-1]
    turned = sweep(make, measure, listed(rows), **options)
    assert turned["last"].values.tolist() == [found["last"].sel(row).item() for row in rows]


def test_results_are_labelled(found):
    assert found["last"].dims == ("length", "damping") and found["ends"].dims == ("length", "damping", "ends_0")
    assert found.parameters == ("length", "damping") and found.measures == ("last", "ends")
    assert found["damping"].attrs["units"] == "N m s/rad" and found["seconds"].attrs["units"] == "s"
    assert found.failures == [] and "2 length x 3 damping: last, ends; 0 failed" in repr(found)


def test_parameters_are_set_without_building_the_model_again(study):
    make, measure, options = study
    built = []

    def counted(length):
        built.append(length)
        return make(length)

    sweep(counted, measure, grid(damping=[0.1, 0.2, 0.3], length=[0.5, 1.0]), **options)
    assert built[1:] == [0.5, 1.0]  # after one that says which parameters there are


@pytest.mark.parametrize(
    "change", [lambda sim: sim.system.set_parameter("stiffness", 30.0), lambda sim: sim.model.node("more")]
)
def test_what_a_measure_does_to_a_model_is_undone(study, separately, change):
    """It may change parameters, or the model itself: the next variant does not see it."""
    make, measure, _ = study

    def meddle(sim):
        results = sm.transient(sim, 0.3, 1e-2, progress=False)
        change(sim)
        return measure(results)

    found = sweep(make, meddle, grid(damping=[0.1, 0.2]), progress=False)
    assert [v.item() for v in found["last"]] == [separately(1.0, d)["last"] for d in (0.1, 0.2)]


def test_a_model_of_the_users_own_is_as_it_was(study):
    make, measure, options = study
    model = make()
    sweep(lambda: model, measure, grid(damping=[0.3, 0.2]), **options)
    assert model.parameters["damping"].value == 0.1


def test_without_an_end_the_measure_gets_the_simulation(study):
    """The frequency of small motions of a pendulum on a spring, (k / (m l^2 + J))^(1/2) without gravity."""

    variants = grid(stiffness=[1.0, 4.0], damping=[0.0], gravity=[0.0])
    found = sweep(study[0], lambda sim: sm.modes(sim).frequencies[0], variants, progress=False)
    assert found["value"].values.squeeze() == pytest.approx(np.sqrt(np.array([1.0, 4.0]) / 1.01), rel=1e-9)


def test_a_failure_is_recorded_with_its_cause(study):
    make, measure, options = study

    def picky(results):
        if abs(results.attrs.parameters["damping"][0] - 0.2) < 1e-12:
            raise ZeroDivisionError("nothing to divide by")
        return measure(results)

    found = sweep(make, picky, grid(length=[-1.0, 1.0, 0.0], damping=[0.1, 0.2, -3.0]), **options)
    causes = found["cause"].sel(length=1.0).values.tolist()
    assert causes[:2] == ["", "ZeroDivisionError: nothing to divide by"]
    assert "ModelError" in causes[2] and "'damping': -3" in causes[2]
    failed = found["cause"].values != ""
    assert np.isnan(found["last"].values[failed]).all() and np.isfinite(found["last"].values[~failed]).all()
    assert ({"length": 1.0, "damping": 0.2}, "ZeroDivisionError: nothing to divide by") in found.failures


def test_a_measure_that_is_missing_has_a_cause():
    """What was measured is kept; each nan is accounted for."""
    give = {1.0: {"p": 1.0, "q": [1.0, 2.0]}, 2.0: {"p": 2.0}, 3.0: {"q": [3.0, 4.0]}, 4.0: {}}
    found = sweep(lambda x: x, give.get, grid(x=list(give)), progress=False)
    assert found["cause"].values.tolist() == [
        "",
        "measure gives no 'q' here, as it does for others",
        "measure gives no 'p' here, as it does for others",
        "ArgumentError: measure returns nothing: return a number, or numbers by name",
    ]
    assert np.array_equal(found["p"].values, [1.0, 2.0, np.nan, np.nan], equal_nan=True)
    assert np.array_equal(found["q"].sel(x=3.0).values, [3.0, 4.0])


@pytest.mark.parametrize("variants", [grid(b=["x", "y"], a=[1.0, 2.0]), listed([{"b": b, "a": 2.0} for b in "xy"])])
def test_failures_have_their_values(variants):
    found = sweep(lambda a, b: (a, b), lambda x: 1.0 / (x != (2.0, "y")), variants, progress=False)
    assert found.failures == [({"b": "y", "a": 2.0}, "ZeroDivisionError: float division by zero")]


def test_a_run_that_diverges_leaves_no_files(study, tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))

    def make(until):
        model = sm.Model("pushed")
        body = model.node("body")
        model.add("mass", sm.Body(body, mass=1.0, inertia=(1, 1, 1)))
        model.add("push", sm.Force(body, force=(lambda t: np.sqrt(until - t), 0, 0)))
        return model

    found = sweep(make, lambda r: r["body.position"][-1, 0], grid(until=[0.1, 9.0]), end=0.2, step=1e-2, progress=False)
    assert np.isfinite(found["value"].values).tolist() == [False, True]
    assert found["cause"][0].item().startswith("Diverged: ") and "last states" not in found["cause"][0].item()
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("give", "words"),
    [
        (lambda x: {}, "measure returns nothing"),
        (lambda x: None, "measure gives None for 'value': give a number"),
        (lambda x: {"x": 1.0}, "measure gives 'x', which results have already"),
        (lambda x: {"cause": 1.0}, "measure gives 'cause', which results have already"),
        (lambda x: {3: 1.0}, "measure gives 3, which is no name"),
        (lambda x: {"a": 1j}, "complex numbers for 'a'"),
        (lambda x: {"a": [[1.0], [1.0, 2.0]]}, "for 'a': give a number or an array"),
        (lambda x: exit("enough"), "SystemExit: enough"),
        (lambda x: [1.0] * (1 + (x == 2.0)), r"the shape \(2,\) here, and \(1,\) before"),
    ],
)
def test_what_cannot_be_a_measure_is_a_failure(give, words):
    found = sweep(lambda x: x, give, grid(x=[1.0, 2.0]), progress=False)
    (cause,) = {cause for _, cause in found.failures}
    assert pytest.raises(ArgumentError, match=words).matches(ArgumentError(cause))


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda m, f: sweep(m, f, grid(mass=[1.0])), ModelError, "'mass' is neither an argument of make nor .*length"),
        (lambda m, f: sweep(lambda a: a, f, grid(b=[1.0])), ArgumentError, "make does not fit the variants.*'a'"),
        (lambda m, f: sweep(lambda: 3.0, f, grid(b=[1.0])), ArgumentError, "make takes no 'b', and returns float"),
        (
            lambda m, f: sweep(NamedModel("pendulum", (("length", "3"),)), f, grid(length=[1.0])),
            ArgumentError,
            "length varies, and the settings of pendulum say 3: leave one out",
        ),
        (lambda m, f: sweep(m, f, [1.0]), ArgumentError, "variants must be those of grid"),
        (lambda m, f: sweep(m, 3.0, grid(length=[1.0])), ArgumentError, "measure must be a function"),
        (lambda m, f: sweep(m, f, grid(length=[1.0]), step=0.1), ArgumentError, "give end too"),
        (lambda m, f: sweep(m, f, grid(length=[1.0]), end=1.0), ArgumentError, "either a fixed step or an accuracy"),
        (lambda m, f: sweep(m, f, grid(length=[1.0]), workers=0), ArgumentError, "workers must be at least 1"),
        (lambda m, f: sweep(m, f, grid(length=[1.0]), timeout=-1), ArgumentError, "timeout must be a positive"),
        (lambda m, f: sweep(m, f, grid(length=[1.0]), timeout=1, scheduler="tls://a:1"), ArgumentError, "leave it out"),
        (lambda m, f: sweep(m, f, grid(length=[1.0]), integrator="x"), ArgumentError, "there is no integrator 'x'"),
        (lambda m, f: sweep(m, f, grid(length=[1.0]), every=0), ArgumentError, "every must be at least 1"),
        (lambda m, f: sweep(m, f, grid(length=[1.0]), store=5), ArgumentError, "store must be the name of a folder"),
        (lambda m, f: sweep(m, f, grid(length=[1.0]), store=""), ArgumentError, "store must be the name of a folder"),
        (lambda m, f: sweep(m, f, grid(length=[1.0]), units=5), ArgumentError, "units must be texts by name.* got 5"),
        (lambda m, f: sweep(m, f, grid(length=[1.0]), units={"a": 5}), ArgumentError, "units must be texts by name"),
        (lambda m, f: sweep(m, f, grid(length=[1.0]), name=5), ArgumentError, "name must be a string, got 5"),
        (lambda m, f: sweep(m, f, grid(length=[1.0]), again="yes"), ArgumentError, "again must be True or False"),
        (lambda m, f: sweep(m, f, grid(length=[1.0]), progress="x"), ArgumentError, "progress must be True or False"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_refused_before_anything_runs(study, call, error, words):
    make, measure, _ = study
    with pytest.raises(error, match=words):
        call(make, measure)


def test_files(found, tmp_path):
    again = SweepResults.load(found.save(tmp_path / "map.nc"))
    assert again.dataset.drop_vars("cause").identical(found.dataset.drop_vars("cause"))
    assert again.failures == found.failures and again.parameters == found.parameters
    with pytest.raises(OSError, match=r"ending in \.nc"):
        found.save(tmp_path / "map.txt")
    with pytest.raises(OSError, match="no such file"):
        SweepResults.load(tmp_path / "none.nc")
    (tmp_path / "text.nc").write_text("hello")
    (tmp_path / "half.nc").write_bytes((tmp_path / "map.nc").read_bytes()[:3000])
    for name, words in (("text", "or no NetCDF-4 file; give one saved by"), ("half", "or changed by another program")):
        with pytest.raises(ResultsFileError, match=rf"{name}\.nc: damaged, {words}"):
            SweepResults.load(tmp_path / f"{name}.nc")
    for call in (found.save, SweepResults.load, lambda path: found.plot(path=path or 5)):
        with pytest.raises(ArgumentError, match="path must be the name of a file, got"):
            call(None)


def drawn(variants, measure=lambda x: x):
    make = {1: lambda a: a, 2: lambda a, b: a * b, 3: lambda a, b, c: a}[len(variants.names)]
    return sweep(make, measure, variants, progress=False)


def test_plots(tmp_path):
    """Lines over one parameter, over two with few values, a map beyond, dots for lists."""
    many = [float(k) for k in range(8)]
    line = drawn(grid(a=many)).plot(path=tmp_path / "line.png")
    assert (tmp_path / "line.png").stat().st_size > 1000 and len(line.axes[0].lines) == 1
    assert len(drawn(grid(a=many, b=[1.0, 2.0, 3.0])).plot().axes[0].lines) == 3
    words = sweep(lambda a, b: a, lambda a: a, grid(a=many, b=["x", "y"]), progress=False).plot()
    assert [text.get_text() for text in words.axes[0].get_legend().get_texts()] == ["b = x", "b = y"]
    area = drawn(grid(a=many, b=many)).plot()
    (mesh,) = area.axes[0].collections
    assert mesh.get_array().reshape(8, 8)[3, 5] == 15.0 and area.axes[0].get_xlabel() == "b"
    assert len(drawn(latin_hypercube(9, a=(0, 1), b=(0, 1))).plot().axes[0].collections) == 1
    assert len(drawn(latin_hypercube(9, a=(0, 1), b=(0, 1), c=(0, 1))).plot().axes) == 4  # one of them empty
    with pytest.raises(ArgumentError, match="a, b, c vary, a picture takes two"):
        drawn(grid(a=many, b=many, c=many)).plot()
    with pytest.raises(ArgumentError, match="no number is called 'z'"):
        drawn(grid(a=many)).plot("z")


def test_measures_by_name():
    """Of a pendulum from rest at the horizontal: its range, from the energy and from the time of a swing."""
    names = (
        "min:hinge.angle",
        "max:hinge.angle",
        "amplitude:bob.position.y",
        "last:bob.position",
        "rms:bob.position.z",
    )
    measure = ChannelMeasures(names)
    found = sweep(NamedModel("pendulum"), measure, grid(length=[0.5, 1.0]), end=0.1, step=1e-3, progress=False)
    assert found["length"].attrs["units"] == "m" and found["last:bob.position.x"].attrs["units"] == "m"
    x, y = (found[f"last:bob.position.{axis}"].values for axis in "xy")
    # falls by g t^2 / 2 from rest while the angle is small: to third order in t^2 g / l
    assert found["amplitude:bob.position.y"].values == pytest.approx([0.5 * 9.81 * 0.01 * 0.5] * 2, rel=0.01)
    assert np.hypot(x, y) == pytest.approx([0.5, 1.0], rel=1e-9)
    assert found["rms:bob.position.z"].values.tolist() == [0.0, 0.0]


@pytest.mark.parametrize(
    ("names", "words"),
    [
        (("height:bob.position",), "there is no measure 'height'; choose from max, min"),
        (("max",), "expected MEASURE:CHANNEL"),
        ((), "no measure is given"),
    ],
)
def test_measures_that_are_not_there(names, words):
    with pytest.raises((ArgumentError, ModelError), match=words):
        ChannelMeasures(names)


def test_a_channel_that_is_not_there():
    run = {"end": 0.1, "step": 1e-3, "progress": False}
    found = sweep(NamedModel("pendulum"), ChannelMeasures(("max:bob.positon",)), grid(length=[1.0]), **run)
    assert "near names: bob.position" in found.failures[0][1]
    found = sweep(NamedModel("pendulum"), ChannelMeasures(("max:bob.position.w",)), grid(length=[1.0]), **run)
    assert "no component 'w' (it has: x, y, z)" in found.failures[0][1]
