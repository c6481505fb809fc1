"""What the loop takes from and gives to other processes in a cycle: requests, commands, sensors, the record."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from samara.realtime.accounts import Account
from samara.realtime.atomics import store_real
from samara.realtime.command import Command
from samara.realtime.latest import publish
from samara.realtime.port import Port, make_port
from samara.realtime.queue import pop, push
from samara.realtime.seats import SeatPorts, gather
from samara.realtime.session import Session
from samara.solve.machine import outputs
from samara.system.system import System
from samara.tracing.driver_cache import inner

TUNE = int(Command.TUNE)


class Exchange(NamedTuple):
    """The ends of a session in the simulator, and what they are connected with.

    columns:          of the sensors among the measures. inputs: places of the actuators in the state.
    lower, upper:     limits of the actuators.
    first, addresses: where the values of parameter p lie in memory: addresses first[p] to first[p + 1].
    commands:         what the actuators were told last. asked: the last other request, 0 once it was heeded.
    on:               whether there is a session at all. recording: whether there is a queue to a recorder.
    """

    sensors: Port
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
    patience: int
    on: bool
    recording: bool


def alone() -> Exchange:
    """No session: the loop runs for itself."""
    port, none, nothing = make_port(np.zeros(64, np.int64), 1, 1), np.zeros(0, np.int64), np.zeros(0)
    table, grid = np.zeros((0, 0), np.int64), np.zeros((0, 0))
    seats = SeatPorts(none, table, grid, grid, grid, table, none, none)
    return Exchange(
        port, port, port, seats, none, none, nothing, nothing, np.zeros(1, np.int64), none, nothing,
        np.zeros(2, np.int64), 0, False, False,
    )  # fmt: skip


def connected(session: Session, system: System, columns: np.ndarray, patience: float) -> Exchange:
    """The simulator's end of a session whose card was made from this system."""
    card = session.card
    places = [system.parameter_addresses(signal.name) for signal in card.parameters]
    inputs = [system.input_base + system.input_names[signal.name] for signal in card.actuators]
    limits = [signal.limits for signal in card.actuators]
    record = session.record.port if session.record is not None else session.sensors.port
    return Exchange(
        session.sensors.port,
        record,
        session.requests.port,
        session.seats.port,
        columns,
        np.array(inputs, np.int64),
        np.array([low for low, _ in limits], float),
        np.array([high for _, high in limits], float),
        np.cumsum([0, *(len(found) for found in places)]).astype(np.int64),
        np.array([address for found in places for address in found], np.int64),
        system.state[inputs].copy() if inputs else np.zeros(0),
        np.zeros(2, np.int64),
        round(patience * 1e9),
        True,
        session.record is not None,
    )


@inner
def receive(m, box, accounts, stamp):
    """Requests of the operator, and commands of the controllers."""
    values = box.requests.values
    while pop(box.requests):
        if values[0] == TUNE:
            p = int(values[1])
            for k in range(box.first[p], box.first[p + 1]):
                store_real(box.addresses[k], values[2])
        else:
            box.asked[0], box.asked[1] = int(values[0]), int(values[2])
    if box.commands.size:
        accounts[Account.SILENT] += gather(box.seats, stamp, box.patience, box.commands)
        for j in range(box.commands.size):
            m.state[box.inputs[j]] = min(max(box.commands[j], box.lower[j]), box.upper[j])


@inner
def send(m, box, accounts, time, stamp):
    """Sensors for all who read, and a row for the recorder."""
    outputs(m)
    count = box.columns.size
    for i in range(count):
        box.sensors.values[i] = m.out[box.columns[i]]
    publish(box.sensors, time, stamp)
    if box.recording:
        for i in range(count):
            box.record.values[i] = box.sensors.values[i]
        for j in range(box.inputs.size):
            box.record.values[count + j] = m.state[box.inputs[j]]
        if not push(box.record, time, stamp):
            accounts[Account.DROPPED] += 1
