"""Every row of a run arrives in its file, whoever is killed and whatever the disk does; what does not is counted."""

import contextlib
import errno
import json
import os
import signal
import threading
import time

import numpy as np
import pytest

from samara.models import find
from samara.realtime import Session, Signal, recording
from samara.realtime.loop.clock import made_up
from samara.realtime.loop.simulator import RealTime
from samara.realtime.recording import RecordingError
from samara.realtime.recording import recorder as recorder_module
from samara.realtime.recording import salvage as salvage_module
from samara.realtime.recording import take as take_module
from samara.realtime.recording.pretrigger import PreTrigger
from samara.realtime.recording.recorder import DiskRecorder
from samara.realtime.recording.salvage import save
from samara.realtime.session import clear
from samara.results import Results
from samara.results import chunks as chunks_module
from samara.results.chunks import ChunksError, chunks_of

SENSORS = [Signal("arm.angle", "rad", description="from the vertical"), Signal("arm.rate", "rad/s")]
ACTUATORS = [Signal("motor.torque", "N m"), Signal("arm.angle", "rad")]
CAPACITY = 256
MS = 1_000_000

RECORD = """
    import sys
    from samara.realtime import Session
    from samara.realtime.recording.recorder import DiskRecorder
    with DiskRecorder(Session.connect(sys.argv[1]), sys.argv[2]) as recorder:
        recorder.run()
"""


@pytest.fixture
def simulator(name):
    with Session.create(name, rate=1000.0, sensors=SENSORS, actuators=ACTUATORS, record=CAPACITY) as session:
        yield session


@pytest.fixture
def guest(simulator):
    with Session.connect(simulator.card.name, timeout=0.0) as session:
        yield session


@pytest.fixture
def path(tmp_path):
    return tmp_path / "run.nc"


class Source:
    """Steps of a simulator: numbers that tell their step."""

    def __init__(self, session):
        self.session, self.step = session, 0

    def send(self, count, stamp=None):
        """So many steps; stamps 1 ms apart up to that one [ns], or now."""
        for k in range(count):
            self.step += 1
            when = None if stamp is None else stamp - (count - 1 - k) * MS
            self.session.record.write(numbers(self.step), 1e-3 * self.step, when)


def numbers(step):
    return np.array([step, -step, 0.1 * step, np.sin(step)])


@pytest.fixture
def source(simulator):
    return Source(simulator)


def steps(path):
    """Numbers of the recorded steps; each has the values that it was sent with."""
    found = Results.load(path)
    sequence = found["recorder.sequence"].astype(int)
    assert np.array_equal(found.table[:, :4], np.array([numbers(k) for k in sequence]).reshape(-1, 4))
    assert np.array_equal(found.time, 1e-3 * sequence)
    return sequence


def wait_for(happens, patience=30.0):
    end = time.monotonic() + patience
    while not happens():
        assert time.monotonic() < end
        time.sleep(0.005)


# ---- all rows
def test_rows_arrive_bit_for_bit_and_in_order(simulator, guest, path):
    """More than the queue holds, among them numbers that are none; 2-D writes and single ones."""
    rng = np.random.default_rng(1)
    bits = rng.integers(-(2**63), 2**63 - 1, (10 * CAPACITY, 4))
    bits[:4, 0] = np.array([-0.0, np.nan, np.inf, 5e-324]).view(np.int64)
    recorder = DiskRecorder(guest, path)
    for begin in range(0, len(bits), CAPACITY // 2):
        assert simulator.record.write(bits[begin : begin + CAPACITY // 2].view(float), 1e-3 * begin)
        recorder.look()
    (saved,) = recorder.close()
    found = Results.load(path)
    assert np.array_equal(found.table[:, :4].copy().view(np.int64), bits)
    assert (saved.rows, saved.lost, saved.dropped, saved.message) == (len(bits), 0, 0, "")
    assert np.array_equal(found["recorder.sequence"], np.arange(len(bits)) + 1.0)
    assert list(path.parent.iterdir()) == [path]


def test_what_the_loop_sends_is_what_is_recorded(name, path):
    """A model on a made-up clock: the file has what a second run of it sends, in every bit."""

    def run(take):
        model = find("pendulum").make(motor=True)
        with RealTime(
            model, 1000.0, session=name, sensors=("hinge.*",), record=CAPACITY, clock=made_up()
        ) as runner, Session.connect(name) as guest:  # fmt: skip
            motor = guest.claim(["torque"])
            motor.write([3.0], 0.0)
            return take(runner, guest)

    def drained(runner, guest):
        rows = []
        for _ in range(6):
            runner.run(0.1)
            rows.append(guest.record.drain())
        return np.concatenate([r.time for r in rows]), np.concatenate([r.values for r in rows])

    def recorded(runner, guest):
        recorder = DiskRecorder(guest, path)
        for _ in range(6):
            runner.run(0.1)
            recorder.look()
        recorder.close()

    time, values = run(drained)
    run(recorded)
    found = Results.load(path)
    assert len(found) == 600
    assert np.array_equal(found.time, time)
    assert np.array_equal(found.table[:, : values.shape[1]], values)
    assert found.unit("hinge.angle_rate") == "rad/s" and found.unit("torque") == "N m"
    assert np.all(found["torque"] == 3.0)


def test_names_units_and_attributes(simulator, guest, source, path):
    with DiskRecorder(guest, path) as recorder:
        source.send(10)
        recorder.look()
    found = Results.load(path)
    assert found.channels.names[:4] == ("arm.angle", "arm.rate", "motor.torque", "actuator.arm.angle")
    assert [found.unit(n) for n in found.channels.names] == ["rad", "rad/s", "N m", "rad", "1", "s"]
    assert found.channels["arm.angle"].description == "from the vertical"
    assert found.attrs.options["rate"] == 1000.0 and found.attrs.options["session"] == simulator.card.name
    assert found.attrs.counters["rows"] == 10 and found.attrs.status == "completed"
    assert found["recorder.clock"][0] == 0.0 and np.all(np.diff(found["recorder.clock"]) >= 0.0)
    xarray = pytest.importorskip("xarray")
    with xarray.open_dataset(path, engine="h5netcdf") as dataset:
        assert dataset["motor.torque"].attrs["units"] == "N m"


def test_nothing_came(guest, path):
    DiskRecorder(guest, path).close()
    assert len(Results.load(path)) == 0


def test_a_long_recording_is_turned_into_columns_block_by_block(guest, source, path, monkeypatch):
    monkeypatch.setattr(salvage_module, "BLOCK", 1000)
    monkeypatch.setattr(take_module, "LARGEST_CHUNK", 300)
    with DiskRecorder(guest, path) as recorder:
        for _ in range(10):
            source.send(97)
            recorder.look()
    assert np.array_equal(steps(path), np.arange(970) + 1)


@pytest.mark.parametrize("every", [2, 3, 7])
def test_every_nth_step(guest, source, path, every):
    with DiskRecorder(guest, path, every=every) as recorder:
        for count in (1, 2, 5, 50, 3):
            source.send(count)
            recorder.look()
        (saved,) = recorder.close()
    assert np.array_equal(steps(path), np.arange(1, 62, every))
    assert saved.lost == 0


# ---- rows that the loop dropped
@pytest.mark.parametrize("every", [1, 4])
def test_a_full_queue_is_counted(simulator, guest, source, path, every):
    """Drops in the middle and at the end: the file says how many."""
    recorder = DiskRecorder(guest, path, every=every)
    source.send(CAPACITY + 30)
    recorder.look()
    source.send(10)
    recorder.look()
    source.send(CAPACITY + 5)
    assert simulator.record.dropped == 35
    simulator.close()
    (saved,) = recorder.run()
    assert (saved.lost, saved.dropped, saved.ended) == (35, 35, "simulator ended")
    assert "35 steps lost because the queue was full" in saved.message
    found = Results.load(path)
    assert found.attrs.counters["dropped"] == 35 and found.attrs.message == saved.message
    there = [*range(1, CAPACITY + 1), *range(CAPACITY + 31, 2 * CAPACITY + 41)]
    assert steps(path).tolist() == [k for k in there if (k - 1) % every == 0]


def test_the_queue_is_looked_at_often_enough(name, path):
    with Session.create(name, rate=1000.0, sensors=SENSORS, record=16) as session:
        with DiskRecorder(session, path) as recorder:
            assert recorder.pause == pytest.approx(4e-3)


# ---- someone is killed
def test_a_killed_recorder_disturbs_nobody_and_its_chunks_are_recovered(simulator, source, path, child):
    name = simulator.card.name
    process = child(RECORD, name, path)
    wait_for(lambda: recording.state(name).alive)
    while recording.state(name).rows < 500:
        source.send(20)
        time.sleep(0.005)
        wait_for(lambda: simulator.record.waiting < CAPACITY - 20)
    process.kill()
    process.wait()
    known = recording.state(name)
    assert not known.alive and not known.on
    source.send(2 * CAPACITY)  # the loop goes on
    assert simulator.record.dropped > 0
    saved = save(path)
    assert np.array_equal(steps(path), np.arange(saved.rows) + 1)
    assert saved.rows >= known.rows
    assert saved.rows == simulator.record.received  # what was not written is still in the queue
    assert Results.load(path).attrs.status == "interrupted"
    assert "the recorder was killed" in saved.message
    assert not chunks_of(path).exists()


@pytest.mark.parametrize("overflow", [0, 40])
def test_a_restarted_recorder_goes_on(simulator, source, guest, path, child, capfd, overflow):
    """No row twice, none left out but those that found the queue full."""
    name = simulator.card.name
    process = child(RECORD, name, path)
    wait_for(lambda: recording.state(name).alive)
    for _ in range(30):
        source.send(20)
        wait_for(lambda: simulator.record.waiting < CAPACITY - 20)
    process.send_signal(signal.SIGSTOP)
    wait_for(lambda: recording.state(name).silence > 0.5)  # it lives, and does nothing
    assert recording.state(name).alive
    process.kill()
    process.wait()
    source.send(CAPACITY - simulator.record.waiting + overflow)
    assert simulator.record.dropped == overflow
    recorder = DiskRecorder(guest, path)
    recorder.look()
    source.send(50)
    simulator.close()
    (saved,) = recorder.run()
    assert (saved.segments, saved.lost, saved.dropped) == (2, overflow, overflow)
    gone = np.arange(source.step - 50 - overflow, source.step - 50) + 1
    assert steps(path).tolist() == [k for k in range(1, source.step + 1) if k not in gone]
    assert "continues after step" in capfd.readouterr().err


def test_rows_that_were_written_but_not_taken_out_come_once(simulator, guest, source, path, monkeypatch):
    """Killed between writing a chunk and giving its room back."""
    first = DiskRecorder(guest, path)
    source.send(20)
    monkeypatch.setattr(recorder_module, "release", lambda port, count: None)
    first.look()
    first._take._file.close()  # as the system does with a process that dies
    monkeypatch.undo()
    assert simulator.record.waiting == 20
    with Session.connect(simulator.card.name) as again, DiskRecorder(again, path) as second:
        source.send(5)
        second.look()
        (saved,) = second.close()
    assert np.array_equal(steps(path), np.arange(25) + 1)
    assert saved.lost == 0


def test_a_second_recorder_is_refused(simulator, guest, path, child):
    process = child(RECORD, simulator.card.name, path)
    wait_for(lambda: recording.state(guest).alive)
    with pytest.raises(RecordingError, match=f"is already being recorded, by process {process.pid}"):
        DiskRecorder(guest, path.with_name("other.nc"))
    simulator.close()
    assert process.wait(20.0) == 0  # and the first one ended with the simulator


def test_a_killed_simulator_is_recorded_to_the_end(name, path, child):
    script = """
        import sys, numpy as np
        from samara.realtime import Session, Signal
        session = Session.create(sys.argv[1], rate=1000.0, sensors=[Signal("x", "m")], record=64)
        for k in range(40):
            session.record.write([k], 1e-3 * k)
        print("ready", flush=True)
        sys.stdin.read()
    """
    process = child(script, name)
    assert process.stdout.readline() == "ready\n"
    with Session.connect(name) as guest, DiskRecorder(guest, path) as recorder:
        process.kill()
        process.wait()
        (saved,) = recorder.run()
    clear(name)  # what the simulator left
    assert (saved.rows, saved.lost, saved.ended) == (40, 0, "simulator ended")
    assert np.array_equal(Results.load(path)["x"], np.arange(40.0))


def test_a_new_session_of_the_name_is_another(simulator, guest, source, path):
    """The recorder of the old one ends, and writes nothing into the folder of the new one."""
    name = simulator.card.name
    recorder = DiskRecorder(guest, path)
    source.send(5)
    simulator.close()
    with Session.create(name, rate=1000.0, sensors=SENSORS, record=CAPACITY) as new:
        (saved,) = recorder.run()
        assert recording.state(new) == recording.RecorderState()
    assert saved.rows == 5


# ---- a full disk
@pytest.fixture
def disk(monkeypatch):
    """Room left for chunks [bytes], as a list of one number."""
    real, left = os.pwrite, [10**9]

    def pwrite(handle, data, place):
        if left[0] <= 0:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        written = real(handle, data[: left[0]], place)
        left[0] -= written
        return written

    monkeypatch.setattr(os, "pwrite", pwrite)
    monkeypatch.setattr(take_module, "PAUSE", 0.0)
    return left


@pytest.mark.parametrize("room", [0, 100, 1000])
def test_a_full_disk_costs_rows_and_nothing_else(simulator, guest, source, path, disk, capfd, room):
    recorder = DiskRecorder(guest, path)
    source.send(100)
    recorder.look()
    disk[0] = room
    for _ in range(10):
        source.send(100)
        recorder.look()
        time.sleep(0.001)
    time.sleep(0.1)
    recorder.look()
    state = recording.state(guest)
    assert "No space left" in state.message and state.alive and state.on
    assert state.lost == 1000 and state.rows == 100
    assert capfd.readouterr().err.count("nothing can be written (No space left on device)") == 1  # said once
    assert simulator.record.dropped == 0  # it was drained all the while
    simulator.close()
    (saved,) = recorder.run()
    assert (saved.rows, saved.lost, saved.lost_disk) == (100, 1000, 1000)
    assert np.array_equal(steps(path), np.arange(100) + 1)  # what was written is valid
    assert Results.load(path).attrs.status == "failed"
    assert "1000 steps lost because the disk could not be written" in Results.load(path).attrs.message


@pytest.mark.parametrize("begin", [0, 100])
def test_writing_goes_on_when_there_is_room_again(guest, source, path, disk, capfd, begin):
    recorder = DiskRecorder(guest, path)
    source.send(begin)
    recorder.look()
    disk[0] = 0
    for _ in range(3):
        source.send(50)
        recorder.look()
    disk[0] = 10**9
    source.send(30)
    recorder.look()
    (saved,) = recorder.close()
    assert steps(path).tolist() == [*range(1, begin + 1), *range(begin + 151, begin + 181)]
    assert (saved.lost, saved.lost_disk) == (150, 150)
    assert "can be written again, 150 steps were lost" in capfd.readouterr().err


def test_a_full_disk_is_tried_once_a_second(guest, source, path, disk, monkeypatch):
    monkeypatch.setattr(take_module, "PAUSE", 3600.0)
    with DiskRecorder(guest, path) as recorder:
        disk[0] = 0
        source.send(5)
        recorder.look()
        disk[0] = 10**9
        source.send(5)
        recorder.look()
        (saved,) = recorder.close()
    assert (saved.rows, saved.lost_disk) == (0, 10)


def test_results_that_cannot_be_made_leave_the_chunks(simulator, guest, source, path, monkeypatch, capfd):
    """The disk has room for the chunks, but not for the file too: nothing is lost, and the remedy works."""

    def full(*args, **kwargs):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    recorder = DiskRecorder(guest, path)
    source.send(40)
    recorder.look()
    monkeypatch.setattr(salvage_module, "write_blocks", full)
    simulator.close()
    (saved,) = recorder.run()
    assert not saved.made and f"`samara record --recover {path}`" in saved.message
    assert saved.message in capfd.readouterr().err
    monkeypatch.undo()
    again = save(path)
    assert (again.rows, again.ended, again.message) == (40, "simulator ended", "")
    assert np.array_equal(steps(path), np.arange(40) + 1)


def test_a_recorder_that_goes_on_after_an_end_and_is_killed(simulator, guest, source, path, monkeypatch):
    """The first ended in order but had no room for its file; what counts is how the last one ended."""
    first = DiskRecorder(guest, path)
    source.send(10)
    first.look()
    with monkeypatch.context() as patch:
        patch.setattr(salvage_module, "write_blocks", lambda *args: (_ for _ in ()).throw(OSError("full")))
        first.close()
    with Session.connect(simulator.card.name) as again:
        second = DiskRecorder(again, path)
        source.send(10)
        second.look()
        second._take._flusher.shutdown()
        second._take._file.close()
    saved = save(path)
    assert (saved.rows, saved.segments, saved.ended) == (20, 2, "")
    assert "the recorder was killed" in saved.message


def test_a_flush_that_fails_is_told(guest, source, path, monkeypatch, capfd):
    def broken(handle):
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    with DiskRecorder(guest, path) as recorder:
        monkeypatch.setattr(os, "fsync", broken)
        monkeypatch.setattr(take_module, "PAUSE", 0.0)
        for _ in range(20):
            source.send(1)
            recorder.look()
            time.sleep(0.002)
        monkeypatch.undo()
    assert "may be lost ([Errno 5]" in capfd.readouterr().err


# ---- on demand
@pytest.mark.parametrize(("pre", "expected"), [(0.0, 0), (0.05, 50), (0.1, 100), (9.0, 220)])
def test_the_pre_trigger_holds_exactly_what_was_asked_for(guest, source, path, pre, expected):
    recorder = DiskRecorder(guest, path, armed=True, pre=pre)
    now = time.monotonic_ns()
    for k in range(11):
        source.send(20, now - (200 - 20 * k) * MS)
        recorder.look()
    assert list(path.parent.iterdir()) == []  # nothing is written before it is told
    recording.start(guest)
    source.send(30, time.monotonic_ns() + 30 * MS)
    recorder.look()
    source.send(7)
    recorder.look()
    recording.stop(guest)
    source.send(9, time.monotonic_ns() + 9 * MS)
    recorder.look()
    (saved,) = recorder.close()
    first = 220 - expected + 1
    assert saved.file == str(path.with_name("run-001.nc"))
    assert steps(saved.file).tolist() == list(range(first, 258))
    assert (saved.ended, saved.lost) == ("told to stop", 0)


def test_rows_after_the_trigger_that_were_seen_before_it_are_kept():
    """The request is heard late: what counts is when it was made. Old rows do not pile up."""
    before = PreTrigger(rows=5, spare=20)
    for k in range(0, 100, 4):
        rows = np.zeros((4, 3), np.int64)
        rows[:, 0] = rows[:, 2] = np.arange(k, k + 4)
        before.add(rows)
    assert 25 <= len(before) < 29
    assert before.take(90)[:, 0].tolist() == list(range(86, 100))
    assert before.take(90) is None and len(before) == 0


def test_on_and_off_make_files_of_their_own(simulator, guest, source, path, monkeypatch):
    monkeypatch.setattr(recorder_module, "REPORT", 0.0)
    path.with_name("run-001.nc").write_text("from before")
    recorder = DiskRecorder(guest, path, armed=True, pre=0.004)
    told = {}
    for k in range(1, 4):
        source.send(10)
        recorder.look()
        recording.start(guest)
        source.send(10, time.monotonic_ns() + 10 * MS)
        recorder.look()
        state = recording.state(guest)
        told[k] = (state.on, state.file, state.rows)
        recording.stop(guest)
        time.sleep(0.012)
        recorder.look()
    saved = recorder.close()
    files = [path.with_name(f"run-{k:03d}.nc") for k in (2, 3, 4)]
    assert [told[k] for k in (1, 2, 3)] == [(True, str(f), 14) for f in files]
    assert sorted(one.file for one in saved) == [str(f) for f in files]
    assert [steps(f).tolist() for f in files] == [list(range(k + 7, k + 21)) for k in (0, 20, 40)]
    assert path.with_name("run-001.nc").read_text() == "from before"
    state = recording.state(simulator)
    assert not state.alive and sorted(state.finished) == [str(f) for f in files]


def test_a_recorder_that_was_not_armed_can_be_switched_too(guest, source, path):
    with DiskRecorder(guest, path) as recorder:
        source.send(10)
        recording.stop(guest)
        recorder.look()
        recording.start(guest)
        source.send(5, time.monotonic_ns() + 5 * MS)
        recorder.look()
    assert len(steps(path)) == 10
    assert steps(path.with_name("run-002.nc")).tolist() == [11, 12, 13, 14, 15]


def test_an_armed_recorder_that_died_while_on_goes_on(simulator, guest, source, path):
    first = DiskRecorder(guest, path, armed=True)
    recording.start(guest)
    first.look()
    source.send(10)
    first.look()
    first._take._file.close()
    with Session.connect(simulator.card.name) as again, DiskRecorder(again, path, armed=True) as second:
        assert recording.state(again).on
        source.send(10)
        second.look()
    assert steps(path.with_name("run-001.nc")).tolist() == list(range(1, 21))


def test_several_may_tell(guest, simulator, path):
    """Requests of eight threads, each with an end of its own, all arrive."""
    with DiskRecorder(guest, path, armed=True):

        def tell():
            with Session.connect(simulator.card.name) as other:
                recording.start(other)

        threads = [threading.Thread(target=tell) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert guest.recorder.waiting == 8
        with pytest.raises(RecordingError, match="does not respond: 16 requests are waiting"):
            for _ in range(9):
                recording.start(simulator)


def test_telling_waits_for_the_answer(guest, simulator, path):
    with DiskRecorder(guest, path, armed=True) as recorder:
        with pytest.raises(RecordingError, match=r"has not answered for 0\.05 s"):
            recording.start(simulator, wait=0.05)
        end = threading.Event()
        thread = threading.Thread(target=lambda: [recorder.look() for _ in iter(end.is_set, True)])
        thread.start()
        recording.stop(simulator, wait=10.0)
        end.set()
        thread.join()
        assert not recording.state(simulator).on


# ---- mistakes
def test_nobody_to_tell(simulator):
    assert recording.state(simulator) == recording.RecorderState()
    assert recording.state(simulator).silence == np.inf
    with pytest.raises(RecordingError, match="has no recorder: start one with `samara record"):
        recording.start(simulator)


def test_nothing_to_record(name, path):
    with Session.create(name, rate=100.0) as session:
        with pytest.raises(RecordingError, match="start its simulator with --record ROWS"):
            DiskRecorder(session, path)
        with pytest.raises(RecordingError, match="no queue to a recorder"):
            recording.stop(session)


def test_an_existing_file_is_refused_before_anything_is_recorded(simulator, guest, source, path):
    path.write_text("precious")
    source.send(3)
    with pytest.raises(ChunksError, match="already exists; choose another file, or overwrite it with --force"):
        DiskRecorder(guest, path)
    assert path.read_text() == "precious" and list(path.parent.iterdir()) == [path]
    assert simulator.record.waiting == 3
    with Session.connect(simulator.card.name) as again, DiskRecorder(again, path, force=True) as recorder:
        recorder.look()
        assert path.read_text() == "precious"
    assert len(steps(path)) == 3


def test_a_file_that_appeared_meanwhile_is_not_replaced(guest, source, path):
    recorder = DiskRecorder(guest, path)
    source.send(3)
    recorder.look()
    path.write_text("precious")
    (saved,) = recorder.close()
    assert path.read_text() == "precious"
    assert not saved.made and "exists" in saved.message
    assert save(path, force=True).rows == 3


def test_a_missing_folder(guest, tmp_path):
    with pytest.raises(OSError, match="does not exist; create it first"):
        DiskRecorder(guest, tmp_path / "none" / "run.nc")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_is_read_only(guest, tmp_path):
    tmp_path.chmod(0o500)
    with contextlib.ExitStack() as stack:
        stack.callback(tmp_path.chmod, 0o700)
        with pytest.raises(ChunksError, match="cannot be written"):
            DiskRecorder(guest, tmp_path / "run.nc")


def test_chunks_of_an_earlier_run_are_not_touched(simulator, guest, source, path, name):
    recorder = DiskRecorder(guest, path)
    source.send(3)
    recorder.look()
    recorder._take._file.close()
    simulator.close()
    with Session.create(name, rate=1000.0, sensors=SENSORS, record=16) as new:
        with pytest.raises(ChunksError, match=r"holds an earlier run of .* `samara record --recover"):
            DiskRecorder(new, path)
    assert save(path).rows == 3


def test_to_go_on_with_another_decimation_is_refused(simulator, guest, path):
    recorder = DiskRecorder(guest, path, every=2)
    recorder._take._file.close()
    with Session.connect(simulator.card.name) as again, pytest.raises(ChunksError, match="was begun with --every 2"):
        DiskRecorder(again, path, every=3)


def test_nothing_to_recover(path):
    with pytest.raises(ChunksError, match=r"there is nothing to recover for run\.nc"):
        save(path)
    chunks_of(path).write_bytes(b"rubbish")
    with pytest.raises(ChunksError, match="no whole chunk is in it"):
        save(path)


def test_chunks_in_use_are_not_recovered(guest, path, monkeypatch):
    monkeypatch.setattr(chunks_module, "PATIENCE", 0.0)
    with DiskRecorder(guest, path):
        with pytest.raises(ChunksError, match="a recorder is writing to it"):
            save(path)


def test_chunks_of_others_are_left_alone(simulator, guest, source, path, tmp_path):
    """A recorder does not begin where something else lies, or a link; one that is armed takes the next name."""
    thesis = b"the only copy of somebody's thesis"
    chunks_of(path).write_bytes(thesis)
    with pytest.raises(ChunksError, match=r"run\.nc\.chunks: is no file of a recorder: remove it"):
        DiskRecorder(guest, path)
    assert chunks_of(path).read_bytes() == thesis
    target = tmp_path / "elsewhere"
    target.write_bytes(thesis)
    numbered = [path.with_name(f"run-00{k}.nc") for k in (1, 2, 3)]
    chunks_of(numbered[0]).symlink_to(target)
    chunks_of(numbered[1]).symlink_to(tmp_path / "nowhere")
    with Session.connect(simulator.card.name) as again, DiskRecorder(again, path, armed=True) as recorder:
        recording.start(again)
        recorder.look()
        source.send(3)
        recorder.look()
        recorder.close()
    assert [one.file for one in recorder.saved] == [str(numbered[2])]
    assert target.read_bytes() == thesis and not (tmp_path / "nowhere").exists()


def test_a_damaged_head_loses_no_row(guest, source, path, rng):
    """One bit of the first chunk is another; recovered, or gone on with by the next recorder."""
    recorder = DiskRecorder(guest, path)
    for _ in range(5):
        source.send(4)
        recorder.look()
    recorder._take._flusher.shutdown()
    recorder._take._file.close()
    data = chunks_of(path).read_bytes()
    for place in rng.integers(0, 8 * 64, 20):
        damaged = bytearray(data)
        damaged[place // 8] ^= 1 << place % 8
        chunks_of(path).write_bytes(damaged)
        saved = save(path, force=True)
        assert (saved.rows, saved.segments) == (20, 1)
        assert steps(path).tolist() == list(range(1, 21))


def test_recovery_of_a_torn_file(guest, source, path):
    """Cut anywhere in the last chunk, all others are there."""
    recorder = DiskRecorder(guest, path)
    for _ in range(3):
        source.send(4)
        recorder.look()
    recorder._take._file.close()
    data = chunks_of(path).read_bytes()
    last = 64 + 4 * 8 * 7
    for cut in (1, 60, last - 64, last - 63, last - 1):
        chunks_of(path).write_bytes(data[:-cut])
        saved = save(path, force=True)
        assert (saved.rows, saved.damaged) == (8, last - cut)
        assert steps(path).tolist() == list(range(1, 9))
    assert json.loads(json.dumps(Results.load(path).attrs.counters))["damaged"] == 1
