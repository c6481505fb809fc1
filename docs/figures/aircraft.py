"""Figures of aircraft from published data."""

import csv

import matplotlib.pyplot as plt
import numpy as np
from registry import DATA, figure

KNOT = 1852.0 / 3600.0


def rows(name: str) -> list[dict[str, str]]:
    """Rows of a file of reference data, without its comments."""
    with (DATA / name).open() as file:
        return list(csv.DictReader(line for line in file if not line.startswith("#")))


def finish(axes: np.ndarray, speeds: list[float], found: list, unit: str) -> None:
    """The power, and labels of controls, attitude and power versus airspeed."""
    from samara.models.helicopters.conventional import power

    axes[2].plot(speeds, [1e-3 * power(f.results) for f in found], "C0-", label="both rotors")
    axes[2].set_ylim(0.0)
    for axis, label in zip(axes, ("blade pitch [deg]", "attitude [deg]", "power [kW]"), strict=True):
        axis.set(xlabel=f"airspeed [{unit}]", ylabel=label)
        axis.legend(fontsize="small")


@figure
def uh60_trim() -> plt.Figure:
    """Trim of the UH-60A versus airspeed, with that of GENHEL."""
    from samara.models.helicopters import uh60

    table = rows("uh60_trim.csv")
    speeds = [float(row["kt"]) for row in table]
    found = [uh60.trim(speed * KNOT) for speed in speeds]
    printed = [
        uh60.rigged(**{name: float(row[f"{name}_in"]) for name in ("longitudinal", "lateral", "collective", "pedal")})
        for row in table
    ]
    picture, axes = plt.subplots(1, 3, figsize=(10.5, 3.6))
    labels = {"collective": "collective, root", "lateral": "lateral", "longitudinal": "longitudinal",
              "pedal": "tail rotor, root"}  # fmt: skip
    for k, (name, label) in enumerate(labels.items()):
        sign = -1.0 if name == "pedal" else 1.0
        axes[0].plot(speeds, [sign * np.degrees(f.controls[name]) for f in found], f"C{k}-", label=label)
        axes[0].plot(speeds, [sign * np.degrees(p[name]) for p in printed], f"C{k}o", markersize=4)
    for k, name in enumerate(("pitch", "roll")):
        axes[1].plot(speeds, [np.degrees(f.controls[name]) for f in found], f"C{k}-", label=name)
    axes[1].plot(speeds, [float(row["pitch_deg"]) for row in table], "C0o", markersize=4)
    finish(axes, speeds, found, "kt")
    picture.suptitle(
        "UH-60A: Samara (lines), NASA TM 85890 (dots); stand-ins: stabilator schedule, tail hinges", size=9
    )
    return picture


@figure
def bo105_trim() -> plt.Figure:
    """Trim of the BO-105C versus airspeed, with the hover values of NASA CR-3144."""
    from samara.models.helicopters import bo105

    printed = {row["key"]: float(row["value"]) for row in rows("bo105c_cr3144.csv") if row["key"].startswith("trim")}
    speeds = [0.0, 10.0, 20.0, 40.0, 60.0]
    found = [bo105.trim(speed) for speed in speeds]
    picture, axes = plt.subplots(1, 3, figsize=(10.5, 3.6))
    shown = {"collective": ("collective", "collective"), "lateral": ("lateral", ""),
             "longitudinal": ("longitudinal", ""), "pedal": ("tail rotor", "tail"),
             "pitch": ("pitch", "pitch"), "roll": ("roll", "roll")}  # fmt: skip
    for k, (name, (label, key)) in enumerate(shown.items()):
        axis, sign = axes[k // 4], -1.0 if name == "pedal" else 1.0
        axis.plot(speeds, [sign * np.degrees(f.controls[name]) for f in found], f"C{k % 4}-", label=label)
        if key:
            axis.plot(0.0, printed[f"trim_hover_{key}"], f"C{k % 4}o", markersize=5, clip_on=False)
    finish(axes, speeds, found, "m/s")
    picture.suptitle(
        "BO-105C: Samara (lines), NASA CR-3144 (dots); stand-ins: section, flapping, fuselage, tail", size=9
    )
    return picture


@figure
def xv15_hover() -> plt.Figure:
    """Figure of merit of the XV-15 rotor versus thrust: two inflow models and measurement."""
    import samara as sm
    from samara.models.rotors import xv15

    picture, axes = plt.subplots()
    for inflow, label in (("annular", "annular inflow"), ("momentum", "uniform inflow")):
        found = []
        for pitch in (7.0, 9.0, 11.0, 13.0, 15.0):
            model, turn = xv15.build(theta75_deg=pitch, inflow=inflow), xv15.TURN
            run = sm.transient(model, 12 * turn, turn / xv15.STEPS, progress=False, outputs="rotor.*")
            thrust, torque = (run[f"rotor.{name}"][-xv15.STEPS :].mean() for name in ("CT", "CQ"))
            found.append((1e3 * thrust, thrust**1.5 / np.sqrt(2.0) / torque))
        axes.plot(*np.array(found).T, label=label)
    measured = rows("xv15_oarf_table.csv")
    axes.plot([1e3 * float(r["C_T"]) for r in measured], [float(r["FM"]) for r in measured], "k^", label="measured")
    axes.set(xlabel="1000 CT", ylabel="figure of merit", ylim=(0.5, 0.9))
    axes.set_title("XV-15 rotor in hover; sections are stand-ins", fontsize=9)
    axes.legend()
    return picture
