"""The free wake of a rotor in a run: where its vortices are, and the velocity that they induce anywhere."""

from __future__ import annotations

from samara.elements.aero.rotors.rotor import Rotor
from samara.elements.aero.wake.free_wake import FreeWake
from samara.elements.aero.wake.geometry import WakeGeometry, wake_geometry_of
from samara.model import ArgumentError
from samara.solve.sampling import law_arrays
from samara.solve.simulation import Simulation


def wake_geometry(sim: Simulation, rotor: str | None = None) -> WakeGeometry:
    """The vortices of a rotor with a `FreeWake` where a run has come to.

    rotor: its name; not needed where there is one such rotor. ``.filaments`` are lines with circulation and core,
    ``.velocity(points)`` what all induce, in world axes; ``.save("wake.vtk")`` writes the lines.
    """
    if not isinstance(sim, Simulation):
        raise ArgumentError(f"wake_geometry: give the Simulation of a run, such as stepper.sim, got {sim!r}")
    elements = sim.model.elements
    known = [n for n, e in elements.items() if isinstance(e, Rotor) and isinstance(e.inflow, FreeWake)]
    if rotor not in known and (rotor is not None or len(known) != 1):
        there = ", ".join(map(repr, known)) or "none"
        raise ArgumentError(f"wake_geometry: give the name of a rotor with a FreeWake, one of: {there}; got {rotor!r}")
    arrays = law_arrays(sim, rotor or known[0])
    if arrays is None:
        raise ArgumentError("wake_geometry: the wake begins with the first step of a run: take one first")
    return wake_geometry_of(*arrays)
