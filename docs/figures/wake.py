"""Figures of the free vortex wake."""

import csv

import matplotlib.pyplot as plt
import numpy as np
from registry import DATA, figure

TURN = 60.0 / 1250.0


def _hover(inboard: int, revolutions: int = 40):
    """Caradonna and Tung's rotor at 8 degrees: its simulation, mean section lift, and the radii of its stations [R]."""
    import samara as sm
    from samara.models.rotors.caradonna_tung import STATIONS, caradonna_tung

    inflow = sm.FreeWake(step=TURN / 30, inboard=inboard)
    sim = sm.Simulation(caradonna_tung(8.0, 1250.0, 0.439, inflow=inflow))
    found = sm.transient(sim, revolutions * TURN, TURN / 30, progress=False, outputs=("blade_1.cl", "blade_1.mach"))
    lift = found["blade_1.cl"] * (found["blade_1.mach"] / (STATIONS * 0.439)) ** 2
    return sim, lift[-300:].mean(axis=0), STATIONS


def _read(name: str, **wanted: str) -> list[dict]:
    with (DATA / name).open() as file:
        rows = list(csv.DictReader(line for line in file if not line.startswith("#")))
    return [row for row in rows if all(row[key] == value for key, value in wanted.items())]


@figure
def wake_hover() -> plt.Figure:
    """Free wake in hover: tip vortices and velocity field, and section lift with the measurement."""
    import samara as sm
    from samara.models.rotors.caradonna_tung import RADIUS

    picture, (left, right) = plt.subplots(1, 2, figsize=(8.0, 3.6))
    for inboard, style in ((1, "C0-"), (3, "C1--")):
        sim, lift, stations = _hover(inboard)
        right.plot(stations, lift, style, label=f"free wake, inboard filaments: {inboard}")
        if inboard > 1:
            continue
        wake = sm.wake_geometry(sim)
        x, z = np.meshgrid(np.linspace(-1.4, 1.4, 57), np.linspace(-1.6, 0.4, 41))
        speed = wake.velocity(RADIUS * np.stack([x, 0.02 + 0.0 * x, z], axis=-1))
        shades = left.contourf(x, z, speed[..., 2], np.linspace(-18, 6, 13), cmap="Blues_r", extend="both")
        picture.colorbar(shades, ax=left, label="upward velocity [m/s]", shrink=0.8)
        for filament in wake.filaments:
            if filament.number == 0:
                left.plot(*(filament.points[:, (0, 2)] / RADIUS).T, f"C{filament.blade + 1}", linewidth=0.8)
    left.set(xlabel="x / R", ylabel="z / R", aspect="equal")
    rows = _read("caradonna_tung_section_lift.csv", theta_deg="8", rpm="1250")
    right.plot([float(r["r_R"]) for r in rows], [float(r["cl_figure"]) for r in rows], "k^", label="measured")
    right.set(xlabel="r / R", ylabel="section lift coefficient", ylim=(0, 0.5))
    right.legend(fontsize="small")
    return picture
