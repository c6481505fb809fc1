"""The file: exact round trip, readable by others, honest about damage."""

import itertools
import os
import subprocess
import sys
import textwrap
from dataclasses import replace

import netCDF4
import numpy as np
import pytest
import xarray

from samara.model import ArgumentError
from samara.results import Channel, Channels, Results, ResultsFileError, RunAttrs, layout, seal
from samara.results import netcdf as netcdf_module


def same(a: Results, b: Results) -> bool:
    return (
        a.channels == b.channels
        and a.attrs == b.attrs
        and a.time.tobytes() == b.time.tobytes()
        and a.table.tobytes() == b.table.tobytes()
    )


@pytest.mark.parametrize("compress", [False, True])
def test_round_trip_is_exact(results, tmp_path, compress):
    path = results.save(tmp_path / "run.nc", compress=compress)
    again = Results.load(path)
    assert same(again, results)
    assert list(again.attrs.parameters) == list(results.attrs.parameters)
    assert again.table.flags.c_contiguous


def test_partial_data_of_an_interrupted_run(results, tmp_path):
    attrs = replace(results.attrs, status="interrupted", message="stopped by the user at 0.016 s", stand_in="")
    part = Results(results.channels, results.time[:17], results.table[:17], attrs)
    again = Results.load(part.save(tmp_path / "part.nc"))
    assert same(again, part)
    assert again.attrs.status == "interrupted"
    assert len(again) == 17


@pytest.mark.parametrize("compress", [False, True])
def test_no_samples_or_no_channels(tmp_path, results, compress):
    empty = Results(results.channels, np.empty(0), np.empty((0, results.channels.width)), results.attrs)
    assert same(Results.load(empty.save(tmp_path / "empty.nc", compress)), empty)
    bare = Results(Channels(), np.arange(3.0), np.empty((3, 0)))
    assert same(Results.load(bare.save(tmp_path / "bare.nc", compress)), bare)


def test_order_of_channels_is_kept(tmp_path):
    channels = Channels(Channel(name, "m") for name in ("z", "b", "a", "y", "c10", "c9"))
    table = np.arange(12.0).reshape(2, 6)
    run = Results(channels, np.arange(2.0), table)
    assert Results.load(run.save(tmp_path / "run.nc")).channels.names == channels.names


def test_non_ascii_text_and_long_attributes(tmp_path, results):
    attrs = replace(results.attrs, model="élan", message="β " * 50_000)
    run = Results(results.channels, results.time, results.table, attrs)
    assert same(Results.load(run.save(tmp_path / "été.nc")), run)


def test_the_netcdf4_library_reads_it(results, tmp_path):
    with netCDF4.Dataset(results.save(tmp_path / "run.nc")) as file:
        file.set_auto_mask(False)
        position = file["arm.position"]
        assert position.dimensions == ("time", "xyz")
        assert position.units == "m"
        assert position.long_name == "position of the arm's centre of mass"
        assert position[:].tobytes() == results["arm.position"].tobytes()
        assert list(file["xyz"][:]) == ["x", "y", "z"]
        assert file["time"].units == "s"
        assert file.model == "pendulum"
        assert file.samara_version == results.attrs.version
        assert "arm.mass = 1.5 kg" in file.parameters
        assert file["parameters/arm.length"][...] == 0.1 + 0.2
        assert file["parameters/arm.length"].units == "m"


@pytest.mark.parametrize("engine", ["h5netcdf", "netcdf4"])
def test_xarray_opens_what_the_dataset_shows(results, tmp_path, engine):
    path = results.save(tmp_path / "run.nc")
    with xarray.open_dataset(path, engine=engine) as opened:
        assert opened.attrs.pop("samara_check_sum").startswith("samara-blake2b:")
        xarray.testing.assert_identical(opened.load(), results.dataset)
    with xarray.open_dataset(path, engine=engine, group="parameters") as parameters:
        assert float(parameters["arm.mass"]) == 1.5
        assert parameters["arm.mass"].attrs["units"] == "kg"


def one_line(error: BaseException) -> str:
    text = str(error)
    assert "\n" not in text
    return text


def test_missing_file(tmp_path):
    path = tmp_path / "absent.nc"
    with pytest.raises(ResultsFileError, match="no such file; check the path") as caught:
        Results.load(path)
    assert one_line(caught.value).startswith(str(path))


@pytest.mark.parametrize("share", [0.0, 1e-4, 0.01, 0.3, 0.7, 0.99])
def test_truncated_file(results, tmp_path, share):
    whole = results.save(tmp_path / "run.nc").read_bytes()
    path = tmp_path / "cut.nc"
    path.write_bytes(whole[: int(share * len(whole))])
    with pytest.raises(ResultsFileError, match="run the simulation again") as caught:
        Results.load(path)
    assert one_line(caught.value).startswith(str(path))


def test_the_last_byte_counts(results, tmp_path):
    path = results.save(tmp_path / "run.nc")
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(ResultsFileError, match="damaged, or changed by another program"):
        Results.load(path)


def test_foreign_files(tmp_path):
    text = tmp_path / "notes.nc"
    text.write_text("time, angle\n0, 1\n")
    with pytest.raises(ResultsFileError, match=r"notes\.nc: not a NetCDF-4 file; give a file saved by"):
        Results.load(text)
    other = tmp_path / "ocean.nc"
    xarray.Dataset({"t": ("x", [1.0, 2.0])}).to_netcdf(other, engine="h5netcdf")
    with pytest.raises(ResultsFileError, match=r"ocean\.nc: not written by Samara; open it with xarray"):
        Results.load(other)
    with pytest.raises(ResultsFileError, match="cannot be read"):
        Results.load(tmp_path)


def test_a_file_of_a_newer_format(results, tmp_path, monkeypatch):
    path = results.save(tmp_path / "run.nc")
    monkeypatch.setattr(netcdf_module, "FORMAT", 0)
    with pytest.raises(ResultsFileError, match=r"newer Samara \(format 2\); update"):
        Results.load(path)


def test_a_file_that_lost_a_variable(results, tmp_path):
    import h5py

    path = results.save(tmp_path / "run.nc")
    with h5py.File(path, "r+") as file:
        del file["arm.angle"]
    with pytest.raises(ResultsFileError, match=r"run\.nc: damaged, or changed by another program.*xarray"):
        Results.load(path)


@pytest.fixture
def unsealed(monkeypatch):
    """Files are written without check sums."""
    monkeypatch.setattr(netcdf_module, "SEAL", "none")
    monkeypatch.setattr(netcdf_module, "seal", lambda path: None)


def test_a_file_without_check_sums_is_read(results, tmp_path, unsealed, monkeypatch):
    """One of an older version; a file that says of itself that it has a check sum must have one."""
    import h5py

    path = results.save(tmp_path / "run.nc")
    assert seal.sealed(path) is None
    with pytest.raises(ResultsFileError, match=r"run\.nc: damaged \(its checksum is missing\)"):
        Results.load(path)
    monkeypatch.setattr(layout, "FORMAT", 1)
    assert same(Results.load(results.save(path)), results)
    with h5py.File(path, "r+") as file:
        del file["arm.angle"]
    with pytest.raises(ResultsFileError, match=r"run\.nc: damaged .*missing before 'hinge\.reaction_force'"):
        Results.load(path)


def mutants(whole: bytes, rng, count: int):
    """A bit, a byte, some bytes of nought, a piece moved, a piece lost: one of these anywhere."""
    for k in range(count):
        data, place = bytearray(whole), int(rng.integers(len(whole)))
        size = int(rng.integers(1, 65))
        if k % 5 == 0:
            data[place] ^= 1 << int(rng.integers(8))
        elif k % 5 == 1:
            data[place] = int(rng.integers(256))
        elif k % 5 == 2:
            data[place : place + size] = bytes(len(data[place : place + size]))
        elif k % 5 == 3:
            data[place : place + size] = data[: len(data[place : place + size])]
        else:
            del data[place : place + size]
        if data != whole:
            yield bytes(data)


@pytest.mark.parametrize("compress", [False, True])
def test_no_damage_loads_other_data_in_silence(results, tmp_path, rng, compress):
    """Every one is a named error, before HDF5 sees it: of 2500 mutants 833 ended otherwise, 143 as other data."""
    whole = results.save(tmp_path / "run.nc", compress=compress).read_bytes()
    path = tmp_path / "mutant.nc"
    for mutant in mutants(whole, rng, 500):
        path.write_bytes(mutant)
        with pytest.raises(ResultsFileError, match=r"mutant\.nc: (damaged|not a NetCDF-4 file)") as caught:
            Results.load(path)
        one_line(caught.value)


def test_what_libraries_raise_is_one_named_error(results, tmp_path, monkeypatch):
    """As for damage in files that have no check sum: HDF5 and what stands on it raise anything."""
    path = results.save(tmp_path / "run.nc")
    for error in (
        RecursionError("deep"),
        IndexError("none"),
        OverflowError("large"),
        MemoryError("huge"),
        AssertionError,
    ):

        def fail(file, error=error):
            raise error

        monkeypatch.setattr(netcdf_module, "_extract", fail)
        with pytest.raises(ResultsFileError, match=r"run\.nc: damaged \(.*\); run the simulation again"):
            Results.load(path)


def test_a_failed_save_leaves_the_old_file_and_no_litter(results, tmp_path, monkeypatch):
    path = results.save(tmp_path / "run.nc")
    before = path.read_bytes()

    def full_disk(source: object, target: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full_disk)
    with pytest.raises(ResultsFileError, match=r"run\.nc: cannot be written .*No space left"):
        results.select("energy").save(path)
    assert path.read_bytes() == before
    assert [p.name for p in tmp_path.iterdir()] == ["run.nc"]


FULL = """
    import resource, sys
    import numpy as np
    from samara.results import Channel, Channels, Results, ResultsFileError
    channels = Channels([Channel(f"x{k}", "m") for k in range(8)])
    results = Results(channels, np.arange(2000.0), np.zeros((2000, 8)))
    resource.setrlimit(resource.RLIMIT_FSIZE, (60_000, 60_000))
    try:
        results.save(sys.argv[1])
    except ResultsFileError as error:
        print(error)
"""


def test_a_disk_that_is_full_is_an_error_and_no_crash(tmp_path):
    """A limit on the size of files stands for it. HDF5 ends the process when it runs into one."""
    path = os.pathsep.join(sys.path)
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(FULL), tmp_path / "run.nc"], env={**os.environ, "PYTHONPATH": path},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    assert "run.nc: cannot be written ([Errno 27] File too large); check permissions and free space" in done.stdout
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("width", "rows", "parameters"), [(1, 0, 0), (3, 1000, 0), (150, 10, 0), (10, 10, 200)])
def test_the_room_that_is_asked_for_is_enough(tmp_path, width, rows, parameters):
    text = "a description as long as they usually are"
    channels = Channels([Channel(f"some.long.name.of.a.channel_{k}", "m", description=text) for k in range(width)])
    attrs = RunAttrs(parameters={f"some.parameter_{k}": (1.0, "kg m^2") for k in range(parameters)})
    path = Results(channels, np.zeros(rows), np.zeros((rows, width)), attrs).save(tmp_path / "run.nc")
    asked = netcdf_module._least_size(channels, attrs, rows)
    assert path.stat().st_size <= asked < path.stat().st_size + 400_000


def test_blocks_make_the_same_file(results, tmp_path):
    """Written in pieces of 7 rows, empty ones among them; a wrong number of rows is refused."""
    cuts = [*range(0, len(results), 7), len(results), len(results)]
    blocks = [(results.time[a:b], results.table[a:b]) for a, b in itertools.pairwise(cuts)]
    path = tmp_path / "run.nc"
    netcdf_module.write_blocks(path, results.channels, results.attrs, len(results), blocks)
    assert same(Results.load(path), results)
    with pytest.raises(ValueError, match="rows came"):
        netcdf_module.write_blocks(path, results.channels, results.attrs, len(results), blocks[1:])
    assert same(Results.load(path), results)


def test_saving_over_a_file_replaces_it(results, tmp_path):
    path = results.save(tmp_path / "run.nc")
    few = results.select("energy")
    few.save(path)
    assert same(Results.load(path), few)
    assert [p.name for p in tmp_path.iterdir()] == ["run.nc"]


def test_saving_where_it_cannot_be(results, tmp_path):
    with pytest.raises(ResultsFileError, match="does not exist; create it first"):
        results.save(tmp_path / "absent" / "run.nc")
    with pytest.raises(ResultsFileError, match="is a folder"):
        results.save(tmp_path)
    with pytest.raises(ResultsFileError, match="too long"):
        results.save(tmp_path / ("n" * 300 + ".nc"))
    for use in (results.save, Results.load, Results.recover, lambda path: results.plot(path=path)):
        with pytest.raises(ArgumentError, match="path must be the name of a file, got 5"):
            use(5)


def test_a_missing_library_is_named_with_the_remedy(results, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "h5py", None)
    with pytest.raises(ImportError, match="pip install h5netcdf h5py"):
        results.save(tmp_path / "run.nc")
    assert list(tmp_path.iterdir()) == []


def test_scales_know_what_is_attached_to_them(results, tmp_path):
    """Both ends, as the HDF5 library itself sees them: it writes them one by one, the file all at once."""
    import h5py

    path = results.save(tmp_path / "run.nc")
    with h5py.File(path) as file:
        scales = {name: file[name] for name in file if file[name].attrs.get("CLASS") == b"DIMENSION_SCALE"}
        assert {"time", "xyz"} <= set(scales)
        for channel in results.channels:
            variable = file[channel.name]
            for k, dimension in enumerate(variable.dims):
                (scale,) = dimension.values()
                assert h5py.h5ds.is_attached(variable.id, scales[scale.name[1:]].id, k)
        attached = [file[end["dataset"]].name[1:] for end in file["time"].attrs["REFERENCE_LIST"]]
        assert attached == list(results.channels.names)


def test_thousands_of_channels(tmp_path):
    """Some seconds of work if each were attached by itself, and minutes to read; here it is done at once."""
    channels = Channels([Channel(f"body_{k}.position", "m", ("x", "y", "z")) for k in range(2000)])
    many = Results(channels, np.arange(3.0), np.arange(3.0 * channels.width).reshape(3, -1))
    again = Results.load(many.save(tmp_path / "many.nc"))
    assert again.channels.names == channels.names
    np.testing.assert_array_equal(again.table, many.table)
