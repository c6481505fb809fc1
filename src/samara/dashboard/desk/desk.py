"""The one place from which the panel commands: it checks the role, does it, and notes who did."""

from __future__ import annotations

import time as clock
from collections.abc import Mapping
from dataclasses import dataclass

from samara.dashboard.access.roles import RefusedError, Role, Visitor
from samara.dashboard.desk import layouts
from samara.dashboard.desk.recording import RecorderControl
from samara.dashboard.desk.rerun import Rerun
from samara.dashboard.feed.alarms import Rule
from samara.dashboard.feed.events import EventKind
from samara.dashboard.feed.feed import Feed
from samara.dashboard.feed.sources import Source
from samara.realtime.mailbox.shared import MailboxError
from samara.realtime.session import Session
from samara.realtime.session.command import Command

#: How long a request may lie in the queue before that is told [s]; changes that can be undone.
PATIENCE, DEEPEST = 1.0, 100


@dataclass(frozen=True)
class ParameterChange:
    """Parameters that were changed together, by source: (before, after) for each name."""

    values: dict[str, dict[str, tuple[float, float]]]

    def __str__(self) -> str:
        return ", ".join(
            f"{label}: {name} {before:g} -> {after:g}"
            for label, names in self.values.items()
            for name, (before, after) in names.items()
        )


class Desk:
    """Commands of all pages and of alarms. Every method takes who asks; a viewer is refused, and that is noted."""

    def __init__(self, feed: Feed, rerun: Rerun | None = None) -> None:
        self.feed, self.rerun = feed, rerun
        self.changes: list[ParameterChange] = []
        self.recorder = RecorderControl(feed.session)
        self._waiting: list[tuple[float, Session, int, str]] = []

    def check(self, who: Visitor, what: str) -> None:
        """Raises, and notes it, if `who` may not command."""
        if not who.may_command:
            self.feed.events.add(EventKind.ACCESS, f"refused: {what}", str(who))
            raise RefusedError(f"{what} needs the operator role; this page is a {who.role.value}'s")

    # ---- the loop
    def command(self, who: Visitor, command: Command, count: int = 0) -> None:
        """Start, hold, step, stop, reset. A step of a running loop holds it first."""
        what = command.name.lower()
        self.check(who, what)
        session = self.feed.session
        if command == Command.STEP:
            count = min(max(int(count), 1), 1_000_000)
            what = f"{count} step{'s' * (count > 1)}"
            if not session.ledger.held:
                session.command(Command.HOLD)
        ticket = session.command(command, count)
        self.feed.events.add(EventKind.COMMAND, what, str(who))
        self._expect(session, ticket, what)

    def toggle(self, who: Visitor) -> None:
        """Hold if it runs, start if it is held."""
        self.command(who, Command.START if self.feed.session.ledger.held else Command.HOLD)

    def run_again(self, who: Visitor) -> None:
        """Starts the simulator once more, after it has ended, with the command that it was started with."""
        self.check(who, "run again")
        if self.rerun is None:
            raise ValueError("this panel cannot restart its simulator: start it again in its terminal")
        if self.feed.there:
            raise ValueError("the simulator is still running: stop it first")
        self.rerun.start()
        self.feed.events.add(EventKind.COMMAND, "run again", str(who))

    # ---- parameters
    def tune(self, who: Visitor, batches: Mapping[str, Mapping[str, float]]) -> None:
        """Sets parameters, those of a source at the same step; all are checked before the first is sent.

        What is refused is noted, in the words of whoever refuses it.
        """
        words = ", ".join(f"{name} = {value:g}" for names in batches.values() for name, value in names.items())
        self.check(who, f"set {words}")
        try:
            change = self._tuned(batches)
        except (ValueError, MailboxError) as error:
            self.feed.events.add(EventKind.TUNE, f"refused: {words}: {error}", str(who))
            raise
        self.changes = [*self.changes[1 - DEEPEST :], change]
        self.feed.events.add(EventKind.TUNE, str(change), str(who))

    def undo(self, who: Visitor) -> ParameterChange | None:
        """Takes the last change back, that of whoever made it; None when there is none.

        What cannot be taken back, as its controller has ended, is dropped, and that is noted.
        """
        self.check(who, "undo")
        while self.changes:
            there, lost = self._parted(self.changes[-1])
            self._tuned({label: {n: before for n, (before, _) in ns.items()} for label, ns in there.values.items()})
            self.changes.pop()
            if lost.values:
                self.feed.events.add(EventKind.TUNE, f"cannot be undone, no longer available: {lost}", str(who))
            if there.values:
                self.feed.events.add(EventKind.TUNE, f"undone: {there}", str(who))
                return there
        return None

    def _parted(self, change: ParameterChange) -> tuple[ParameterChange, ParameterChange]:
        """What of a change has its source and parameter still, and what does not."""
        there: dict[str, dict[str, tuple[float, float]]] = {}
        lost: dict[str, dict[str, tuple[float, float]]] = {}
        for label, names in change.values.items():
            source = self.feed.sources.all.get(label)
            for name, values in names.items():
                part = there if source is not None and name in source.signals else lost
                part.setdefault(label, {})[name] = values
        return ParameterChange(there), ParameterChange(lost)

    def _tuned(self, batches: Mapping[str, Mapping[str, float]]) -> ParameterChange:
        sources = self.feed.sources.all
        chosen: list[tuple[Source, Mapping[str, float]]] = []
        for label, values in batches.items():
            if label not in sources:
                raise ValueError(f"{label} is no longer available: its parameters cannot be set")
            source = sources[label]
            for name in values:
                if name not in source.signals:
                    raise ValueError(f"{label} has no parameter {name!r}")
            source.session.check(values)
            chosen.append((source, values))
        change: dict[str, dict[str, tuple[float, float]]] = {}
        for source, values in chosen:
            source.read()
            change[source.label] = {n: (source.values.get(n, v), v) for n, v in values.items()}
            ticket = source.session.tune(values)
            self._expect(source.session, ticket, f"parameters of {source.label}")
        return ParameterChange(change)

    # ---- alarms
    def set_alarms(self, who: Visitor, rules: list[Rule]) -> None:
        """Other limits to watch."""
        self.check(who, "change alarms")
        for rule in rules:
            if rule.signal not in self.feed.signals:
                raise ValueError(f"there is no signal {rule.signal!r}")
        self.feed.alarms.replace(rules)
        self.feed.events.add(EventKind.ALARM, f"alarms: {'; '.join(map(str, rules)) or 'none'}", str(who))

    def take_alarms(self, who: Visitor, layout: layouts.PanelLayout) -> None:
        """Watches what a layout says, of the signals that there are; a layout without alarms changes none."""
        rules = [rule for rule in layout.alarms if rule.signal in self.feed.signals]
        if rules and rules != self.feed.alarms.rules:
            self.set_alarms(who, rules)

    def begin(self) -> None:
        """Once, when the panel starts: the alarms of the model's default layout. Pages that open later set none."""
        model = self.feed.card.model
        if layouts.DEFAULT not in layouts.names(model) or self.feed.alarms.rules:
            return
        try:
            self.take_alarms(Visitor(Role.OPERATOR, "(default layout)"), layouts.load(model, layouts.DEFAULT))
        except (ValueError, OSError) as error:
            self.feed.events.add(EventKind.LAYOUT, f"the alarms of the default layout were not set: {error}", "panel")

    def acknowledge(self, who: Visitor) -> None:
        """Acknowledges all alarms that are raised."""
        self.check(who, "acknowledge alarms")
        for alarm in self.feed.alarms.alarms:
            if alarm.tripped and not alarm.acknowledged:
                alarm.acknowledge()
                self.feed.events.add(EventKind.ALARM, f"acknowledged: {alarm.rule}", str(who))

    def serve(self) -> None:
        """After each update of the feed: does what tripped alarms ask for, and looks after requests."""
        for alarm in self.feed.alarms.take():
            rule, who = alarm.rule, Visitor(Role.OPERATOR, f"(alarm {alarm.rule.signal})")
            value = self.feed.latest.get(rule.signal, float("nan"))
            self.feed.events.add(EventKind.ALARM, f"raised at t = {alarm.when:.4g} s: {rule}; now {value:.6g}", "alarm")
            try:
                if rule.action in ("hold", "stop"):
                    self.command(who, Command[rule.action.upper()])
                elif rule.action == "record":
                    self.record(who, "start")
                elif rule.action == "set":
                    self.tune(who, {rule.source: {rule.parameter: rule.value}})
            except (ValueError, MailboxError) as error:
                self.feed.events.add(EventKind.ALARM, f"{rule.action} failed: {error}", "alarm")
        now = clock.monotonic()
        for late in [entry for entry in self._waiting if now > entry[0] and not entry[1].taken(entry[2])]:
            self.feed.events.add(EventKind.LOOP, f"not accepted after {PATIENCE:g} s: {late[3]}")
            self._waiting.remove(late)
        self._waiting = [entry for entry in self._waiting if not entry[1].taken(entry[2])]
        if self.rerun is not None and (words := self.rerun.failure()):
            self.feed.events.add(EventKind.COMMAND, f"the next run failed: {words}", "simulator")
        for text in self.recorder.news():
            self.feed.events.add(EventKind.RECORD, text, "recorder")

    def _expect(self, session: Session, ticket: int, what: str) -> None:
        self._waiting.append((clock.monotonic() + PATIENCE, session, ticket, what))

    # ---- the recorder
    def record(self, who: Visitor, what: str) -> str:
        """start, stop or arm (pre-trigger); what the recorder answers."""
        self.check(who, f"{what} recording")
        answer = self.recorder.ask(what)
        self.feed.events.add(EventKind.RECORD, f"{what}: {answer}", str(who))
        return answer
