"""Options of a real-time loop other than the method: one object, checked here only and passed as a whole."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from samara import arguments
from samara.arguments import not_negative, one_of, positive, whole, yes_or_no
from samara.model import ArgumentError
from samara.realtime.loop.clock import SECOND
from samara.realtime.mailbox.port import PATIENCE
from samara.realtime.session.schedule import Policy

#: The highest real-time priority there is.
HIGHEST = 99


@dataclass(frozen=True)
class Options:
    """How a model is run in real time.

    rate:       steps per second [Hz]; None: from the model's usual step, if known.
    policy:     what happens when a step is late, see `samara.realtime.loop.loop`.
    iterations: maximum number per step; few: of a degraded step. A repeated step uses the method's limit.
    driven:     whether a step waits for messages from the controllers instead of the clock; requires a session.
    session:    name of the session; None: no session. sensors: patterns of the measures to publish.
    record:     rows of the queue to a recorder, 0 for none. patience: timeout of a controller [s].
    spin:       last part of each wait, spent awake and rehearsing the step [s]; None: as long as the rehearsal takes;
                0: the loop sleeps until its deadline.
    priority:   real-time priority of the loop's thread, 1 to 99, 0 for none. cpu: the processor it is pinned to. Both
                are applied by the code that creates the thread (`samara.realtime.loop.privileges`).
    plot:       patterns of the measures that a panel shows first.
    """

    rate: float | None = None
    policy: str = "skip"
    iterations: int = 8
    few: int = 2
    driven: bool = False
    session: str | None = None
    sensors: tuple[str, ...] = ("*",)
    record: int = 0
    patience: float = PATIENCE
    spin: float | None = None
    priority: int = 50
    cpu: int | None = None
    plot: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.rate is not None:
            self._set("rate", positive("RealTime: rate", self.rate))
            if self.rate > SECOND:
                raise ArgumentError(f"RealTime: rate must be at most {SECOND:.0e} Hz, got {self.rate:g} Hz")
        known = [policy.name.lower() for policy in Policy]
        given = self.policy.name.lower() if isinstance(self.policy, Policy) else self.policy
        self._set("policy", one_of("RealTime: policy", given, known))
        least_of = {"iterations": 1, "few": 1, "record": 0, "priority": 0}
        for name, least in least_of.items():
            self._set(name, whole(f"RealTime: {name}", getattr(self, name), least=least))
        self._set("driven", yes_or_no("RealTime: driven", self.driven))
        self._set("sensors", arguments.outputs("RealTime: sensors", self.sensors))
        self._set("plot", tuple(self.plot))
        self._set("patience", positive("RealTime: patience", self.patience))
        if self.spin is not None:
            self._set("spin", not_negative("RealTime: spin", self.spin))
        if self.priority > HIGHEST:
            raise ArgumentError(f"RealTime: priority must be at most {HIGHEST}, got {self.priority}")
        if self.cpu is not None:
            self._set("cpu", whole("RealTime: cpu", self.cpu, least=0))
        if self.driven and self.session is None:
            raise ArgumentError("a loop driven by controllers needs a session")

    def _set(self, name: str, value: Any) -> None:
        object.__setattr__(self, name, value)
