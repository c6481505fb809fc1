"""A Dask cluster of two workers, one of which is killed in the middle: nothing is lost."""

import contextlib
import signal
import socket
import subprocess
import sys
import time
import types

import pytest

from samara.benchmarks.rotorcraft import damping_map
from samara.model import ArgumentError
from samara.sweep import OpenScheduler, SweepError, grid, sweep
from samara.sweep.workers import cluster

distributed = pytest.importorskip("distributed")
#: Those of the tests are reached over loopback, without certificates.
open_scheduler = pytest.mark.filterwarnings("ignore::samara.sweep.OpenScheduler")


@pytest.fixture
def start(tmp_path):
    """Starts schedulers and workers in folders of their own; all of them end with the test."""
    with contextlib.ExitStack() as stack:

        def begin(*words):
            command = [sys.executable, "-m", "distributed.cli.dask_" + words[0], *words[1:]]
            where = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "cwd": tmp_path}
            process = subprocess.Popen(command, **where)
            stack.callback(process.wait)
            stack.callback(process.kill)
            return process

        yield begin


def scheduler(start):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    start("scheduler", "--host", "127.0.0.1", "--port", str(port), "--no-dashboard", "--no-show")
    return f"tcp://127.0.0.1:{port}"


def worker(start, address):
    return start("worker", address, "--no-nanny", "--nthreads", "1", "--no-dashboard", "--host", "127.0.0.1")


def wait_for(address, workers, patience=60.0):
    """A scheduler takes seconds to start on a busy machine."""
    until = time.monotonic() + patience
    while True:
        try:
            with distributed.Client(address, timeout=2.0, set_as_default=False) as client:
                client.wait_for_workers(workers, timeout=patience)
                return
        except OSError:
            assert time.monotonic() < until, "the scheduler did not start"


@open_scheduler
@pytest.mark.slow
def test_a_worker_is_killed_in_the_middle_of_the_damping_map(start, tmp_path):
    """The map over rotor speed and lag damper has the numbers of one process, bit for bit, and no gap."""
    chosen = damping_map.variants(12)
    rows = list(chosen)
    alone = damping_map.run(chosen)
    address = scheduler(start)
    workers = [worker(start, address) for _ in range(2)]
    wait_for(address, 2)
    notes, fatal_row = str(tmp_path / "victim"), rows[len(rows) // 2]

    def fatal(results):
        """The first process that comes to the middle of the map is killed there."""
        import os
        import signal

        values = {name: value for name, (value, _) in results.attrs.parameters.items()}
        if values == fatal_row and not os.path.exists(notes):
            with open(notes, "w") as file:
                file.write(str(os.getpid()))
            os.kill(os.getpid(), signal.SIGKILL)
        return {**damping_map.measure(results), "pid": os.getpid()}

    run = {"end": damping_map.END, "step": damping_map.STEP, "outputs": "mast.position", "progress": False}
    found = sweep(damping_map.make, fatal, chosen, scheduler=address, **run)
    with open(notes) as file:
        victim = int(file.read())
    ended = [process.poll() for process in workers]
    assert [process.pid for process in workers][ended.index(-signal.SIGKILL)] == victim and None in ended
    assert not found.failures and not alone.failures and found["growth"].shape == alone["growth"].shape
    assert found["growth"].values.tolist() == alone["growth"].values.tolist()
    assert set(found["pid"].values.ravel()) <= {process.pid for process in workers}
    growth = found["growth"]
    assert growth.min() < 0.0 < growth.max()  # stable here, ground resonance there


@open_scheduler
@pytest.mark.slow
def test_the_last_worker_is_killed(start, tmp_path, monkeypatch):
    """What is done is kept; the same call goes on when there is a worker again."""
    monkeypatch.setattr("samara.sweep.workers.cluster.PATIENCE", 2.0)
    address, store = scheduler(start), tmp_path / "store"
    worker(start, address)
    wait_for(address, 1)
    notes = str(tmp_path / "victim")

    def measure(x):
        import os
        import signal
        import time

        if x == 3.0 and not os.path.exists(notes):
            open(notes, "w").close()
            time.sleep(3.0)  # until the results before it have left the worker
            os.kill(os.getpid(), signal.SIGKILL)
        return x

    run = {"scheduler": address, "store": store, "progress": False}
    with pytest.raises(SweepError, match=r"no worker for 2 s.*2 of 4 variants are done and kept in"):
        sweep(lambda x: x, measure, grid(x=[1.0, 2.0, 3.0, 4.0]), **run)
    worker(start, address)
    wait_for(address, 1)
    found = sweep(lambda x: x, measure, grid(x=[1.0, 2.0, 3.0, 4.0]), **run)
    assert found["value"].values.tolist() == [1.0, 2.0, 3.0, 4.0] and not found.failures


class FutureStub:
    """A future whose worker dies with the result, before anybody has fetched it; it is done a second time."""

    key = "variant"

    def __init__(self):
        self.states = ["lost", "finished"]

    def add_done_callback(self, callback):
        self.status = self.states.pop(0)
        callback(self)

    def result(self, timeout):
        return "done"


def test_a_result_that_dies_with_its_worker_is_waited_for():
    client = types.SimpleNamespace(nthreads=lambda: {"one": 1}, submit=lambda *args, **options: FutureStub())
    assert list(cluster._Rounds(client, b"", [(7, {"x": 1.0})], 0).carry_out()) == [(7, "done")]


@open_scheduler
def test_a_scheduler_that_is_not_there(monkeypatch):
    monkeypatch.setattr("samara.sweep.workers.cluster.CONNECT", 1.0)
    began = time.monotonic()
    with pytest.raises(SweepError, match=r"no Dask scheduler responds at tcp://127\.0\.0\.1:9: "):
        sweep(lambda x: x, lambda x: x, grid(x=[1.0]), scheduler="tcp://127.0.0.1:9", progress=False)
    assert time.monotonic() - began < 20.0  # seconds, on a busy machine too
    with pytest.raises(SweepError, match=r"no Dask scheduler responds at foo://there:1: unknown address scheme 'foo'"):
        sweep(lambda x: x, lambda x: x, grid(x=[1.0]), scheduler="foo://there:1", progress=False)


@pytest.mark.parametrize("address", ["nowhere", "tcp://nowhere", "tcp://host:port", "tcp://", "host:80 "])
def test_what_is_no_address_of_a_scheduler(address):
    """It is refused at once: a client that Dask could not make waits for ten seconds, and complains."""
    with pytest.raises(
        ArgumentError, match=r"scheduler must be an address with a port, such as tcp://host:8786, or 'loc"
    ):
        sweep(lambda x: x, lambda x: x, grid(x=[1.0]), scheduler=address, progress=False)


def test_a_scheduler_that_others_reach_too_is_warned_of(monkeypatch):
    """Dask runs what it is sent: whoever reaches it without a certificate runs code as its users."""
    monkeypatch.setattr(cluster, "_connected", lambda *_: types.SimpleNamespace(nthreads=dict))
    for address in ("tcp://there:8786", "there:8786", "ws://there:8786"):
        with pytest.warns(OpenScheduler, match=f"{address} is used without TLS.*run code.*use tls://"):
            assert list(cluster.carry_out(b"", [], address, 0)) == []
    for address in ("tls://there:8786", "inproc://1/2/3"):
        assert list(cluster.carry_out(b"", [], address, 0)) == []
