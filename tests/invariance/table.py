"""Prints the table of docs/validation/invariances.md: python tests/invariance/table.py"""

from runs import base, gap, make, run, seen
from twins import MOVED, TURNED, View, renamed, twin

from samara import models


def main() -> None:
    """A line per model: largest differences of places, speeds and loads."""
    print("| model | world turned | renamed and reordered | one lane | moved by 10 km |")
    print("| --- | --- | --- | --- | --- |")
    for name in models.names():
        ready, cells = models.find(name), []
        other, names = renamed(make(name))
        twins = [(View(), other, names, None), (View(), make(name), None, 1)]
        for view, model, known, lanes in [(TURNED, twin(make(name), TURNED), None, None), *twins]:
            if lanes and ready.analysis == "static":
                cells.append("")
                continue
            cells.append(_cell(gap(name, base(name), seen(run(ready, model, lanes=lanes), view, known))))
        far = run(ready, twin(make(name), MOVED), tolerance=ready.method.tolerance)
        cells.append(_cell(gap(name, base(name, tolerance=ready.method.tolerance), seen(far, MOVED))))
        print(f"| {name} | {' | '.join(cells)} |", flush=True)


def _cell(found) -> str:
    return ", ".join(f"{value:.0e}" for value, _ in (found.places, found.speeds, found.loads))


if __name__ == "__main__":
    main()
