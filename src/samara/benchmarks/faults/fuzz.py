"""Damaged inputs for every parser: taken as sound, refused by name, or a failure. The same ones for the same seed."""

from __future__ import annotations

import re
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from samara.benchmarks.faults.parsers import Parser, parsers
from samara.benchmarks.rows import Row

#: Inputs of all parsers together, changes of each at most, and bytes that one of them takes in or out at most.
INPUTS, CHANGES, SPAN = 100_000, 4, 64
#: What takes the place of a number or word in a text.
ODD = (b"nan", b"1e999", b"-1", b"null", b"[]", b"{}", b'"x"', b"true", b"9" * 40, b"0x7f", b"\xff\xfe", b"[" * 3000)
WORD = re.compile(rb"-?\d+(\.\d+)?([eE][+-]?\d+)?|\w+")


def damaged(rng: np.random.Generator, data: bytes) -> bytes:
    """A sound input after a few random changes."""
    found = bytearray(data)
    for _ in range(int(rng.integers(1, CHANGES + 1))):
        at, span = int(rng.integers(0, len(found) + 1)), int(rng.integers(1, SPAN))
        match int(rng.integers(0, 7)):
            case 0 if found:
                found[at % len(found)] ^= 1 << int(rng.integers(0, 8))
            case 1:
                del found[at:]
            case 2:
                del found[at : at + span]
            case 3:
                found[at:at] = rng.bytes(span)
            case 4:
                found[at:at] = found[at : at + span]
            case 5:
                found[at : at + 8] = rng.choice(np.array([0, -1, 2**63 - 1, 1 << 40])).tobytes()
            case _:
                words = list(WORD.finditer(bytes(found[:20_000])))
                if words:
                    one = words[int(rng.integers(0, len(words)))]
                    found[one.start() : one.end()] = ODD[int(rng.integers(0, len(ODD)))]
    return bytes(found)


def outcome(parser: Parser, data: bytes, sound: list[object]) -> str:
    """Outcome of an input: "taken", "refused", "raw: ..." or "other data"."""
    try:
        found = parser.read(data)
    except parser.refuses:
        return "refused"
    except Exception as error:
        return f"raw: {type(error).__name__}"
    if found is None:
        return "refused"
    return "other data" if parser.sealed and found not in sound else "taken"


def fuzzed(inputs: int = INPUTS, seed: int = 0, until: float = float("inf")) -> Iterator[Row]:
    """One row per parser with its failures. until: when to stop [s of the monotonic clock]."""
    with tempfile.TemporaryDirectory(prefix="samara-faults-") as name:
        for number, parser in enumerate(parsers(Path(name))):
            yield tried(parser, max(round(inputs * parser.share * PER_SHARE), 10), [seed, number], until)


#: Shares of all parsers add up to 7.2.
PER_SHARE = 1.0 / 7.2


def tried(parser: Parser, inputs: int, seed: list[int], until: float) -> Row:
    """One parser."""
    rng, counts, slowest = np.random.default_rng(seed), Counter[str](), 0.0
    sound: list[object] = [parser.read(data) for data in parser.sound]
    if any(found is None for found in sound):
        raise RuntimeError(f"{parser.name}: does not take a sound input")
    for _ in range(inputs):
        if time.monotonic() > until:
            counts["out of time"] += 1
            break
        data = damaged(rng, parser.sound[int(rng.integers(0, len(parser.sound)))])
        begin = time.perf_counter()
        counts[outcome(parser, data, sound)] += 1
        slowest = max(slowest, time.perf_counter() - begin)
    failed = sum(count for name, count in counts.items() if name not in ("taken", "refused"))
    note = ", ".join(f"{count} {name}" for name, count in sorted(counts.items()))
    return Row(f"damaged {parser.name}", "failures", failed, "", 0, f"{note}; slowest {1e3 * slowest:.1f} ms")
