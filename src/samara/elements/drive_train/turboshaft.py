"""Turboshaft engine."""

from __future__ import annotations

from typing import Any

from samara.blocks.corners import beyond
from samara.elements.drive_train.shafts import OnShaft, checked_sense
from samara.model import Constant, Contribution, Output, Site, State, number, option, signal
from samara.tracing import fmax, fmin

#: Part of the full fuel flow over which the power of the gas sets in.
ONSET = 0.02
#: Speed of the gas generator, by the design's, above which no engine starts: 1.7 times the full power.
FASTEST = 1.2


class TurboshaftEngine(OnShaft):
    """A turboshaft engine: a gas generator and a free power turbine.

        3 time dN/dt = phi - N^3,     phi = burning flow / fuel             gas generator, N: its speed by the design's
        P = power max(N^3 - idle, 0) / (1 - idle)                           power of the gas at the design speed [W]
        C = P / speed (2 - w / speed)                                       torque of the power turbine on b, -C on a
        w = sense z_A . (w_B - w_A)                                         its speed [rad/s]

    a: the casing; b: the power turbine's shaft, about the z axis of their frames.
    flow:    fuel flow [kg/s], a signal: usually the output of a `LimitedServo`, the metering valve with its lag and
             limits of flow and rate, which follows a `Governor`. Negative values count as 0.
    power:   at full fuel flow and design speed [W]; speed: design speed of the power turbine, or of the shaft it is
             referred to [rad/s]; fuel: flow at that power [kg/s]; idle: fraction of it needed to keep the engine
             running.
    time:    time constant of the gas generator near the design point [s]; longer at lower speeds, by 1 / N^2.
    burning: a signal, clipped to 0 to 1: 1 while burning, 0 after a flame-out: ``Step(0, time=2, before=1)`` is an
             engine failure.
    sense:   of rotation about z. start: initial speed N, relative to the design speed, up to 1.2; see `gas_speed`.

    A generic model of no particular engine, of the usual form: the gas generator lags behind a steady-state line on
    which compressor power is proportional to N^3 (similarity), power is linear in fuel flow (Willans' line), and the
    torque of the power turbine at constant gas flow falls linearly with its speed, from twice the design torque at
    rest, so that its power is largest at the design speed. Linearised, it is one lag between fuel and torque, that of
    the engine in G. D. Padfield, Helicopter Flight Dynamics, 2nd edition, 2007, section 3.2 (from memory, not checked
    against print), with the valve as the second one. Temperatures, surge, flame-out, start-up and the influence of air
    density are not modelled. The shaft power counts as supplied; the energy of the gas generator is not accounted for.
    """

    flow: Any = signal(unit="kg/s")
    power: float = number(unit="W", positive=True)
    speed: float = number(unit="rad/s", positive=True)
    fuel: float = number(unit="kg/s", positive=True)
    time: float = number(unit="s", positive=True)
    idle: float = number(default=0.2, nonnegative=True)
    burning: Any = signal(default=1.0)
    sense: int = option(default=1, choices=(1, -1))
    start: float = number(default=1.0, nonnegative=True, plain=True)

    def prepare(self) -> None:
        super().prepare()
        self.sense = checked_sense(self.sense)

    def examine(self) -> None:
        super().examine()
        if isinstance(self.flow, Constant) and float(self.flow.value) < 0.0:
            raise ValueError(f"flow, of the fuel, must not be negative, got {float(self.flow.value):g} kg/s")
        if not float(self.start) <= FASTEST:
            raise ValueError(
                f"start is the speed of the gas generator by the design's, up to {FASTEST:g}, got "
                f"{float(self.start):g}: gas_speed tells it for a power"
            )
        if not float(self.idle) < 1.0:
            raise ValueError(f"idle is a part of the full fuel flow, below 1, got {float(self.idle):g}")

    @property
    def gas_generator(self) -> State:
        """The state that is the speed of the gas generator by the design's."""
        return self.owned["gas_generator"]

    def own_states(self) -> dict[str, State]:
        about = "speed of the gas generator by the design's"
        return {"gas_generator": State(1, value=self.start, unit="1", scale=1.0, description=about)}

    def formulate(self, site: Site) -> Contribution:
        generator = site.states[-1]
        turning = self.slip(site)
        speed = self.sense * turning.value[0]
        cube = generator.value * generator.value * generator.value
        gas = self.power * beyond(cube - self.idle, ONSET) / (1.0 - self.idle)
        torque = gas / self.speed * (2.0 - speed / self.speed)
        burning = fmin(fmax(self.received(site, "burning"), 0.0), 1.0)
        burnt = burning * fmax(self.received(site, "flow"), 0.0)
        return Contribution(
            wrenches=turning.wrenches([-self.sense * torque]),
            balances=[3.0 * self.time * generator.rate - burnt / self.fuel + cube],
            supplied=torque * speed,
            outputs=[
                Output("speed", "rad/s", speed, description="of the power turbine, in the sense of rotation"),
                Output("torque", "N m", torque, description="couple on b in the sense of rotation"),
                Output("power", "W", torque * speed, description="on the shaft"),
                Output("burnt", "kg/s", burnt, description="fuel that burns"),
            ],
        )


def fuel_flow(power: float, full: float, fuel: float, idle: float = 0.2) -> float:
    """Steady fuel flow [kg/s] for a power at the design speed [W], of an engine with `full` power [W] at `fuel`."""
    return fuel * (idle + (1.0 - idle) * power / full)


def gas_speed(power: float, full: float, idle: float = 0.2) -> float:
    """Steady speed of the gas generator by the design's, for a power at the design speed [W]."""
    return float((idle + (1.0 - idle) * power / full) ** (1.0 / 3.0))
