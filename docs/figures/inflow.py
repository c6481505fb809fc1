"""Figures of rotors and their inflow."""

import csv

import matplotlib.pyplot as plt
import numpy as np
from registry import DATA, figure


@figure
def hover_thrust() -> plt.Figure:
    """Thrust of Caradonna and Tung's rotor versus pitch: measured, closed form, uniform and annular inflow."""
    import samara as sm
    from samara import Annular
    from samara.models.rotors.caradonna_tung import SOLIDITY, STATIONS, caradonna_tung

    def steady(pitch: float, **more) -> float:
        turn = 60.0 / 1250.0
        model = caradonna_tung(pitch, 1250.0, 0.434, **more)
        return sm.transient(model, end=15 * turn, step=turn / 60, progress=False, outputs="rotor.CT")["rotor.CT"][-1]

    pitch = np.array([2.0, 5.0, 8.0, 12.0])
    bare = [steady(p) for p in pitch]
    lossy = [steady(p, loss=float(np.sqrt(b / 2))) for p, b in zip(pitch, bare, strict=True)]
    picture, axes = plt.subplots()
    s, fine = SOLIDITY * 5.73, np.linspace(0.0, 12.0, 100)
    inflow = s / 16 * (np.sqrt(1 + 64 * np.radians(fine) / (3 * s)) - 1)
    axes.plot(fine, 2e3 * inflow**2, color="0.5", linewidth=1.0, label="closed form, slope 5.73/rad")
    axes.plot(pitch, 1e3 * np.array(bare), "C0o-", label="NACA 0012 table, uniform inflow")
    axes.plot(pitch, 1e3 * np.array(lossy), "C1s-", label="the same with Prandtl's tip loss")
    rings = [steady(p, inflow=Annular(radii=STATIONS)) for p in pitch]
    axes.plot(pitch, 1e3 * np.array(rings), "C2x--", label="annular inflow, root and tip losses")
    with (DATA / "caradonna_tung_ct.csv").open() as file:
        next(file)
        rows = [row for row in csv.DictReader(file) if row["rpm"] == "1250"]
    axes.plot([float(r["theta_deg"]) for r in rows], [1e3 * float(r["CT"]) for r in rows], "k^", label="measured")
    axes.set(xlabel="pitch [degrees]", ylabel="1000 CT")
    axes.legend(fontsize="small")
    return picture


@figure
def flapping_over_speed() -> plt.Figure:
    """Flapping of hinged blades versus advance ratio: computed (dots) and closed forms (lines)."""
    import samara as sm
    from samara import PittPeters
    from samara.models.rotors.hinged_rotor import RADIUS, SPEED, hinged_rotor

    tip, period, theta, gamma = SPEED * RADIUS, 2 * np.pi / SPEED, 0.05, 8.0
    ratios = np.linspace(0.0, 0.3, 7)
    found, closed = [], []
    for mu in ratios:
        run = sm.periodic(
            hinged_rotor(collective=theta, wind=(mu * tip, 0, -0.02 * tip), inflow=PittPeters()), period, period / 120
        ).results
        psi, beta = 2 * np.pi * np.arange(1, 121) / 120, run["blade_1.flap.angle"]
        found.append((beta.mean(), 2 * (beta * np.cos(psi)).mean(), 2 * (beta * np.sin(psi)).mean()))
        u, g_x, g_y = run["rotor.induced"].mean(axis=0) / tip
        b0 = gamma * (theta * (1 + mu**2) / 8 - (0.02 + u) / 6 - mu * g_y / 12)
        b1c = -(8 / 3 * mu * (theta - 0.75 * (0.02 + u)) - g_y) / (1 - mu**2 / 2)
        closed.append((b0, b1c, -(4 / 3 * mu * b0 + g_x) / (1 + mu**2 / 2)))
    picture, axes = plt.subplots()
    names = (r"$\beta_0$", r"$\beta_{1c}$", r"$\beta_{1s}$")
    for k, (a, b) in enumerate(zip(np.degrees(found).T, np.degrees(closed).T, strict=True)):
        axes.plot(ratios, b, f"C{k}-", label=names[k])
        axes.plot(ratios, a, f"C{k}o")
    axes.set(xlabel=r"advance ratio $\mu$", ylabel="flapping [degrees]")
    axes.legend()
    return picture


@figure
def inflow_step() -> plt.Figure:
    """Hover after a step of collective pitch: inflow and thrust, dynamic and quasi-steady."""
    import samara as sm
    from samara import Momentum, PittPeters
    from samara.models.rotors.hinged_rotor import SPEED, hinged_rotor

    period = 2 * np.pi / SPEED
    picture, (left, right) = plt.subplots(1, 2, figsize=(8.0, 3.4))
    models = {"Pitt-Peters": PittPeters(), "momentum": Momentum(), "quasi-steady": Momentum(dynamic=False)}
    for label, inflow in models.items():
        sim = sm.Simulation(hinged_rotor(collective=0.06, inflow=inflow))
        sm.periodic(sim, period, period / 120)
        start = sim.time
        for part in np.linspace(0, 1, 13)[1:]:
            sim.system.set_parameter("collective", 0.06 + 0.06 * part)
            sm.transient(sim, sim.time + period / 120, period / 120, progress=False)
        run = sm.transient(sim, start + 4 * period, period / 120, progress=False)
        turns = (run.time - start) / period
        style = "--" if label == "momentum" else "-"
        left.plot(turns, run["rotor.induced"][:, 0], style, label=label)
        right.plot(turns, run["rotor.thrust"], style, label=label)
    left.set(xlabel="revolutions", ylabel="induced velocity [m/s]")
    right.set(xlabel="revolutions", ylabel="thrust [N]")
    right.legend()
    return picture


@figure
def inflow_along_the_blade() -> plt.Figure:
    """Induced velocity and lift along an untwisted blade in hover: uniform, annular, finite states."""
    import samara as sm
    from samara import Annular, Momentum, PetersHe, ThinAerofoil
    from samara.models.rotors.caradonna_tung import RADIUS, STATIONS, caradonna_tung

    turn = 60.0 / 1250.0
    models = {
        "uniform": (Momentum(), "0.5", "-"),
        "annular without losses": (Annular(radii=STATIONS, losses="none"), "C0", "--"),
        "annular, root and tip losses": (Annular(radii=STATIONS), "C0", "-"),
        "Peters-He, three shape functions": (PetersHe((3, 2, 1)), "C1", "-"),
    }
    picture, (left, right) = plt.subplots(1, 2, figsize=(8.0, 3.4), layout="constrained")
    for label, (inflow, color, style) in models.items():
        section = ThinAerofoil(slope=5.73, cd_0=0.01)
        model = caradonna_tung(8.0, 1250.0, 0.434, inflow=inflow, aerofoil=section)
        run = sm.transient(model, end=15 * turn, step=turn / 60, progress=False, outputs=("rotor.*", "blade_1.*"))
        r = model["blade_1"].stations.x / RADIUS
        left.plot(r, run["blade_1.induced"][-1], style, color=color, label=label)
        right.plot(r, run["blade_1.normal"][-1], style, color=color, label=label)
    left.set(xlabel="r / R", ylabel="induced velocity [m/s]")
    right.set(xlabel="r / R", ylabel="lift [N/m]")
    left.legend(fontsize="small")
    return picture


@figure
def disk_loading() -> plt.Figure:
    """Blade load over the disk of a rotor trimmed to zero flapping in forward flight."""
    import samara as sm
    from samara import PittPeters
    from samara.models.rotors.hinged_rotor import SPEED, hinged_rotor

    period, flap = 2 * np.pi / SPEED, "blade_1.flap.angle"
    model = hinged_rotor(wind=(24.0, 0.0, -2.0), inflow=PittPeters())
    found = sm.trim(
        model,
        {"collective": 0.08, "lateral": 0.0, "longitudinal": 0.0},
        {"rotor.thrust": 700.0, sm.Harmonic(flap, "cos"): 0.0, sm.Harmonic(flap, "sin"): 0.0},
        period=period,
        step=period / 120,
        outputs=("rotor.azimuth", "blade_1.air.*"),
    )
    return sm.disk_map(found.results, "blade_1.air.normal", model["blade_1.air"].stations.x).plot()
