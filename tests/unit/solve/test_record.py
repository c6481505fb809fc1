"""Rows that go to the disk while a run goes on: all of them are there when it is killed."""

import signal
import subprocess
import sys
import time

import numpy as np
import pytest

import samara as sm
from samara.models.mechanisms import pendulum
from samara.results.chunks import ChunksError, chunks_of

RUN = """
import sys
import samara as sm
from samara.models.mechanisms import pendulum
sm.transient(pendulum.build(), end=1e5, step=1e-3, every=100, outputs="*.position", save=sys.argv[1], record=True)
"""


def test_a_run_that_is_killed_keeps_its_rows(tmp_path):
    """Bit by bit those of the same run that was not killed."""
    path = tmp_path / "run.nc"
    with subprocess.Popen([sys.executable, "-c", RUN, str(path)], stderr=subprocess.DEVNULL) as process:
        chunks, deadline = chunks_of(path), time.monotonic() + 300.0
        while not chunks.exists() or chunks.stat().st_size < 20_000:
            assert process.poll() is None and time.monotonic() < deadline
            time.sleep(0.02)
        process.send_signal(signal.SIGKILL)
    assert not path.exists()
    found = sm.Results.recover(path)
    assert len(found) > 50 and found.attrs.status == "interrupted" and "killed" in found.attrs.message
    end = float(found.time[-1])
    whole = sm.transient(pendulum.build(), end=end, step=1e-3, every=100, outputs="*.position", progress=False)
    assert found.channels == whole.channels and found.attrs.parameters == whole.attrs.parameters
    np.testing.assert_array_equal(found.time, whole.time)
    np.testing.assert_array_equal(found.table, whole.table)
    with pytest.raises(ChunksError, match="contains rows of a killed run; save them with `samara record --recover"):
        sm.transient(pendulum.build(), end=0.1, step=1e-3, save=path, record=True, progress=False)
    from samara.realtime.recording.salvage import save

    saved = save(path)  # as `samara record --recover` does
    assert saved.made and saved.rows == len(found) and not chunks_of(path).exists()
    np.testing.assert_array_equal(sm.Results.load(path).table, found.table)


@pytest.mark.parametrize("options", [{"step": 1e-3}, {"accuracy": 1e-6}, {"step": 1e-3, "formulation": "recursive"}])
def test_a_run_that_ends_leaves_its_results_alone(tmp_path, options, monkeypatch):
    from samara.results import run_rows

    kept = []
    monkeypatch.setattr(run_rows.RunRows, "end", lambda self, keep=False: kept.append(keep) or self._file.close())
    path = tmp_path / "run.nc"
    results = sm.transient(pendulum.build(), end=0.1, **options, save=path, record=True, progress=False)
    assert kept[0] is False  # to be removed
    found = sm.Results.recover(path)
    np.testing.assert_array_equal(found.table, results.table)
    monkeypatch.undo()
    chunks_of(path).unlink()
    sm.transient(pendulum.build(), end=0.1, **options, save=path, record=True, progress=False)
    assert path.exists() and not chunks_of(path).exists()


def test_a_torn_last_row_is_left_out(tmp_path):
    from samara.results.run_rows import RunRows

    results = sm.transient(pendulum.build(), end=0.01, step=1e-3, progress=False)
    rows = RunRows(tmp_path / "run.nc", results.channels, results.attrs)
    for k in range(5):
        rows.put(results.time[k : k + 1], results.table[k : k + 1])
    rows.end(keep=True)
    chunks = chunks_of(tmp_path / "run.nc")
    chunks.write_bytes(chunks.read_bytes()[:-9])
    found = sm.Results.recover(tmp_path / "run.nc")
    np.testing.assert_array_equal(found.table, results.table[:4])


def test_arguments(tmp_path):
    with pytest.raises(sm.ArgumentError, match=r"record=True writes next to the results file: give it too"):
        sm.transient(pendulum.build(), end=0.1, step=1e-3, record=True)
    with pytest.raises(ChunksError, match=r"run.nc.chunks: no such file; there is nothing to recover for run.nc"):
        sm.Results.recover(tmp_path / "run.nc")


def test_a_disk_that_is_full_ends_no_run(tmp_path, monkeypatch):
    from samara.results import chunks

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(chunks.ChunkWriter, "rows", full)
    with pytest.warns(UserWarning, match=r"cannot write further rows .*the run continues without"):
        found = sm.transient(
            pendulum.build(), end=0.01, step=1e-3, save=tmp_path / "run.nc", record=True, progress=False
        )
    assert len(found) == 11 and (tmp_path / "run.nc").exists()
