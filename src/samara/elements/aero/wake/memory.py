"""How the numbers of a free wake lie in the arrays of its law: what it was given, what it remembers, its inputs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from samara.elements.aero.wake.segments import PACKED
from samara.tracing.driver.driver_cache import inner
from samara.tracing.driver.views import double_rows, doubles, single_rows, singles

#: Rings beyond the last marker, and sides of each.
RINGS, SIDES = 8, 8
#: Numbers that tell of the rings: centre (3), way down a turn (3), circulation times area (3), radius^2.
END = 10
#: Places of the plain numbers, before the tables of stations.
(
    BLADES, STATIONS, FILAMENTS, LENGTH, SUBSTEPS, FREE, SINGLE, SLICED, STEP, RADIUS, SPEED, START, NEAR, GROWTH,
    RING_CORE, TURN, OUTER, GEOMETRY, TWIST, SOLIDITY, GROUND, HEIGHT, ROOM,
) = range(23)  # fmt: skip
#: Columns of the table of filaments: radius at release, square of the core, place between stations: number and weight;
#: inner border of the sheet that it stands for: number and weight.
FILAMENT = 6
#: Plain memory: samples that were taken, where the hub was expected (3), thrust coefficient of the last turns.
COUNT, EXPECTED, THRUST, PLAIN = 0, 1, 4, 5
#: The numbers of a law begin with how many rotors there are in its field, and where the room for packed segments is;
#: then for each: first of its numbers and how many, of its memory, of what goes in and of its answers.
ROTORS, FIELD_ROOM, PARTS, PART = 0, 1, 2, 8
#: What goes in of the rotor: hub, its velocity, the wind, x and z of the disk, angular velocity of the craft, spin.
HUB, VELOCITY, WIND, X_AXIS, Z_AXIS, TURNING, SPIN = 0, 3, 6, 9, 12, 15, 18
FRAME = 19
#: Numbers that go out for each station: far wake in axes of the disk, and the near wake at 1/4 of the chord less 3/4.
ANSWER = 4


class WakeArrays(NamedTuple):
    """Views of all that the law works on; see `FreeWake`. Positions from the hub in world axes [m]."""

    blades: Any
    stations: Any  # of a blade
    kinds: Any  # filaments of a blade
    filaments: Any  # of all
    length: Any  # markers of a filament
    substeps: Any  # steps from one marker to the next
    free: Any  # markers that feel velocities; older ones are carried
    sense: Any
    back: Any  # angle of the points at 3/4 of the chord behind those at 1/4, of each station [rad]
    shift: Any  # B - A of the near wake, row by row
    table: Any  # of filaments
    lift: Any  # thrust coefficient by the circulation of each station [s/m^2]
    plain: Any  # memory without a table
    end: Any
    before: Any  # stations a sample ago, in axes of the disk
    M: Any  # markers
    D: Any  # displacement from one marker to the next
    V: Any  # velocities, and those before
    W: Any
    G: Any  # circulation of the segments
    ahead: Any  # stations as they will be, axes of the disk
    tips: Any  # where the filaments begin then, from the hub in world axes


def memory_size(blades: int, stations: int, filaments: int, length: int) -> int:
    """Numbers that a wake remembers."""
    return PLAIN + END + 3 * blades * stations + 13 * filaments * length


def segment_count(blades: int, kinds: int, length: int, ground: bool) -> int:
    """Rows that are packed: filaments, bound vortices, rings, their images, and the near wake of one blade."""
    return (1 + ground) * (blades * kinds * length + blades * kinds + RINGS * SIDES) + kinds * length


def field_room(sizes: Sequence[tuple[int, int]]) -> int:
    """Numbers of double precision that packed segments and points of all rotors take: segments and points of each."""
    return PACKED * sum(rows for rows, _ in sizes) + 6 * max(points for _, points in sizes)


def point_count(blades: int, stations: int, filaments: int, free: int) -> int:
    """Points at which velocities are found in one call at most."""
    return max(blades * stations, filaments * free) + 16


def room_size(blades: int, stations: int, kinds: int) -> int:
    """Numbers that a rotor needs besides, which hold nothing between samples."""
    return 3 * blades * stations + 3 * blades * kinds


@inner
def parts_of(numbers, memory, u, y, k):
    """What is of rotor k in the arrays of the law: its numbers, its memory, what goes in, its answers."""
    i = PARTS + PART * k
    return (
        doubles(numbers.ctypes.data + 8 * int(numbers[i]), int(numbers[i + 1])),
        doubles(memory.ctypes.data + 8 * int(numbers[i + 2]), int(numbers[i + 3])),
        doubles(u.ctypes.data + 8 * int(numbers[i + 4]), int(numbers[i + 5])),
        doubles(y.ctypes.data + 8 * int(numbers[i + 6]), int(numbers[i + 7])),
    )


@inner
def from_first(numbers, memory, k):
    """Where the hub of rotor k will be, from that of the first one, in world axes."""
    a, b = int(numbers[PARTS + 2]) + EXPECTED, int(numbers[PARTS + PART * k + 2]) + EXPECTED
    return memory[b] - memory[a], memory[b + 1] - memory[a + 1], memory[b + 2] - memory[a + 2]


@inner
def wake_of(numbers, memory):
    """The views."""
    nb, ns, nk, L = int(numbers[BLADES]), int(numbers[STATIONS]), int(numbers[FILAMENTS]), int(numbers[LENGTH])
    F, here, there = nb * nk, numbers.ctypes.data + 8 * (ROOM + 1), memory.ctypes.data
    back = doubles(here, ns)
    shift = doubles(here + 8 * ns, ns * ns)
    table = doubles(here + 8 * (ns + ns * ns), FILAMENT * nk)
    lift = doubles(here + 8 * (ns + ns * ns + FILAMENT * nk), ns)
    room = numbers.ctypes.data + 8 * int(numbers[ROOM])
    ahead = doubles(room, 3 * nb * ns)
    tips = doubles(room + 24 * nb * ns, 3 * F)
    before = there + 8 * (PLAIN + END)
    M, block = before + 24 * nb * ns, 24 * F * L
    return WakeArrays(
        nb, ns, nk, F, L, int(numbers[SUBSTEPS]), int(numbers[FREE]), 1.0 if numbers[SPEED] > 0.0 else -1.0,
        back, shift, table, lift, doubles(there, PLAIN), doubles(there + 8 * PLAIN, END), doubles(before, 3 * nb * ns),
        doubles(M, 3 * F * L), doubles(M + block, 3 * F * L), doubles(M + 2 * block, 3 * F * L),
        doubles(M + 3 * block, 3 * F * L), doubles(M + 4 * block, F * L), ahead, tips,
    )  # fmt: skip


@inner
def _field_sizes(numbers):
    """Where packed segments begin in memory, how many there may be, and how many points."""
    rows = points = 0
    for k in range(int(numbers[ROTORS])):
        i = PARTS + PART * k
        own = doubles(numbers.ctypes.data + 8 * int(numbers[i]), int(numbers[i + 1]))
        nb, ns, nk, L = int(own[BLADES]), int(own[STATIONS]), int(own[FILAMENTS]), int(own[LENGTH])
        images = 2 if own[GROUND] != 0.0 else 1
        rows += images * (nb * nk * L + nb * nk + RINGS * SIDES) + nk * L
        points = max(points, max(nb * ns, nb * nk * int(own[FREE])) + 16)
    return numbers.ctypes.data + 8 * int(numbers[FIELD_ROOM]), rows, points


@inner
def single_room(numbers):
    """Segments, points and velocities in single precision."""
    first, rows, n = _field_sizes(numbers)
    at = first + 4 * PACKED * rows
    return (
        single_rows(first, rows), singles(at, n), singles(at + 4 * n, n), singles(at + 8 * n, n),
        singles(at + 12 * n, n), singles(at + 16 * n, n), singles(at + 20 * n, n),
    )  # fmt: skip


@inner
def double_room(numbers):
    """The same in double precision."""
    first, rows, n = _field_sizes(numbers)
    at = first + 8 * PACKED * rows
    return (
        double_rows(first, rows), doubles(at, n), doubles(at + 8 * n, n), doubles(at + 16 * n, n),
        doubles(at + 24 * n, n), doubles(at + 32 * n, n), doubles(at + 40 * n, n),
    )  # fmt: skip
