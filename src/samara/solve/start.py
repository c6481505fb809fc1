"""The start of a run: a consistent state, carriers, pivots."""

from __future__ import annotations

from samara.solve.assemble import assemble
from samara.solve.carrier import carry
from samara.solve.codes import Memory
from samara.solve.events import note_drives
from samara.solve.simulation import Simulation


def start(sim: Simulation, step: float) -> None:
    """Makes a simulation ready for its first step, of this size [s]."""
    assemble(sim, step=step)
    make_ready(sim, step)


def make_ready(sim: Simulation, step: float) -> None:
    """Carriers, pivots and what is remembered, of a state that is consistent, for steps of this size [s]."""
    carry(sim, step)
    sim.analyse_for(step)
    sim.memory[Memory.CHANGES] = sim.machine.parameter_changes[0]
    sim.memory[[Memory.EVENT, Memory.GOAL]] = 0.0
    note_drives(sim.machine)
