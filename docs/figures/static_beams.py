"""Figures of static beams with their references."""

import json

import matplotlib.pyplot as plt
import numpy as np
from registry import DATA, figure, table

import samara as sm
from samara import Model
from samara.models.beams import bathe45, princeton, rollup
from samara.models.beams.clamped import add_clamped, straight


@figure
def princeton_beam() -> plt.Figure:
    """Tip of the Princeton beam versus load angle: transverse displacements, and twist."""
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
        panel.set(xlabel="load angle [deg]", title=title, xticks=range(0, 91, 30))
    axes[0].legend(fontsize="x-small")
    return picture


@figure
def bathe_bend() -> plt.Figure:
    """Tip of the 45 degree bend versus load, and its error versus number of elements."""
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
    axes[0].set(xlabel="load", ylabel="tip displacement", title="eight three-node beams")
    counts = np.array([2, 4, 8, 16, 32])
    errors = []
    for n in counts:
        run = sm.static(bathe45.build(elements=int(n)), steps=3, outputs=f"n{2 * n}.position")
        errors.append(np.linalg.norm(bathe45.tip(run, int(n))[-1] - exact[600.0]) / np.linalg.norm(exact[600.0]))
    axes[1].loglog(counts, errors, "o", label="tip error, load 600")
    axes[1].loglog(counts, errors[2] * (8 / counts) ** 4, "k:", linewidth=0.8, label="order 4")
    axes[1].set(xlabel="elements", ylabel="relative error of the displacement")
    axes[1].set_xticks(counts, map(str, counts), minor=False)
    axes[1].set_xticks([], minor=True)
    for panel in axes:
        panel.legend(fontsize="small")
    return picture


@figure
def lateral_buckling() -> plt.Figure:
    """A strip loaded in its stiff plane with a small lateral load: lateral deflection versus load."""
    picture, axes = plt.subplots()
    critical = 4.0126  # Prandtl and Michell, in sqrt(EI GJ) / L^2
    for part in (1e-2, 1e-3, 1e-4):
        model = Model("strip")
        tip = add_clamped(model, 8, (1e8, 1e8, 1e8, 1.0, 1e5, 1.0), straight(1.0))[-1]
        model.add("load", sm.Force(tip, force=(0.0, part * 1.2 * critical, 1.2 * critical)))
        run = sm.static(model, steps=60, outputs="n16.position")
        axes.plot(1.2 * critical * run.time, run["n16.position"][:, 1], label=f"lateral load {part:g} of the load")
    axes.axvline(critical, color="k", linestyle=":", label="4.0126, Prandtl and Michell")
    axes.set(xlabel=r"load / $\sqrt{EI\,GJ}/L^2$", ylabel="lateral tip deflection / length")
    axes.legend(fontsize="small")
    return picture


@figure
def beam_roll_up() -> plt.Figure:
    """A cantilever rolled up by a tip moment in eight load steps, and the remaining gap."""
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
        axes[1].loglog(count, gaps, marker, label=f"{nodes} nodes per beam")
        axes[1].loglog(count, gaps[0] * (count[0] / count) ** order, "k:", linewidth=0.8)
        axes[1].annotate(f"order {order}", (count[1], gaps[1]), (6, 6), textcoords="offset points", fontsize="small")
    axes[1].set(xlabel="nodes", ylabel="gap of the circle [m]")
    axes[1].legend()
    return picture
