"""Make the figures of the documentation: `python docs/figures/make.py [NAME ...]`.

A figure is a function marked with @figure that draws on a new Matplotlib figure and returns it. It is
written to docs/_generated/figures/NAME.svg, at every build of the documentation; nothing drawn is committed.
"""

import argparse
import csv
from collections.abc import Callable
from pathlib import Path

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt
import numpy as np

import samara as sm
from samara import Body, Model, Results, Simulation, TwoStep, transient
from samara.models import double_pendulum, pendulum, rotating_beam, spin_up, tm4760

FOLDER = Path(__file__).resolve().parents[1] / "_generated" / "figures"
DATA = Path(__file__).resolve().parents[2] / "tests" / "reference" / "data"
STYLE = {
    "figure.figsize": (6.4, 3.6),
    "figure.constrained_layout.use": True,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.alpha": 0.3,
    "legend.frameon": False,
    "svg.fonttype": "none",
    "svg.hashsalt": "samara",
}

FIGURES: dict[str, Callable[[], plt.Figure]] = {}


def figure(draw: Callable[[], plt.Figure]) -> Callable[[], plt.Figure]:
    """Register a function as the maker of the figure that has its name."""
    FIGURES[draw.__name__] = draw
    return draw


@figure
def spectral_radius() -> plt.Figure:
    """Amplification of the two-step scheme on an undamped oscillator, constant step."""
    picture, axes = plt.subplots()
    phase = np.logspace(-2, 3, 300)  # omega h
    for rho in (1.0, 0.8, 0.6, 0.3, 0.0):
        D = 4 - (1 - rho) ** 2
        beta, delta = (3 * rho**2 + 2 * rho - 1) / D, (1 - rho) ** 2 / (2 * D)
        b0, b1, b2 = delta + 0.5, 0.5 * beta + 0.5 - 2 * delta, 0.5 * beta + delta
        roots = [np.roots([1 - b0 * z, -(1 - beta) - b1 * z, -beta - b2 * z]) for z in 1j * phase]
        axes.semilogx(phase, np.abs(roots).max(axis=1), label=rf"$\rho_\infty = {rho}$")
    axes.set(xlabel=r"$\omega h$ [rad]", ylabel="spectral radius", ylim=(0, 1.05))
    axes.legend()
    return picture


def swing(rho: float, step: float, end: float = 1.5, tolerance: float = 1e-13) -> Results:
    """A double pendulum in large motion, thrown at the start."""
    model = double_pendulum.build(angle_1=1.5, angle_2=1.0)
    model.nodes["lower"].angular_velocity[2] = -4.0  # rad/s; the start finds the velocities that go with it
    return transient(Simulation(model, TwoStep(rho), tolerance=tolerance), end, step, progress=False)


@figure
def index3_order() -> plt.Figure:
    """Errors over the step on a double pendulum, against a run with a step sixteen times shorter than the shortest."""
    picture, axes = plt.subplots(1, 3, figsize=(9.6, 3.4), sharex=True)
    steps = 1e-2 / 2 ** np.arange(5)
    truth = swing(0.6, steps[-1] / 16)
    panels = {"lower.position": "position [m]", "lower.velocity": "velocity [m/s]", "hinge_2.force": "reaction [N]"}
    for rho, marker in ((0.0, "s"), (0.6, "o"), (0.8, "^")):
        runs = [swing(rho, h) for h in steps]
        for panel, (channel, label) in zip(axes, panels.items(), strict=True):
            late, start = [], []
            for run, h in zip(runs, steps, strict=True):
                error = np.abs(run[channel] - truth[channel][:: round(h / (steps[-1] / 16))]).max(axis=1)
                late.append(error[run.time > 0.75].max())
                start.append(error[1:10].max())
            panel.loglog(steps, late, marker + "-", label=rf"$\rho_\infty = {rho}$")
            if channel.endswith("force"):
                panel.loglog(steps, start, marker + ":", color=panel.lines[-1].get_color(), label="first steps")
            panel.set(xlabel="step [s]", title=label)
    for panel in axes:
        low = min(line.get_ydata().min() for line in panel.lines)
        panel.loglog(steps, 0.4 * low * (steps / steps[-1]) ** 2, "k--", linewidth=1, label="slope 2")
    axes[0].set(ylabel="largest error")
    axes[0].legend()
    axes[2].legend(fontsize="x-small")
    return picture


@figure
def energy_drift() -> plt.Figure:
    """Energy of a double pendulum over time: a swing with the square of the step, and a loss with its cube."""
    picture, axes = plt.subplots(1, 2, figsize=(9.6, 3.4))
    for h in (2e-3, 1e-3, 5e-4):
        run = swing(0.6, h, end=4.0, tolerance=1e-12)
        energy = run["model.kinetic"] + run["model.potential"]
        axes[0].plot(run.time, (energy - energy[0]) / h**2, linewidth=1, label=f"h = {1e3 * h:g} ms")
    axes[0].set(
        xlabel="time [s]", ylabel="change of energy / h² [J/s²]", title=r"three runs on one curve, $\rho_\infty = 0.6$"
    )
    for rho in (0.0, 0.6, 0.8, 0.9):
        run = swing(rho, 1e-3, end=60.0, tolerance=1e-12)
        energy = run["model.kinetic"] + run["model.potential"]
        smooth = np.convolve(energy - energy[0], np.full(4000, 1 / 4000), "valid")
        axes[1].plot(run.time[2000:-1999], smooth, linewidth=1, label=rf"$\rho_\infty = {rho}$")
    axes[1].set(xlabel="time [s]", ylabel="change of energy [J]", title="mean over 4 s, h = 1 ms")
    for panel in axes:
        panel.legend(fontsize="small")
    return picture


@figure
def momentum_drift() -> plt.Figure:
    """A free body that flips about its middle axis: angular velocity, and the change of energy and momentum."""
    moments = np.array([1.0, 2.0, 3.0])
    picture, axes = plt.subplots(1, 3, figsize=(9.6, 3.4))
    for h in (1e-2, 5e-3):
        model = Model("wing nut")
        nut = model.node("nut", angular_velocity=(0.02, 5.0, 0.02))
        model.add("body", Body(nut, mass=1.0, inertia=moments))
        run = transient(Simulation(model, TwoStep(0.6), tolerance=1e-13), 30.0, h, progress=False)
        R = run["nut.rotation"].reshape(-1, 3, 3)
        w = np.einsum("tji,tj->ti", R, run["nut.angular_velocity"])
        momentum = np.einsum("tij,tj->ti", R, moments * w)
        change = np.linalg.norm(momentum - momentum[0], axis=1) / np.linalg.norm(momentum[0])
        axes[1].plot(run.time, run["model.kinetic"] / run["model.kinetic"][0] - 1, label=f"h = {1e3 * h:g} ms")
        axes[2].plot(run.time, change, label=f"h = {1e3 * h:g} ms")
    axes[0].plot(run.time, w, label=["x", "y", "z"])
    titles = ("angular velocity, own axes [rad/s]", "kinetic energy, change", "angular momentum, change")
    for panel, title in zip(axes, titles, strict=True):
        panel.set(xlabel="time [s]", title=title)
        panel.legend(fontsize="small")
    return picture


@figure
def variable_step() -> plt.Figure:
    """A pendulum with the step chosen by the local error: the step over time, and the error for several accuracies."""
    picture, axes = plt.subplots(1, 2, figsize=(9.6, 3.4))
    truth = transient(Simulation(pendulum.build(), tolerance=1e-13), 4.0, 1e-5, every=400_000, progress=False)
    accuracies, errors = 10.0 ** -np.arange(4, 9), []
    for accuracy in accuracies:
        run = transient(Simulation(pendulum.build(), tolerance=1e-11), 4.0, accuracy=accuracy, progress=False)
        errors.append(np.linalg.norm(run["bob.position"][-1] - truth["bob.position"][-1]))
        if round(np.log10(accuracy)) in (-5, -7):
            axes[0].semilogy(run.time[1:], np.diff(run.time), label=f"accuracy {accuracy:g}")
    axes[1].loglog(accuracies, errors, "o-", label="error at 4 s [m]")
    axes[1].loglog(accuracies, errors[0] * (accuracies / accuracies[0]) ** (2 / 3), "k--", label="slope 2/3")
    axes[0].set(xlabel="time [s]", ylabel="step [s]")
    axes[1].set(xlabel="accuracy asked for")
    for panel in axes:
        panel.legend(fontsize="small")
    return picture


# ---- figures of the guide, and of the pages on elements and the linear solver


@figure
def first_model() -> plt.Figure:
    """The picture that the first model of the guide draws."""
    model = sm.Model("pendulum", gravity=(0, 0, -9.81))
    bob = model.node("bob", position=(1, 0, 0))
    model.add("mass", sm.Body(bob, mass=1.0, inertia=(0.01, 0.01, 0.01)))
    model.add("hinge", sm.Revolute(model.ground, bob, at=(0, 0, 0), axis=(0, 1, 0)))
    return sm.transient(model, end=10.0, step=1e-3, progress=False).plot("hinge.angle", "hinge.force")


@figure
def magnetic_spring() -> plt.Figure:
    """The picture that the user's element of the guide draws."""
    from samara.benchmarks.user_element import MagneticSpring

    model = sm.Model("floating magnet", gravity=(0, 0, -9.81))
    ring = model.node("ring", position=(0, 0, 0.08))
    model.add("mass", sm.Body(ring, mass=0.1, inertia=(1e-5, 1e-5, 1e-5)))
    model.add("rod", sm.Prismatic(model.ground, ring, axis=(0, 0, 1)))
    model.add("magnet", MagneticSpring(model.ground, ring, strength=1e-5))
    run = sm.transient(model, end=1.0, step=5e-4, progress=False)
    return run.plot("magnet.length", "magnet.effort", "model.kinetic", "model.potential")


@figure
def drives() -> plt.Figure:
    """The drives over time."""
    curve = sm.Curve([0.0, 0.4, 0.8, 1.4, 2.0], [0.0, 0.9, 0.3, 0.6, 0.5], interpolation="smooth")
    shown = {
        "Ramp(1, start=0.5, end=1.5)": sm.Ramp(1.0, start=0.5, end=1.5),
        "Step(1, time=0.5)": sm.Step(1.0, time=0.5),
        "Cosine(1, duration=1, start=0.5)": sm.Cosine(1.0, duration=1.0, start=0.5),
        "Sine(1, 6, start=0.5)": sm.Sine(1.0, 6.0, start=0.5),
        "Tabulated(curve)": sm.Tabulated(curve),
        "Ramp(0.5) * Sine(1, 20)": sm.Ramp(0.5) * sm.Sine(1.0, 20.0),
    }
    picture, axes = plt.subplots(2, 3, figsize=(9.6, 4.2), sharex=True)
    times = np.linspace(0.0, 2.0, 801)
    for panel, (title, drive) in zip(axes.flat, shown.items(), strict=True):
        panel.plot(times, [drive(t) for t in times])
        panel.set_title(title, fontsize="small")
    for panel in axes[1]:
        panel.set(xlabel="time [s]")
    return picture


@figure
def laws() -> plt.Figure:
    """Effort of the laws: elastic ones over the coordinate, viscous ones over its rate."""
    table = sm.Curve([-1.0, -0.3, 0.3, 1.0], [-1.0, -0.1, 0.1, 1.0], interpolation="smooth", outside="linear")
    elastic = {
        "LinearLaw(1)": sm.LinearLaw(1.0),
        "CubicLaw(0.3, 1)": sm.CubicLaw(0.3, 1.0),
        "TableLaw(curve)": sm.TableLaw(table),
    }
    one_sided = {
        "a stop: OneSidedLaw(law)": sm.OneSidedLaw(sm.LinearLaw(1.0)),
        "with onset=0.6": sm.OneSidedLaw(sm.LinearLaw(1.0), onset=0.6),
        'a cable: side="tension", gap=0.3': sm.OneSidedLaw(sm.LinearLaw(1.0), gap=0.3, side="tension"),
    }
    viscous = {"DamperLaw(1)": sm.DamperLaw(1.0), "DamperLaw(0.2, 1)": sm.DamperLaw(0.2, 1.0)}
    picture, axes = plt.subplots(1, 3, figsize=(9.6, 3.4), sharey=True)
    x = np.linspace(-1.2, 1.2, 241)
    for panel, chosen in zip(axes, (elastic, one_sided, viscous), strict=True):
        rate = chosen is viscous
        for label, law in chosen.items():
            panel.plot(x, [law(0.0, s) if rate else law(s, 0.0) for s in x], label=label)
        panel.set(xlabel="rate" if rate else "coordinate q")
        panel.legend(fontsize="x-small")
    axes[0].set(ylabel="effort", ylim=(-1.6, 1.9))
    return picture


@figure
def lu_supernodes() -> plt.Figure:
    """Matrix of a chain of eight links as it is numbered, and in the order of its pivots, with the supernodes."""
    from samara.models import chain

    sim = Simulation(chain.build(8))
    sm.assemble(sim)
    sim.analyse_for(1e-3)
    s, lu = sim.system, sim.lu
    rows = np.repeat(np.arange(s.size), np.diff(s.indptr))
    picture, axes = plt.subplots(1, 2, figsize=(9.6, 4.6))
    axes[0].plot(s.indices, rows, "s", markersize=1.5, color="#0072B2")
    row_rank, column_rank = np.argsort(lu.row_order), np.argsort(lu.column_order)
    axes[1].plot(column_rank[s.indices], row_rank[rows], "s", markersize=1.5, color="#0072B2")
    at = first = 0
    while at < lu.forward_program.size:  # one passage a supernode: pivots, L, stride, place, rows below, their places
        pivots, below = int(lu.forward_program[at]), int(lu.forward_program[at + 4])
        corner = (first - 0.5, first - 0.5)
        axes[1].add_patch(plt.Rectangle(corner, pivots, pivots, color="#E69F00", alpha=0.35, linewidth=0))
        at, first = at + 5 + below, first + pivots
    titles = (f"as numbered: {s.size} unknowns, {s.nnz} entries", "in order of the pivots; supernodes shaded")
    for panel, title in zip(axes, titles, strict=True):
        panel.set(xlim=(-1, s.size), ylim=(s.size, -1), aspect="equal")
        panel.set_title(title, fontsize="small")
        panel.grid(False)
    return picture


def rolled(elements: int, cls: type = sm.Beam3, steps: int = 8) -> Results:
    """A cantilever of 1 m rolled up into a circle by a couple at its tip."""
    model, count = Model("roll-up"), cls.count * elements
    nodes = [model.ground, *(model.node(f"n{k}", (k / count, 0, 0), static=True) for k in range(1, count + 1))]
    for e in range(elements):
        part = nodes[cls.count * e : cls.count * (e + 1) + 1]
        model.add(f"beam{e}", cls(*part, section=sm.Section((1e3, 1e3, 1e3, 1.0, 1.0, 1.0))))
    model.add("couple", sm.FollowerCouple(nodes[-1], couple=(0, 0, 2 * np.pi)))
    return sm.static(model, steps=steps, outputs="*.position")


@figure
def beam_roll_up() -> plt.Figure:
    """A cantilever rolled up by a tip couple in eight load steps, and how far its tip stays from the clamp."""
    picture, axes = plt.subplots(1, 2, figsize=(8.4, 3.6))
    run = rolled(10)
    for k in range(len(run)):
        points = np.array([[0, 0, 0], *(run[f"n{i}.position"][k] for i in range(1, 21))])
        axes[0].plot(points[:, 0], points[:, 1], color=plt.cm.viridis(k / 8))
    axes[0].set(aspect="equal", xlabel="x [m]", ylabel="y [m]", title="ten three-node beams")
    for cls, counts, order, marker in ((sm.Beam3, (5, 10, 20, 40), 4, "o"), (sm.Beam2, (10, 20, 40, 80), 2, "s")):
        gaps = [np.linalg.norm(rolled(n, cls)[f"n{cls.count * n}.position"][-1]) for n in counts]
        nodes = cls.count * np.array(counts)
        axes[1].loglog(nodes, gaps, marker, label=cls.__name__)
        axes[1].loglog(nodes, gaps[0] * (nodes[0] / nodes) ** order, "k:", linewidth=0.8)
        axes[1].annotate(f"order {order}", (nodes[1], gaps[1]), (6, 6), textcoords="offset points", fontsize="small")
    axes[1].set(xlabel="nodes", ylabel="gap of the circle [m]")
    axes[1].legend()
    return picture


def published(name: str) -> list[dict[str, str]]:
    """Rows of a file of reference data, after the line with its source."""
    with (DATA / name).open() as file:
        next(file)
        return list(csv.DictReader(file))


def turning_modes(model: Model, speed: float, count: int = 40) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Frequencies [rad/s], the slowest first, with the parts of the motion in the plane and in twist."""
    found = sm.modes(sm.steady_rotation(model, speed) if speed else Simulation(model), count)
    swings = found.natural > 0.1
    return found.frequencies[swings], found.share((1, 5))[swings], found.share((3,))[swings]


@figure
def rotating_beam_modes() -> plt.Figure:
    """Frequencies of the uniform cantilever over its speed, and their errors at lam = 12 over the elements."""
    picture, axes = plt.subplots(1, 2, figsize=(9.6, 3.8))
    rows = [row for row in published("rotating_uniform_beam_flap.csv") if row["bc"] == "cantilever"]
    exact = {int(row["lam"]): np.array([float(row[f"eta{k}"]) for k in (1, 2, 3)]) for row in rows}
    speeds = np.array(sorted(exact))
    table = np.array([exact[lam] for lam in speeds])
    axes[0].plot(speeds, table, "k-", linewidth=0.8, label="exact, flap")
    axes[0].plot(speeds, np.sqrt(table[:, :2] ** 2 - speeds[:, None] ** 2), "k--", linewidth=0.8, label="exact, lag")
    for lam in (0, 4, 8, 12):
        found, plane, _ = turning_modes(rotating_beam.build(speed=float(lam), lag_stiffness=1.0, push=0.0), float(lam))
        axes[0].plot([lam] * 3, found[plane < 0.5][:3], "C0o", label="flap" if lam == 0 else None)
        axes[0].plot([lam] * 2, found[plane > 0.5][:2], "C1s", markersize=4, label="lag" if lam == 0 else None)
    axes[0].set(xlabel=r"speed $\Omega L^2 \sqrt{m/EI}$", ylabel=r"frequency $\omega L^2 \sqrt{m/EI}$")
    handles, labels = axes[0].get_legend_handles_labels()
    unique = dict(zip(labels, handles, strict=True))
    axes[0].legend(unique.values(), unique.keys(), fontsize="small")
    elements = np.array([2, 4, 8, 16])
    for inertia, style in (("lumped", "s--"), ("distributed", "o-")):
        errors = []
        for n in elements:
            model = rotating_beam.build(elements=int(n), speed=12.0, inertia=inertia, push=0.0)
            found, plane, _ = turning_modes(model, 12.0)
            errors.append(100 * np.abs(found[plane < 0.5][:3] / exact[12] - 1))
        for k in (1, 2):
            axes[1].loglog(elements, np.array(errors)[:, k], style, color=f"C{k}", label=f"mode {k + 1}, {inertia}")
    axes[1].axhline(0.1, color="k", linestyle=":", linewidth=0.8)
    axes[1].annotate("asked for", (2, 0.1), (0, 3), textcoords="offset points", fontsize="small")
    axes[1].set(xlabel="elements", ylabel="error of flap frequencies [%]", xticks=elements, xticklabels=elements)
    axes[1].minorticks_off()
    axes[1].legend(fontsize="small")
    return picture


@figure
def tm4760_frequencies() -> plt.Figure:
    """Frequencies of the blade of NASA TM 4760 beside those of NASTRAN and MBDyn, and the differences to NASTRAN."""
    picture, axes = plt.subplots(1, 2, figsize=(9.6, 4.2))
    rows = published("tm4760_frequencies.csv")
    names = list(dict.fromkeys(row["mode"] for row in rows))
    speeds = sorted({int(row["rpm"]) for row in rows})
    table = {(row["mode"], int(row["rpm"])): (float(row["NASTRAN_Hz"]), float(row["MBDyn_Hz"])) for row in rows}
    ours: dict[str, list[float]] = {name: [] for name in names}
    for rpm in speeds:
        found, plane, twist = turning_modes(tm4760.build(speed_rpm=rpm, push=0.0), rpm * np.pi / 30, 10)
        hertz, first = found / (2 * np.pi), 1 if rpm else 0  # the hinge modes come first where it turns
        across = np.flatnonzero(plane < 0.5)[: 4 + first]
        torsion = across[np.argmax(twist[across])]
        flap = hertz[across[across != torsion]][first:]
        lag = hertz[plane > 0.5][first:]
        for name, value in zip(names, (flap[0], flap[1], lag[0], flap[2], hertz[torsion]), strict=True):
            ours[name].append(value)
    for k, name in enumerate(names):
        nastran, mbdyn = np.array([table[name, rpm] for rpm in speeds]).T
        axes[0].plot(speeds, ours[name], f"C{k}-", label=name)
        axes[0].plot(speeds, nastran, f"C{k}o", markerfacecolor="none")
        axes[0].plot(speeds, mbdyn, f"C{k}x", markersize=4)
        axes[1].plot(speeds, 100 * (np.array(ours[name]) / nastran - 1), f"C{k}-", label=name)
        axes[1].plot(speeds, 100 * (mbdyn / nastran - 1), f"C{k}x:", markersize=4, linewidth=0.7)
    axes[1].axhspan(-0.3, 0.3, color="k", alpha=0.05)
    axes[0].set(xlabel="speed [rpm]", ylabel="frequency [Hz]", title="lines: Samara, o: NASTRAN, x: MBDyn")
    axes[1].set(xlabel="speed [rpm]", ylabel="difference to NASTRAN [%]", title="lines: Samara, x: MBDyn")
    axes[0].legend(fontsize="small")
    return picture


@figure
def spin_up_lag() -> plt.Figure:
    """Tip of the beam that comes up to speed, seen from its shaft."""
    picture, axes = plt.subplots(1, 2, figsize=(9.6, 3.4))
    run = spin_up.SPIN_UP.run()
    tip = spin_up.in_the_shaft(run, "beam.n8")
    axes[0].plot(run.time, tip[:, 1])
    axes[0].axhline(-0.574, color="k", linestyle=":", linewidth=0.8)
    axes[0].annotate("published, 0.574 m", (12, -0.574), (0, 4), textcoords="offset points", fontsize="small")
    axes[0].set(xlabel="time [s]", ylabel="tip across the shaft's arm [m]")
    axes[1].plot(run.time, 1e3 * (tip[:, 0] - spin_up.LENGTH))
    axes[1].axhline(0.5142857, color="k", linestyle=":", linewidth=0.8)
    axes[1].annotate(r"$m \Omega^2 L^3 / 3EA$", (1, 0.5142857), (0, 4), textcoords="offset points", fontsize="small")
    axes[1].set(xlabel="time [s]", ylabel="tip along it, less its length [mm]", ylim=(-1.0, 0.8))
    return picture


def tumbling(rho: float, step: float, balance: str = "energy", end: float = 3.0) -> Results:
    """A free beam, 30 times as long as thick, that tumbles and vibrates."""
    model, spin, count = Model("free beam"), np.array([0.5, 1.0, 4.0]), 4
    nodes = []
    for k, x in enumerate(np.linspace(-0.5, 0.5, 2 * count + 1)):
        v = 0.5 * np.array([0, np.cos(2 * np.pi * x), 1.3 * np.sin(3 * np.pi * x)])
        w = 0.5 * np.pi * np.array([0, -3.9 * np.cos(3 * np.pi * x), -2 * np.sin(2 * np.pi * x)])
        p = np.array([x, 0.0, 0.0])
        nodes.append(model.node(f"n{k}", p, velocity=np.cross(spin, p) + v, angular_velocity=spin + w))
    section, mass = sm.Section((2e3, 1e3, 1e3, 1.5, 1.0, 2.0)), sm.SectionMass(1.0, inertia=(3e-3, 1e-3, 2e-3))
    for e in range(count):
        model.add(f"beam{e}", sm.Beam3(*nodes[2 * e : 2 * e + 3], section=section, balance=balance))
        model.add(f"mass{e}", sm.BeamMass3(*nodes[2 * e : 2 * e + 3], section=mass))
    return transient(Simulation(model, TwoStep(rho), tolerance=1e-12), end, step, progress=False)


@figure
def free_beam() -> plt.Figure:
    """Energy of a free beam over time, and largest changes of energy and momentum over the step."""
    picture, axes = plt.subplots(1, 2, figsize=(9.6, 3.6))
    steps = np.array([1e-3, 5e-4, 2.5e-4, 1.25e-4])
    for rho, colour in ((1.0, "C0"), (0.6, "C1")):
        energies, momenta = [], []
        for h in steps:
            run = tumbling(rho, h)
            energy = run["model.kinetic"] + run["model.potential"]
            spin = sum(run[f"mass{e}.angular_momentum"] for e in range(4))
            energies.append(np.abs(energy / energy[0] - 1).max())
            momenta.append(np.linalg.norm(spin - spin[0], axis=1).max() / np.linalg.norm(spin[0]))
            if h == steps[1]:
                axes[0].plot(run.time, 1e4 * (energy / energy[0] - 1), colour, label=rf"$\rho_\infty = {rho}$")
        axes[1].loglog(steps, energies, f"{colour}o-", label=rf"energy, $\rho_\infty = {rho}$")
        axes[1].loglog(steps, momenta, f"{colour}s--", label=rf"angular momentum, $\rho_\infty = {rho}$")
    axes[0].set(xlabel="time [s]", ylabel=r"change of energy [$10^{-4}$]", title="h = 0.5 ms")
    axes[0].legend()
    axes[1].loglog(steps, 3e-6 * (steps / steps[-1]) ** 2, "k:", linewidth=0.8)
    axes[1].loglog(steps, 1e-5 * (steps / steps[-1]) ** 3, "k:", linewidth=0.8)
    axes[1].set(xlabel="step [s]", ylabel="largest relative change", title="dotted: orders 2 and 3")
    axes[1].legend(fontsize="small")
    return picture


def make(names: list[str], folder: Path = FOLDER) -> list[Path]:
    """Draw the named figures, or all, and return the files."""
    folder.mkdir(parents=True, exist_ok=True)
    made = []
    for name in names or list(FIGURES):
        with plt.rc_context(STYLE):
            picture = FIGURES[name]()
            made.append(folder / f"{name}.svg")
            picture.savefig(made[-1], metadata={"Date": None})
            plt.close(picture)
    return made


def main() -> None:
    """Read the names from the command line."""
    parser = argparse.ArgumentParser(description="Make the figures of the documentation.")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"one or more of: {', '.join(FIGURES)}")
    names = parser.parse_args().names
    unknown = set(names) - set(FIGURES)
    if unknown:
        parser.error(f"no figure named {', '.join(sorted(unknown))}; there are: {', '.join(FIGURES)}")
    for path in make(names):
        print(path)


if __name__ == "__main__":
    main()
