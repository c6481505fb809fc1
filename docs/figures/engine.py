"""Figures of the engine: integrators, drives, laws, linear solver."""

import matplotlib.pyplot as plt
import numpy as np
from registry import figure

import samara as sm
from samara import Body, Model, Results, Simulation, TwoStep, transient
from samara.models.mechanisms import double_pendulum, pendulum


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
    """A double pendulum in large motion with an initial velocity."""
    model = double_pendulum.build(angle_1=1.5, angle_2=1.0)
    model.nodes["lower"].begin(angular_velocity=(0.0, 0.0, -4.0))  # rad/s; the start finds the velocities
    return transient(Simulation(model, TwoStep(rho), tolerance=tolerance), end, step, progress=False)


@figure
def index3_order() -> plt.Figure:
    """Errors of a double pendulum versus step; the reference has 1/16 of the smallest step."""
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
    """Energy of a double pendulum: an oscillation with the square of the step, and a loss with its cube."""
    picture, axes = plt.subplots(1, 2, figsize=(9.6, 3.4))
    for h in (2e-3, 1e-3, 5e-4):
        run = swing(0.6, h, end=4.0, tolerance=1e-12)
        energy = run["model.kinetic"] + run["model.potential"]
        axes[0].plot(run.time, (energy - energy[0]) / h**2, linewidth=1, label=f"h = {1e3 * h:g} ms")
    axes[0].set(xlabel="time [s]", ylabel="change of energy / h² [J/s²]", title=r"scaled by h², $\rho_\infty = 0.6$")
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
    """A free body tumbling about its intermediate axis: angular velocity, change of energy and momentum."""
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
    titles = ("angular velocity, body axes [rad/s]", "kinetic energy, change", "angular momentum, change")
    for panel, title in zip(axes, titles, strict=True):
        panel.set(xlabel="time [s]", title=title)
        panel.legend(fontsize="small")
    return picture


@figure
def variable_step() -> plt.Figure:
    """A pendulum with error-controlled step: step versus time, and error versus requested accuracy."""
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
    axes[1].set(xlabel="requested accuracy")
    for panel in axes:
        panel.legend(fontsize="small")
    return picture


@figure
def first_model() -> plt.Figure:
    """The plot of the first model of the guide."""
    model = sm.Model("pendulum", gravity=(0, 0, -9.81))
    bob = model.node("bob", position=(1, 0, 0))
    model.add("mass", sm.Body(bob, mass=1.0, inertia=(0.01, 0.01, 0.01)))
    model.add("hinge", sm.Revolute(model.ground, bob, at=(0, 0, 0), axis=(0, 1, 0)))
    return sm.transient(model, end=10.0, step=1e-3, progress=False).plot("hinge.angle", "hinge.force")


@figure
def magnetic_spring() -> plt.Figure:
    """The plot of the user-defined element of the guide."""
    from samara.benchmarks.solver.user_element import MagneticSpring

    model = sm.Model("floating magnet", gravity=(0, 0, -9.81))
    ring = model.node("ring", position=(0, 0, 0.08))
    model.add("mass", sm.Body(ring, mass=0.1, inertia=(1e-5, 1e-5, 1e-5)))
    model.add("rod", sm.Prismatic(model.ground, ring, axis=(0, 0, 1)))
    model.add("magnet", MagneticSpring(model.ground, ring, strength=1e-5))
    run = sm.transient(model, end=1.0, step=5e-4, progress=False)
    return run.plot("magnet.length", "magnet.effort", "model.kinetic", "model.potential")


@figure
def drives() -> plt.Figure:
    """The drives versus time."""
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
    """Force of the laws: elastic ones versus coordinate, viscous ones versus rate."""
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
    """Matrix of a chain of eight links in the original order and in pivot order, with the supernodes."""
    from samara.models.mechanisms import chain

    sim = Simulation(chain.build(8))
    sm.assemble(sim)
    sim.analyse_for(1e-3)
    s, lu = sim.system, sim.lu
    rows = np.repeat(np.arange(s.unknowns.size), np.diff(s.pattern.indptr))
    picture, axes = plt.subplots(1, 2, figsize=(9.6, 4.6))
    axes[0].plot(s.pattern.indices, rows, "s", markersize=1.5, color="#0072B2")
    row_rank, column_rank = np.argsort(lu.row_order), np.argsort(lu.column_order)
    axes[1].plot(column_rank[s.pattern.indices], row_rank[rows], "s", markersize=1.5, color="#0072B2")
    at = first = 0
    while at < lu.forward_program.size:  # one passage a supernode: pivots, L, stride, place, rows below, their places
        pivots, below = int(lu.forward_program[at]), int(lu.forward_program[at + 4])
        corner = (first - 0.5, first - 0.5)
        axes[1].add_patch(plt.Rectangle(corner, pivots, pivots, color="#E69F00", alpha=0.35, linewidth=0))
        at, first = at + 5 + below, first + pivots
    counts = f"{s.unknowns.size} unknowns, {s.pattern.nnz} entries"
    titles = (f"original order: {counts}", "pivot order; supernodes shaded")
    for panel, title in zip(axes, titles, strict=True):
        panel.set(xlim=(-1, s.unknowns.size), ylim=(s.unknowns.size, -1), aspect="equal")
        panel.set_title(title, fontsize="small")
        panel.grid(False)
    return picture
