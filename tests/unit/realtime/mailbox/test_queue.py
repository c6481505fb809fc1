"""The queue: what goes in comes out, in order, or is counted."""

import os

import numpy as np
import pytest
from numba import njit

from samara.realtime import Queue, pop
from samara.realtime.mailbox.port import FRESH, MISSED, SEQUENCE
from samara.realtime.mailbox.shared import MailboxError


@pytest.fixture
def queue(tmp_path):
    with Queue.create(tmp_path / "ring", 2, 4) as made:
        yield made


def test_rows_come_out_as_they_went_in(queue):
    for k in range(3):
        assert queue.write([k, -k], 0.1 * k, stamp=k)
    assert (queue.sent, queue.waiting, queue.received) == (3, 3, 0)
    first = queue.read()
    assert (first.values.tolist(), first.time, first.stamp, first.sequence) == ([0.0, 0.0], 0.0, 0, 1)
    rest = queue.drain()
    assert rest.values.tolist() == [[1.0, -1.0], [2.0, -2.0]]
    assert rest.time.tolist() == [0.1, 0.2]
    assert (rest.stamp.tolist(), rest.sequence.tolist()) == ([1, 2], [2, 3])
    assert queue.read() is None
    assert queue.drain().values.shape == (0, 2)


def test_a_full_ring_drops_the_new_rows_and_both_sides_know(queue, tmp_path):
    other = Queue.attach(tmp_path / "ring")
    assert [queue.write([k, k], 0.0) for k in range(1, 8)] == [True] * 4 + [False] * 3
    assert (queue.dropped, other.dropped, other.waiting) == (3, 3, 4)
    assert other.drain(2).sequence.tolist() == [1, 2]
    assert queue.write([8, 8], 0.0)
    rows = other.drain()
    assert rows.sequence.tolist() == [3, 4, 8]  # the gap shows where
    assert rows.values[:, 0].tolist() == [3.0, 4.0, 8.0]
    assert other.port.state[MISSED] == 3
    other.close()


def test_rows_sent_together_arrive_together(queue):
    queue.write([0, 0], 0.0)
    assert not queue.write(np.ones((4, 2)), 0.0)
    assert (queue.waiting, queue.dropped) == (1, 4)
    assert queue.write(np.ones((3, 2)), 0.0)
    assert queue.waiting == 4


def test_errors_say_what_is_wrong(queue, tmp_path, child):
    with pytest.raises(ValueError, match="power of two, not 12"):
        Queue.create(tmp_path / "odd", 2, 12)
    with pytest.raises(ValueError, match="is 2 numbers"):
        queue.write([1.0, 2.0, 3.0], 0.0)
    queue.as_writer().as_reader()
    script = """
        import sys
        from samara.realtime import Queue
        for end in ("as_writer", "as_reader"):
            try: getattr(Queue.attach(sys.argv[1]), end)()
            except RuntimeError as error: print(error)
    """
    said = child(script, tmp_path / "ring").communicate()[0].splitlines()
    assert all(f"held by process {os.getpid()}, which is running" in line for line in said)
    assert [word in line for word, line in zip(("writing", "reading"), said, strict=True)] == [True, True]
    queue.close()
    with pytest.raises(MailboxError, match="closed"):
        queue.read()


SENDER = """
    import sys, time
    from numba import njit
    from samara.realtime import Queue, push

    @njit
    def work(port, first, last):
        for k in range(first, last):
            port.values[:] = k
            push(port, k, -k)

    ring = Queue.attach(sys.argv[1]).as_writer()
    work(ring.port, 0, 0)
    print("ready", flush=True)
    sys.stdin.readline()
    rows = int(sys.argv[2])
    for first in range(1, rows + 1, 500):
        work(ring.port, first, first + 500)
        time.sleep(0)
"""


@njit(nogil=True)
def receive(port, last, limit):
    """Takes rows until `last`; the number of rows that are not what was sent, or not in order."""
    wrong = looks = 0
    while port.state[SEQUENCE] < last and looks < limit:
        looks += 1
        before = port.state[SEQUENCE]
        if pop(port):
            k = port.state[SEQUENCE]
            same = k > before and port.time[0] == k and port.state[1] == -k
            for value in port.values:
                same &= value == k
            wrong += not same
    return wrong


def test_nothing_is_lost_between_processes_but_what_is_counted(tmp_path, child):
    rows = 100_000
    with Queue.create(tmp_path / "ring", 8, 1024) as ring:
        receive(ring.as_reader().port, 0, 0)
        sender = child(SENDER, tmp_path / "ring", rows)
        sender.stdout.readline()
        sender.stdin.write("\n")
        sender.stdin.flush()
        wrong = 0
        while sender.poll() is None or ring.waiting:
            wrong += receive(ring.port, rows, 100_000)
        state = ring.port.state
        assert wrong == 0
        assert ring.sent + ring.dropped == rows
        assert state[FRESH] == ring.received == ring.sent
        assert state[FRESH] + state[MISSED] == state[SEQUENCE]


def test_a_receiver_that_is_killed_is_followed_by_another(tmp_path, child):
    script = """
        import sys
        from samara.realtime import Queue
        ring = Queue.attach(sys.argv[1])
        for row in ring.drain(3).sequence: print(row, flush=True)
        print("done", flush=True)
        sys.stdin.readline()
    """
    with Queue.create(tmp_path / "ring", 1, 16) as ring:
        ring.write(np.ones((10, 1)), 0.0)
        seen = []
        for _ in range(2):
            process = child(script, tmp_path / "ring")
            seen += [int(line) for line in iter(process.stdout.readline, "done\n")]
            assert ring.reader.alive
            process.kill()
            process.wait()
            assert not ring.reader.alive
        assert seen + ring.drain().sequence.tolist() == list(range(1, 11))
