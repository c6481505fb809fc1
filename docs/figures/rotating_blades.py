"""Figures of rotating and free beams with their references."""

import matplotlib.pyplot as plt
import numpy as np
from registry import figure, published

import samara as sm
from samara import Model, Results, Simulation, TwoStep, transient
from samara.models.beams import rotating_beam, spin_up
from samara.models.rotors import tm4760


def turning_modes(model: Model, speed: float, count: int = 40) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Frequencies [rad/s], the slowest first, with the parts of the motion in the plane and in twist."""
    found = sm.modes(sm.steady_rotation(model, speed) if speed else Simulation(model), count)
    swings = found.natural > 0.1
    return found.frequencies[swings], found.share((1, 5))[swings], found.share((3,))[swings]


@figure
def rotating_beam_modes() -> plt.Figure:
    """Frequencies of the uniform cantilever versus speed, and errors at lam = 12 versus number of elements."""
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
    axes[1].annotate("tolerance", (2, 0.1), (0, 3), textcoords="offset points", fontsize="small")
    axes[1].set(xlabel="elements", ylabel="error of flap frequencies [%]", xticks=elements, xticklabels=elements)
    axes[1].minorticks_off()
    axes[1].legend(fontsize="small")
    return picture


@figure
def tm4760_frequencies() -> plt.Figure:
    """Frequencies of the NASA TM 4760 blade with those of NASTRAN and MBDyn, and differences from NASTRAN."""
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
    axes[1].set(xlabel="speed [rpm]", ylabel="difference from NASTRAN [%]", title="lines: Samara, x: MBDyn")
    axes[0].legend(fontsize="small")
    return picture


@figure
def spin_up_lag() -> plt.Figure:
    """Tip of the accelerated beam in axes of its shaft."""
    picture, axes = plt.subplots(1, 2, figsize=(9.6, 3.4))
    run = spin_up.SPIN_UP.run()
    tip = spin_up.in_the_shaft(run, "beam.n8")
    axes[0].plot(run.time, tip[:, 1])
    axes[0].axhline(-0.574, color="k", linestyle=":", linewidth=0.8)
    axes[0].annotate("published, 0.574 m", (12, -0.574), (0, 4), textcoords="offset points", fontsize="small")
    axes[0].set(xlabel="time [s]", ylabel="lateral tip displacement [m]")
    axes[1].plot(run.time, 1e3 * (tip[:, 0] - spin_up.LENGTH))
    axes[1].axhline(0.5142857, color="k", linestyle=":", linewidth=0.8)
    axes[1].annotate(r"$m \Omega^2 L^3 / 3EA$", (1, 0.5142857), (0, 4), textcoords="offset points", fontsize="small")
    axes[1].set(xlabel="time [s]", ylabel="axial tip displacement [mm]", ylim=(-1.0, 0.8))
    return picture


def tumbling(rho: float, step: float, balance: str = "energy", end: float = 3.0) -> Results:
    """A tumbling and vibrating free beam with a slenderness of 30."""
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
    """Energy of a free beam versus time, and largest changes of energy and momentum versus step."""
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
