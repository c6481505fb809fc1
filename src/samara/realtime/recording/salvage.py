"""Conversion of chunks to results, at the end of a recording or from the files left by a recorder that was killed."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from samara.realtime.mailbox.port import HEADER
from samara.realtime.recording.selection import Selection
from samara.realtime.session.card import Card
from samara.results.attrs import RunAttrs, Scene, Status
from samara.results.channels import Channel, Channels
from samara.results.chunks import ROWS, Chunk, ChunkReader, ChunksError, chunks_of, lock, open_own
from samara.results.netcdf import require_results_file, write_blocks
from samara.results.results import Results
from samara.results.run_rows import head_of_run

#: rows that are turned into columns at a time [bytes]: each block costs the file some milliseconds a column
BLOCK = 1 << 26
#: rows from which on a file is compressed
MANY = 1000
SEQUENCE = Channel("recorder.sequence", "1", description="number of the step in its session; a gap is steps lost")
CLOCK = Channel("recorder.clock", "s", description="clock of the machine, since the first row")


@dataclass
class Saved:
    """Outcome of a recording. Steps are those of the loop; with `every` only some of them have a row.

    lost:      steps within the recording that have no row; lost_disk of them because they could not be written.
    dropped:   rows that the loop dropped since its session began because the queue was full.
    segments:  how often a recorder started writing to this file. damaged: bytes of it that were unusable.
    made:      whether the file exists. message: what is missing, and the remedy.
    ended:     reason: "simulator ended", "told to stop", "interrupted"; "" when the recorder was killed.
    """

    file: str
    rows: int = 0
    lost: int = 0
    lost_disk: int = 0
    dropped: int = 0
    segments: int = 0
    damaged: int = 0
    ended: str = ""
    made: bool = False
    message: str = ""


def refuse_existing(path: Path, force: bool) -> None:
    """An error where no file can be made, or there is one."""
    require_results_file(path)
    if path.exists() and not force:
        raise ChunksError(f"{path} already exists; choose another file, or overwrite it with --force")


def head_of(
    card: Card, chosen: Selection, parameters: dict[str, tuple[float, str]], scene: dict[str, Any] | None = None
) -> dict[str, Any]:
    """What the first chunk says of a recording: all that the results need to know."""
    return {
        "head": {
            "session": card.name,
            "token": card.token,
            "model": card.model or card.name,
            "rate": card.rate,
            "parameters": parameters,
            "scene": scene or {},
            **chosen.head(),
        }
    }


def save(path: Path, ending: dict[str, Any] | None = None, force: bool = False) -> Saved:
    """Makes the results from their chunks, and removes these once the file is in place.

    ending: the last note, when it is known and could not be written; see `Take`.
    """
    chunks = chunks_of(path)
    try:
        handle = open_own(chunks, os.O_RDWR)
    except FileNotFoundError:
        raise ChunksError(f"{chunks}: no such file; there is nothing to recover for {path.name}") from None
    try:
        lock(handle, chunks)
        refuse_existing(path, force)
        with ChunkReader(chunks) as found:
            saved = _save(found, path, ending)
        saved.made = True
        chunks.unlink()
    finally:
        os.close(handle)
    return saved


def _save(found: ChunkReader, path: Path, ending: dict[str, Any] | None) -> Saved:
    if head_of_run(found) is not None:  # off-line
        results = Results.recover(path)
        results.save(path)
        return Saved(str(path), len(results), segments=1, damaged=found.damaged, message=results.attrs.message)
    said = found.texts()
    head = next((text["head"] for text in said if "head" in text), None)
    if head is None:
        left = "nothing says what its rows are" if any(c.kind == ROWS for c in found.chunks) else "it has no rows"
        raise ChunksError(f"{found.path}: no whole chunk is in it that tells of a recording, {left}; nothing is made")
    channels = Channels(
        [Channel(name, unit, labels, text, frame) for name, unit, text, labels, frame in head["columns"]]
    )
    width = HEADER + channels.width
    texts = [text for text in (*said, *([ending] if ending else [])) if not text.get("again")]
    saved = Saved(str(path), segments=max(sum("head" in text for text in texts), 1), damaged=found.damaged)
    notes = [text["note"] for text in texts if "note" in text]
    last = since = min((note["since"] for note in notes), default=sys.maxsize)
    sound: list[Chunk] = []
    origin = 0  # clock of the first row [ns]
    for chunk in (c for c in found.chunks if c.kind == ROWS):
        block = found.rows(chunk, width)
        if block is None:
            saved.damaged += chunk.size
            continue
        if not sound:  # steps before the first chunk: those that the disk did not take
            last = min(chunk.span.first - 1, since)
        saved.lost += chunk.span.missed + chunk.span.first - last - 1
        last, saved.dropped = chunk.span.last, chunk.span.dropped
        saved.rows += len(block)
        sound.append(chunk)
        if not origin and len(block):
            origin = int(block[0, 2])
    for note in notes:
        saved.lost_disk += note["unwritten"]
        saved.dropped = max(saved.dropped, note["dropped"])
    final = texts[-1].get("note") if texts else None
    if final is not None and final["ended"]:  # and not one after which another recorder went on
        saved.ended = final["ended"]
        saved.lost += max(final["until"] - last, 0)
    saved.message = explain(saved)
    extra = [c for c in (SEQUENCE, CLOCK) if c.name not in channels]
    blocks = _blocks(found, sound, width, origin, extra)
    write_blocks(path, Channels([*channels, *extra]), _attrs(head, saved), saved.rows, blocks, saved.rows > MANY)
    return saved


def _blocks(
    found: ChunkReader, chunks: list[Chunk], width: int, origin: int, extra: list[Channel]
) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """(times, table) of many chunks at a time."""
    waiting: list[np.ndarray] = []
    for k, chunk in enumerate(chunks):
        rows = found.rows(chunk, width)
        assert rows is not None  # it was sound before
        waiting.append(rows)
        if k == len(chunks) - 1 or sum(block.nbytes for block in waiting) > BLOCK:
            words = np.concatenate(waiting)
            more = {SEQUENCE: words[:, 0].astype(float), CLOCK: (words[:, 2] - origin) * 1e-9}
            reals = words.view(np.float64)
            yield reals[:, 1], np.column_stack([reals[:, HEADER:], *(more[channel] for channel in extra)])
            waiting = []


def explain(saved: Saved) -> str:
    """What is missing, in a sentence; nothing if nothing is."""
    parts = []
    if not saved.ended:
        parts.append("the recorder was killed: data that it had not written are missing")
    if saved.lost_disk:
        parts.append(f"{saved.lost_disk} steps lost because the disk could not be written")
    if saved.lost > saved.lost_disk:
        why = "the queue was full, or chunks are damaged" if saved.damaged else "the queue was full"
        parts.append(f"{saved.lost - saved.lost_disk} steps lost because {why}")
    if saved.damaged:
        parts.append(f"{saved.damaged} bytes of damaged chunks were skipped")
    return "; ".join(parts)


def _attrs(head: dict[str, Any], saved: Saved) -> RunAttrs:
    status: Status = "failed" if saved.lost_disk else "completed" if saved.ended else "interrupted"
    return RunAttrs(
        model=head["model"],
        parameters={name: (value, unit) for name, (value, unit) in head["parameters"].items()},
        options={"session": head["session"], "rate": head["rate"], "every": head["every"], "ended": saved.ended},
        counters={
            name: getattr(saved, name) for name in ("rows", "lost", "lost_disk", "dropped", "segments", "damaged")
        },
        analyses=("real time",),
        status=status,
        message=saved.message,
        scene=Scene.made(head["scene"]) if head.get("scene") else None,
    )
