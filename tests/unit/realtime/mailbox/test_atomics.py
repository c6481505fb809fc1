"""The native functions: orders that survive the compiler, also for ARM; no memory of their own, no lock of Python's."""

import resource
import sys
import threading

import llvmlite.binding as llvm
import numpy as np
import pytest
from numba import njit

from samara.realtime import Latest, Queue, beat, gather, pop, publish, push, take
from samara.realtime.mailbox.port import SEQUENCE
from samara.realtime.mailbox.queue import pop_all, push_all
from samara.realtime.mailbox.seats import Seats
from samara.tracing.driver.driver_cache import driver


@pytest.fixture
def boxes(tmp_path):
    with Latest.create(tmp_path / "box", 64) as box, Queue.create(tmp_path / "ring", 64, 8) as ring:
        yield box, ring


def code(function, *arguments, triple=None):
    """(LLVM code, assembly) of a driver function, made anew; for another processor if `triple` names one."""
    fresh = njit(nogil=True, error_model="numpy", boundscheck=False, _nrt=False)(function.py_func)
    fresh(*arguments)
    (text,) = fresh.inspect_llvm().values()
    if triple is None:
        return text
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    machine = llvm.Target.from_triple(triple).create_target_machine()
    lines = [line for line in text.splitlines() if not line.startswith(("target triple", "target datalayout"))]
    # the functions alone: what the host's processor is called, in their attributes, means nothing elsewhere
    lines = [line for line in lines if not line.startswith("attributes #")]
    module = llvm.parse_assembly("\n".join([f'target triple = "{triple}"', *lines]))
    return machine.emit_assembly(module)


def test_orders_reach_the_processor_of_arm(boxes):
    """A release is `stlr`, an acquire `ldar` (or `ldapr`), a fence `dmb`: Arm Architecture Reference Manual, B2.3."""
    box, ring = boxes
    arm = "aarch64-unknown-linux-gnu"
    try:
        llvm.initialize_all_targets()
        llvm.Target.from_triple(arm)
    except RuntimeError:
        pytest.skip("this llvmlite compiles for its own processor alone")
    sent = code(publish, box.port, 0.0, 1, triple=arm)
    assert sent.count("stlr") == 1
    assert "dmb\tish" in sent
    read = code(take, box.port, triple=arm)
    assert "ldar" in read or "ldapr" in read
    assert "dmb\tishld" in read
    for function, arguments in ((push, (0.0, 1)), (pop, ())):
        text = code(function, ring.port, *arguments, triple=arm)
        assert text.count("stlr") == 1
        assert "ldar" in text or "ldapr" in text


def test_rows_are_exchanged_in_whole_words(boxes):
    box, _ = boxes
    text = code(publish, box.port, 0.0, 1)
    assert "store atomic i64" in text
    assert " monotonic, align 8" in text
    assert "load atomic i64" in code(take, box.port)


@pytest.fixture
def ends(boxes, tmp_path):
    """The ports of both mailboxes and of seats in use, and a loop over all that a real-time loop calls."""
    box, ring = boxes
    reader = Latest.attach(tmp_path / "box")
    seats = Seats.create(tmp_path / "seats", [f"a{k}" for k in range(8)])
    claim = seats.claim(["a1", "a5"])
    claim.write([1.0, 2.0], 0.0)

    @driver
    def loop(out, back, to, seats, commands, count):
        for k in range(count):
            out.values[0] = k
            publish(out, 1e-3 * k, k)
            beat(out, k)
            take(back)
            push(to, 1e-3 * k, k)
            pop(to)
            gather(seats, k, 10, commands)

    commands = np.zeros(8)
    yield lambda count: loop(box.port, reader.port, ring.port, seats.port, commands, count)
    reader.close()
    seats.close()


def test_nothing_is_allocated(ends):
    """That it compiles shows it for native memory: a driver has none to ask for. Nor is a new page touched."""
    ends(10)
    if not sys.platform.startswith("linux"):
        pytest.skip("faults of one thread are counted on Linux")

    def faults():
        before = resource.getrusage(resource.RUSAGE_THREAD)
        ends(20_000)
        after = resource.getrusage(resource.RUSAGE_THREAD)
        return after.ru_minflt - before.ru_minflt + after.ru_majflt - before.ru_majflt

    assert min(faults() for _ in range(4)) == 0


@njit(nogil=True)
def wait_for(port, sequence, limit):
    looks = 0
    while port.state[SEQUENCE] < sequence and looks < limit:
        looks += 1
        take(port)
    return port.state[SEQUENCE]


def test_a_native_reader_leaves_python_free(boxes, tmp_path):
    """With Python's lock held, the row that it waits for could not be written: it would give up."""
    box, _ = boxes
    reader = Latest.attach(tmp_path / "box")
    wait_for(reader.port, 0, 0)
    found = []
    thread = threading.Thread(target=lambda: found.append(wait_for(reader.port, 100, 10**11)))
    thread.start()
    for k in range(100):
        box.write(np.full(64, k), k)
    thread.join(60)
    assert found == [100]
    reader.close()


def test_several_rows_natively(boxes):
    _, ring = boxes
    assert push_all(ring.port, np.ones((8, 64)), 0.0, 0)
    assert not push_all(ring.port, np.ones((1, 64)), 0.0, 0)
    out = np.zeros((3, 64)), np.zeros(3), np.zeros(3, np.int64), np.zeros(3, np.int64)
    assert pop_all(ring.port, *out) == 3
    assert out[3].tolist() == [1, 2, 3]
