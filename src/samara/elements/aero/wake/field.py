"""The discrete law of all rotors whose wakes feel each other: its arrays, and what goes in and out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from samara.elements.aero.inflow.inflow_at_blade import BladeStation
from samara.elements.aero.wake import memory
from samara.elements.aero.wake.law import free_wake_law
from samara.model import ModelError
from samara.model.sampled import LawFailed, NativeLaw, SampledLaw

#: Outputs of a rotor that the law asks for, in the order of `memory.FRAME`.
FRAME = ("hub", "hub_velocity", "wind", "disk_x", "disk_z", "disk_turning")
#: What analyses that cannot march a free wake are told to do.
INSTEAD = (
    "has a FreeWake, which only runs in time march (transient, Stepper, RealTime): run it until it has settled, then "
    "give frozen_wake(model, results) to the rotor as its inflow here"
)


class LawOfRotor(NamedTuple):
    """What one rotor gives to the law. numbers, memory: at the start; room: segments and points, see `field_room`."""

    rotor: str
    stations: Sequence[BladeStation]
    numbers: np.ndarray
    memory: np.ndarray
    room: tuple[int, int]

    def measured(self) -> list[tuple[str, int]]:
        """Channels that go in, and the places in them."""
        points = [(f"{s.surface.name}.wake_points", 3 * s.number + c) for s in self.stations for c in range(3)]
        strengths = [(f"{s.surface.name}.circulation", s.number) for s in self.stations]
        frame = [(f"{self.rotor}.{name}", c) for name in FRAME for c in range(3)]
        return [*frame, (f"{self.rotor}.speed", 0), *points, *strengths]


def law_of_field(step: float, rotors: Sequence[LawOfRotor]) -> SampledLaw:
    """One law that all of them share, called every `step` [s]."""
    grounds = {(rotor.numbers[memory.GROUND], rotor.numbers[memory.HEIGHT]) for rotor in rotors}
    if len(grounds) > 1:
        names = ", ".join(repr(rotor.rotor) for rotor in rotors)
        raise ModelError(
            f"FreeWake: rotors {names} feel each other's wakes: give all of them the same ground and height"
        )
    measured = [place for rotor in rotors for place in rotor.measured()]
    numbers, kept = _arrays(rotors)
    return SampledLaw(
        period=step,
        measured=measured,
        signals=(None,) * len(measured),
        held=tuple(source for rotor in rotors for station in rotor.stations for source in station.inputs()),
        outputs=(),
        native=lambda: NativeLaw(free_wake_law, numbers, kept),
        begin=_only_native,
        forgets=True,
        instead=INSTEAD,
    )


def _arrays(rotors: Sequence[LawOfRotor]) -> tuple[np.ndarray, np.ndarray]:
    """Numbers with their table of parts and the room for packed segments, and memory at the start."""
    head = np.zeros(memory.PARTS + memory.PART * len(rotors))
    firsts = np.array([head.size, 0, 0, 0])
    for k, rotor in enumerate(rotors):
        answers = memory.ANSWER * len(rotor.stations)
        sizes = np.array([rotor.numbers.size, rotor.memory.size, len(rotor.measured()), answers])
        first = memory.PARTS + memory.PART * k
        head[first : first + memory.PART] = np.stack([firsts, sizes], axis=1).ravel()
        firsts = firsts + sizes
    head[memory.ROTORS], head[memory.FIELD_ROOM] = len(rotors), firsts[0]
    room = np.zeros(memory.field_room([rotor.room for rotor in rotors]))
    return np.concatenate([head, *(r.numbers for r in rotors), room]), np.concatenate([r.memory for r in rotors])


def _only_native() -> Callable[[Sequence[float]], Sequence[float]]:
    raise LawFailed("a free wake runs as native code alone")
