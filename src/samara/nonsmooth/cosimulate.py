"""Co-simulation of a smooth model with a nonsmooth subsystem, iterated in each step until both agree.

In a step the subsystem moves the ties, the model returns the forces this requires, and the subsystem moves again under
these forces. `acceleration` selects what the subsystem uses of the model's response: nothing ("none", the plain
iteration of the paper), or its impedance at the ties ("impedance"), measured by perturbing each tie, see `stepping`.
Source: M. Fancello, M. Morandini, P. Masarati, Helicopter rotor sailing by non-smooth dynamics co-simulation, Archive
of Mechanical Engineering 61 (2014), section 2.
"""

from __future__ import annotations

from typing import Any, Literal, Unpack

import numpy as np

from samara.arguments import finite, one_of, positive, whole
from samara.method.given import RunFields, records
from samara.method.method import Method
from samara.method.timeline import Timeline
from samara.model import ArgumentError, Model
from samara.nonsmooth.moving import Moving
from samara.nonsmooth.response import Matrices, Response
from samara.nonsmooth.smooth_side import SmoothSide
from samara.nonsmooth.stepping import NonsmoothStepper
from samara.nonsmooth.subsystem import NonsmoothSubsystem
from samara.results import Channel, Channels, Recorder, Results, RunAttrs
from samara.solve.errors import Diverged
from samara.solve.native.codes import Counter, Status
from samara.solve.report.diagnosis import explain
from samara.solve.transient import Interrupted
from samara.solve.tree.schemes import friction_facets

Pair = tuple[np.ndarray, np.ndarray]
XYZ, NTT = ("x", "y", "z"), ("normal", "first", "second")
ACCELERATIONS = ("impedance", "none")
#: Iterations of a step beyond which the impedance is measured anew.
SLOW = 6
#: Velocity of a tie by which the impedance is measured, of the speeds there are, and at least [m/s, rad/s].
PROBE_VELOCITY, LEAST_PROBE = 1e-3, 1e-4
#: Speed, of the size of the mechanism per second, below which velocities count as slow.
SLOW_SPEED = 1e-2
#: What Newton's method leaves open in the model, by its tolerance.
NEWTON_LEFTOVER = 10.0
#: Rounding of places, of their distance from the origin.
PLACE_ROUNDING = 1e-15
#: Mismatch, in velocities, beyond which an iteration is lost.
LOST_MISMATCH = 1e6


def cosimulate(
    model: Model,
    subsystem: NonsmoothSubsystem,
    end: float | None = None,
    step: float | None = None,
    *,
    method: Method | None = None,
    timeline: Timeline | None = None,
    theta: float = 0.5,
    facets: int = 0,
    acceleration: Literal["impedance", "none"] = "impedance",
    agreement: float = 1e-8,
    rounds: int = 50,
    **given: Unpack[RunFields],
) -> Results:
    """Simulates a model together with a nonsmooth subsystem until the time `end` [s], by fixed steps.

    method, timeline: of the model, as in `transient`, or their fields by name. theta, facets: of the subsystem, see
                `MoreauJean`.
    acceleration: "impedance", or "none" for the plain iteration.
    agreement:  of both in each step: how far velocities may be apart, of the largest; beside what the tolerance leaves.
    rounds:     of exchange, at most, in a step.

    Channels of the subsystem begin with its name: "stops.heel.position", "stops.droop.force"; beside those of its
    points and contacts there are its "iterations", its "mismatch" and its "kinetic" energy.
    Raises `Diverged` with the results so far, where both do not come to agree, or where one finds no solution.
    """
    method, timeline = records(cosimulate, method, timeline, {"end": end, "step": step, **given})
    method = method or Method()
    timeline.require("cosimulate", fixed=True).require_end_in_sight("cosimulate", 0.0, 0)
    agreement, rounds = positive("cosimulate: agreement", agreement), whole("cosimulate: rounds", rounds)
    if method.formulation != "redundant":
        raise ArgumentError("cosimulate: the model takes the redundant formulation: leave formulation out")
    facets = friction_facets("cosimulate", facets)
    if not isinstance(subsystem, NonsmoothSubsystem) or subsystem.smooth is not model:
        raise ArgumentError("cosimulate: subsystem must be a NonsmoothSubsystem of this model")
    if not subsystem.members:
        raise ArgumentError(f"cosimulate: subsystem {subsystem.name!r} has no point or body: add one by .point(...)")
    one_of("cosimulate: acceleration", acceleration, ACCELERATIONS)
    if not 0.5 <= finite("cosimulate: theta", theta) <= 1.0:
        raise ArgumentError(f"cosimulate: theta must be from 0.5 to 1, got {theta!r}")
    run = _CoSimulation(subsystem, method, timeline, float(theta), facets)
    run.acceleration, run.agreement, run.rounds = acceleration, agreement, rounds
    return run.march(round((timeline.end or 0.0) / run.h))


class _CoSimulation:
    """A run of both subsystems."""

    acceleration: str
    agreement: float
    rounds: int

    def __init__(
        self, subsystem: NonsmoothSubsystem, method: Method, timeline: Timeline, theta: float, facets: int
    ) -> None:
        self.h, self.every, self.name = timeline.step or 0.0, timeline.every, subsystem.name
        self.smooth = SmoothSide(subsystem, method, timeline)
        gravity = subsystem.smooth.gravity
        self.rough = NonsmoothStepper(
            subsystem,
            theta,
            facets,
            lambda t: np.array([float(d(t)) for d in gravity]),
            self.smooth.begun,
            self.smooth.carriers(),
            self.smooth.free_carriers,
        )
        self.recorder = Recorder(Channels([*self.smooth.channels, *self._channels()]))
        self.force = np.zeros(self.rough.size)  # of the ties at the present time
        self.mean = np.zeros(self.rough.size)  # in the last step
        self.rate = np.zeros(self.rough.size)  # of the velocities in it
        self.pushing: frozenset[int] = frozenset()
        self.changed = True  # whether contacts opened or closed in the last step: before the first nothing is known
        self.known: dict[bool, Matrices] = {}  # of the model, for steps with an event and without
        self.wrench = np.zeros(6 * len(self.rough.free_carriers))  # on the carriers, in the last step
        self.carrier_rate = np.zeros_like(self.wrench)  # of their twists
        self.used, self.mismatch, self.total, self.measured = 0, 0.0, 0, 0

    # ---- records
    def _channels(self) -> list[Channel]:
        channels = []
        for m in self.smooth.members:
            channels.append(Channel(f"{self.name}.{m.name}.position", "m", XYZ, "of the nonsmooth side"))
            channels.append(Channel(f"{self.name}.{m.name}.velocity", "m/s", XYZ, "of the nonsmooth side"))
        for contact in self.rough.contacts:
            channels.append(Channel(f"{self.name}.{contact.name}.gap", "m", (), "as the step began"))
            channels.append(Channel(f"{self.name}.{contact.name}.force", "N", NTT, "on b, mean over the step"))
        channels.append(Channel(f"{self.name}.kinetic", "J", (), "kinetic energy of the nonsmooth side"))
        channels.append(Channel(f"{self.name}.iterations", "1", (), "until both sides agreed"))
        channels.append(Channel(f"{self.name}.mismatch", "1", (), "of both sides, of their velocities"))
        return channels

    def _record(self, row: np.ndarray) -> None:
        own: list[Any] = []
        for m in self.smooth.members:
            own += [self.rough.moving[m.name].pose.p, self.rough.moving[m.name].twist[:3]]
        for k in range(len(self.rough.contacts)):
            own += [self.rough.gaps[k : k + 1], self.rough.impulses[k] / self.h]
        own.append([self.rough.energy(), self.used, self.mismatch])
        self.recorder.append(self.smooth.sim.time, np.concatenate([row, *own]))

    def results(self, status: str = "completed", message: str = "") -> Results:
        sim = self.smooth.sim
        counters = {c.name.lower(): int(sim.counters[c]) for c in Counter}
        counters |= {"cosimulation_iterations": self.total, "impedances": self.measured}
        attrs = RunAttrs(
            model=sim.model.name,
            parameters=sim.system.parameters.recorded(),
            integrator=f"{sim.integrator.name} and Moreau-Jean",
            method=sim.method.described(),
            options={"step": self.h, "acceleration": self.acceleration, "agreement": self.agreement},
            counters=counters,
            analyses=("cosimulate",),
            status=status,  # type: ignore[arg-type]
            message=message,
            stand_in=sim.model.stand_in,
        )
        return Results.from_recorder(self.recorder, attrs)

    # ---- steps
    def march(self, count: int) -> Results:
        self._record(self.smooth.row())
        try:
            for k in range(count):
                row = self.step()
                if (k + 1) % self.every == 0:
                    self._record(row)
        except KeyboardInterrupt:
            results = self.results("interrupted", f"interrupted at t = {self.smooth.sim.time:g} s")
            raise Interrupted(results) from None
        except Diverged as error:
            error.results = self.results("failed", str(error))
            raise
        return self.results()

    def step(self) -> np.ndarray:
        """One step of both, iterated until they agree; what is recorded of the model."""
        h, rough, smooth = self.h, self.rough, self.smooth
        smooth.keep()
        begin, time, v = dict(rough.moving), smooth.sim.time, rough.velocities()
        axes, before = (rough.turned(smooth.axes()), smooth.carrier_axes()), smooth.carriers()
        carriers = {name: Moving(c.after(h), c.twist) for name, c in before.items()}
        asked, answered = (v + h * self.rate, self.wrench), (self.mean, smooth.twists() + h * self.carrier_rate)
        rough.begin(time, h, asked[0], before)
        if unseen := rough.unseen():
            raise Diverged(self._passed(unseen[0], time))
        event, last = self.changed, np.inf
        for k in range(1, self.rounds + 1):
            self.used = k
            response = Response(self._known(event).turned(*axes), *asked, *answered)
            y, w, status = rough.solve(response, carriers)
            if status != Status.OK:
                raise Diverged(self._contradiction(time))
            # what contacts push freely has a new force, from the beginning of the step on
            if not event and (rough.pushing() != self.pushing or w.any()):
                event = True
                continue
            status, forces = smooth.attempt(begin, rough.moving, w, event)
            if status != Status.OK:
                raise Diverged(self._failed(status, time))
            asked, answered = (y, w), (self._mean(forces, event), smooth.twists())
            carriers = smooth.carriers()
            self.mismatch = self._size(response, asked, answered)
            if self.mismatch < self.agreement + self._noise(y):
                break
            if not self.mismatch < LOST_MISMATCH:
                raise Diverged(self._apart(time))
            slow = self.used % SLOW == 0 and self.mismatch > 0.1 * last
            if self.acceleration == "impedance" and (event not in self.known or slow):
                self._measure(event, begin, asked, (forces, answered[1]), axes, carriers, time)
            last = self.mismatch
        else:
            raise Diverged(self._apart(time))
        self.total += self.used
        self.force, self.mean, self.rate, self.wrench = forces, answered[0], (y - v) / h, w
        self.carrier_rate = (
            answered[1] - np.concatenate([np.zeros(0), *(before[c].twist for c in rough.free_carriers)])
        ) / h
        self.changed, self.pushing = rough.pushing() != self.pushing, rough.pushing()
        return smooth.recorded()

    def _mean(self, forces: np.ndarray, event: bool) -> np.ndarray:
        """Over the step: after an event those of its beginning mean nothing."""
        theta = self.rough.theta
        return forces if event else theta * forces + (1.0 - theta) * self.force

    def _size(self, response: Response, asked: Pair, answered: Pair) -> float:
        """How far the model's answer is from what the subsystem reckoned with, by velocities, of those there are."""
        h, rough, y = self.h, self.rough, asked[0]
        M = rough.masses({name: m.pose.R for name, m in rough.moving.items()})
        off = np.linalg.solve(M + h * response.matrices.Z, h * (answered[0] - response.forces(*asked)))
        change = np.abs(np.concatenate([off, answered[1] - response.twists(*asked)]))
        return float(change.max() / self._speed(y))

    def _speed(self, y: np.ndarray) -> float:
        """What velocities are compared with."""
        return float(np.abs(y).max() + SLOW_SPEED * self.smooth.sim.length)

    def _noise(self, y: np.ndarray) -> float:
        """Mismatch that means nothing: places are known to rounding, the model's velocities to Newton's tolerance."""
        distance = max(float(np.abs(m.pose.p).max()) for m in self.rough.moving.values())
        left = NEWTON_LEFTOVER * self.smooth.tolerance * self.smooth.speed()
        return (PLACE_ROUNDING * distance / self.h + left) / self._speed(y)

    # ---- what the model answers
    def _known(self, event: bool) -> Matrices:
        """What was measured in steps of this kind, or in others."""
        nothing = Matrices.none(self.rough.size, 6 * len(self.rough.free_carriers))
        return self.known.get(event) or self.known.get(not event) or nothing

    def _measure(
        self,
        event: bool,
        begin: dict[str, Moving],
        asked: Pair,
        answered: Pair,
        axes: Pair,
        carriers: dict[str, Moving],
        time: float,
    ) -> None:
        """How the model answers, by moving each tie, and pushing each carrier, a little otherwise."""
        rough, (y, w), (Q, P) = self.rough, asked, axes
        share = 1.0 if event else rough.theta
        size = max(PROBE_VELOCITY * float(np.abs(y).max()), LEAST_PROBE)

        def tried(y: np.ndarray, w: np.ndarray, by: float) -> tuple[np.ndarray, np.ndarray]:
            rough.move(y, carriers)
            status, forces = self.smooth.attempt(begin, rough.moving, w, event)
            if status != Status.OK:
                raise Diverged(self._failed(status, time))
            return share * (forces - answered[0]) / by, (self.smooth.twists() - answered[1]) / by

        moved = [tried(y + size * Q[:, k], w, size) for k in range(y.size)]
        # a push that would move what a tie moves as much
        push = size * max(1.0, float(np.abs(np.array([m[0] for m in moved])).max()))
        pushed = [tried(y, w + push * P[:, k], push) for k in range(w.size)]
        rough.move(y, carriers)
        self.measured += 1
        Z = -Q.T @ np.array([m[0] for m in moved]).T
        D = P.T @ np.array([m[1] for m in moved]).T.reshape(w.size, y.size)
        Y = P.T @ np.array([m[1] for m in pushed]).T.reshape(w.size, w.size)
        self.known[event] = Matrices.measured(Z, D, Y)

    # ---- what may be wrong
    def _contradiction(self, time: float) -> str:
        names = ", ".join(repr(f"{self.name}.{name}") for name in self.rough.closed_names())
        return (
            f"subsystem {self.name!r}: no impulses keep its contacts apart at t = {time + self.h:g} s; closed are "
            f"{names}: they contradict each other or the ties"
        )

    def _passed(self, name: str, time: float) -> str:
        return (
            f"subsystem {self.name!r}: contact {f'{self.name}.{name}'!r} is passed through within the step that ends "
            f"at t = {time + self.h:g} s: take a shorter step than {self.h:g} s"
        )

    def _failed(self, status: Status, time: float) -> str:
        if self.used > 1 and self.acceleration == "none":  # led astray by ties that both sides throw about
            return self._apart(time)
        return f"co-simulation with {self.name!r}: {explain(self.smooth.sim, status, self.h)}"

    def _apart(self, time: float) -> str:
        remedy = "take a smaller step, or a larger compliance of the ties"
        if self.acceleration == "none":
            remedy = "take acceleration='impedance', a heavier subsystem or a smaller step"
        return (
            f"co-simulation: model {self.smooth.sim.model.name!r} and subsystem {self.name!r} do not come to agree "
            f"at t = {time + self.h:g} s (apart by {self.mismatch:.1g} of their velocities after {self.used} "
            f"iterations): {remedy}"
        )
