"""Make the figures of the documentation: `python docs/figures/make.py [NAME ...]`.

A figure is a function marked with @figure that draws on a new Matplotlib figure and returns it. It is
written to docs/_generated/figures/NAME.svg, at every build of the documentation; nothing drawn is committed.
"""

import argparse
from collections.abc import Callable
from pathlib import Path

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt
import numpy as np

import samara as sm
from samara import Body, Model, Results, Simulation, TwoStep, transient
from samara.models import double_pendulum, pendulum

FOLDER = Path(__file__).resolve().parents[1] / "_generated" / "figures"
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


@figure
def polars() -> plt.Figure:
    """Coefficients of the NACA 0012 around the circle and near stall, by table and by formula."""
    from samara.elements.aero import KirchhoffAerofoil, naca0012

    table, formula = naca0012(), KirchhoffAerofoil()
    picture, axes = plt.subplots(2, 3, figsize=(9.6, 5.4))
    for row, angles in zip(axes, (np.linspace(-180, 180, 721), np.linspace(-25, 25, 401)), strict=True):
        for mach, color in ((0.3, "C0"), (0.5, "C1"), (0.7, "C2"), (0.8, "C3")):
            values = np.array([table.coefficients(np.radians(a), mach) for a in angles])
            smooth = np.array([formula.coefficients(np.radians(a), mach) for a in angles])
            for panel, y, z in zip(row, values.T, smooth.T, strict=True):
                panel.plot(angles, y, color=color, linewidth=1.2, label=f"Mach {mach:g}")
                if mach in (0.3, 0.5):
                    panel.plot(angles, z, color=color, linewidth=0.9, linestyle=":")
    for panel, title in zip(axes[0], ("cl", "cd", "cm"), strict=True):
        panel.set(title=title, xticks=(-180, -90, 0, 90, 180))
    for panel in axes[1]:
        panel.set(xlabel="angle of attack [degrees]")
    axes[1, 0].legend(fontsize="x-small")
    return picture


@figure
def gusts() -> plt.Figure:
    """Shapes of the gusts in time, and a front seen by three points of a rotor disk."""
    from samara.elements.aero import Front, OneMinusCosine, SineGust, SmoothStep

    up, times = (0.0, 0.0, 5.0), np.linspace(0.0, 1.0, 401)
    shapes = {
        "OneMinusCosine": OneMinusCosine(up, duration=0.5, start=0.2),
        "SmoothStep": SmoothStep(up, duration=0.3, start=0.2),
        "SineGust": SineGust(up, frequency=20.0, start=0.2),
    }
    picture, axes = plt.subplots(1, 2, figsize=(9.6, 3.2), sharey=True)
    for label, gust in shapes.items():
        axes[0].plot(times, [gust.velocity(np.zeros(3), t)[2] for t in times], label=label)
    front = Front(shapes["OneMinusCosine"], direction=(1, 0, 0), speed=30.0)
    for x in (-5.0, 0.0, 5.0):
        place = np.array([x, 0.0, 0.0])
        axes[1].plot(times, [front.velocity(place, t)[2] for t in times], label=f"x = {x:g} m")
    axes[0].set(xlabel="time [s]", ylabel="vertical velocity [m/s]", title="everywhere at once")
    axes[1].set(xlabel="time [s]", title="Front at 30 m/s along x")
    for panel in axes:
        panel.legend(fontsize="small")
    return picture


@figure
def dryden() -> plt.Figure:
    """Turbulence at two points of a disk, and its spectrum against the published one."""
    from scipy.signal import welch

    from samara.elements.aero import Dryden, dryden_spectrum

    speed, rate = 30.0, 20.0
    field = Dryden.low_altitude(30.0, 15.0, speed=speed, seed=4, period=30e3, shortest=4.0)
    picture, axes = plt.subplots(1, 2, figsize=(9.6, 3.4))
    times = np.arange(0.0, 20.0, 0.05)
    for x in (-10.0, 10.0):
        signal = [field.velocity(np.array([x, 0.0, 0.0]), t)[2] for t in times]
        axes[0].plot(times, signal, linewidth=1, label=f"w at x = {x:g} m")
    axes[0].set(xlabel="time [s]", ylabel="velocity [m/s]")
    samples = np.array([field.velocity(np.zeros(3), t) for t in np.arange(0.0, 1000.0, 1 / rate)])
    for k, name in ((0, "u"), (2, "w")):
        f, density = welch(samples[:, k], rate, "hann", 512)
        wave = 2 * np.pi * f[2:-1] / speed  # rad/m
        axes[1].loglog(wave, density[2:-1] * speed / (2 * np.pi), linewidth=0.8, label=f"{name}, realised")
        published = dryden_spectrum(wave, field.intensity[k], field.scale[k], k == 0)
        axes[1].loglog(wave, published, "k--" if k else "k-", linewidth=1, label=f"{name}, MIL-F-8785C")
    axes[1].set(xlabel="wave number [rad/m]", ylabel="density [(m/s)²/(rad/m)]", ylim=(1e-4, None))
    for panel in axes:
        panel.legend(fontsize="small")
    return picture


@figure
def dynamic_stall() -> plt.Figure:
    """Loops of a pitching NACA 0012 at Mach 0.3, k = 0.1, by Leishman and Beddoes' model, with the steady loads."""
    from scipy.integrate import solve_ivp

    from samara.elements.aero import KirchhoffAerofoil, LeishmanBeddoes

    section, steady = LeishmanBeddoes(), KirchhoffAerofoil()
    speed, chord, sound = 102.0, 0.5, 340.0
    omega = 2 * speed * 0.1 / chord
    period = 2 * np.pi / omega
    picture, axes = plt.subplots(1, 3, figsize=(9.6, 3.4))
    angles = np.linspace(0.0, 25.0, 126)
    static = np.array([steady.coefficients(np.radians(a), 0.3) for a in angles])
    for panel, y, title in zip(axes, static.T, ("cl", "cd", "cm"), strict=True):
        panel.plot(angles, y, "k:", linewidth=1, label="steady")
        panel.set(xlabel="angle of attack [degrees]", title=title)
    for mean, amplitude in ((5.0, 5.0), (10.0, 10.0), (15.0, 10.0)):

        def motion(t, mean=mean, amplitude=amplitude):
            swing = np.radians(amplitude)
            return np.radians(mean) + swing * np.sin(omega * t), swing * omega * np.cos(omega * t)

        times = np.linspace(period, 2 * period, 401)
        start = section.steady(motion(0.0)[0], 0.0, speed, chord, sound)
        run = solve_ivp(
            lambda t, y, motion=motion: section(y, *motion(t), speed, chord, sound)[0],
            (0.0, 2 * period), start, method="BDF", t_eval=times, rtol=1e-5, atol=1e-7, max_step=period / 200,
        )  # fmt: skip
        loads = [section(y, *motion(t), speed, chord, sound)[1:] for t, y in zip(times, run.y.T, strict=True)]
        alpha = np.degrees(motion(times)[0])
        for panel, load in zip(axes, np.transpose(loads), strict=True):
            panel.plot(alpha, load, linewidth=1.2, label=f"{mean:g}° + {amplitude:g}° sin")
    axes[0].legend(fontsize="x-small")
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
