"""Permanent-magnet synchronous motor with its inverter and current loop."""

from __future__ import annotations

from typing import Any

import numpy as np

from samara.elements.electric.motors.machine import ElectricMachine, weighed
from samara.model import Contribution, Output, Site, State, number, signal

#: Amplitude of a phase by the voltage of the link that an inverter reaches without distortion.
REACH = 1.0 / np.sqrt(3.0)
#: Part of the voltage that the loop is made for by which the link may be below zero: noise, and a shorted link.
REVERSE = 0.01


class PermanentMagnetMotor(ElectricMachine):
    """A three-phase motor in rotor axes (d along the magnets, q across), with an inverter and a current loop.

        v_d = resistance i_d + L_d di_d/dt - W L_q i_q,     W = pole_pairs w
        v_q = resistance i_q + L_q di_q/dt + W (L_d i_d + flux)
        torque on the rotor = 3/2 pole_pairs (flux i_q + (L_d - L_q) i_d i_q) [N m]

    with phase amplitudes (P. C. Krause et al., Analysis of Electric Machinery and Drive Systems, chapter 4).
    The inverter, averaged over its pulses, gives v = m (v_p - v_n) and draws 3/2 (m_d i_d + m_q i_q) from p to n,
    without losses. The loop is a PI controller per axis with decoupling of the axes:

        asked = bandwidth (L (i_wanted - i) + x) + W (-L_q i_q or L_d i_d + flux)
        dx/dt = resistance (i_wanted - i) + (given - asked) / (bandwidth tracking)
        m = asked / link k,    k = (1 + (|m| sqrt(3))^8)^(-1/8)

    so that below the voltage limit i follows i_wanted with the time constant 1 / bandwidth. The factor k keeps |m|
    below 1 / sqrt(3); at half of that it reduces m by 0.05 %.

    current: i_q wanted [A], a signal; i_d wanted is 0, without field weakening. pole_pairs; flux: of the magnets
    through a phase [V s]; inductance_d, inductance_q [H]; resistance: of a phase [ohm]; bandwidth: of the loop [rad/s];
    link: design voltage v_p - v_n of the loop [V]. tracking: anti-windup time constant of the integrals when the
    inverter saturates [s]. States ``direct``, ``quadrature`` [A] and the integrals ``held_d``, ``held_q`` [V s].

    p is the positive pole: at reversed link voltage the loop would drive the currents the wrong way. A run ends when
    v_p - v_n, the state ``link_voltage``, falls below zero by more than 1 % of `link`.
    """

    current: Any = signal(unit="A")
    pole_pairs: float = number(positive=True)
    flux: float = number(unit="V s", positive=True)
    inductance_d: float = number(unit="H", positive=True)
    inductance_q: float = number(unit="H", positive=True)
    resistance: float = number(unit="ohm", positive=True)
    bandwidth: float = number(unit="rad/s", positive=True)
    link: float = number(unit="V", positive=True)
    tracking: float = number(default=0.01, unit="s", positive=True)

    def windings(self) -> dict[str, State]:
        size, names = self.current_scale(), ("direct", "quadrature")
        currents = {name: State(1, unit="A", scale=size, description="current") for name in names}
        held = {f"held_{axis}": State(1, unit="V s", scale=1e-2 * size, description="integral") for axis in "dq"}
        link = State(0, value=float(self.link), unit="V", scale=min(self.p.scale, self.n.scale), description="p over n")
        return currents | held | {"link_voltage": link}

    def join(self, name: str) -> None:
        super().join(name)
        words = "the link of the inverter is the wrong way round: p must be its plus pole, n its minus pole; swap them"
        self.owned["link_voltage"].bound_below(-REVERSE * float(self.link), words, name)

    def formulate(self, site: Site) -> Contribution:
        p, n = site.states[:2]
        d, q, *rest = site.states[-len(self.owned) :]
        held, link, geared = rest[:2], rest[2], rest[3:]
        shaft = self.hinge(site)
        w = self.gear.rotor_speed(geared, shaft.rate[0])
        W, u = self.pole_pairs * w, p.value - n.value
        induced = -W * self.inductance_q * q.value, W * (self.inductance_d * d.value + self.flux)
        m, loop = self._loop((d, q), held, self.received(site, "current"), induced)
        saliency = self.inductance_d - self.inductance_q
        torque = 1.5 * self.pole_pairs * (self.flux + saliency * d.value) * q.value
        gear = self.gear.transmit(geared, torque, shaft.rate[0])
        drawn = 1.5 * (m[0] * d.value + m[1] * q.value)
        square = self.inductance_d * d.value**2 + self.inductance_q * q.value**2
        return Contribution(
            wrenches=shaft.wrenches([-gear.torque]),
            balances=[
                *weighed(drawn, -drawn),
                self.inductance_d * d.rate + self.resistance * d.value + induced[0] - m[0] * u,
                self.inductance_q * q.rate + self.resistance * q.value + induced[1] - m[1] * u,
                *loop,
                link.value - u,
                *gear.balances,
            ],
            kinetic=gear.kinetic,
            potential=0.75 * square + gear.potential,
            dissipated=1.5 * self.resistance * (d.value**2 + q.value**2) + gear.dissipated,
            outputs=[
                *self.shown(shaft, torque, gear.torque, w),
                Output("link_current", "A", drawn, description="from p to n"),
                Output("modulation", "1", np.sqrt(m[0] ** 2 + m[1] ** 2 + 1e-30), description="amplitude"),
            ],
        )

    def _loop(self, currents, held, wanted, induced) -> tuple[tuple[Any, Any], list]:
        """The inverter command, and the equations of the integrals."""
        inductances = self.inductance_d, self.inductance_q
        errors = [w - i.value for w, i in zip((0.0, wanted), currents, strict=True)]
        asked = [
            self.bandwidth * (L * e + x.value) + v
            for L, e, x, v in zip(inductances, errors, held, induced, strict=True)
        ]
        part = (asked[0] ** 2 + asked[1] ** 2) / (self.link * REACH) ** 2
        k = (1.0 + part**4) ** (-0.125)
        equations = [
            x.rate - self.resistance * e - (k - 1.0) * v / (self.bandwidth * self.tracking)
            for x, e, v in zip(held, errors, asked, strict=True)
        ]
        return (k * asked[0] / self.link, k * asked[1] / self.link), equations
