"""The recorder: drains the queue of a session to disk, independently of the loop.

    read the queue - write a chunk - free the space - check for requests - sleep

Rows leave the queue only after they have been written, so a recorder that is killed loses none of its rows; the next
one continues where it stopped. A disk that cannot be written to costs rows, but never delays the loop.
"""

from __future__ import annotations

import contextlib
import json
import os
import threading
import time as clock
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from samara.arguments import not_negative
from samara.realtime.mailbox.port import HEADER
from samara.realtime.mailbox.process import Process
from samara.realtime.mailbox.queue import peek_all, release
from samara.realtime.mailbox.shared import MailboxError, locked, tell
from samara.realtime.recording.pretrigger import PreTrigger
from samara.realtime.recording.remote import ALL, OFF, STATE, RecorderState, RecordingError
from samara.realtime.recording.salvage import Saved, head_of
from samara.realtime.recording.selection import Selection, everything, select
from samara.realtime.recording.take import LARGEST_CHUNK, Take, head_in
from samara.realtime.session import Session
from samara.results.chunks import ChunksError, chunks_of
from samara.results.netcdf import load_h5netcdf, require_results_file

#: between two looks [s]: as long as this, and no longer than a quarter of the queue takes to fill
LOOK, PART = 0.05, 0.25
#: between two reports of the state, unless it is on or off [s]
REPORT = 0.1
#: how late a request may be heard for the pre-trigger still to be exact [s]
LATE = 1.0


class DiskRecorder:
    """Records a session, at once or armed: it then waits for a start command, keeping the last `pre` seconds.

    path:   of the results. If armed, and after switching off and on again, a number is appended to the name.
    channels: patterns of the channels to keep; every: one row every so many steps; rate: the same as a rate [Hz].
            Default: as much as `samara.realtime.recording.selection.BUDGET` allows; for a small model, everything.
    force:  existing results of that name are replaced.
    """

    def __init__(
        self,
        session: Session,
        path: str | os.PathLike[str],
        *,
        pre: float = 0.0,
        armed: bool = False,
        every: int | None = None,
        channels: Sequence[str] | None = None,
        rate: float | None = None,
        force: bool = False,
    ) -> None:
        queue, requests = session.record, session.recorder
        if queue is None or requests is None:
            raise RecordingError(
                f"session {session.card.name!r} has nothing to record: start its simulator with --record ROWS"
            )
        pre = not_negative("recorder: pre", pre)
        load_h5netcdf()
        self.session, self.path, self.force = session, Path(path), force
        self.selection = select(session.card, channels, every, rate)
        require_results_file(self.path)
        self._queue, self._requests = queue, requests
        self._own()
        steps = session.card.rate
        self.pause = max(min(LOOK, PART * queue.capacity / steps), 1e-3)
        self._before = PreTrigger(round(pre * steps), round(LATE * steps))
        width = HEADER + queue.count
        self._room = np.zeros((min(queue.capacity, max(LARGEST_CHUNK // (8 * width), 1)), width), np.int64)
        self._take: Take | None = None
        self._number = 0 if armed else 1
        self._complaint = ""  # about results that could not be made
        self._saving: list[threading.Thread] = []
        self.saved: list[Saved] = []
        self.state = RecorderState(alive=True, process=Process.current(), keeps=str(self.selection))
        self._reported_at = 0.0
        self._folder = os.open(session.path, os.O_DIRECTORY | os.O_CLOEXEC)  # a new session of this name is not meant
        try:
            requests.drain()  # what others were told
            release(queue.port, peek_all(queue.port, self._room[:0]))  # the native code is there before anybody waits
            if (left := self._left(armed)) is not None or not armed:
                self._begin(left or self.path)
            self._report()
        except BaseException:
            os.close(self._folder)
            self._give_up()
            raise

    def _own(self) -> None:
        with locked(self.session.path / "recorder.lock"):
            for end in (self._queue, self._requests):
                try:
                    end.as_reader()
                except MailboxError:
                    raise RecordingError(
                        f"session {self.session.card.name!r} is already being recorded, by "
                        f"{end.reader}: stop that first"
                    ) from None

    def _give_up(self) -> None:
        for end in (self._queue, self._requests):
            end.close()

    # ---- files
    def _left(self, armed: bool) -> Path | None:
        """Results that a recorder of this session was writing when it died: they are gone on with."""
        stem, suffix = self.path.stem, self.path.suffix
        found = [self.path] if not armed else []
        found += sorted(
            chunks.with_name(chunks.name.removesuffix(".chunks"))
            for chunks in self.path.parent.glob(f"{stem}-[0-9][0-9][0-9]*{suffix}.chunks")
        )
        token = self.session.card.token
        for path in reversed(found):
            head = None
            with contextlib.suppress(OSError):  # there is none, or it is no file of a recorder
                head = head_in(chunks_of(path))
            if head is not None and head["token"] == token:
                if path != self.path:
                    self._number = int(path.stem.rpartition("-")[2])
                return path
        return None

    def _next(self) -> Path:
        """A name that nobody has used."""
        while True:
            self._number += 1
            path = self.path.with_name(f"{self.path.stem}-{self._number:03d}{self.path.suffix}")
            if not os.path.lexists(path) and not os.path.lexists(chunks_of(path)):
                return path

    def _begin(self, path: Path) -> None:
        """A new take; an error if its file cannot be made now."""
        take = self._new_take(path, self.selection)
        try:
            take.open()
        except ChunksError:
            raise
        except OSError as error:
            raise ChunksError(
                f"{path}: cannot be written ({error.strerror}); check permissions and free space"
            ) from error
        self._take = take

    def _new_take(self, path: Path, chosen: Selection) -> Take:
        card, box = self.session.card, self.session.parameters
        sample = box.read()
        known = zip(card.parameters, sample.values, strict=True) if sample.sequence else ()
        parameters = {signal.name: (float(value), signal.unit) for signal, value in known}
        self.state.file, self.state.on, self.state.keeps = str(path), True, str(chosen)
        head = head_of(card, chosen, parameters, self.session.scene)
        return Take(path, head, self.force and path == self.path, chosen.columns)

    # ---- a look
    def look(self) -> int:
        """Takes what is in the queue, and hears what it is told; the number of rows."""
        count = int(peek_all(self._queue.port, self._room))
        block = self._room[:count]
        for what, stamp in self._heard():
            split = int(np.searchsorted(block[:, 2], stamp, side="right"))
            self._feed(block[:split])
            block = block[split:]
            self._switch(what, stamp)
        self._feed(block)
        release(self._queue.port, count)
        if self._take is not None:
            self._take.flush()
        if clock.monotonic() > self._reported_at + REPORT:
            self._report()
        return count

    def _heard(self) -> list[tuple[float, int]]:
        rows = self._requests.drain()
        return list(zip(rows.values[:, 0].tolist(), rows.stamp.tolist(), strict=True))

    def _feed(self, block: NDArray[np.int64]) -> None:
        if self._take is not None:
            self._take.feed(block, self._queue.dropped)
        else:
            self._before.add(block)

    def _switch(self, what: float, stamp: int) -> None:
        on = what != OFF
        if on and self._take is None:
            self._take = self._new_take(self._next(), everything(self.session.card) if what == ALL else self.selection)
            before = self._before.take(stamp)
            if before is not None:
                self._feed(before)
        elif not on and self._take is not None:
            self._end("told to stop", None)
        self._report()

    def _end(self, ended: str, until: int | None) -> None:
        """Makes the results of the take in a thread: rows may be coming all the while."""
        take, dropped = self._take, self._queue.dropped
        if take is None:
            return
        self._count(take)
        self._take, self.state.on, self.state.keeps = None, False, str(self.selection)

        def work() -> None:
            saved = take.finish(ended, until, dropped)
            self.saved.append(saved)
            if saved.message:
                named = saved.message.startswith(saved.file)
                self._complaint = saved.message if named else f"{saved.file}: {saved.message}"
                tell(self._complaint)
            if saved.made:
                self.state.finished.append(saved.file)

        thread = threading.Thread(target=work, name="samara-save")
        thread.start()
        self._saving.append(thread)

    def _count(self, take: Take) -> None:
        self.state.rows, self.state.bytes, self.state.lost = take.rows, take.bytes, take.lost

    def _report(self) -> None:
        """In the session's own folder, whole or not at all; nowhere once that is gone or full: recording goes on."""
        self._reported_at = clock.monotonic()
        if self._take is not None:
            self._count(self._take)
        self.state.message = (self._take.message if self._take is not None else "") or self._complaint
        self.state.told, self.state.stamp = self._requests.received, clock.monotonic_ns()
        draft, here = f"{STATE}.draft", self._folder
        with contextlib.suppress(OSError):
            handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600, dir_fd=here)
            with os.fdopen(handle, "w", encoding="utf-8") as stream:
                json.dump(self.state.as_dict(), stream)
            os.replace(draft, STATE, src_dir_fd=here, dst_dir_fd=here)

    # ---- all of it
    @property
    def over(self) -> bool:
        """Whether the simulator has ended or its session was closed."""
        return not self.session.there

    def run(self, interrupted: Callable[[], bool] = lambda: False) -> list[Saved]:
        """Until the simulator ends, or `interrupted` says so; what became of each recording."""
        while True:
            over = self.over  # before the look: what came until then is in the queue
            asked = interrupted()
            while self.look() == len(self._room):
                pass
            if over or asked:
                return self.close("simulator ended" if over else "interrupted")
            clock.sleep(self.pause)

    def close(self, ended: str = "interrupted") -> list[Saved]:
        """Ends the recording and makes its file; gives the queue free for another recorder."""
        if self.state.alive:
            self._end(ended, self._queue.sent + self._queue.dropped if ended == "simulator ended" else None)
            for thread in self._saving:
                thread.join()
            self.state.alive = False
            self._report()
            os.close(self._folder)
            self._give_up()
        return self.saved

    def __enter__(self) -> DiskRecorder:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()
