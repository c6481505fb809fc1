"""All peers on all sizes of the benchmark chain, as rows of a report.

Usage:

    python -m samara.benchmarks.peers.compare [--json] [links ...]
"""

import argparse
from collections.abc import Sequence

from samara.benchmarks.cases.chain import ChainSpec
from samara.benchmarks.peers import available
from samara.benchmarks.peers.peer_run import PeerRun
from samara.benchmarks.peers.reference import TIMES
from samara.benchmarks.rows import Row, to_table, to_text

VARIANTS: dict[str, tuple[dict[str, str], ...]] = {"mujoco": ({"integrator": "RK4"}, {"integrator": "implicitfast"})}
"""Peers that are run in more than one way: the extra arguments of their `run`."""


def peer_rows(sizes: Sequence[int] = ChainSpec.SIZES, repeats: int = 5) -> tuple[list[Row], list[str]]:
    """The rows of the peers that are installed, and one line for each that is not."""
    rows, missing = [], []
    for name, module in available().items():
        if isinstance(module, str):
            missing.append(module)
            continue
        for links in sizes:
            spec = ChainSpec(links)
            for options in VARIANTS.get(name, ({},)):
                rows += _rows_of(spec, [module.run(spec, duration=t, repeats=repeats, **options) for t in TIMES])
    return rows, missing


def _rows_of(spec: ChainSpec, runs: list[PeerRun]) -> list[Row]:
    """Rows of one peer: the time of the longest run, the errors at the end of each."""
    last = runs[-1]
    case = f"chain {spec.links}, {last.name} {last.version}"
    rows = [Row(case, "CPU time per step", last.us_per_step, "us", note=last.note)]
    if last.wrapping_us:
        rows.append(Row(case, "Python wrapping, not counted", last.wrapping_us, "us"))
    for time, run in zip(TIMES, runs, strict=True):
        rows.append(Row(case, f"tip error at {time:g} s", run.tip_error(spec, time), "m"))
        rows.append(Row(case, f"shape error at {time:g} s", run.shape_error(spec, time), "m"))
    return rows


def main() -> None:
    """Print the table, or the JSON document, and what is missing."""
    parser = argparse.ArgumentParser(prog="python -m samara.benchmarks.peers.compare")
    parser.add_argument("links", nargs="*", type=int, default=list(ChainSpec.SIZES))
    parser.add_argument("--json", action="store_true", help="JSON instead of a table")
    parser.add_argument("--repeats", type=int, default=5)
    arguments = parser.parse_args()
    rows, missing = peer_rows(arguments.links, arguments.repeats)
    print(to_text(rows) if arguments.json else to_table(rows))
    for line in missing:
        print(line)


if __name__ == "__main__":
    main()
