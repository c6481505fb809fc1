"""Status of a loop in shared memory: the loop counts in it directly, and any process may read it at any time.

    word    16..    phase, policy, thread of the loop, why it ended
            24..    accounts (`Account`)
            next..  schedule (`Schedule`)
            next..  histogram of step times, histogram of wake-up latencies (`samara.realtime.session.accounts`)

Every word has one writer and is read atomically; to a reader, related words may be one cycle apart.
"""

from __future__ import annotations

from enum import IntEnum
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from samara.realtime.mailbox.shared import LINE, MappedMemory, lines
from samara.realtime.session.accounts import BINS, Account, summary
from samara.realtime.session.schedule import Ended, Policy, Schedule

LEDGER_KIND = 4


class Phase(IntEnum):
    """Phase of a run."""

    READY = 0
    RUNNING = 1
    ENDED = 2


_PHASE, _POLICY, _THREAD, _ENDED = range(2 * LINE, 2 * LINE + 4)
_PARTS = {"accounts": len(Account), "schedule": len(Schedule), "steps": BINS + 1, "latencies": BINS + 1}
_FIRST = 3 * LINE
_WORDS = _FIRST + sum(lines(count) for count in _PARTS.values())


class Ledger:
    """Accounts, schedule and histograms of one loop. Use `create` or `attach`; `private` without a session."""

    accounts: NDArray[np.int64]
    schedule: NDArray[np.int64]
    steps: NDArray[np.int64]
    latencies: NDArray[np.int64]

    def __init__(self, words: NDArray[np.int64], memory: MappedMemory | None = None) -> None:
        self._memory, self._words = memory, words
        at = _FIRST
        for name, count in _PARTS.items():
            setattr(self, name, words[at : at + count])
            at += lines(count)

    @classmethod
    def create(cls, path: Path) -> Self:
        """A new one."""
        memory = MappedMemory.create(path, _WORDS, LEDGER_KIND, 0, 0)
        return cls(memory.words, memory)

    @classmethod
    def attach(cls, path: Path) -> Self:
        """One that exists."""
        memory = MappedMemory.attach(path, LEDGER_KIND, lambda count, slots: _WORDS)
        return cls(memory.words, memory)

    @classmethod
    def private(cls) -> Self:
        """One that nobody else sees."""
        return cls(np.zeros(_WORDS, np.int64))

    @property
    def phase(self) -> Phase:
        """Where the run is."""
        return Phase(int(self._words[_PHASE]))

    @phase.setter
    def phase(self, phase: Phase) -> None:
        self._words[_PHASE] = phase

    @property
    def ended(self) -> Ended:
        """Why the run ended, once `phase` says that it has."""
        return Ended(int(self._words[_ENDED]))

    @ended.setter
    def ended(self, why: Ended) -> None:
        self._words[_ENDED] = why

    @property
    def policy(self) -> Policy:
        """What the loop does about a late step."""
        return Policy(int(self._words[_POLICY]))

    @policy.setter
    def policy(self, policy: Policy) -> None:
        self._words[_POLICY] = policy

    @property
    def thread(self) -> int:
        """The loop's thread, as the system numbers it."""
        return int(self._words[_THREAD])

    @thread.setter
    def thread(self, number: int) -> None:
        self._words[_THREAD] = number

    @property
    def held(self) -> bool:
        """Whether an operator holds the loop."""
        return int(self.schedule[Schedule.STEPS]) == 0

    def summary(self) -> dict[str, Any]:
        """Accounts by name, and percentiles of step time and latency [us]."""
        counts = {a.name.lower(): int(self.accounts[a]) for a in Account}
        return counts | {"step_us": summary(self.steps), "latency_us": summary(self.latencies)}

    def close(self) -> None:
        """Lets go of the memory; numbers stay as they were last."""
        if self._memory is not None:
            memory, self._memory = self._memory, None
            self.__init__(self._words.copy())  # type: ignore[misc]
            memory.close()
