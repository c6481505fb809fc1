"""Everything Samara reads that others may have damaged: a valid example, and its reader."""

from __future__ import annotations

import json
import socket
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from samara.dashboard.access.messages import fault
from samara.dashboard.desk.layouts import LayoutError, PanelLayout
from samara.dashboard.flight.stick_motion import Hands
from samara.dashboard.traces.scope import Setup
from samara.interop.c81 import read_c81
from samara.model import ArgumentError, ModelError
from samara.models.mechanisms import pendulum
from samara.realtime import Latest
from samara.realtime.mailbox.bridge import Receiver, Sender
from samara.realtime.mailbox.process import Process
from samara.realtime.mailbox.shared import MailboxError
from samara.realtime.session.card import Card, Signal
from samara.results import Results
from samara.results.chunks import ChunksError
from samara.results.netcdf import ResultsFileError
from samara.results.run_rows import RunRows
from samara.solve import Simulation, SolveError, transient
from samara.solve.store.checkpoint import load_checkpoint, save_checkpoint
from samara.sweep.errors import SweepError
from samara.sweep.storage.definition import FORMAT
from samara.sweep.storage.store import Store
from samara.sweep.study import Finished


@dataclass(frozen=True)
class Parser:
    """Reader of one kind of input.

    sound: inputs that it takes. read: what it makes of an input; None where it refuses without an error.
    refuses: errors that name the culprit. sealed: whether a damaged input must not be taken for another sound one.
    share: of all inputs, by what one costs.
    """

    name: str
    sound: tuple[bytes, ...]
    read: Callable[[bytes], Any]
    refuses: tuple[type[Exception], ...] = ()
    sealed: bool = False
    share: float = 1.0


def parsers(folder: Path) -> Iterator[Parser]:
    """All of them; files are written into a folder."""
    yield from _files(folder)
    yield from _texts()
    yield from _datagrams(folder)


def _files(folder: Path) -> Iterator[Parser]:
    run = transient(pendulum.build(), end=0.05, step=1e-3, progress=False)
    run.save(folder / "sound.nc")

    def results(data: bytes) -> Any:
        (folder / "damaged.nc").write_bytes(data)
        found = Results.load(folder / "damaged.nc")
        return found.time.tobytes() + found.table.tobytes()

    yield Parser("results", ((folder / "sound.nc").read_bytes(),), results, (ResultsFileError,), True, 0.2)

    rows = RunRows(folder / "rows.nc", run.channels, run.attrs)
    for k in range(5):
        part = slice(10 * k, 10 * k + 10)
        rows.put(run.time[part], run.table[part])
    rows.end(keep=True)

    def chunks(data: bytes) -> Any:
        (folder / "damaged.nc.chunks").write_bytes(data)
        found = Results.recover(folder / "damaged.nc")
        kept = [np.flatnonzero(run.time == t) for t in found.time]  # whole rows of the run, fewer of them perhaps
        return all(k.size == 1 and (run.table[k[0]] == row).all() for k, row in zip(kept, found.table, strict=True))

    yield Parser("recording", ((folder / "rows.nc.chunks").read_bytes(),), chunks, (ChunksError,), True, 0.3)

    sim = Simulation(pendulum.build())
    transient(sim, end=0.05, step=1e-3, progress=False)
    save_checkpoint(sim, folder / "sound.npz")

    def checkpoint(data: bytes) -> Any:
        (folder / "damaged.npz").write_bytes(data)
        load_checkpoint(sim, folder / "damaged.npz")
        return sim.step_state().tobytes()

    yield Parser("checkpoint", ((folder / "sound.npz").read_bytes(),), checkpoint, (SolveError,), True, 0.1)

    def table(data: bytes) -> Any:
        (folder / "damaged.c81").write_bytes(data)
        return read_c81(folder / "damaged.c81") is not None

    yield Parser("aerofoil table", (_C81.encode(),), table, (ModelError,), share=0.2)

    meaning = {"format": FORMAT, "parameters": ["x"], "make": "", "measure": "", "run": {}, "version": ""}
    _stored(folder / "sound", meaning).close()
    (folder / "damaged").mkdir()
    (folder / "damaged" / "sweep.json").write_bytes((folder / "sound" / "sweep.json").read_bytes())

    def store(data: bytes) -> Any:
        (folder / "damaged" / "done.jsonl").write_bytes(data)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            opened = Store(folder / "damaged", meaning)
        opened.close()
        return all(found.measures["y"] == 2.0 * json.loads(key)["x"] for key, found in opened.done.items())

    yield Parser(
        "store of a sweep", ((folder / "sound" / "done.jsonl").read_bytes(),), store, (SweepError, ArgumentError),
        True, 0.1,
    )  # fmt: skip

    with Latest.create(folder / "sound.box", 4):
        sound = (folder / "sound.box").read_bytes()

    def mailbox(data: bytes) -> Any:
        (folder / "damaged.box").write_bytes(data)
        with Latest.attach(folder / "damaged.box") as box:
            return box.read().values.size

    yield Parser("mailbox", (sound,), mailbox, (MailboxError,), share=0.3)


def _stored(folder: Path, meaning: dict[str, Any]) -> Store:
    store = Store(folder, meaning)
    for k in range(6):
        store.add({"x": 0.5 * k}, Finished({"y": float(k)}, seconds=0.1))
    return store


#: Two Mach numbers and three angles in each table; fields of seven columns.
_C81 = "a section                      2 3 2 3 2 3\n" + 3 * (
    "        0.200  0.800\n-180.00  .0220  .0220\n   0.00  .0080  .0130\n 180.00  .0220  .0220\n"
)


def _texts() -> Iterator[Parser]:
    signals = (Signal("a", "m"), Signal("b", "N", limits=(-1.0, 1.0)))
    card = Card("fuzz", "ab" * 16, 100.0, Process.current(), sensors=signals, model="m", nodes=("n",))
    yield Parser("session.json", (card.to_json().encode(),), _of_text(Card.from_json), (MailboxError,))
    layout = PanelLayout([Setup(["a", "b"], 2.0, "normal", "a", 0.5, low=-1.0, high=1.0)], ["a"], [], 1.2)
    yield Parser("layout", (layout.to_json().encode(),), _of_text(PanelLayout.from_json), (LayoutError,))
    said = (
        b'42["event",{"client_id":"p","id":7,"listener_id":"x","args":["{}"]}]',
        b'42["handshake",{"client_id":"p","tab_id":"t","document_id":"d"}]',
        b'40{"token":1}',
    )
    yield Parser("message of a page", said, lambda data: None if fault(_text(data), "p") else True)
    hands = {"pushes": {"roll": 1, "pitch": -1}, "places": {"yaw": 0.3}, "neutral": False, "when": 1.5}
    yield Parser("hands of a pilot", (json.dumps(hands).encode(),), _hands)


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace")


def _of_text(read: Callable[[str], Any]) -> Callable[[bytes], Any]:
    return lambda data: read(_text(data)) is not None


def _hands(data: bytes) -> Any:
    try:
        message = json.loads(_text(data))
    except (ValueError, RecursionError):  # which is the web library's to say
        return None
    return Hands.from_message(message) is not None


def _datagrams(folder: Path) -> Iterator[Parser]:
    token = "ab" * 16
    for name, key in (("datagram", None), ("datagram with a key", b"k" * 32)):
        with (
            Latest.create(folder / f"{name}.box", 2) as source,
            Latest.create(folder / f"{name}.to", 2) as target,
            socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as line,
        ):
            line.bind(("127.0.0.1", 0))
            source.write([1.0, 2.0], 0.5)
            with Sender(source, line.getsockname(), token=token, key=key):
                sound = line.recv(4096)
            receiver = Receiver(target, ("127.0.0.1", 0), token=token, key=key)
            yield Parser(name, (sound,), _accepted(receiver), sealed=key is not None)
            receiver.close()


def _accepted(receiver: Receiver) -> Callable[[bytes], Any]:
    return lambda data: receiver.accept(data, "127.0.0.1") or None
