"""Common base of both kinds of mailbox: a block of memory, this process's ends of it, and an orderly close."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Self

import numpy as np
from numpy.typing import NDArray

from samara.realtime.mailbox.port import Port, make_port
from samara.realtime.mailbox.process import Process
from samara.realtime.mailbox.shared import COUNT, SLOTS, WRITER, MailboxError, MappedMemory
from samara.results.channels import Channel


class Mailbox:
    """Rows of numbers in shared memory. `channels` name the numbers of a row, where they have names."""

    def __init__(
        self, memory: MappedMemory, words: NDArray[np.int64] | None = None, channels: Sequence[Channel] = ()
    ) -> None:
        words = memory.words if words is None else words
        self._memory = memory
        self._port: Port | None = make_port(words, int(words[COUNT]), int(words[SLOTS]))
        self._ends: set[int] = set()
        self.channels = tuple(channels)

    @property
    def path(self) -> Path:
        """The file."""
        return self._memory.path

    @property
    def port(self) -> Port:
        """This process's end, for native code."""
        if self._port is None:
            raise MailboxError(f"mailbox {self.path} is closed")
        return self._port

    @property
    def count(self) -> int:
        """Numbers in a row."""
        return self.port.values.size

    @property
    def names(self) -> tuple[str, ...]:
        """Of the numbers in a row, where they have names."""
        return tuple(channel.name for channel in self.channels)

    @property
    def writer(self) -> Process:
        """The process that writes (number 0: none)."""
        return self._process(WRITER)

    def as_writer(self) -> Self:
        """Makes this process the writer; an error while another one lives that is. The sequence goes on."""
        return self._own(WRITER, "writing")

    def close(self) -> None:
        """Gives its ends free and lets go of the memory; who made the mailbox thereby removes it."""
        if self._port is not None:
            for cell in self._ends:
                if self._process(cell) == Process.current():
                    self._port.words[cell : cell + 2] = 0
            self._port = None
            self._memory.close()

    def unlink(self) -> None:
        """Removes the file; who has the mailbox open goes on."""
        self._memory.unlink()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def _process(self, cell: int) -> Process:
        return Process(*self.port.words[cell : cell + 2].tolist())

    def _own(self, cell: int, which: str) -> Self:
        """Enters this process at one end."""
        holder, here = self._process(cell), Process.current()
        if holder != here and holder.alive:
            raise MailboxError(
                f"the {which} end of mailbox {self.path} is held by {holder}, which is running: an end has one process"
            )
        self.port.words[cell : cell + 2] = here
        self._ends.add(cell)
        return self
