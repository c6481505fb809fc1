"""Figures of section loads in hover."""

import sys

import matplotlib.pyplot as plt
import numpy as np
from registry import DATA, figure, published


@figure
def section_lift() -> plt.Figure:
    """Section lift of Caradonna and Tung's rotor along the radius: measured, uniform and annular inflow, wakes."""
    sys.path.insert(0, str(DATA.parent))
    from vortex_wake import annular, constant_blade, through, uniform, wake_loads

    from samara import naca0012

    foil = naca0012()

    def section(alpha: np.ndarray, mach: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        pairs = [foil.coefficients(float(a), float(m))[:2] for a, m in zip(alpha, mach, strict=True)]
        return tuple(np.array(pairs, dtype=float).T)

    lift = [row for row in published("caradonna_tung_section_lift.csv") if row["rpm"] == "1250"]
    thrust = {row["theta_deg"]: float(row["CT"]) for row in published("caradonna_tung_ct.csv") if row["rpm"] == "1250"}
    vortices = {row["theta_deg"]: row for row in published("caradonna_tung_tip_vortex.csv")}
    free = {row["theta_deg"]: row for row in published("caradonna_tung_free_wake_computed.csv")}
    picture, all_axes = plt.subplots(1, 3, figsize=(9.6, 3.8), sharex=True)
    for axes, pitch in zip(all_axes, ("5", "8", "12"), strict=True):
        blade = constant_blade(2, 1 / 6, 1 / 6, np.radians(float(pitch)), 24)
        wake = through((float(vortices[pitch]["r_R"]), float(vortices[pitch]["z_R"])), thrust[pitch])
        loads = {
            "uniform inflow": (uniform(blade, section, 0.435), "C7-"),
            "annular inflow, tip loss": (annular(blade, section, 0.435), "C0-"),
            "measured tip vortex, c/4": (wake_loads(blade, section, 0.435, wake), "C1--"),
            "the same, 3c/4": (wake_loads(blade, section, 0.435, wake, behind=0.5), "C1-"),
        }
        for name, (found, style) in loads.items():
            axes.plot(found.r[:-1], found.cl[:-1], style, linewidth=1.2, label=name)
        radii = (0.50, 0.68, 0.80, 0.89, 0.96)
        axes.plot(radii, [float(free[pitch][f"cl_{r:.2f}"]) for r in radii], "C2s", markersize=4, label="free wake")
        here = [row for row in lift if row["theta_deg"] == pitch]
        axes.plot([float(r["r_R"]) for r in here], [float(r["cl_figure"]) for r in here], "k^", label="measured")
        axes.set(title=f"{pitch} degrees", xlabel="r / R", xlim=(0.3, 1.0), ylim=(0.0, None))
    all_axes[0].set_ylabel("section lift coefficient")
    handles, labels = all_axes[0].get_legend_handles_labels()
    picture.legend(handles, labels, fontsize="small", loc="outside lower center", ncols=3)
    return picture
