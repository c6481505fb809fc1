"""The latest value: whole rows, exact counts, in one process, in two, and in every order of their steps."""

import errno
import os

import numpy as np
import pytest
from numba import njit

from samara.realtime.mailbox import latest as latest_module
from samara.realtime.mailbox import port as port_module
from samara.realtime.mailbox import shared as shared_module
from samara.realtime.mailbox.latest import DEPTH, TRIES, Latest, publish, take
from samara.realtime.mailbox.port import FRESH, KEPT, MASK, MISSED, SEQUENCE, STAMP, TORN, make_port, row_words
from samara.realtime.mailbox.shared import MailboxError

RNG = np.random.default_rng(5)


@pytest.fixture
def pair(tmp_path):
    with Latest.create(tmp_path / "box", 3) as writer, Latest.attach(tmp_path / "box") as reader:
        yield writer, reader


def test_a_row_arrives_as_it_was_sent(pair):
    writer, reader = pair
    row = np.array([np.pi, -0.0, 5e-324])
    assert writer.write(row, 0.25, stamp=2**62 + 1) == 1
    found = reader.read()
    assert found.values.tobytes() == row.tobytes()
    assert found[1:] == (0.25, 2**62 + 1, 1, True)


def test_nothing_yet(pair):
    _, reader = pair
    found = reader.read()
    assert np.isnan(found.values).all()
    assert (found.sequence, found.fresh, reader.kept) == (0, False, 1)
    assert reader.silence == float("inf")


def test_what_is_kept_and_missed_is_counted(pair):
    writer, reader = pair
    for step, (writes, reads) in enumerate([(1, 1), (0, 3), (2, 1), (7, 2), (1, 1)]):
        for _ in range(writes):
            writer.write(np.full(3, step), step)
        for _ in range(reads):
            sample = reader.read()
    assert (sample.sequence, sample.values[0]) == (11, 4.0)
    # new: one for each of the four times that something had come; kept: the other reads; missed: 11 rows less 4
    assert (reader.fresh, reader.kept, reader.missed, reader.torn) == (4, 4, 7, 0)


def test_a_late_reader_has_missed_nothing(pair):
    writer, reader = pair
    for _ in range(9):
        writer.write(np.zeros(3), 0.0)
    assert reader.read().sequence == 9
    assert reader.missed == 0


def test_waiting_is_one_question(pair):
    writer, reader = pair
    assert not reader.wait(0.02).fresh
    assert reader.kept == 1
    writer.write(np.ones(3), 0.0)
    assert reader.wait(0.02).fresh
    assert (reader.kept, reader.fresh) == (1, 1)


def test_a_row_left_half_written_is_never_seen(pair):
    writer, reader = pair
    writer.write(np.full(3, 1.0), 1.0)
    writer.write(np.full(3, 2.0), 2.0)
    # the writer dies in the middle of row 3: its slot holds rubbish, and 3 was not published
    first, words = 24, writer.port.words
    slot = first + 3 % DEPTH * row_words(3)
    words[slot : slot + 4] = -1
    assert reader.read().values.tolist() == [2.0, 2.0, 2.0]
    writer.write(np.full(3, 3.0), 3.0)
    assert reader.read().values.tolist() == [3.0, 3.0, 3.0]


def test_beats(pair):
    writer, reader = pair
    writer.beat()
    assert 0.0 <= reader.silence < 60.0
    assert reader.read().sequence == 0


# ---- errors
def test_one_writer(pair, tmp_path, child):
    _, reader = pair
    with pytest.raises(PermissionError, match="opened to read"):
        reader.write(np.zeros(3), 0.0)
    script = """
        import sys
        from samara.realtime import Latest
        box = Latest.attach(sys.argv[1])
        try: box.as_writer()
        except RuntimeError as error: print(error)
    """
    said = child(script, tmp_path / "box").communicate()[0]
    assert f"held by process {os.getpid()}, which is running" in said


def test_errors_say_what_is_wrong(pair, tmp_path):
    writer, _ = pair
    with pytest.raises(ValueError, match=r"is 3 numbers, not of shape \(2,\)"):
        writer.write([1.0, 2.0], 0.0)
    with pytest.raises(MailboxError, match=r"no mailbox at .*nowhere: start the simulator first"):
        Latest.attach(tmp_path / "nowhere")
    with pytest.raises(MailboxError, match="which is running: stop it"):
        Latest.create(tmp_path / "box", 3)
    (tmp_path / "text").write_bytes(bytes(1024))
    with pytest.raises(MailboxError, match="not a mailbox"):
        Latest.attach(tmp_path / "text")
    (tmp_path / "short").write_bytes(b"short")
    with pytest.raises(MailboxError, match="it has 5 bytes"):
        Latest.attach(tmp_path / "short")
    for file in ("text", "short"):
        with pytest.raises(MailboxError, match="exists and is not a mailbox"):
            Latest.create(tmp_path / file, 3)


@pytest.mark.parametrize(("word", "value", "message"), [(1, 99, "layout 99"), (2, 2, "kind 2"), (5, 64, "damaged")])
def test_a_header_that_does_not_fit(pair, tmp_path, word, value, message):
    pair[0].port.words[word] = value
    with pytest.raises(MailboxError, match=message):
        Latest.attach(tmp_path / "box")


def test_closed(tmp_path):
    box = Latest.create(tmp_path / "box", 3)
    reader = Latest.attach(tmp_path / "box")
    assert (tmp_path / "box").stat().st_mode & 0o777 == 0o600
    box.close()
    box.close()
    assert not (tmp_path / "box").exists()
    with pytest.raises(MailboxError, match="closed"):
        box.read()
    assert reader.read().sequence == 0  # who has it open goes on
    assert reader.writer.pid == 0


def test_the_owner_removes_it_when_it_ends_and_the_next_one_when_it_was_killed(tmp_path, child, capsys):
    script = """
        import sys, time
        from samara.realtime import Latest
        box = Latest.create(sys.argv[1], 3)
        print("made", flush=True)
        sys.stdin.readline()
    """
    good = child(script, tmp_path / "box")
    good.stdout.readline()
    assert (tmp_path / "box").exists()
    good.communicate("\n")
    assert not (tmp_path / "box").exists()
    killed = child(script, tmp_path / "box")
    killed.stdout.readline()
    killed.kill()
    killed.wait()
    assert (tmp_path / "box").exists()
    with Latest.create(tmp_path / "box", 3) as box:
        assert box.writer.pid == os.getpid()
    assert f"left by process {killed.pid}, which has ended" in capsys.readouterr().err


def test_no_room(tmp_path, monkeypatch):
    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(shared_module.os, "posix_fallocate", full)
    with pytest.raises(MailboxError, match=r"no room for 448 bytes of shared memory at .*: No space left"):
        Latest.create(tmp_path / "box", 3)
    assert not (tmp_path / "box").exists()


# ---- every order
class Script:
    """Memory as both sides see it: the stores of the writer are applied one by one, between the reader's loads."""

    def __init__(self, rows: int):
        self.words = np.zeros(24 + DEPTH * row_words(2), np.int64)
        self.port = make_port(self.words, 2, DEPTH)
        self.base = self.port.words.ctypes.data
        self.at = 0
        self.stores = []  # (word, bits), in program order: sequential consistency
        writer = make_port(self.words.copy(), 2, DEPTH)
        own = writer.words.ctypes.data
        with pytest.MonkeyPatch.context() as patch:

            def store(address, value):
                word, bits = (address - own) // 8, np.array(value).view(np.int64)
                writer.words[word] = bits
                self.stores.append((word, bits))

            def load(address):
                return int(writer.words[(address - own) // 8])

            for module in (latest_module, port_module):
                for name in ("store_word", "store_real", "store_release"):
                    patch.setattr(module, name, store, raising=False)
                patch.setattr(module, "load_word", load)
            patch.setattr(latest_module, "fence_release", lambda: None)
            patch.setattr(latest_module, "put_row", port_module.put_row.py_func)
            patch.setattr(latest_module, "row_place", port_module.row_place.py_func)
            for k in range(1, rows + 1):
                writer.values[:] = float(k)
                publish.py_func(writer, float(k), k)

    def rewind(self):
        self.words[:] = 0
        self.port.state[:MASK] = 0
        self.at = 0

    def store(self, count):
        for word, bits in self.stores[self.at : self.at + count]:
            self.words[word] = bits
        self.at += count

    def read(self, patch, advance):
        """`take`, with so many stores of the writer before each of its loads as `advance()` says."""

        def load(address):
            self.store(advance())
            return int(self.words[(address - self.base) // 8])

        def load_real(address):
            return np.int64(load(address)).view(np.float64)

        for module in (latest_module, port_module):
            patch.setattr(module, "load_word", load)
            patch.setattr(module, "load_real", load_real, raising=False)
        patch.setattr(latest_module, "load_acquire", load)
        patch.setattr(latest_module, "fence_acquire", lambda: None)
        patch.setattr(latest_module, "get_row", port_module.get_row.py_func)
        patch.setattr(latest_module, "row_place", port_module.row_place.py_func)
        return take.py_func(self.port)


def whole(script):
    """The sequence number of the row that the reader has; the row must be all of one piece."""
    sequence = int(script.port.state[SEQUENCE])
    if sequence:
        assert script.port.values.tolist() == [sequence, sequence]
        assert script.port.time[0] == script.port.state[STAMP] == sequence
    return sequence


@pytest.mark.parametrize("load", range(7))
def test_a_burst_of_the_writer_anywhere_tears_no_row(monkeypatch, load):
    """The writer, anywhere in a row (8 stores), goes on by up to six rows at one of the reader's loads (7 a row)."""
    script = Script(rows=30)
    again = 0
    for start in range(8, 16):
        for burst in range(48):
            script.rewind()
            script.store(start)
            bursts = iter([*[0] * load, burst, *[0] * 100])
            assert script.read(monkeypatch, bursts.__next__)  # one burst: the second try succeeds
            whole(script)
            again += len(list(bursts)) < 100 - (7 - load) + 1
    assert (again > 0) == (load > 0)  # at the first load it does not matter, later some had to try again


@pytest.mark.parametrize("pace", [1, 5, 9, 13])
def test_no_order_of_steps_tears_a_row(monkeypatch, pace):
    """At most `pace` stores of the writer between any two loads of the reader."""
    script = Script(rows=100)
    for _ in range(100):
        script.rewind()
        script.store(int(RNG.integers(30)))
        last = 0
        for _ in range(4):
            fresh = script.read(monkeypatch, lambda: int(RNG.integers(pace + 1)))
            found = whole(script)
            assert found > last if fresh else found == last
            last = found


def test_a_reader_that_is_always_overtaken_keeps_the_last_row(monkeypatch):
    script = Script(rows=400)
    assert script.read(monkeypatch, iter([8, *[0] * 6]).__next__)  # one row, and then peace
    last = script.port.values.copy(), script.port.state.copy()
    loads = 0

    def fast():
        nonlocal loads
        loads += 1
        return 16

    assert not script.read(monkeypatch, fast)
    state = script.port.state
    assert script.port.values.tolist() == last[0].tolist()
    assert (state[SEQUENCE], state[FRESH]) == (last[1][SEQUENCE], 1)
    assert (state[TORN], state[KEPT]) == (1, 1)
    assert loads == TRIES * 7  # the published number twice, a row of five words: bounded


# ---- two processes
WRITER = """
    import sys, time
    from numba import njit
    from samara.realtime import Latest, publish

    @njit
    def work(port, first, last):
        for k in range(first, last):
            port.values[:] = k
            publish(port, k, -k)

    box = Latest.attach(sys.argv[1]).as_writer()
    work(box.port, 0, 0)
    print("ready", flush=True)
    sys.stdin.readline()
    for first in range(1, int(sys.argv[2]) + 1, 100):
        work(box.port, first, first + 100)
        time.sleep(1e-5)  # the reader runs too, even where there is one processor for both
"""


@njit(nogil=True)
def watch(port, last, limit):
    """Reads until row `last`; (rows that were not whole, the first row seen)."""
    wrong = first = looks = 0
    while port.state[SEQUENCE] < last and looks < limit:
        looks += 1
        if take(port):
            k = port.state[SEQUENCE]
            first = first if first else k
            same = port.time[0] == k and port.state[1] == -k
            for value in port.values:
                same &= value == k
            wrong += not same
    return wrong, first


def test_no_torn_row_in_200000(tmp_path, child):
    rows = 200_000
    with Latest.create(tmp_path / "box", 64) as made:
        made.port.words[8:10] = 0  # the other process writes
        reader = Latest.attach(tmp_path / "box")
        watch(reader.port, 0, 0)
        writer = child(WRITER, tmp_path / "box", rows)
        writer.stdout.readline()
        writer.stdin.write("\n")
        writer.stdin.flush()
        wrong, first = watch(reader.port, rows, 10**10)
        state = reader.port.state
        assert wrong == 0
        assert state[SEQUENCE] == rows
        assert state[FRESH] + state[MISSED] == rows - first + 1
        assert state[FRESH] > 200  # of 2000 bursts: both ran at the same time
        assert writer.wait(20) == 0
        reader.close()
