"""The free wakes of the rotors in a run: where its vortices are, and the velocity that they induce anywhere."""

from __future__ import annotations

from samara.elements.aero.rotors.rotor import inflows_of_kind
from samara.elements.aero.wake.free_wake import FreeWake
from samara.elements.aero.wake.geometry import WakeGeometry, wake_geometry_of
from samara.model import ArgumentError
from samara.solve.sampling import law_arrays
from samara.solve.simulation import Simulation


def wake_geometry(sim: Simulation) -> WakeGeometry:
    """The vortices of all rotors with a `FreeWake` where a run has come to.

    ``.filaments`` are lines with circulation and core, ``.velocity(points)`` what all induce, in world axes;
    ``.save("wake.vtk")`` writes the lines.
    """
    if not isinstance(sim, Simulation):
        raise ArgumentError(f"wake_geometry: give the Simulation of a run, such as stepper.sim, got {sim!r}")
    wakes = inflows_of_kind(FreeWake, sim.model.elements.values())
    if not wakes:
        raise ArgumentError(f"wake_geometry: no rotor of model {sim.model.name!r} has a FreeWake")
    names = [law.rotor for law in wakes[0].laws()]
    arrays = law_arrays(sim, names[0])
    if arrays is None:
        raise ArgumentError("wake_geometry: the wake begins with the first step of a run: take one first")
    return wake_geometry_of(names, *arrays)
