"""Make the figures of the documentation: `python docs/figures/make.py [NAME ...]`.

A figure is a function marked with @figure in a module of this folder: it draws on a new Matplotlib figure and returns
it. It is written to docs/_generated/figures/NAME.svg, at every build of the documentation; nothing drawn is committed.
"""

import argparse
import importlib
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
if str(HERE) not in sys.path:
    sys.path.insert(0, str(HERE))

import matplotlib.pyplot as plt  # noqa: E402
from registry import FIGURES, FOLDER, STYLE  # noqa: E402

for module in sorted(HERE.glob("*.py")):
    if module.stem not in ("make", "registry"):
        importlib.import_module(module.stem)


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
