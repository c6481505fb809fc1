"""A map of damping over rotor speed and lag damping: a thousand short runs of a rotor in ground resonance."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import numpy as np

from samara.benchmarks.rows import Row
from samara.elements.bodies.body import Body
from samara.elements.deformable.displacement import DeformableDisplacement
from samara.elements.joints.revolute import Revolute
from samara.elements.joints.total import TotalJoint
from samara.elements.laws.linear import LinearLaw
from samara.elements.springs.torsion import Torsion
from samara.model import Constant, Expression, Model, Parameter
from samara.results import Results
from samara.rotations import rotation_z
from samara.sweep import SweepResults, Variants, grid, sweep

CASE = "damping-map"
BLADES, HINGE = 4, 0.3  # -, m
BLADE_MASS, BLADE_CENTRE, BLADE_INERTIA = 95.0, 3.0, 240.0  # kg, m from the hinge, kg m^2 about the centre
MAST_MASS, MAST_STIFFNESS, MAST_DAMPING = 5000.0, 1.2e6, 2.5e4  # kg, N/m, N s/m
KICK = 0.01  # rad, lag of the first blade at the start
END, STEP = 2.0, 4e-3  # s
SPEEDS, DAMPERS = (10.0, 40.0), (0.0, 8000.0)  # rad/s, N m s/rad


def make() -> Model:
    """Rigid blades on lag hinges, on a hub that moves in its plane on springs; it turns at the parameter `speed`.

    Numbers are made up, of the size of Hammond's helicopter (Journal of the American Helicopter Society 19(4), 1974).
    Parameters: speed [rad/s], damper: of each lag hinge [N m s/rad].
    """
    model = Model("ground resonance", stand_in="numbers are made up")
    mast = model.node("mast")
    model.add("mast.body", Body(mast, mass=MAST_MASS, inertia=np.full(3, MAST_MASS)))
    model.add("mast.slide", TotalJoint(model.ground, mast, hold_position=(False, False, True)))
    spring = LinearLaw(MAST_STIFFNESS, damping=MAST_DAMPING)
    model.add("mast.spring", DeformableDisplacement(model.ground, mast, law=(spring, spring, None)))
    hub = model.node("hub", static=True)
    turned = Constant(Parameter("speed", 20.0, "rad/s")) * Expression(lambda t: t)
    model.add("shaft", TotalJoint(mast, hub, rotation=(0, 0, turned), start={}))
    law = LinearLaw(0.0, damping=Parameter("damper", 1000.0, "N m s/rad", lower=0.0))
    for k in range(BLADES):
        R = rotation_z(2.0 * np.pi * k / BLADES)
        at, name = R @ [HINGE, 0.0, 0.0], f"blade_{k + 1}"
        blade = model.node(name, at, R)
        inertia = (0.01 * BLADE_INERTIA, BLADE_INERTIA, BLADE_INERTIA)
        model.add(f"{name}.body", Body(blade, mass=BLADE_MASS, inertia=inertia, com=(BLADE_CENTRE, 0, 0)))
        hinge: dict[str, Any] = {"at": at, "axis": (0, 0, 1), "axis_x": R[:, 0]}
        model.add(f"{name}.lag", Revolute(hub, blade, start={"angle": KICK if k == 0 else 0.0}, **hinge))
        model.add(f"{name}.damper", Torsion(hub, blade, law=law, **hinge))
    return model


def measure(results: Results) -> dict[str, float]:
    """Growth rate of the mast's motion [1/s], from its mean squares in the second and in the last quarter.

    growth = ln(q_4 / q_2) / (2 t), with t the time between the two, half the run. Negative: it decays.
    """
    square = (results["mast.position"][:, :2] ** 2).sum(axis=1)
    quarters = np.array_split(square, 4)
    apart = 0.5 * (results.time[-1] - results.time[0])
    return {"growth": float(np.log(quarters[3].mean() / quarters[1].mean()) / (2.0 * apart))}


def variants(count: int) -> Variants:
    """About that many, over speed and damper."""
    across = max(1, round((count / 1.6) ** 0.5))
    return grid(damper=np.linspace(*DAMPERS, across), speed=np.linspace(*SPEEDS, max(1, round(count / across))))


def run(chosen: Variants, workers: int | None = None) -> SweepResults:
    """The map."""
    options = {"end": END, "step": STEP, "outputs": "mast.position", "units": {"growth": "1/s"}}
    return sweep(make, measure, chosen, workers=workers, progress=False, **options)  # type: ignore[arg-type]


def rows(count: int = 1000) -> Iterator[Row]:
    """One process, then two; CPU time of each, and the wall clock of both."""
    chosen = variants(count)
    run(variants(4))  # compiles what is not in the cache yet
    found, walls = {}, {}
    for workers, metric in ((None, "variants_per_core_second"), (2, "variants_per_core_second_two_processes")):
        wall, spent = time.perf_counter(), _cpu_seconds()
        found[workers] = run(chosen, workers)
        walls[workers], seconds = time.perf_counter() - wall, _cpu_seconds() - spent
        note = (
            f"{len(chosen)} variants of a rotor in ground resonance, {END:g} s at {STEP * 1e3:g} ms each, "
            f"{len(found[workers].failures)} failed; {seconds:.1f} s of CPU time, {walls[workers]:.1f} s by the clock"
        )
        yield Row(CASE, metric, len(chosen) / seconds, "1/s", "", note)
    yield Row(CASE, "speedup_two_processes", walls[None] / walls[2], "x", "2, at least 1.6", "by the clock")
    apart = float(np.nanmax(np.abs(found[None]["growth"].values - found[2]["growth"].values)))
    yield Row(CASE, "difference_two_processes", apart, "1/s", 0.0, "largest difference of the growth")


def _cpu_seconds() -> float:
    """Of this process and of those that it started and that have ended."""
    import os

    times = os.times()
    return times.user + times.system + times.children_user + times.children_system
