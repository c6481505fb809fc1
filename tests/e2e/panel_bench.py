"""A made-up simulator for tests of the panel: a session whose loop is a thread of this process."""

import math
import threading
import time

from samara.realtime import Command, Session, Signal
from samara.realtime.session.accounts import Account
from samara.realtime.session.ledger import Phase
from samara.realtime.session.schedule import Schedule


class FakeSimulator:
    """Publishes a sine of 1 Hz whose amplitude is a parameter; heeds hold, start, step and stop."""

    RATE = 200.0

    def __init__(self, name):
        self.session = Session.create(
            name,
            rate=self.RATE,
            sensors=[Signal("wave", "m"), Signal("ramp", "1")],
            actuators=[Signal("force", "N", limits=(-1.0, 1.0))],
            parameters=[Signal("size", "m", limits=(0.0, 5.0), description="amplitude of the wave")],
            model="fake",
            nodes=["bob"],
        )
        self.session.parameters.write([1.0], 0.0)
        self.asked, self.steps, self._end = [], 0, False
        self._thread = threading.Thread(target=self._run, daemon=True)
        self.session.ledger.phase = Phase.RUNNING
        self._steps(-1)
        self._thread.start()

    def _steps(self, count):
        self.session.ledger.schedule[Schedule.STEPS] = count

    def _run(self):
        session, size = self.session, 1.0
        while not self._end:
            while (request := session.requests.read()) is not None:
                command, _, value = request.values.tolist()
                self.asked.append(Command(int(command)))
                if command == Command.TUNE:
                    size = value
                    session.parameters.write([size], self.steps / self.RATE)
                elif command in (Command.START, Command.HOLD, Command.STEP):
                    self._steps({Command.START: -1, Command.HOLD: 0}.get(command, max(int(value), 1)))
            left = int(session.ledger.schedule[Schedule.STEPS])
            if left:
                self._steps(left - 1 if left > 0 else left)
                self.steps += 1
                t = self.steps / self.RATE
                session.sensors.write([size * math.sin(2.0 * math.pi * t), t], t)
                session.actuators.write([0.0], t)
                session.ledger.accounts[Account.CYCLES] += 1
                session.ledger.accounts[Account.BUSY] += 1_000_000
            else:
                session.sensors.beat()
            time.sleep(1.0 / self.RATE)

    def close(self):
        self._end = True
        self._thread.join()
        self.session.ledger.phase = Phase.ENDED
        self.session.close()


def wait_for(condition, timeout=60.0):
    """Whether it came true in time, which is ample: a busy machine is slow, not wrong."""
    end = time.monotonic() + timeout
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.02)
    return bool(condition())
