"""The rotor of four flexible blades in Exudyn: geometrically exact beams, absolute coordinates, implicit steps.

The blades are those of `samara.models.rotors.rotor4`, with the same nodes: a Samara beam on three of them is two Exudyn
beams, which have two nodes each. Opposite blades lie on one line and share their node at the axis; one rigid joint ties
the two lines together, and one bearing holds the hub. That is fewer unknowns than a clamp per blade. Exudyn lumps the
mass of a beam half and half at its nodes; half a piece more at each tip makes the masses of the nodes those of Samara's
bodies. The hub is a flywheel, of such inertia that the speed changes by 1e-6: a prescribed angle would call Python in
each step, and a prescribed rate makes the Newton iteration of Exudyn worse.

    python -m samara.benchmarks.peers.exudyn_rotor    compare the settings, print the fairest
"""

import sys
from contextlib import redirect_stdout
from dataclasses import dataclass
from io import StringIO
from itertools import pairwise
from typing import Any

import numpy as np

from samara.benchmarks.cases.samara_rotor import RADIUS_INF, STEP, STEPS_PER_TURN, TURNS, TipMotion
from samara.benchmarks.rows import interleave
from samara.models.rotors.rotor4 import MASS, RADIUS, SPEED, STIFFNESS
from samara.rotations import rotation_z

if "exudyn" not in sys.modules:
    sys.exudynFast = True  # type: ignore[attr-defined]  # Exudyn's own switch: no range checks, AVX2
with redirect_stdout(StringIO()):
    import exudyn
    from exudyn import itemInterface
    from exudyn.rigidBodyUtilities import (
        AngularVelocity2EulerParameters_t,
        RotationMatrix2EulerParameters,
        RotationMatrix2RotationVector,
        RotationMatrix2RotXYZ,
    )

PIECES = 10
"""Beams a blade: two for each of Samara's five."""
SECTION_INERTIA = (0.02, 0.002, 0.018)  # kg m, as in rotor4
GRAVITY = (0.0, 0.0, -9.81)
FLYWHEEL = (1e6, 1e7)  # kg, kg m^2
NEWTONS = ("modified", "full", "each step")


@dataclass(frozen=True)
class ExudynRotorSetting:
    """One way to run Exudyn. All use generalized alpha, sparse LU with a kept pattern, one thread and no output.

    newton: "modified" renews the Jacobian when convergence is slow, "each step" once a step, "full" in every iteration.
    """

    rotation: str
    newton: str
    tolerance: float

    def __str__(self) -> str:
        return f"generalized alpha, {self.rotation}, Newton {self.newton}, tolerance {self.tolerance:g}"


DEFAULT = ExudynRotorSetting("RotationVector", "modified", 1e-8)
EXACT = ExudynRotorSetting("RotationVector", "full", 1e-9)
"""What the others are compared with: Newton's error is far below any that matters."""
CANDIDATES = tuple(
    ExudynRotorSetting(rotation, newton, tolerance)
    for rotation in ("RotationVector", "Rxyz", "EulerParameters")
    for newton in NEWTONS
    for tolerance in (1e-6, 1e-5, 3e-5, 1e-4)
)
TOLERATED = 0.01
"""Error that Newton's iteration may leave in a tip's height, in five turns, of its swing. Samara's is 2e-5."""
FAIREST = ExudynRotorSetting("Rxyz", "each step", 1e-5)
"""The fastest setting within TOLERATED, found by `compare` with Exudyn 1.13.6; Euler parameters at 1e-4 are level with
it. The Lie-group nodes (RotationVector) at the same tolerance take about a fifth longer, the default twice as long."""


def build(setting: ExudynRotorSetting) -> tuple[Any, Any, list[int]]:
    """(container, system, tip nodes): the container must live as long as the system."""
    container = exudyn.SystemContainer()
    system = container.AddSystem()
    piece = RADIUS / PIECES
    section = exudyn.BeamSection()
    section.stiffnessMatrix = np.diag(STIFFNESS)
    section.inertia = np.diag(SECTION_INERTIA)
    section.massPerLength = MASS
    hubs, tips = [], []
    for direction in (0.0, np.pi / 2):
        R = rotation_z(direction)
        line = [system.AddNode(_node(setting, R, (k - PIECES) * piece)) for k in range(2 * PIECES + 1)]
        for pair in pairwise(line):
            beam = itemInterface.ObjectBeamGeometricallyExact(nodeNumbers=list(pair), length=piece, sectionData=section)
            _heavy(system, system.AddObject(beam))
        for tip in (line[-1], line[0]):
            inertia = [0.5 * piece * i for i in SECTION_INERTIA] + [0.0] * 3
            body = itemInterface.ObjectRigidBody(nodeNumber=tip, mass=0.5 * MASS * piece, inertia=inertia)
            _heavy(system, system.AddObject(body))
        hubs.append(line[PIECES])
        tips += [line[-1], line[0]]
    wheel, moment = FLYWHEEL
    system.AddObject(itemInterface.ObjectRigidBody(nodeNumber=hubs[0], mass=wheel, inertia=[moment] * 3 + [0.0] * 3))
    ground = system.AddMarker(itemInterface.MarkerBodyRigid(bodyNumber=system.AddObject(itemInterface.ObjectGround())))
    first = system.AddMarker(itemInterface.MarkerNodeRigid(nodeNumber=hubs[0]))
    back = np.eye(4)
    back[:3, :3] = rotation_z(-np.pi / 2)  # to the axes of the first line
    second = system.AddMarker(itemInterface.MarkerNodeRigid(nodeNumber=hubs[1], localHT=back))
    for ends, axes in (([ground, first], [1, 1, 1, 1, 1, 0]), ([first, second], [1] * 6)):
        system.AddObject(itemInterface.ObjectJointGeneric(markerNumbers=ends, constrainedAxes=axes))
    system.Assemble()
    return container, system, tips


def _node(setting: ExudynRotorSetting, R: np.ndarray, x: float) -> Any:
    """A node on a line through the axis, that turns with the rotor at the start."""
    p, spin = R @ [x, 0.0, 0.0], np.array([0.0, 0.0, SPEED])
    v = np.cross(spin, p)
    kind: Any
    if setting.rotation == "EulerParameters":
        angles = RotationMatrix2EulerParameters(R)
        rates, kind = AngularVelocity2EulerParameters_t(spin, angles), itemInterface.NodeRigidBodyEP
    elif setting.rotation == "Rxyz":
        angles, rates, kind = RotationMatrix2RotXYZ(R), spin, itemInterface.NodeRigidBodyRxyz
    else:
        angles, rates, kind = RotationMatrix2RotationVector(R), R.T @ spin, itemInterface.NodeRigidBodyRotVecLG
    return kind(referenceCoordinates=[*p, *angles], initialVelocities=[*v, *rates])


def _heavy(system: Any, body: int) -> None:
    marker = system.AddMarker(itemInterface.MarkerBodyMass(bodyNumber=body))
    system.AddLoad(itemInterface.LoadMassProportional(markerNumber=marker, loadVector=list(GRAVITY)))


def settings_of(setting: ExudynRotorSetting, steps: int, record: bool = False) -> Any:
    """Exudyn's own settings object."""
    settings = exudyn.SimulationSettings()
    settings.solution.file.write = False
    settings.solution.sensors.active = record
    settings.solution.sensors.writePeriod = STEP
    settings.parallel.numberOfThreads = 1
    settings.linearSolver.solverType = exudyn.LinearSolverType.EigenSparse
    settings.linearSolver.reuseAnalyzedPattern = True
    integration = settings.timeIntegration
    integration.numberOfSteps = steps
    integration.endTime = steps * STEP
    integration.verboseMode = 0
    integration.generalizedAlpha.spectralRadius = RADIUS_INF
    integration.newton.useModifiedNewton = setting.newton != "full"
    integration.newton.modifiedNewtonJacUpdatePerStep = setting.newton == "each step"
    integration.newton.relativeTolerance = setting.tolerance
    return settings


class Case:
    """The rotor with one setting, run up: `turn` goes on by some turns."""

    def __init__(self, setting: ExudynRotorSetting = FAIREST) -> None:
        exudyn.config.printToConsole = False
        self.setting = setting
        self.built = build(setting)
        self.turn(TURNS)

    def turn(self, turns: int = 1) -> None:
        settings = settings_of(self.setting, turns * STEPS_PER_TURN)
        self.built[1].SolveDynamic(
            settings, solverType=exudyn.DynamicSolverType.GeneralizedAlpha, updateInitialValues=True
        )


def tips(setting: ExudynRotorSetting, turns: int) -> tuple[np.ndarray, np.ndarray]:
    """Times [s] and positions of one tip [m], shapes (n,) and (n, 3), from the undeformed start."""
    exudyn.config.printToConsole = False
    _container, system, nodes = build(setting)
    position = exudyn.OutputVariableType.Position
    sensor = system.AddSensor(
        itemInterface.SensorNode(nodeNumber=nodes[0], storeInternal=True, outputVariableType=position)
    )
    system.Assemble()
    settings = settings_of(setting, turns * STEPS_PER_TURN, record=True)
    system.SolveDynamic(settings, solverType=exudyn.DynamicSolverType.GeneralizedAlpha)
    data = system.GetSensorStoredData(sensor)
    return data[:, 0], data[:, 1:4]


def tip_motion(setting: ExudynRotorSetting = FAIREST, turns: int = 2 * TURNS) -> TipMotion:
    """Of a blade in Exudyn, as `samara_rotor.tip_motion` finds it in Samara."""
    time, tip = tips(setting, turns)
    late = time > TURNS // 2 * STEPS_PER_TURN * STEP
    return TipMotion.of(time[late], tip[late])


def compare(turns: int = 5, repeats: int = 3) -> list[tuple[float, float, ExudynRotorSetting]]:
    """(CPU time per step [us], error of the tip's height over its swing, setting) of all, the fastest first."""
    _, exact = tips(EXACT, turns)
    swing = 0.5 * np.ptp(exact[:, 2])
    cases, errors = {}, {}
    for setting in (DEFAULT, *CANDIDATES):
        try:
            errors[setting] = float(np.abs(tips(setting, turns)[1] - exact)[:, 2].max() / swing)
            cases[str(setting)] = Case(setting)
        except (RuntimeError, ValueError) as failure:
            print(f"{setting}: {' '.join(str(failure).split())[:80]}")
    timings = interleave({name: case.turn for name, case in cases.items()}, repeats=repeats)
    found = [(1e6 / STEPS_PER_TURN * timings[str(s)].median, error, s) for s, error in errors.items()]
    return sorted(found, key=lambda one: one[0])


def main() -> None:
    """Print the time and the error of all settings, and the fairest."""
    found = compare()
    fairest = min((one for one in found if one[1] < TOLERATED), key=lambda one: one[0])
    for spent, error, setting in found:
        mark = " <- fairest" if setting == fairest[2] else " <- default" if setting == DEFAULT else ""
        print(f"{spent:8.0f} us per step, Newton error {100 * error:.3f} % of the swing; {setting}{mark}")


if __name__ == "__main__":
    main()
