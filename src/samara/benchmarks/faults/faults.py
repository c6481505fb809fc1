"""`samara bench faults`: damaged inputs, processes that are stopped and killed, a full disk, strangers.

A failure is an error that does not name its cause, other data in silence, accounts that do not add up, or something
left behind. SAMARA_FAULTS_INPUTS is another number of damaged inputs. With SAMARA_SOAK [s] it is a soak alone: for that
long something happens every few seconds to one recorded run.
"""

from __future__ import annotations

import itertools
import os
import time
from collections.abc import Iterator

from samara.benchmarks.faults import fuzz, incidents, strangers
from samara.benchmarks.rows import Row

#: After which time nothing more is begun [s], and how often something happens in a soak [s].
LIMIT, OFTEN = 1800.0, 4.0


def rows() -> Iterator[Row]:
    """All of them, or a soak."""
    if "SAMARA_SOAK" in os.environ:
        yield from incidents.soak(float(os.environ["SAMARA_SOAK"]), OFTEN)
        return
    until = time.monotonic() + LIMIT
    yield from strangers.attacks()
    yield from fuzz.fuzzed(int(os.environ.get("SAMARA_FAULTS_INPUTS", fuzz.INPUTS)), until=until)
    for case in itertools.chain(incidents.kills(), incidents.stalls()):
        yield case
        if time.monotonic() > until:
            yield Row("time limit", "failures", 1, "", 0, f"not all was tried in {LIMIT:g} s")
            return
