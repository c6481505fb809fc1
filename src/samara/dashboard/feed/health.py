"""How the loop is doing, from its ledger: state, load over the last second, counts, durations."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from enum import StrEnum

import numpy as np

from samara.realtime.session import Session
from samara.realtime.session.accounts import Account, summary
from samara.realtime.session.ledger import Phase
from samara.realtime.session.schedule import Ended

#: Silence after which a loop counts as stuck [s]; the time over which the load is taken [s].
STUCK, SPAN = 1.0, 1.0


class SimulatorState(StrEnum):
    """What a simulator is doing. FINISHED: it came to its end or was asked to stop; ENDED: it failed or was killed."""

    READY = "ready"
    RUNNING = "running"
    HELD = "held"
    STUCK = "stuck"
    FINISHED = "finished"
    ENDED = "ended"

    @property
    def over(self) -> bool:
        """Whether the run has ended, however it did."""
        return self in (SimulatorState.FINISHED, SimulatorState.ENDED)


@dataclass
class Health:
    """Numbers of a loop at one time.

    real_over_sim: time at work over simulated time, of the last second (nan while nothing is simulated)
    accounts: by name, see `samara.realtime.session.accounts`; step, latency: p50, p99, p999 and max [us]
    """

    state: SimulatorState = SimulatorState.READY
    real_over_sim: float = float("nan")
    policy: str = ""
    accounts: dict[str, int] = field(default_factory=dict)
    step: dict[str, float] = field(default_factory=dict)
    latency: dict[str, float] = field(default_factory=dict)
    steps: np.ndarray = field(default_factory=lambda: np.zeros(0, np.int64))
    latencies: np.ndarray = field(default_factory=lambda: np.zeros(0, np.int64))


class Watch:
    """Looks at a session's ledger again and again."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._past: deque[tuple[float, int, int]] = deque()
        self.health = Health()

    def look(self, now: float) -> Health:
        """The state of affairs at `now`, a clock that goes on [s]."""
        session, ledger = self._session, self._session.ledger
        accounts = {a.name.lower(): int(ledger.accounts[a]) for a in Account}
        self._past.append((now, accounts["busy"], accounts["cycles"]))
        while len(self._past) > 2 and self._past[1][0] <= now - SPAN:
            self._past.popleft()
        _, busy, cycles = self._past[0]
        served = (accounts["cycles"] - cycles) / session.card.rate
        load = (accounts["busy"] - busy) * 1e-9 / served if served > 0 else float("nan")
        steps, latencies = ledger.steps.copy(), ledger.latencies.copy()
        self.health = Health(
            self._state(), load, ledger.policy.name.lower(), accounts, summary(steps), summary(latencies), steps,
            latencies,
        )  # fmt: skip
        return self.health

    @property
    def there(self) -> bool:
        """Whether the simulator and its session are still there."""
        return self._session.there

    def _state(self) -> SimulatorState:
        session, ledger = self._session, self._session.ledger
        if ledger.phase == Phase.ENDED:
            well = ledger.ended in (Ended.DONE, Ended.ASKED)
            return SimulatorState.FINISHED if well else SimulatorState.ENDED
        if not session.there:
            return SimulatorState.ENDED
        if ledger.phase == Phase.READY:
            return SimulatorState.READY
        if session.silence > STUCK:
            return SimulatorState.STUCK
        return SimulatorState.HELD if ledger.held else SimulatorState.RUNNING
