"""Pictures of the pages of runs. `python docs/figures/animation.py [NAME ...]` takes them anew, with a Chromium.

They are kept in the folder `animation` beside this file, because the documentation is also built where there is no
browser; the figures of the pages are made from them.
"""

import sys
import tempfile
from pathlib import Path

import matplotlib.pyplot as plt
from panel import OPTIONS, browser, keep, shown
from registry import figure

from samara.models import find

FOLDER = Path(__file__).resolve().parent / "animation"
#: Model, its numbers, and what is done on the page.
PAGES = {
    "puma": (
        {"blades": "elastic"},
        """samara.seek(4.1);
        const [run] = samara.runs, named = (name) => run.curves.labels.indexOf(name);
        samara.colour(run.colours.find((c) => c.name === "alpha"));
        samara.plot([named("rotor.thrust"), named("blade_1.flap.angle")]);""",
    ),
    "helicopter": (
        {},
        """samara.seek(3.3);
        const [run] = samara.runs;
        samara.colour(run.colours.find((c) => c.name === "normal"));
        const wanted = /blade_.\\.lag\\.force|rotor\\.force/;
        samara.arrows.choose([...run.vectors.keys()].filter((k) => wanted.test(run.vectors[k].name)));
        samara.traces.choose([samara.machine.scene.rotors[0].blades[0].tip]);
        samara.show();""",
    ),
}


@figure
def animation_puma() -> plt.Figure:
    """The rotor with elastic blades, coloured by angle of attack."""
    return shown(FOLDER / "puma.png")


@figure
def animation_helicopter() -> plt.Figure:
    """The helicopter in flight, coloured by the lift along its blades."""
    return shown(FOLDER / "helicopter.png")


def take() -> None:
    """Runs the models, opens their pages, and writes the pictures."""
    from playwright.sync_api import sync_playwright

    wanted = sys.argv[1:] or list(PAGES)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as p:
        chromium = p.chromium.launch(executable_path=browser(), args=OPTIONS)
        for name in wanted:
            numbers, script = PAGES[name]
            file = find(name).run(end=10.0, progress=False, **numbers).animate(Path(folder) / f"{name}.html")
            page = chromium.new_page(viewport={"width": 1280, "height": 800})
            page.goto(file.as_uri())
            page.locator("body[data-ready=yes]").wait_for(timeout=120_000)
            page.evaluate(f"(() => {{ {script} }})()")
            page.wait_for_timeout(1000.0)
            keep(page, FOLDER / f"{name}.png")
            print(f"{name}: {file.stat().st_size / 1e6:.2f} MB")
        chromium.close()


if __name__ == "__main__":
    take()
