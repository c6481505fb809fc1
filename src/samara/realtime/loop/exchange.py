"""Data exchanged with other processes in each cycle: requests, commands, sensors, the record."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from samara.realtime.loop.clock import now, wait_until
from samara.realtime.mailbox.latest import publish
from samara.realtime.mailbox.port import Port, beat, make_port
from samara.realtime.mailbox.queue import pop, push, waiting
from samara.realtime.mailbox.seats import SeatPorts, all_sent, gather
from samara.realtime.session import Session
from samara.realtime.session.accounts import Account
from samara.realtime.session.command import Command
from samara.realtime.session.session import MOST_STEPS
from samara.scene.outline import shown
from samara.solve.native.outputs import outputs
from samara.system.memory.blocks import POSITION, ROTATION
from samara.system.system import System
from samara.tracing.driver.atomics import store_real
from samara.tracing.driver.driver_cache import inner, linked

TUNE, LAST_COMMAND = int(Command.TUNE), int(max(Command))
#: How often poses are published [Hz], and the pause between two looks for a message [ns].
VIEWS, PAUSE = 60.0, 20_000


class Exchange(NamedTuple):
    """The simulator's ends of a session and their connections to the model.

    columns:          of the sensors among the measures. inputs: indices of the actuators in the state.
    lower, upper:     limits of the actuators.
    first, addresses: memory addresses of the values of parameter p: addresses first[p] to first[p + 1].
    commands:         the last actuator commands. asked: the last other request, 0 once it has been handled.
    poses:            indices in the state of what `view` shows, every `every` steps; turn: steps until the next time.
    on:               whether there is a session. recording: whether there is a queue to a recorder.
    """

    sensors: Port
    actuators: Port
    parameters: Port
    sight: Port  # to the session's `view`
    record: Port
    requests: Port
    seats: SeatPorts
    columns: np.ndarray
    inputs: np.ndarray
    lower: np.ndarray
    upper: np.ndarray
    first: np.ndarray
    addresses: np.ndarray
    commands: np.ndarray
    asked: np.ndarray
    poses: np.ndarray
    turn: np.ndarray
    every: int
    patience: int
    on: bool
    recording: bool


def alone() -> Exchange:
    """No session: the loop runs for itself."""
    port, none, nothing = make_port(np.zeros(64, np.int64), 1, 1), np.zeros(0, np.int64), np.zeros(0)
    table, grid = np.zeros((0, 0), np.int64), np.zeros((0, 0))
    seats = SeatPorts(none, table, grid, grid, grid, table, none, none)
    return Exchange(
        port, port, port, port, port, port, seats, none, none, nothing, nothing, np.zeros(1, np.int64), none, nothing,
        np.zeros(2, np.int64), none, np.zeros(1, np.int64), 1, 0, False, False,
    )  # fmt: skip


def connected(session: Session, system: System, columns: np.ndarray, patience: float) -> Exchange:
    """The simulator's end of a session whose card was made from this system."""
    card = session.card
    places = [system.parameters.addresses(signal.name) for signal in card.parameters]
    inputs = [system.layout.input(signal.name) for signal in card.actuators]
    limits = [signal.limits for signal in card.actuators]
    record = session.record.port if session.record is not None else session.sensors.port
    lanes = np.r_[POSITION : POSITION + 3, ROTATION : ROTATION + 9] * system.layout.width
    poses = [system.layout.block(node) + lanes for node in shown(system)]
    return Exchange(
        session.sensors.port,
        session.actuators.port,
        session.parameters.port,
        session.view.port,
        record,
        session.requests.port,
        session.seats.port,
        columns,
        np.array(inputs, np.int64),
        np.array([low for low, _ in limits], float),
        np.array([high for _, high in limits], float),
        np.cumsum([0, *(len(found) for found in places)]).astype(np.int64),
        np.array([address for found in places for address in found], np.int64),
        np.array([system.state.inputs[system.layout.input_index[s.name]] for s in card.actuators], float),
        np.zeros(2, np.int64),
        np.concatenate(poses).astype(np.int64) if poses else np.zeros(0, np.int64),
        np.zeros(1, np.int64),
        max(1, int(card.rate / VIEWS)),
        round(patience * 1e9),
        True,
        session.record is not None,
    )


@inner
def await_messages(clock, box, period):
    """Waits until every controller that shows life has sent something new, for a period at most.

    Returns the time, and when the last of the messages was sent [ns]; 0 if not all came.
    """
    end = now(clock) + period
    while True:
        beat(box.sensors, now(clock))
        sent = all_sent(box.seats, now(clock), box.patience)
        if sent or now(clock) >= end or waiting(box.requests):
            return now(clock), sent
        wait_until(clock, min(end, now(clock) + PAUSE))


@inner
def is_request(values, parameters):
    """Whether a row of the queue is one: any process of the user can write there. NaN is none, whatever its place."""
    if values[0] == TUNE:
        return 0.0 <= values[1] < parameters and np.isfinite(values[2])
    return TUNE < values[0] <= LAST_COMMAND and 0.0 <= values[2] <= MOST_STEPS


@inner
def take_requests(box, accounts, time, stamp):
    """What the operator asks for: parameters at once, one command in `box.asked`. Returns how many were tuned."""
    values, tuned = box.requests.values, 0
    while pop(box.requests):
        if not is_request(values, box.parameters.values.size):
            accounts[Account.REFUSED] += 1
        elif values[0] == TUNE:
            p = int(values[1])
            for k in range(box.first[p], box.first[p + 1]):
                store_real(box.addresses[k], values[2])
            box.parameters.values[p] = values[2]
            tuned += 1
        else:
            box.asked[0], box.asked[1] = int(values[0]), int(values[2])
            break  # one command a cycle: what was asked after it waits for the next
    if tuned:
        publish(box.parameters, time, stamp)
    return tuned


@inner
def take_commands(m, box, accounts, stamp):
    """What the controllers have sent, into the inputs of the model."""
    if box.commands.size:
        accounts[Account.SILENT] += gather(box.seats, stamp, box.patience, box.commands)
        for j in range(box.commands.size):
            m.state[box.inputs[j]] = min(max(box.commands[j], box.lower[j]), box.upper[j])


@inner
def show_poses(m, box, time, stamp):
    """Poses of the nodes, every so many steps."""
    box.turn[0] -= 1
    if box.turn[0] < 0:
        box.turn[0] = box.every - 1
        for i in range(box.poses.size):
            box.sight.values[i] = m.state[box.poses[i]]
        publish(box.sight, time, stamp)


@inner
def show_values(work, box, time, stamp):
    """Sensors and actuators for all who read."""
    m = work.machine
    outputs(work)
    for i in range(box.columns.size):
        box.sensors.values[i] = m.scratch.out[box.columns[i]]
    for j in range(box.inputs.size):
        box.actuators.values[j] = m.state[box.inputs[j]]
    publish(box.actuators, time, stamp)
    publish(box.sensors, time, stamp)


@inner
def send(work, box, accounts, time, stamp):
    """Sensors and actuators for all who read, a row for the recorder, now and then a view."""
    show_values(work, box, time, stamp)
    if box.recording:
        count = box.columns.size
        for i in range(count):
            box.record.values[i] = box.sensors.values[i]
        for j in range(box.inputs.size):
            box.record.values[count + j] = box.actuators.values[j]
        if not push(box.record, time, stamp):
            accounts[Account.DROPPED] += 1
    show_poses(work.machine, box, time, stamp)


@linked
def show(work, box, time, clock):
    """What there is to see, without a step; nothing for the recorder."""
    box.turn[0] = 0
    show_values(work, box, time, now(clock))
    show_poses(work.machine, box, time, now(clock))
