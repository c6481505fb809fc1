"""The benchmark chain in Exudyn: redundant coordinates, constraints, implicit steps, sparse LU.

This is the peer whose formulation is closest to Samara's engine: every link is a free body, every hinge five
equations, and each step a Newton iteration on a sparse system with a kept Jacobian.

    python -m samara.benchmarks.peers.exudyn_chain    compare the settings, print the fairest for each size
"""

import sys
from collections.abc import Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass
from io import StringIO
from typing import Any

import numpy as np

from samara.benchmarks.cases.chain import ChainSpec, Vector
from samara.benchmarks.peers.peer_run import PeerRun
from samara.benchmarks.peers.reference import TIMES
from samara.benchmarks.rows import cpu_time_per_call, interleave

if "exudyn" not in sys.modules:
    sys.exudynFast = True  # type: ignore[attr-defined]  # Exudyn's own switch: no range checks, AVX2
with redirect_stdout(StringIO()):
    import exudyn
    from exudyn.utilities import RigidBodyInertia


@dataclass(frozen=True)
class ExudynChainSetting:
    """One way to run Exudyn. All use modified Newton, sparse LU, one thread, no output and a fixed step."""

    rotation: str
    solver: str
    tolerance: float
    reuse_pattern: bool = False

    def __str__(self) -> str:
        kept = ", pattern kept" if self.reuse_pattern else ""
        return f"{self.solver}, {self.rotation}, Newton tolerance {self.tolerance:g}{kept}"


DEFAULT = ExudynChainSetting("EulerParameters", "GeneralizedAlpha", 1e-8)
"""As shipped, except for the sparse LU, which changes the time and not the result."""

CANDIDATES = tuple(
    ExudynChainSetting(rotation, solver, tolerance, reuse_pattern=True)
    for rotation in ("EulerParameters", "RotationVector")
    for solver in ("GeneralizedAlpha", "TrapezoidalIndex2")
    for tolerance in (1e-6, 1e-5, 1e-4, 1e-3)
)

FAIREST: dict[int, ExudynChainSetting] = {
    2: ExudynChainSetting("EulerParameters", "TrapezoidalIndex2", 1e-4, reuse_pattern=True),
    10: ExudynChainSetting("EulerParameters", "TrapezoidalIndex2", 1e-5, reuse_pattern=True),
    40: ExudynChainSetting("EulerParameters", "TrapezoidalIndex2", 1e-5, reuse_pattern=True),
    200: ExudynChainSetting("EulerParameters", "GeneralizedAlpha", 1e-4, reuse_pattern=True),
}
"""The fastest setting of each size that is as accurate as DEFAULT: found by `fairest` with Exudyn 1.13.6."""


def fair_setting(links: int) -> ExudynChainSetting:
    """The entry of FAIREST for the nearest size."""
    return FAIREST[min(FAIREST, key=lambda size: abs(np.log(size / links)))]


def build(spec: ChainSpec, setting: ExudynChainSetting) -> tuple[Any, Any, list[Any]]:
    """(container, system, bodies): the container must live as long as the system."""
    container = exudyn.SystemContainer()
    system = container.AddSystem()
    inertia = RigidBodyInertia(mass=spec.mass, inertiaTensor=np.diag(spec.inertia))
    rotation = getattr(exudyn.NodeType, f"Rotation{setting.rotation}")
    bodies = [system.CreateGround()]
    for k in range(spec.links):
        body = system.CreateRigidBody(
            referencePosition=spec.hinge(k) + spec.centre,
            inertia=inertia,
            gravity=list(spec.gravity),
            nodeType=rotation,
            show=False,
        )
        system.CreateRevoluteJoint(
            itemNumbers=[bodies[-1], body],
            position=spec.hinge(k),
            axis=spec.axis(k),
            useGlobalFrame=True,
            show=False,
        )
        bodies.append(body)
    system.Assemble()
    return container, system, bodies[1:]


def settings_of(setting: ExudynChainSetting, steps: int, duration: float) -> Any:
    """Exudyn's own settings object."""
    settings = exudyn.SimulationSettings()
    settings.solution.file.write = False
    settings.solution.sensors.active = False
    settings.parallel.numberOfThreads = 1
    settings.linearSolver.solverType = exudyn.LinearSolverType.EigenSparse
    settings.linearSolver.reuseAnalyzedPattern = setting.reuse_pattern
    integration = settings.timeIntegration
    integration.numberOfSteps = steps
    integration.endTime = duration
    integration.verboseMode = 0
    integration.newton.useModifiedNewton = True
    integration.newton.relativeTolerance = setting.tolerance
    return settings


class _Case:
    """One chain with one setting: `fresh` builds it, `solve` runs it, `ends` are the latest result."""

    def __init__(self, spec: ChainSpec, setting: ExudynChainSetting, steps: int, duration: float) -> None:
        self.spec, self.setting = spec, setting
        self.settings = settings_of(setting, steps, duration)
        self.solver = getattr(exudyn.DynamicSolverType, setting.solver)
        self.built: tuple[Any, Any, list[Any]] | None = None

    def fresh(self) -> Any:
        self.built = build(self.spec, self.setting)
        return self.built[1]

    def solve(self, system: Any) -> None:
        system.SolveDynamic(self.settings, solverType=self.solver)

    def ends(self) -> Vector:
        assert self.built is not None
        _, system, bodies = self.built
        outer = list(self.spec.centre)  # a body's origin is its centre of mass here
        position = exudyn.OutputVariableType.Position
        return np.array([system.GetObjectOutputBody(body, position, outer) for body in bodies])


def run(
    spec: ChainSpec,
    step: float | None = None,
    duration: float | None = None,
    setting: ExudynChainSetting | None = None,
    repeats: int = 5,
) -> PeerRun:
    """Run the chain with `setting`, by default the fairest for its size; only the solver is timed."""
    h = spec.step if step is None else step
    end = spec.duration if duration is None else duration
    steps = spec.steps(h, end)
    setting = setting or fair_setting(spec.links)
    exudyn.config.printToConsole = False
    case = _Case(spec, setting, steps, end)
    timing = cpu_time_per_call(case.solve, setup=case.fresh, repeats=repeats, warmup=0)
    return _peer_run(case, timing.median * 1e6 / steps)


def compare(
    spec: ChainSpec, settings: Sequence[ExudynChainSetting], repeats: int = 3
) -> dict[ExudynChainSetting, PeerRun]:
    """Run all settings in turn, so that their times can be compared."""
    exudyn.config.printToConsole = False
    steps = spec.steps()
    cases = {str(setting): _Case(spec, setting, steps, spec.duration) for setting in settings}
    timings = interleave(
        {name: case.solve for name, case in cases.items()},
        setups={name: case.fresh for name, case in cases.items()},
        repeats=repeats,
        warmup=0,
    )
    return {case.setting: _peer_run(case, timings[name].median * 1e6 / steps) for name, case in cases.items()}


def fairest(
    spec: ChainSpec, repeats: int = 3
) -> tuple[ExudynChainSetting, dict[ExudynChainSetting, PeerRun], dict[ExudynChainSetting, Vector]]:
    """The fastest candidate that is as accurate as DEFAULT, then all runs, and their errors at TIMES [m].

    The error is the larger of tip and shape error: in a chain of 200 links the tip alone is in free fall, and
    any setting gets it right within micrometres. It may exceed that of DEFAULT by 5 % at most, at the end and
    early on: at the end alone, the errors of a loose Newton iteration can happen to cancel.
    """
    runs = compare(spec, [DEFAULT, *CANDIDATES], repeats)
    errors = {}
    for setting, last in runs.items():
        all_runs = [run(spec, duration=time, setting=setting, repeats=1) for time in TIMES[:-1]] + [last]
        errors[setting] = np.array(
            [max(r.tip_error(spec, t), r.shape_error(spec, t)) for r, t in zip(all_runs, TIMES, strict=True)]
        )
    fair = [setting for setting in runs if np.all(errors[setting] <= 1.05 * errors[DEFAULT])]
    return min(fair, key=lambda setting: runs[setting].us_per_step), runs, errors


def _peer_run(case: _Case, us_per_step: float) -> PeerRun:
    ends = case.ends()
    note = f"redundant coordinates, implicit, sparse LU: {case.setting}"
    return PeerRun("exudyn", exudyn.__version__, us_per_step, ends[-1], note, ends)


def main() -> None:
    """Print the time and the errors of all settings, and the fairest, for the sizes given or for all."""
    for links in [int(word) for word in sys.argv[1:]] or ChainSpec.SIZES:
        best, runs, errors = fairest(ChainSpec(links), repeats=3 if links < 200 else 1)
        for setting, result in sorted(runs.items(), key=lambda item: item[1].us_per_step):
            worst = ", ".join(f"{e:.2e} m at {t:g} s" for e, t in zip(errors[setting], TIMES, strict=True))
            mark = " <- fairest" if setting == best else " <- default" if setting == DEFAULT else ""
            print(f"{links:4d} links {result.us_per_step:8.1f} us per step, {worst}; {setting}{mark}", flush=True)


if __name__ == "__main__":
    main()
