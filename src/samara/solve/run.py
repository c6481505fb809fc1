"""A run outside the native loop: recording, end time, and handling of failed steps."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from samara.method.timeline import Timeline
from samara.model import ArgumentError
from samara.results import Progress, Recorder, Results, RunAttrs
from samara.scene import scene_of
from samara.solve.constraints.release import share_reactions
from samara.solve.contact.calls import MOST_ROUNDS
from samara.solve.errors import Diverged, SingularModel
from samara.solve.measures import channels, chosen
from samara.solve.native.codes import OF_CONTACTS, Counter, Status
from samara.solve.report.contacts import contact_counts
from samara.solve.report.diagnosis import KEPT, dump_states, explain
from samara.solve.sampling import sampling_of
from samara.solve.simulation import Simulation
from samara.solve.start.start import notice_written
from samara.solve.start.start_with_laws import start_with_laws
from samara.solve.start.velocity_offset import smooth_start
from samara.solve.start_report import warn_of_changes
from samara.solve.step.march import UNRECORDED, march, record
from samara.solve.step.step_size import CUT_OF_A_FAILURE, new_limits
from samara.solve.store.checkpoint import Snapshot, restore, snapshot
from samara.system.memory.blocks import ETA

if TYPE_CHECKING:
    from samara.results.run_rows import RunRows

#: Wall-clock time between two looks at Ctrl-C and the progress bar [s].
LOOK_INTERVAL = 0.1
#: Part of a step that fails by which it is seen whether the model is singular, or the step too long.
TRIAL_PART = 1e-3
#: Room for records that is made beforehand, at most [bytes].
RECORD_ROOM = 2e8
#: First variable step: part of the run, and at most [s]; accuracy where none is given.
FIRST_PART, LONGEST_FIRST_STEP, USUAL_ACCURACY = 1e-4, 1e-3, 1e-6
#: Steps of the first native call and of any; time that one takes at least, as far as a clock can tell [s].
FIRST_CALL, LONGEST_CALL, SHORTEST_CALL = 16, 1_000_000, 1e-6


@dataclass
class Run:
    """The state of a transient run outside the native loop."""

    sim: Simulation
    timeline: Timeline
    dump: str | Path | None = None
    save: str | Path | None = None
    stacklevel: int = 3  # of a warning at the start, to show the user's own line
    snapshots: list[Snapshot] = field(default_factory=list)
    seconds: float = 0.0  # wall clock of the native calls
    records: bool = False  # whether rows go to the disk meanwhile

    def __post_init__(self) -> None:
        self.end, self.step, self.accuracy = self.timeline.end or 0.0, self.timeline.fixed_step, self.timeline.accuracy
        self.every, self.interval = self.timeline.thinned, self.timeline.interval
        self.channels, self.columns = chosen(self.sim.system, self.timeline.outputs)
        room = max(1.0, RECORD_ROOM / (8 * (self.channels.width + 1)))
        expected = min(self.end / self.step / self.every + 2.0, room) if self.step else 0.0
        self.recorder = Recorder(self.channels, expected_rows=int(expected))
        machine = self.sim.machine
        if self.interval and not machine.scratch.shown.size:
            self.sim.machine = machine._replace(
                scratch=machine.scratch._replace(shown=np.zeros(machine.state.size))  # room for states within a step
            )
        self.phase = 0
        self.reason = ""
        self.sampling = sampling_of(self.sim, anew=not self.sim.started)
        if self.sampling is not None:
            self.sampling.require("transient", self.sim, self.step)
        self.to_disk: RunRows | None = None
        self.scene = scene_of(self.sim.system, channels(self.sim.system)[0])
        self.ready = False  # whether the start is done: a state before is nothing to take up again

    def start(self, fresh: bool) -> None:
        """Consistent initial state, pivot sequence, first record."""
        sim = self.sim
        self.timeline.require_room("transient", sim.time)
        self.timeline.require_end_in_sight("transient", sim.time, self.channels.width)
        if self.records and self.save is not None:
            from samara.results.run_rows import RunRows  # few ask

            self.to_disk = RunRows(Path(self.save), self.channels, self.results("interrupted", "").attrs)
        self._set_limits(fresh)
        sim.memory.clock.turn = 0.0
        self.phase = int(sim.counters[Counter.STEPS]) % self.every
        if fresh and not sim.started:
            start_with_laws(sim, self.step)
            warn_of_changes(sim, self.stacklevel)
            times, rows = self.recorder.room(1)
            record(sim.work, self.columns, times, rows, 0)
            share_reactions(sim, self.columns, rows[0])
            self._keep(times, rows, 1)
            if self.step is not None:
                smooth_start(sim, self.step)
        elif fresh:
            notice_written(sim)
        if self.sampling is not None:
            self.sampling.take_numbers(sim)
            self.sampling.pace(sim, self.step)
        if self.interval and sim.redundancy is not None:
            raise ArgumentError(
                f"transient: model {sim.model.name!r} has redundant constraints, whose reactions are "
                f"only determined at the ends of steps: give a step or an accuracy, not both"
            )
        self.ready = True

    def _keep(self, times: np.ndarray, rows: np.ndarray, count: int) -> None:
        """Commits rows, and writes them to the disk where that is wanted."""
        self.recorder.commit(count)
        if self.to_disk is not None:
            self.to_disk.put(times[:count], rows[:count])

    def let_go(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        """Of the file on the disk; its rows stay there unless the results have them, or nothing was to be run."""
        if self.to_disk is not None:
            self.to_disk.end(keep=not isinstance(error, ArgumentError))

    def _set_limits(self, fresh: bool) -> None:
        sim, span = self.sim, self.end - self.sim.time
        sim.take_steps_of(self.step)
        usual = min(FIRST_PART * span, LONGEST_FIRST_STEP)
        first = sim.limits.next or usual  # a run that is taken up again goes on with the step it had
        limits = new_limits(self.accuracy or USUAL_ACCURACY, self.end, first, usual, sim.time)
        same = ("accuracy", "smallest", "largest")
        if fresh or any(getattr(limits, s) != getattr(sim.limits, s) for s in same):  # else the very same run goes on
            sim.limits.words[:] = limits.words
        sim.limits.interval, sim.limits.end = self.interval, self.end

    def march(self, bar: Progress, interrupted: Callable[[], bool]) -> None:
        """Native calls of about a breath each."""
        sim, chunk = self.sim, FIRST_CALL
        self.snapshots = [snapshot(sim)]
        self._take(0)  # loads or compiles the native code, off the clock
        while (left := self._left(chunk)) > 0:
            start, rows = time.perf_counter(), len(self.recorder)
            done = self.advance(left)
            bar.update(sim.time, iterations=int(sim.counters[Counter.ITERATIONS]))
            spent = time.perf_counter() - start
            if done:
                made = len(self.recorder) - rows if self.interval else done  # what is counted then
                chunk = sim.division.agreed(
                    int(min(max(made * LOOK_INTERVAL / max(spent, SHORTEST_CALL), 1), 4 * chunk, LONGEST_CALL))
                )
                self._keep_snapshot()
            if sim.division.agreed(interrupted()):
                raise KeyboardInterrupt

    def advance(self, count: int) -> int:
        """Up to so many steps; how many were done. Raises `Diverged` where no solution is found."""
        status, done = self.attempt(count)
        if status != Status.OK:
            self._fail(status)
        return done

    def attempt(self, count: int) -> tuple[Status, int]:
        """The same; its status. A step that no pivots suit is taken shorter, or in parts."""
        made = self.sim.advance(self._take, count, self.step)
        if made.unsuited:
            return self._shorten(made.status, made.singular), made.steps
        return made.status, made.steps

    def _keep_snapshot(self) -> None:
        """The states to run again from if the run fails: the oldest kept is at least `KEPT` steps back."""
        now = self.sim.counters[Counter.STEPS]
        self.snapshots.append(snapshot(self.sim))
        while len(self.snapshots) > 1 and now - self.snapshots[1]["counters"][Counter.STEPS] >= KEPT:
            del self.snapshots[0]
        if self.sampling is not None:
            self.sampling.forget(self.sim, self.sim.owned.part(self.snapshots[0]["state"], "samples.memory"))

    def _left(self, chunk: int) -> int:
        if self.step is None:
            return chunk if self.end - self.sim.time > self.sim.limits.smallest else 0
        return min(chunk, round((self.end - self.sim.time) / self.step))

    def _take(self, count: int) -> tuple[int, int, int]:
        """One native call: its status, steps and rows."""
        sim = self.sim
        if sim.redundancy is not None:  # reactions are shared out whenever some are recorded
            count = min(count, 1 if self.step is None else self.every - self.phase)
        rows_wanted = max(1, count if self.step is None else count // self.every + 1)
        if self.interval:
            rows_wanted += int(sim.limits.largest / self.interval) + 4
        times, rows = self.recorder.room(rows_wanted)
        # what is shown on the way is known before and after one impact of a part
        sim.machine.contacts.flights.rounds[0] = 1 if self.interval else MOST_ROUNDS
        start = time.perf_counter()
        every = 1 if self.step is None else self.every
        status, done, written = march(sim.work, self.step or 0.0, count, every, self.phase, self.columns, times, rows)
        self.phase = (self.phase + done) % every
        self.seconds += time.perf_counter() - start
        if written:
            share_reactions(sim, self.columns, rows[written - 1])
        self._keep(times, rows, written)
        if status == Status.LAW_FAILED and self.sampling is not None:
            failure = self.sampling.failure(sim)
            failure.results = self.results("failed", str(failure))
            raise failure
        return status, done, written

    def _too_long(self, error: SingularModel) -> str:
        """Why a step has no pivots: the model is singular where it begins, or where so long a step leads."""
        if self._is_singular():
            return str(error)
        sim, size = self.sim, self.step or float(self.sim.limits.next)
        fast = sorted(sim.system.layout.free, key=lambda n: -np.abs(sim.state.read(n, ETA, 6)).max())
        fastest = f"; node {fast[0].name!r} goes fastest" if fast else ""
        return (
            f"model {sim.model.name!r}: a step of {size:g} s from t = {sim.time:g} s is too long: where it "
            f"leads its equations cannot be solved{fastest}; take a smaller one"
        )

    def _is_singular(self) -> bool:
        """Whether the model is singular where the step that failed began, for short steps too; else it was too long."""
        sim = self.sim
        kept = sim.step_state()
        sim.undo()
        try:
            sim.analyse_for(TRIAL_PART * (self.step or sim.limits.next))
        except SingularModel:
            return True
        finally:
            sim.put_step_state(kept)
        return False

    def _shorten(self, status: Status, singular: SingularModel | None) -> Status:
        """A step that cannot be taken: a variable one is tried again shorter, a fixed one in parts.

        It may only be singular where a long step leads.
        """
        sim = self.sim
        if self.step is None:
            sim.undo()
            sim.memory.trust.factored_for = 0.0
            sim.counters[Counter.REJECTED] += 1
            sim.limits.next *= CUT_OF_A_FAILURE
            status = Status.OK if sim.limits.next >= sim.limits.smallest else Status.STEP_TOO_SMALL
        elif sim.settings.parts > 1.0:
            status = self._divide(status)
        if status != Status.OK and singular is not None:
            self.reason = self._too_long(singular)
        return status

    def _divide(self, status: Status) -> Status:
        """A fixed step that no pivots suit is taken in halves, once: then it is far too long."""
        sim = self.sim
        if np.isfinite(sim.memory.clock.longest):
            return status
        sim.undo()
        sim.counters[Counter.DIVIDED] += 1
        sim.memory.clock.longest = 0.5 * (sim.memory.clock.goal - sim.time)
        return Status.OK

    def _fail(self, status: Status) -> None:
        """Names the culprit, and runs the last stretch again to leave its last states for inspection."""
        sim = self.sim
        message, until = self.reason or explain(sim, status, self.step), sim.time
        restore(sim, self.snapshots[0])
        try:
            path = dump_states(sim, self._again, self._dump_path(), until)
        except OSError as error:
            raise Diverged(f"{message}; the last states cannot be written ({error})") from None
        raise Diverged(f"{message}; the last states are in {path}", dump=path)

    def _dump_path(self) -> Path:
        if self.dump is not None:
            return Path(self.dump)
        if self.save is not None:
            return Path(self.save).with_suffix(".dump.npz")
        return Path(tempfile.mkdtemp(prefix="samara-")) / "dump.npz"

    def _again(self) -> bool:
        """One step, not recorded; whether it succeeded."""
        sim = self.sim

        sim.limits.interval = 0.0
        while True:
            made = sim.advance(lambda n: march(sim.work, self.step or 0.0, n, 1, 0, *UNRECORDED), 1, self.step)
            if not made.unsuited or self._shorten(made.status, None) != Status.OK:
                return bool(made.steps)

    def results(self, status: str, message: str) -> Results:
        sim = self.sim
        options: dict[str, Any] = {
            "step": self.step,
            "accuracy": self.accuracy,
            "every": self.every,
            "lanes": sim.system.layout.width,
        }
        options |= sim.division.described()
        attrs = RunAttrs(
            model=sim.model.name,
            parameters=sim.system.parameters.recorded(),
            integrator=sim.integrator.name,
            method=sim.method.described(),
            options={k: v for k, v in options.items() if v is not None},
            counters={c.name.lower(): int(sim.counters[c]) for c in Counter if c not in OF_CONTACTS}
            | contact_counts(sim, sim.counters)
            | {"seconds": self.seconds},
            analyses=("transient",),
            status=status,  # type: ignore[arg-type]
            message=message,
            stand_in=sim.model.stand_in,
            notes=(*sim.adjusted.notes(), *_leaps(sim)),
            scene=self.scene,
        )
        return Results.from_recorder(self.recorder, attrs)


def _leaps(sim: Simulation) -> tuple[str, ...]:
    """What is said of places that jumped."""
    count = int(sim.counters[Counter.LEAPS])
    what = "a place" if count == 1 else f"{count} places"
    then = "went on with its velocity from before"
    if sim.machine.massless.nodes.size:
        then = "keeps a velocity of that way, which means nothing: the model has nodes without mass"
    note = (
        f"{what} that joints hold jumped: what hangs there was moved along at once, and {then}; a real motion takes "
        "time, such as that of a Cosine"
    )
    return (note,) if count else ()
