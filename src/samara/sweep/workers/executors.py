"""Who carries variants out: this process, processes on this machine, or a Dask cluster."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from samara.arguments import positive, text, whole
from samara.model import ArgumentError
from samara.sweep.study import Finished, Study
from samara.sweep.workers import serial
from samara.sweep.workers.processes import Pool
from samara.sweep.workers.serial import Task
from samara.sweep.workers.travel import pack

#: Instead of an address: processes on this machine, one for each core unless a number is given.
LOCAL = "local"
#: Of a scheduler: a host and a port, or one in this process.
ADDRESS = re.compile(r"(\w+://)?[^\s/]+:\d+|inproc://\S+")


@dataclass(frozen=True)
class Executor:
    """See `samara.sweep.sweep` for the arguments."""

    workers: int | None = None
    scheduler: str | None = None
    timeout: float | None = None
    retries: int = 2

    def __post_init__(self) -> None:
        if self.workers is not None:
            object.__setattr__(self, "workers", whole("sweep: workers", self.workers))
        if self.timeout is not None:
            positive("sweep: timeout", self.timeout)
        object.__setattr__(self, "retries", whole("sweep: retries", self.retries, least=0))
        if self.scheduler is None:
            return
        text("sweep: scheduler", self.scheduler)
        if self.scheduler == LOCAL:
            object.__setattr__(self, "workers", self.workers or os.cpu_count() or 1)
            object.__setattr__(self, "scheduler", None)
            return
        if not ADDRESS.fullmatch(self.scheduler):
            raise ArgumentError(
                f"sweep: scheduler must be an address with a port, such as tcp://host:8786, or {LOCAL!r}, got "
                f"{self.scheduler!r}"
            )
        if self.timeout is not None:
            raise ArgumentError("sweep: timeout is for processes on this machine: leave it out with a scheduler")

    def carry_out(self, study: Study, tasks: Sequence[Task]) -> Iterator[tuple[int, Finished]]:
        """Each variant as it is finished."""
        if self.scheduler is not None:
            from samara.sweep.workers import cluster

            return cluster.carry_out(pack(study), tasks, self.scheduler, self.retries)
        if self.workers is not None or self.timeout is not None:
            return Pool(pack(study), tasks, self.workers or 1, self.timeout, self.retries).carry_out()
        return serial.carry_out(study, tasks)
