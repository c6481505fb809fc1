"""Chunks: whole ones are read, torn and damaged ones are known, at every byte; a failed write is taken back."""

import errno
import os

import numpy as np
import pytest

from samara.results import chunks as chunks_module
from samara.results.chunks import ROWS, ChunkReader, ChunksError, ChunkWriter, StepRange

WIDTH = 5


def block(first, count):
    """Rows whose numbers tell where they belong."""
    return np.arange(first * WIDTH, (first + count) * WIDTH, dtype=np.int64).reshape(count, WIDTH)


@pytest.fixture
def file(tmp_path):
    """A head and three chunks of 3, 1 and 2 rows; (path, where each chunk ends)."""
    path = tmp_path / "run.nc.chunks"
    writer = ChunkWriter(path, new=True)
    writer.text({"head": "a word"})
    ends = [writer.size]
    for first, count in ((1, 3), (4, 1), (5, 2)):
        writer.rows(block(first, count), StepRange(first, first + count - 1, 0, 7))
        ends.append(writer.size)
    writer.close()
    return path, ends


def rows(path):
    with ChunkReader(path) as found:
        blocks = [found.rows(chunk, WIDTH) for chunk in found.chunks if chunk.kind == ROWS]
    return [b.copy() for b in blocks if b is not None]


def test_what_was_written_is_read(file):
    path, _ = file
    with ChunkReader(path) as found:
        assert found.texts() == [{"head": "a word"}]
        assert [chunk.span for chunk in found.chunks[1:]] == [
            StepRange(1, 3, 0, 7),
            StepRange(4, 4, 0, 7),
            StepRange(5, 6, 0, 7),
        ]
        assert found.damaged == 0
    assert np.array_equal(np.concatenate(rows(path)), block(1, 6))


def test_cut_at_every_byte_all_whole_chunks_are_read_and_writing_goes_on(file):
    path, ends = file
    data = path.read_bytes()
    assert len(data) == ends[-1]
    for length in range(len(data)):
        path.write_bytes(data[:length])
        whole = [end for end in ends if end <= length]
        with ChunkReader(path) as found:
            assert [chunk.end for chunk in found.chunks] == whole
            assert found.damaged == length - (whole[-1] if whole else 0)
        writer = ChunkWriter(path, new=False)
        assert writer.size == (whole[-1] if whole else 0) == path.stat().st_size
        writer.rows(block(90, 2), StepRange(90, 91, 0, 0))
        writer.close()
        assert np.array_equal(rows(path)[-1], block(90, 2))
        assert len(rows(path)) == max(len(whole) - 1, 0) + 1


def test_a_changed_byte_costs_its_own_chunk_only(file):
    path, ends = file
    data = path.read_bytes()
    sound = {b.tobytes() for b in rows(path)}
    for at in range(ends[0], len(data)):
        path.write_bytes(data[:at] + bytes([data[at] ^ 0x10]) + data[at + 1 :])
        left = {b.tobytes() for b in rows(path)}
        assert left < sound and len(left) == 2, at


def test_zeros_where_the_power_failed(file):
    """The length of a file may be there before its content: zeros at the end, and in the middle."""
    path, ends = file
    data = path.read_bytes()
    path.write_bytes(data[: ends[2]] + bytes(len(data) - ends[2]))
    assert len(rows(path)) == 2
    path.write_bytes(data[: ends[1]] + bytes(ends[2] - ends[1]) + data[ends[2] :])
    assert [len(b) for b in rows(path)] == [3, 2]


def test_what_the_rows_are_outlives_any_bit(tmp_path):
    """Whatever bit of the file is another one, what the rows are is known, and all rows but those of that chunk."""
    path = tmp_path / "run.nc.chunks"
    writer = ChunkWriter(path, new=True)
    writer.head({"head": "a word"})
    for step in range(1, 41):
        writer.rows(block(step, 1), StepRange(step, step, 0, 0))
    writer.close()
    data = path.read_bytes()
    assert 3 <= data.count(b"a word") <= 2 + np.log2(len(data))  # more often, but not with every chunk
    for at in range(0, len(data), 5):  # in every part of a header, chunk by chunk
        path.write_bytes(data[:at] + bytes([data[at] ^ 0x01]) + data[at + 1 :])
        with ChunkReader(path) as found:
            assert found.texts()[0]["head"] == "a word"
        assert len(rows(path)) >= 39, at


def test_other_files_are_not_written_to(file, tmp_path):
    """Neither emptied nor followed: those of others, and those behind a link or in a place that is none."""
    foreign, link, pipe = tmp_path / "foreign", tmp_path / "link", tmp_path / "pipe"
    foreign.write_bytes(b"the only copy of somebody's thesis")
    link.symlink_to(file[0])
    os.mkfifo(pipe)
    before = file[0].read_bytes()
    for path, words in ((foreign, "no file of a recorder"), (link, "is a link"), (pipe, "is no file")):
        with pytest.raises(ChunksError, match=words):
            ChunkWriter(path, new=False)
    for path in (foreign, link, pipe):
        with pytest.raises(FileExistsError):
            ChunkWriter(path, new=True)
    assert foreign.read_bytes() == b"the only copy of somebody's thesis" and file[0].read_bytes() == before


def test_an_empty_file(tmp_path):
    path = tmp_path / "empty"
    path.write_bytes(b"")
    with ChunkReader(path) as found:
        assert found.chunks == []


@pytest.mark.parametrize("room", [0, 1, 63, 64, 65, 100])
def test_a_write_that_fails_half_way_is_taken_back(file, monkeypatch, room):
    path, ends = file
    writer = ChunkWriter(path, new=False)
    real, left = os.pwrite, [room]

    def full(handle, data, place):
        if not left[0]:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        written = real(handle, data[: left[0]], place)
        left[0] -= written
        return written

    monkeypatch.setattr(os, "pwrite", full)
    with pytest.raises(OSError, match="No space left"):
        writer.rows(block(7, 2), StepRange(7, 8, 0, 0))
    assert path.stat().st_size == writer.size == ends[-1]
    left[0] = 10_000
    writer.rows(block(9, 1), StepRange(9, 9, 0, 0))
    writer.close()
    assert [len(b) for b in rows(path)] == [3, 1, 2, 1]


def test_a_file_has_one_writer(file, monkeypatch):
    path, _ = file
    monkeypatch.setattr(chunks_module, "PATIENCE", 0.0)
    writer = ChunkWriter(path, new=False)
    with pytest.raises(ChunksError, match="a recorder is writing to it"):
        ChunkWriter(path, new=False)
    writer.close()
    ChunkWriter(path, new=False).close()
