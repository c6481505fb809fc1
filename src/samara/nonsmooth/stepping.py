"""A Moreau-Jean step of a nonsmooth subsystem, including the response of the smooth model.

    M(1) y - M(0) v = h (f + F) + G^T p,     q(1) = q(0) + h (theta y + (1 - theta) v),     u = G y + C c

in velocities y of points and bodies, world axes; M v: momenta, f: weights, F: forces of the ties, p: contact impulses,
u: speeds at the contacts, c: twists of the nodes that carry surfaces, loaded by w = C^T p / h. With the model's
response (`response`), a step includes the motion it causes,

    (M(1) + h Z) y = M(0) v + h (f + F_i + Z y_i - D^T w_i) + (G + C D)^T p
    W = (G + C D) (M + h Z)^-1 (G + C D)^T + C Y C^T / h

and both sides agree after a few iterations. Without it, Z = D = Y = 0, this is the plain iteration of the paper, which
converges if the subsystem is heavier than the structure it is tied to.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from samara.elements.contact.contact import Contact
from samara.elements.contact.shapes import contact_axes
from samara.model import Frame
from samara.nonsmooth.moving import GROUND, Moving
from samara.nonsmooth.response import Response
from samara.nonsmooth.subsystem import Guide, Member, NonsmoothSubsystem
from samara.rotations import cross
from samara.solve.contact.impulses import CLOSED
from samara.solve.contact.problem import contact_problem, find_impulses_by, predict_closed
from samara.solve.native.codes import Status

#: Places along a step at which it is looked whether something is passed through.
PLACES = 16
#: Cosine of the angle by which the normal of a contact that closes may turn within a step.
LARGEST_TURN = 0.5
NONE = np.zeros(3)
STILL = np.zeros(6)


@dataclass
class Closed:
    """A contact in a step: which it is, where it touches, and its normal and tangents (rows)."""

    number: int
    contact: Contact
    point: np.ndarray
    axes: np.ndarray


@dataclass(frozen=True)
class Begun:
    """A step as it begins: how long it is, members and what carries surfaces, ways of sliders [m], and of all freedoms
    the velocities, and the momenta after it if there were neither ties nor contacts."""

    h: float
    members: dict[str, Moving]
    carriers: dict[str, Moving]
    slides: dict[str, float]
    velocities: np.ndarray
    momenta: np.ndarray


class NonsmoothStepper:
    """State and steps of a subsystem."""

    _begun: Begun

    def __init__(
        self,
        subsystem: NonsmoothSubsystem,
        theta: float,
        facets: int,
        gravity: Callable,
        begun: Mapping[str, Moving],
        carriers: Mapping[str, Moving],
        free_carriers: Sequence[str],
    ) -> None:
        self.free_carriers = list(free_carriers)
        self.members = subsystem.members
        self.contacts = subsystem.contacts
        self.theta, self._gravity = theta, gravity
        starts = np.cumsum([0, *(m.freedoms for m in self.members.values())])
        self.parts = {name: slice(int(a), int(b)) for name, a, b in zip(self.members, starts, starts[1:], strict=False)}
        self.size = int(starts[-1])
        self.moving = dict(begun)
        guides = {m.name: m.guide for m in self.members.values() if m.guide is not None}
        self.slides = {name: guide.slide(begun[name], carriers) for name, guide in guides.items()}  # [m]
        self.gaps = np.zeros(len(self.contacts))
        self.impulses = np.zeros((len(self.contacts), 3))
        # the model beside them joins all
        self._problem = contact_problem(np.full(len(self.contacts), 3), np.zeros((len(self.contacts), 2)), facets)
        self._closed: list[Closed] = []

    # ---- what it is made of
    def velocities(self) -> np.ndarray:
        """Of all freedoms [m/s, rad/s]."""
        return np.concatenate([self._own(m, self.moving[m.name]) for m in self.members.values()])

    @staticmethod
    def _own(m: Member, moving: Moving) -> np.ndarray:
        """Velocities of a member's freedoms: of a slider along its line, which is the z axis of its frame."""
        return moving.twist[: m.freedoms] if m.guide is None else moving.pose.R[:, 2:].T @ moving.twist[:3]

    def turned(self, R: Mapping[str, np.ndarray]) -> np.ndarray:
        """A block diagonal matrix of a rotation for each member."""
        Q = np.zeros((self.size, self.size))
        for m in self.members.values():
            first = self.parts[m.name].start
            if m.guide is not None:
                Q[first, first] = 1.0
                continue
            for k in range(first, first + m.freedoms, 3):
                Q[k : k + 3, k : k + 3] = R[m.name]
        return Q

    def masses(self, R: Mapping[str, np.ndarray]) -> np.ndarray:
        """M, with the members turned so."""
        M = np.zeros((self.size, self.size))
        for m in self.members.values():
            first, last = self.parts[m.name].start, min(self.parts[m.name].start + 3, self.parts[m.name].stop)
            M[first:last, first:last] = m.mass * np.eye(last - first)
            if m.inertia is not None:
                M[first + 3 : first + 6, first + 3 : first + 6] = R[m.name] @ m.inertia @ R[m.name].T
        return M

    def _weights(self, time: float, carriers: Mapping[str, Moving]) -> np.ndarray:
        """Forces of gravity; for a slider also what turning its line does to the momentum along it."""
        f, g = np.zeros(self.size), self._gravity(time)
        for m in self.members.values():
            first = self.parts[m.name].start
            if m.guide is None:
                f[first : first + 3] = m.mass * g
                continue
            line, here = self.moving[m.name].pose.R[:, 2], carriers.get(m.guide.carrier, GROUND)
            turning = cross(here.twist[3:], line)
            f[first] = m.mass * (g @ line + here.velocity(self.moving[m.name].pose.p) @ turning)
        return f

    # ---- a step
    def begin(self, time: float, h: float, y: np.ndarray, carriers: Mapping[str, Moving]) -> None:
        """What is closed in a step that is about to lead to the velocities y; and all that stays as it is in it."""
        v, R = self.velocities(), {name: moving.pose.R for name, moving in self.moving.items()}
        momenta = self.masses(R) @ v + h * self._weights(time + 0.5 * h, carriers)
        self._begun = Begun(h, dict(self.moving), dict(carriers), dict(self.slides), v, momenta)
        self._R1 = {name: moving.after(h).R for name, moving in self.moving.items()}
        seen, speeds = [], np.zeros(len(self.contacts))
        for k, contact in enumerate(self.contacts):
            self.gaps[k], *touching = self._look(contact, self.moving, carriers)
            seen.append(Closed(k, contact, *touching))
            row, drift = self._rows(seen[k], carriers)
            speeds[k] = float((row @ y + drift)[0])
        predict_closed(self._problem, self.gaps, speeds, h)
        self._closed = [seen[k] for k in self._problem.closed[: self._problem.counts[CLOSED]]]

    def unseen(self) -> list[str]:
        """Contacts that members are before as the step begins and, as they go on, behind as it ends.

        Of those that are closed the normals of both ends tell.
        """
        closed, names = {c.number: c for c in self._closed}, []
        for k, contact in enumerate(self.contacts):
            if not contact.surface.passable or self.gaps[k] <= 0.0:
                continue
            if k in closed:
                through = self._within(contact, 1.0)[2][0] @ closed[k].axes[0] < LARGEST_TURN
            else:
                gaps = [self._within(contact, (j + 1) / PLACES)[0] for j in range(PLACES)]
                through = min(gaps) <= 0.0 < gaps[-1]
            if through:
                names.append(contact.name)
        return names

    def _within(self, contact: Contact, part: float) -> tuple[float, np.ndarray, np.ndarray]:
        """`_look` a part of the way through the step, where all goes on as it begins."""
        ends = [
            {name: Moving(m.after(part * self._begun.h), m.twist) for name, m in moving.items()}
            for moving in (self._begun.members, self._begun.carriers)
        ]
        return self._look(contact, *ends)

    def solve(self, response: Response, carriers: Mapping[str, Moving]) -> tuple[np.ndarray, np.ndarray, Status]:
        """Velocities after the step, and wrenches on carriers in it; carriers are as at its end."""
        h, known = self._begun.h, response.matrices
        A = self.masses(self._R1) + h * known.Z
        force = response.F + known.Z @ response.y - known.D.T @ response.w
        y, w, status = np.linalg.solve(A, self._begun.momenta + h * force), np.zeros_like(response.w), Status.OK
        self.impulses[:] = 0.0
        if self._closed:
            y, w, status = self._collide(A, y, response, carriers)
        if status == Status.OK:
            self.move(y, carriers)
        return y, w, status

    def _collide(
        self, A: np.ndarray, y: np.ndarray, response: Response, carriers: Mapping[str, Moving]
    ) -> tuple[np.ndarray, np.ndarray, Status]:
        """The same with impulses of the closed contacts, from velocities without them."""
        h, p, known = self._begun.h, self._problem, response.matrices
        ends = {name: Moving(m.after(h), m.twist) for name, m in self._begun.members.items()}
        for j, closed in enumerate(self._closed):
            _, closed.point, closed.axes = self._look(closed.contact, ends, carriers)
            p.mu[j], p.restitution[j] = float(closed.contact.friction), float(closed.contact.restitution)
        G, drift = self._all_rows(carriers)
        C = np.concatenate([self._carrier_rows(c, carriers) for c in self._closed])
        both = G + C @ known.D
        answers = np.linalg.solve(A, both.T)
        W = both @ answers + C @ known.Y @ C.T / h
        u = both @ y - C @ (known.D @ response.y + known.Y @ response.w) + drift
        G, drift = self._all_rows(self._begun.carriers)  # along the directions that impulses have
        approach, P = G @ self._begun.velocities + drift, np.zeros(u.size)
        status = Status(find_impulses_by(p, W, u, approach, P))
        self.impulses[[closed.number for closed in self._closed]] = P.reshape(-1, 3)
        return y + answers @ P, C.T @ P / h, status

    def _all_rows(self, carriers: Mapping[str, Moving]) -> tuple[np.ndarray, np.ndarray]:
        """Of all closed contacts, one below the other."""
        rows, drifts = zip(*(self._rows(closed, carriers) for closed in self._closed), strict=True)
        return np.concatenate(rows), np.concatenate(drifts)

    def move(self, y: np.ndarray, carriers: Mapping[str, Moving]) -> None:
        """Members at the end of the step, with these velocities; carriers are as at its end."""
        h, theta = self._begun.h, self.theta
        for m in self.members.values():
            old, new = self._begun.members[m.name], STILL.copy()
            if m.guide is not None:
                self._slide(m, m.guide, float(y[self.parts[m.name]][0]), carriers)
                continue
            new[: m.freedoms] = y[self.parts[m.name]]
            mean = theta * new + (1.0 - theta) * old.twist
            self.moving[m.name] = Moving(Moving(old.pose, mean).after(h), new)
            self._R1[m.name] = self.moving[m.name].pose.R

    def _slide(self, m: Member, guide: Guide, speed: float, carriers: Mapping[str, Moving]) -> None:
        """A slider at the end of the step, with this speed along its line in the world."""
        begun, theta = self._begun, self.theta
        ends = begun.carriers.get(guide.carrier, GROUND), carriers.get(guide.carrier, GROUND)
        old = begun.members[m.name]
        rates = [float(line @ (v - c.velocity(p))) for line, v, p, c in (
            (old.pose.R[:, 2], old.twist[:3], old.pose.p, ends[0]),
            (ends[1].pose.R @ guide.along, speed * (ends[1].pose.R @ guide.along), self.moving[m.name].pose.p, ends[1]),
        )]  # fmt: skip
        self.slides[m.name] = begun.slides[m.name] + begun.h * ((1.0 - theta) * rates[0] + theta * rates[1])
        self.moving[m.name] = guide.at(carriers, self.slides[m.name], rates[1])

    def pushing(self) -> frozenset[int]:
        """Contacts that push in the step."""
        return frozenset(np.flatnonzero(self.impulses[:, 0] > 0.0).tolist())

    def closed_names(self) -> list[str]:
        return [closed.contact.name for closed in self._closed]

    def energy(self) -> float:
        """Kinetic [J]."""
        v = self.velocities()
        return 0.5 * float(v @ self.masses({name: moving.pose.R for name, moving in self.moving.items()}) @ v)

    # ---- geometry
    def _frame(self, name: str, members: Mapping[str, Moving], carriers: Mapping[str, Moving]) -> Moving:
        return members.get(name) or carriers.get(name) or GROUND

    def _look(
        self, contact: Contact, members: Mapping[str, Moving], carriers: Mapping[str, Moving]
    ) -> tuple[float, np.ndarray, np.ndarray]:
        """Gap, point and axes of a contact, in the world."""
        a, b = (self._frame(node.name, members, carriers).pose for node in (contact.a, contact.b))
        frames = (Frame(R, p, NONE, NONE, NONE, NONE) for R, p in (a, b))
        nearest = contact.nearest(*frames)
        return float(nearest.gap), np.asarray(nearest.point, float), np.array(contact_axes(nearest.normal), float)

    def _rows(self, closed: Closed, carriers: Mapping[str, Moving]) -> tuple[np.ndarray, np.ndarray]:
        """G of a contact, and the speeds that carriers alone make of it."""
        row, drift = np.zeros((3, self.size)), np.zeros(3)
        for name, sign in ((closed.contact.b.name, 1.0), (closed.contact.a.name, -1.0)):
            if name in self.parts and (guide := self.members[name].guide) is not None:
                line, here = self.moving[name].pose.R[:, 2], carriers.get(guide.carrier, GROUND)
                v = here.velocity(closed.point)
                row[:, self.parts[name].start] += sign * (closed.axes @ line)
                drift += sign * closed.axes @ (v - (v @ line) * line)
            elif name in self.parts:
                part = self.parts[name]
                row[:, part.start : part.start + 3] += sign * closed.axes
                if part.stop - part.start == 6:
                    arm = closed.point - self.moving[name].pose.p
                    row[:, part.start + 3 : part.stop] += sign * np.array([cross(arm, axis) for axis in closed.axes])
            elif name in carriers:
                drift += sign * closed.axes @ carriers[name].velocity(closed.point)
        return row, drift

    def _carrier_rows(self, closed: Closed, carriers: Mapping[str, Moving]) -> np.ndarray:
        """C of a contact: its speeds by the twists of the carriers that move freely."""
        rows, name = np.zeros((3, 6 * len(self.free_carriers))), closed.contact.a.name
        if name in self.free_carriers:
            first = 6 * self.free_carriers.index(name)
            arm = closed.point - carriers[name].pose.p
            rows[:, first : first + 3] = -closed.axes
            rows[:, first + 3 : first + 6] = -np.array([cross(arm, axis) for axis in closed.axes])
        return rows
