"""Controllers of the ready model `puma-vibration`: higher-harmonic control and individual blade control."""

from __future__ import annotations

import math

import numpy as np

from samara.blocks.predictive.harmonic import HarmonicAnalysis, HigherHarmonicControl
from samara.models.articulated_rotors.puma_blade import SPEED
from samara.models.articulated_rotors.puma_vibration import BLADES, LOADS, inputs
from samara.realtime.controllers.controller import Controller, ControllerError
from samara.realtime.controllers.tunable import tunable

FORCE, COUPLE = 100.0, 100.0  # N, N m: sizes of vibration that count as one
PITCH = math.radians(0.1)  # rad: of pitch
RAMP = 0.5  # turns in which amplitudes change: links are rigid


class HigherHarmonic(Controller):
    """Reduces the 4/rev loads measured by the balance under the Puma's rotor, through the swashplate.

    The 4/rev amplitudes of collective and cyclic pitch change along half a cosine within half a revolution; after
    `settle` more revolutions the loads of one full revolution are measured, and `HigherHarmonicControl` computes the
    next amplitudes. It starts with one revolution of measurement and then tries each amplitude. The rotor turns at
    constant speed, and starts at azimuth zero at t = 0.
    """

    session = "puma-vibration"
    sensors = LOADS
    actuators = inputs("swashplate")

    speed = tunable(SPEED, "rad/s", 0.1, description="of the rotor, must be that of the model")
    loop = tunable(1.0, "1", 0.0, 1.0, "1: closed once all amplitudes are tried; 0: none act", whole=True)
    start_turns = tunable(8.0, "1", 0.0, description="turns before the first measurement")
    settle = tunable(3.0, "1", 0.0, 50.0, "turns between a change and its measurement")
    force_weight = tunable(1.0, "1", 0.0, description="of forces, by 100 N")
    couple_weight = tunable(1.0, "1", 0.0, description="of couples, by 100 N m")
    control_weight = tunable(1e-4, "1", 0.0, description="of amplitudes, by 0.1 deg")
    increment_weight = tunable(0.0, "1", 0.0, description="of their changes")
    probe = tunable(math.radians(0.3), "rad", 1e-6, description="amplitude that is tried")
    limit = tunable(math.radians(2.0), "rad", 1e-6, description="largest amplitude, each")
    forgetting = tunable(0.98, "1", 0.5, 1.0, "of a measurement before")

    def start(self, t, y):
        turn = 2.0 * math.pi / self.speed
        samples = turn / self.period
        if abs(samples - round(samples)) > 1e-3 * samples / 360:
            raise ControllerError(
                f"{type(self).__name__}: a turn must be a whole number of samples, got {samples:.6g}: choose the rate"
            )
        self.analysis = HarmonicAnalysis(len(LOADS), BLADES, round(samples), step=self.period)
        sizes = [FORCE] * 3 + [COUPLE] * 3
        self.law = HigherHarmonicControl(
            2 * len(LOADS), len(self.actuators), step=turn, load_scale=sizes * 2, scale=PITCH, probe=self.probe / PITCH,
            limit=self.limit,
        )  # fmt: skip
        self.before, self.target = np.zeros(len(self.actuators)), np.zeros(len(self.actuators))
        self.turn, self.since, self.wait = turn, t, self.start_turns * turn
        self.history: list[np.ndarray] = []  # amplitudes of the loads, a row per measurement
        self.changed(())

    def changed(self, names):
        weights = [self.force_weight] * 3 + [self.couple_weight] * 3
        self.law.tune(weights * 2, self.control_weight, self.increment_weight, self.limit, self.forgetting)

    def step(self, t, y):
        if t - self.since >= self.wait - 0.5 * self.period and self.analysis(y.values, self.speed * t):
            self._decide(t)
        s = min((t + self.period - self.since) / (RAMP * self.turn), 1.0)
        return (self.before + 0.5 * (1.0 - math.cos(math.pi * s)) * (self.target - self.before)).tolist()

    def _decide(self, t: float) -> None:
        self.history.append(self.analysis.values.copy())
        self.before[:] = self.target
        self.target[:] = self.law(self.analysis.values) if self.loop >= 0.5 else 0.0
        self.since, self.wait = t, (RAMP + self.settle) * self.turn


class IndividualBlade(HigherHarmonic):
    """The same with actuators in the pitch links: 2/rev to 5/rev at each blade."""

    actuators = inputs("individual")
