"""Make the figures of the documentation: `python docs/figures/make.py [NAME ...]`.

A figure is a function marked with @figure that draws on a new Matplotlib figure and returns it. It is
written to docs/_generated/figures/NAME.svg, at every build of the documentation; nothing drawn is committed.
"""

import argparse
import json
from collections.abc import Callable
from pathlib import Path

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt
import numpy as np

import samara as sm
from samara import Body, Model, Results, Simulation, TwoStep, transient
from samara.models import bathe45, double_pendulum, pendulum, princeton, robot, rollup
from samara.models.clamped import add_clamped, straight
from samara.models.robot_rigid import rigid_motion

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


@figure
def beam_roll_up() -> plt.Figure:
    """A cantilever rolled up by a tip couple in eight load steps, and how far its tip stays from the clamp."""
    picture, axes = plt.subplots(1, 2, figsize=(8.4, 3.6))
    run = sm.static(rollup.build(), steps=8)
    exact = rollup.circle(run.time[:, None], along=np.linspace(0, 1, 100))
    for k in range(len(run)):
        points = np.array([[0, 0, 0], *(run[f"n{i}.position"][k] for i in range(1, 21))])
        axes[0].plot(exact[k, :, 0], exact[k, :, 1], "k:", linewidth=0.8, label="exact" if k == 0 else None)
        axes[0].plot(points[:, 0], points[:, 1], ".", color=plt.cm.viridis(k / 8))
    axes[0].set(aspect="equal", xlabel="x [m]", ylabel="y [m]", title="nodes of ten three-node beams")
    axes[0].legend(fontsize="small")
    for nodes, counts, order, marker in ((3, (5, 10, 20, 40), 4, "o"), (2, (10, 20, 40, 80), 2, "s")):
        count = (nodes - 1) * np.array(counts)
        runs = [sm.static(rollup.build(elements=n, nodes=nodes), steps=8) for n in counts]
        gaps = np.array([np.linalg.norm(r[f"n{c}.position"][-1]) for r, c in zip(runs, count, strict=True)])
        axes[1].loglog(count, gaps, marker, label=f"{nodes} nodes a beam")
        axes[1].loglog(count, gaps[0] * (count[0] / count) ** order, "k:", linewidth=0.8)
        axes[1].annotate(f"order {order}", (count[1], gaps[1]), (6, 6), textcoords="offset points", fontsize="small")
    axes[1].set(xlabel="nodes", ylabel="gap of the circle [m]")
    axes[1].legend()
    return picture


# ---- validation: ours beside the reference


def table(name: str) -> np.ndarray:
    """Rows of a data file of the tests."""
    return np.loadtxt(DATA / name, delimiter=",", skiprows=2)


@figure
def princeton_beam() -> plt.Figure:
    """Tip of the Princeton beam over the angle of the load: displacements across the beam, and twist."""
    picture, axes = plt.subplots(1, 3, figsize=(9.6, 3.4), sharex=True)
    exact, ansys = table("princeton_computed.csv"), table("princeton_ansys.csv")
    angles = np.linspace(0.0, 90.0, 19)
    for load, colour in ((4.448, "#0072B2"), (8.896, "#D55E00"), (13.345, "#009E73")):
        found = []
        for angle in np.radians(angles):
            run = sm.static(princeton.build(load, angle), steps=2, outputs="n16.*")
            displacement, twist = princeton.tip(run)
            found.append([-1e3 * displacement[-1, 1], 1e3 * displacement[-1, 2], np.degrees(twist[-1])])
        here, other = exact[exact[:, 0] == load], ansys[ansys[:, 0] == load]
        marks = (-1e3 * here[:, 3], 1e3 * here[:, 4], here[:, 5])
        for k, panel in enumerate(axes):
            panel.plot(angles, np.array(found)[:, k], color=colour, label=f"{load:g} N")
            panel.plot(here[:, 1], marks[k], "o", color=colour, fillstyle="none")
            if k < 2:
                panel.plot(other[:, 1], 1e3 * other[:, 2 + k], "x", color=colour)
    axes[0].plot([], [], "ko", fillstyle="none", label="exact rod")
    axes[0].plot([], [], "kx", label="ANSYS")
    titles = ("along the height [mm]", "along the width [mm]", "twist [deg]")
    for panel, title in zip(axes, titles, strict=True):
        panel.set(xlabel="angle of the load [deg]", title=title, xticks=range(0, 91, 30))
    axes[0].legend(fontsize="x-small")
    return picture


@figure
def bathe_bend() -> plt.Figure:
    """Tip of the 45 degree bend over the load, and its error over the number of elements."""
    picture, axes = plt.subplots(1, 2, figsize=(8.4, 3.6))
    reference = json.loads((DATA / "bathe45_computed.json").read_text("utf-8"))
    key = "bathe45 nu=0, GA=EA/2 (no shear factor), GJ=G*Jpolar=8.3333e5 F={}"
    exact = {load: np.array(reference[key.format(load)]["tip_displacement"]) for load in (300.0, 450.0, 600.0)}
    run = sm.static(bathe45.build(), steps=12, outputs="n16.position")
    moved = bathe45.tip(run)
    for k, (name, colour) in enumerate((("x", "#0072B2"), ("y", "#D55E00"), ("z", "#009E73"))):
        axes[0].plot([0.0, *(600.0 * run.time)], [0.0, *moved[:, k]], color=colour, label=name)
        axes[0].plot(list(exact), [u[k] for u in exact.values()], "o", color=colour, fillstyle="none")
        axes[0].plot(600.0, (-23.5, -13.4, 53.4)[k], "x", color=colour)
    axes[0].plot([], [], "ko", fillstyle="none", label="exact rod")
    axes[0].plot([], [], "kx", label="published 1979")
    axes[0].set(xlabel="load", ylabel="displacement of the tip", title="eight three-node beams")
    counts = np.array([2, 4, 8, 16, 32])
    errors = []
    for n in counts:
        run = sm.static(bathe45.build(elements=int(n)), steps=3, outputs=f"n{2 * n}.position")
        errors.append(np.linalg.norm(bathe45.tip(run, int(n))[-1] - exact[600.0]) / np.linalg.norm(exact[600.0]))
    axes[1].loglog(counts, errors, "o", label="error of the tip, load 600")
    axes[1].loglog(counts, errors[2] * (8 / counts) ** 4, "k:", linewidth=0.8, label="order 4")
    axes[1].set(xlabel="elements", ylabel="of the displacement")
    axes[1].set_xticks(counts, map(str, counts), minor=False)
    axes[1].set_xticks([], minor=True)
    for panel in axes:
        panel.legend(fontsize="small")
    return picture


@figure
def lateral_buckling() -> plt.Figure:
    """A strip loaded in its stiff plane, pushed a little aside: how far it goes aside as the load grows."""
    picture, axes = plt.subplots()
    critical = 4.0126  # Prandtl and Michell, in sqrt(EI GJ) / L^2
    for part in (1e-2, 1e-3, 1e-4):
        model = Model("strip")
        tip = add_clamped(model, 8, (1e8, 1e8, 1e8, 1.0, 1e5, 1.0), straight(1.0))[-1]
        model.add("load", sm.Force(tip, force=(0.0, part * 1.2 * critical, 1.2 * critical)))
        run = sm.static(model, steps=60, outputs="n16.position")
        axes.plot(1.2 * critical * run.time, run["n16.position"][:, 1], label=f"push aside {part:g} of the load")
    axes.axvline(critical, color="k", linestyle=":", label="4.0126, Prandtl and Michell")
    axes.set(xlabel=r"load, in $\sqrt{EI\,GJ}/L^2$", ylabel="tip aside / length")
    axes.legend(fontsize="small")
    return picture


@figure
def robot_motion() -> plt.Figure:
    """Two-link robot: frequencies over the mesh, chords under a pulse beside rigid links, momentum and impulse."""
    picture, axes = plt.subplots(1, 3, figsize=(9.6, 3.4))
    counts = np.array([1, 2, 4, 8, 16])
    for link, name, marker in ((robot.STEEL, "link 1", "o"), (robot.ALUMINIUM, "link 2", "s")):
        found = [sm.modes(robot.clamped_link(link, int(n)), 12) for n in counts]
        plane = np.array([m.frequencies_hz[m.share((1, 5)) > 0.9][:2] for m in found])
        exact = np.array([3.516015, 22.034492]) / (2 * np.pi) * np.sqrt(link.EI / (link.mass * robot.LENGTH**3))
        for k, style in enumerate(("-", "--")):
            axes[0].loglog(counts, np.abs(plane[:, k] / exact[k] - 1), marker + style, label=f"{name}, mode {k + 1}")
    axes[0].set(xlabel="beams a link", title="error of the clamped frequency")
    axes[0].set_xticks(counts, map(str, counts), minor=False)
    axes[0].set_xticks([], minor=True)
    model = robot.build(beams=2, angle_2=0.5, pulse_2=-0.1)
    run = transient(model, 3.6, 1 / 330, progress=False)
    rigid = rigid_motion(1.0, -0.1, 2.4, 0.5, 3.6)(run.time)
    chords = np.array([run["link_1.n4.position"], run["link_2.n4.position"] - run["link_1.n4.position"]])
    first, second = np.degrees(np.unwrap(np.arctan2(chords[:, :, 1], chords[:, :, 0])))
    for ours, theirs, name, colour in (
        (first, rigid[0], "link 1", "#0072B2"),
        (second, rigid[0] + rigid[1], "link 2", "#D55E00"),
    ):
        axes[1].plot(run.time, ours, color=colour, label=name)
        axes[1].plot(run.time[::60], np.degrees(theirs[::60]), "o", color=colour, fillstyle="none")
    axes[1].plot([], [], "ko", fillstyle="none", label="rigid links")
    axes[1].set(xlabel="time [s]", title="chords of the links [deg]")
    torque = -run["motor_1.effort"]
    impulse = np.concatenate([[0.0], np.cumsum(0.5 * np.diff(run.time) * (torque[1:] + torque[:-1]))])
    axes[2].plot(run.time, robot.angular_momentum(model, run), label="angular momentum")
    axes[2].plot(run.time[::60], impulse[::60], "ko", fillstyle="none", label="impulse of motor 1")
    axes[2].set(xlabel="time [s]", title="about the first hinge [kg m²/s]")
    for panel in axes:
        panel.legend(fontsize="x-small")
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
