"""A pool of contacts: slots that are bound to pairs of nearby bodies and released when the bodies separate.

A slot is a contact of `WholeContacts` like any other. Binding it to a pair rewrites the data that identify the pair:
node and equation indices of its kernel, frames and sizes among its parameters, the parts of the model it acts between,
and the nodes whose paths it follows. `active` lists the contacts that currently exist: all that are separate elements,
and the bound slots. Kernels run on the lanes up to the last bound slot, and loops run over active contacts, so the cost
of a step depends on the number of nearby pairs and not on the size of the pool.

At the start of a step all open slots are released; slots with a force or an impact stay bound. At its end, slots are
bound to the pairs that may have met during the step (`solve.contact.broad_phase`). The bindings of slots that are not
open are therefore part of the initial state of a step; all others follow from the step, and a rejected step leaves no
trace.

The forces of slots are not unknowns of the matrix of a step: they are zero, or are found by `solve.impacts.forces`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from samara.elements.contact.contacts import Contacts, PairKind, PoolMember, surface_key
from samara.elements.contact.pair_slot import PairSlot
from samara.elements.contact.surfaces import PlaneSurface, SphereSurface
from samara.model import ArgumentError, Model, Node, Pooled
from samara.solve.native.books import HITS, IMPULSE, LOST
from samara.solve.native.codes import OPEN
from samara.solve.native.kernels import GROUPS, JACOBIAN
from samara.solve.native.ownership import Owned
from samara.solve.native.stores import store_index, store_number
from samara.system.layout.groups import Group
from samara.system.system import System
from samara.tracing.driver.driver_cache import driver, inner, routine
from samara.tracing.driver.reference import refer

#: Columns of `kinds`: where indices and parameters of a kind begin, bytes of a group of lanes of each; its first slot,
#: how many it has; its rows in the programs of the machine and of contacts; the next slot to look at, and slots in use.
INDICES, INDEX_STRIDE, NUMBERS, NUMBER_STRIDE, FIRST, COUNT, ROW, OWN_ROW, NEXT, USED = range(10)
#: Columns of `owners`: first body, the one after the last, which is the first wall, and the one after the last wall.
BODIES, WALLS, END = range(3)
#: What a wall is, seen from the ground; MOVING: it is on another node, and always near.
MOVING, PLANE, SPHERE, CYLINDER = range(-1, 3)
#: In `lacks`: islands of contacts are larger than there is room for. Else the number of a kind, from 1 on.
ISLAND = -1
#: Contacts that push each other at once, where pairs are found.
LARGEST_ISLAND = 2000
#: Of the multiplicative hashing: bits of a key, its factor, and how far high bits are brought down.
KEY_BITS, HASH_FACTOR, HIGH_BITS = 0x7FFFFFFF, 0x3C6EF35F, 25


class ContactPool(NamedTuple):
    """Slots of all pools and their members; K slots, M members: bodies and walls, element by element."""

    first: int  # number of contacts before the slots
    forces: int  # of multipliers before theirs
    pair: Owned  # (K, 2): members that it is bound to, -1 for none
    kind: np.ndarray  # (K,)
    owner: np.ndarray  # (K,): element that it is of
    kinds: np.ndarray  # by the names above
    owners: np.ndarray
    kind_of: np.ndarray  # (owners, surfaces, shapes): kind of a pair; -1: none
    surface: np.ndarray  # (M,): number of its surface, -1 for none
    shape: np.ndarray
    as_surface: np.ndarray  # (M, a): numbers of its frame and surface, and
    as_shape: np.ndarray  # of its frame and shape
    surface_places: np.ndarray  # (kinds, a): where they are among the parameters of a kind, -1: nowhere
    shape_places: np.ndarray
    node: np.ndarray  # (M,): among those of `Paths`
    block: np.ndarray  # in the state
    row: np.ndarray  # first of its equations
    part: np.ndarray  # of the model, -1: none
    reach: np.ndarray  # of a body from the origin of its node [m]
    wall: np.ndarray  # (M,): what a wall is
    frame: np.ndarray  # (M, 12): that of a wall on the ground: rotation, position
    radius: np.ndarray  # its radius [m], with a sign: negative inside
    low: np.ndarray  # (M, 3): box around the way of a node's origin in the step [m]
    high: np.ndarray
    level: np.ndarray  # (M,): of its size, as a power of two, among
    levels: np.ndarray  # those that are there
    cell: np.ndarray  # (M, 3)
    heads: np.ndarray  # grid: the last body in a bucket, -1: none
    next: np.ndarray  # (M,): the one before it
    table: np.ndarray  # bound pairs by their hash: slot + 1, 0: none
    motion: np.ndarray  # room for that of a node
    books: Owned  # (2, owners, 6): by the names above, now and as the step began
    channels: np.ndarray  # (owners,): where they are recorded
    lacks: np.ndarray  # (1,): what there was no room for


def pools(system: System) -> list[Any]:
    """Elements of a model that find their pairs by themselves."""
    return [e for e in system.model.elements.values() if isinstance(e, Pooled) and e.pool(system.model)]


def refuse_pools(model: Model) -> None:
    """Trees are compiled for the pairs that they have."""
    for element in model.elements.values():
        if isinstance(element, Pooled) and element.pool(model):
            raise ArgumentError(
                f"model {model.name!r}: element {element.name!r} detects its pairs in each step, which the "
                'recursive formulation does not support: use formulation="redundant", or a Contact for each pair'
            )


def pool_nodes(system: System) -> list[Node]:
    """Nodes of all members, each once, in their order."""
    return list({m.node.name: m.node for element in pools(system) for m in element.members}.values())


def pool_of(system: System, contacts: int, paths_node: dict[str, int], part: dict[str, int]) -> ContactPool:
    """Of a system with so many contacts that are elements of their own.

    paths_node: number of a node among those of `Paths`. part: that of a free node among those of `Islands`.
    """
    elements, ground = pools(system), system.model.ground
    members = [m for element in elements for m in element.members]
    kinds = [(o, kind) for o, element in enumerate(elements) for kind in element.kinds(ground)]
    groups = [(k, group) for k, group in enumerate(system.groups) if group.pooled]
    slots = sum(len(group.elements) for _, group in groups)
    surfaces = list(dict.fromkeys(kind.surface for _, kind in kinds))
    shapes = list(dict.fromkeys(kind.shape for _, kind in kinds))
    kind_of = np.full((len(elements), len(surfaces), len(shapes)), -1, np.int64)
    for q, (o, kind) in enumerate(kinds):
        kind_of[o, surfaces.index(kind.surface), shapes.index(kind.shape)] = q
    nodes, layout = [m.node for m in members], system.layout
    as_surface, as_shape = (_padded([_numbers(m, side) for m in members]) for side in ("surface", "shape"))
    places = [_places(group, kind) for (_, group), (_, kind) in zip(groups, kinds, strict=True)]
    walls = [_wall(m, ground) for m in members]
    size = 1 << max(4, (4 * slots).bit_length()) if slots else 0
    buckets = 1 << max(4, (2 * len(members)).bit_length()) if slots else 0
    counts = [len(group.elements) for _, group in groups]
    ends = np.cumsum([0, *(len(element.members) for element in elements)])
    owners = [(ends[o], ends[o] + element.body_count, ends[o + 1]) for o, element in enumerate(elements)]
    return refer(
        ContactPool(
            first=contacts,
            forces=layout.multiplier_count,
            pair=np.full((slots, 2), -1, np.int64),
            kind=np.repeat(np.arange(len(kinds)), counts).astype(np.int64),
            owner=np.repeat([o for o, _ in kinds], counts).astype(np.int64),
            kinds=_kinds(groups, counts, system),
            owners=np.array(owners, np.int64).reshape(-1, 3),
            kind_of=kind_of,
            surface=np.array([_number(m.surface, surfaces) for m in members], np.int64),
            shape=np.array([-1 if m.shape is None else shapes.index(type(m.shape)) for m in members], np.int64),
            as_surface=as_surface,
            as_shape=as_shape,
            surface_places=_padded([p[0] for p in places], -1).astype(np.int64),
            shape_places=_padded([p[1] for p in places], -1).astype(np.int64),
            node=np.array([paths_node[n.name] for n in nodes], np.int64),
            block=layout.blocks(nodes).astype(np.int64),
            row=np.array([system.unknowns.row(n) for n in nodes], np.int64),
            part=np.array([part.get(n.name, -1) for n in nodes], np.int64),
            reach=np.array([m.reach for m in members], float),
            wall=np.array([w[0] for w in walls], np.int64),
            frame=np.array([w[1] for w in walls], float).reshape(-1, 12),
            radius=np.array([w[2] for w in walls], float),
            low=np.zeros((len(members), 3)),
            high=np.zeros((len(members), 3)),
            level=np.zeros(len(members), np.int64),
            levels=np.zeros(64, np.int64),
            cell=np.zeros((len(members), 3), np.int64),
            heads=np.full(buckets, -1, np.int64),
            next=np.zeros(len(members), np.int64),
            table=np.zeros(size, np.int64),
            motion=np.zeros(18),
            books=np.zeros((2, len(elements), 6)),
            channels=np.array([_channel(system, element) for element in elements], np.int64),
            lacks=np.zeros(1, np.int64),
        )
    )


def _kinds(groups: list[tuple[int, Group]], counts: list[int], system: System) -> np.ndarray:
    """The table of kinds; nothing is bound yet, and none has a part in the matrix of a step."""
    touching = [k for k, group in enumerate(system.groups) if group.kind.touches]
    table = np.zeros((len(groups), 10), np.int64)
    first = np.cumsum([0, *counts])
    for q, (k, group) in enumerate(groups):
        system.program[k, GROUPS] = system.program[k, JACOBIAN] = 0
        table[q, : NEXT + 1] = (
            group.idx.ctypes.data, group.idx.strides[0], group.par.ctypes.data, group.par.strides[0], first[q],
            counts[q], k, touching.index(k), first[q],
        )  # fmt: skip
    return table


def _number(surface: Any, surfaces: list[tuple]) -> int:
    return surfaces.index(surface_key(surface)) if surface_key(surface) in surfaces else -1


def _padded(rows: list[list], fill: float = 0.0) -> np.ndarray:
    """Rows of different lengths as a matrix."""
    matrix = np.full((len(rows), max(map(len, rows), default=0)), fill, float)
    for row, values in zip(matrix, rows, strict=True):
        row[: len(values)] = values
    return matrix


def _numbers(member: PoolMember, side: str) -> list[float]:
    """Of a member's frame, then of its surface or shape."""
    what, spec = getattr(member, side), PairSlot.specs()["place_a"]
    return [] if what is None else [float(x) for x in (*spec.leaves(spec.check(member.place)), *what.leaves())]


def _places(group: Group, kind: PairKind) -> tuple[list[int], list[int]]:
    """Where numbers of the surface's side and of the shape's are among the parameters of a kind."""
    owners = [name for name, spec in kind.slot.specs().items() for _ in spec.leaves(getattr(kind.slot, name))]
    known = {leaf: p for p, leaf in enumerate(group.kind.parameter_leaves)}
    return tuple(  # type: ignore[return-value]
        [known.get(leaf, -1) for name in names for leaf, owner in enumerate(owners) if owner == name]
        for names in (("place_a", "surface"), ("place_b", "shape"))
    )


def _wall(member: PoolMember, ground: Node) -> tuple[int, np.ndarray, float]:
    """What a wall is, its frame in the world and its radius."""
    none = np.zeros(12)
    if member.shape is not None or member.node is not ground:
        return MOVING, none, 0.0
    world = ground.place @ member.place
    frame = np.concatenate([np.ravel(world.rotation), world.position])
    if isinstance(member.surface, PlaneSurface):
        return PLANE, frame, 0.0
    kind = SPHERE if isinstance(member.surface, SphereSurface) else CYLINDER
    radius = float(member.surface.radius)  # type: ignore[union-attr]
    return kind, frame, -radius if member.surface.hollow else radius  # type: ignore[union-attr]


def _channel(system: System, element: Contacts) -> int:
    group, k = system.find(element)
    return int(group.output[k])


# ---- in a step
@inner
def is_pooled(c, i):
    """Whether a contact is a slot."""
    return i >= c.pool.first


@inner
def scatter(key):
    """Mixes the bits of an integer, so that the low ones may choose a bucket (D. E. Knuth's multiplicative hashing).

    Nothing overflows: what native integers do then is not said, and one key might have several hashes.
    """
    key = (key & KEY_BITS) * HASH_FACTOR
    return (key ^ (key >> HIGH_BITS)) & KEY_BITS


@inner
def slot_of(pool, a, b):
    """Place in the table of a pair that is bound, or where it is to be entered."""
    mask = pool.table.size - 1
    at = scatter(scatter(a) + b) & mask
    while pool.table[at] != 0:
        k = pool.table[at] - 1
        if pool.pair[k, 0] == a and pool.pair[k, 1] == b:
            return at
        at = (at + 1) & mask
    return at


@inner
def clear_pool(m):
    """No slot is known to be bound."""
    c, pool = m.contacts, m.contacts.pool
    c.many[0], pool.lacks[0] = pool.first, 0
    for q in range(pool.kinds.shape[0]):
        pool.kinds[q, NEXT], pool.kinds[q, USED] = pool.kinds[q, FIRST], 0
    for k in range(pool.table.size):
        pool.table[k] = 0


@inner
def use_slot(m, k):
    """A slot is bound: it is active, and kernels are run on its lanes."""
    c, pool = m.contacts, m.contacts.pool
    q = pool.kind[k]
    pool.table[slot_of(pool, pool.pair[k, 0], pool.pair[k, 1])] = k + 1
    c.active[c.many[0]] = pool.first + k
    c.many[0] += 1
    pool.kinds[q, USED] = max(pool.kinds[q, USED], k - pool.kinds[q, FIRST] + 1)


@inner
def run_used_lanes(m):
    """Kernels are run on as many lanes as have a bound slot among or after them."""
    pool = m.contacts.pool
    for q in range(pool.kinds.shape[0]):
        groups = (pool.kinds[q, USED] + m.layout.width - 1) // m.layout.width
        m.plan.program[pool.kinds[q, ROW], GROUPS] = m.contacts.program[pool.kinds[q, OWN_ROW], GROUPS] = groups


@inner
def clear_force(m, i):
    """A slot has no force, and had none: what it was bound to before is not to feel it."""
    c = m.contacts
    for e in range(c.multiplier[i], c.multiplier[i] + c.problem.dimension[i]):
        m.state[m.layout.multiplier_base + e] = m.multipliers.last[e] = m.multipliers.before[e] = 0.0


@routine
def release_pairs(m):
    """As a step begins: slots that are open are free again."""
    c, pool = m.contacts, m.contacts.pool
    if pool.pair.shape[0] == 0:
        return
    clear_pool(m)
    for k in range(pool.pair.shape[0]):
        if pool.pair[k, 0] >= 0:
            if c.status[pool.first + k] == OPEN:
                pool.pair[k, 0] = pool.pair[k, 1] = -1
                clear_force(m, pool.first + k)
            else:
                use_slot(m, k)
    run_used_lanes(m)


@inner
def write_slot(m, k, a, b):
    """Whom a slot is between: wherever that is read."""
    c, pool, w = m.contacts, m.contacts.pool, m.layout.width
    i, q = pool.first + k, pool.kind[k]
    number = k - pool.kinds[q, FIRST]
    group, lane = number // w, number % w
    indices = pool.kinds[q, INDICES] + group * pool.kinds[q, INDEX_STRIDE] + 4 * lane
    store_index(indices, pool.block[a])
    store_index(indices + 4 * w, pool.block[b])
    store_index(indices + 8 * w, pool.row[a])
    store_index(indices + 12 * w, pool.row[b])
    numbers = pool.kinds[q, NUMBERS] + group * pool.kinds[q, NUMBER_STRIDE] + 8 * lane
    for e in range(pool.surface_places.shape[1]):
        if pool.surface_places[q, e] >= 0:
            store_number(numbers + 8 * w * pool.surface_places[q, e], pool.as_surface[a, e])
    for e in range(pool.shape_places.shape[1]):
        if pool.shape_places[q, e] >= 0:
            store_number(numbers + 8 * w * pool.shape_places[q, e], pool.as_shape[b, e])
    c.nodes[i, 0], c.nodes[i, 1] = pool.row[a], pool.row[b]
    c.problem.islands.sides[i, 0], c.problem.islands.sides[i, 1] = pool.part[a], pool.part[b]
    m.paths.pairs[i, 0], m.paths.pairs[i, 1] = pool.node[a], pool.node[b]
    pool.pair[k, 0], pool.pair[k, 1] = a, b


@inner
def bind(m, q, a, b):
    """Binds a free slot of a kind to a pair, which is open; the number of the contact, or -1: there is none left."""
    c, pool = m.contacts, m.contacts.pool
    k, end = pool.kinds[q, NEXT], pool.kinds[q, FIRST] + pool.kinds[q, COUNT]
    while k < end and pool.pair[k, 0] >= 0:
        k += 1
    pool.kinds[q, NEXT] = k
    if k == end:
        pool.lacks[0] = q + 1
        return -1
    write_slot(m, k, a, b)
    use_slot(m, k)
    i = pool.first + k
    c.status[i] = c.before[i] = c.flights.status[i] = c.flights.solved[i] = OPEN
    for e in range(c.speeds.shape[1]):
        c.speeds[i, e] = 0.0
    clear_force(m, i)
    return i


@driver
def rebind(m):
    """All active slots as their pairs tell, where these were put back from elsewhere."""
    c, pool = m.contacts, m.contacts.pool
    if pool.pair.shape[0] == 0:
        return
    many = c.many[0]
    clear_pool(m)
    for e in range(pool.first, many):
        k = c.active[e] - pool.first
        write_slot(m, k, pool.pair[k, 0], pool.pair[k, 1])
        use_slot(m, k)
    run_used_lanes(m)


@inner
def enter(c, i, P, before, after):
    """An impact into the books: impulses, and speeds before and after it."""
    books, o, taken = c.pool.books, c.pool.owner[i - c.pool.first], 0.0
    for a in range(P.size):
        taken -= 0.5 * P[a] * (before[a] + after[a])
    books[0, o, HITS] += 1.0
    books[0, o, IMPULSE] += P[0]
    books[0, o, LOST] += taken


def pair_name(system: System, pool: ContactPool, slot: int) -> str:
    """Which pair a slot is bound to, in words."""
    owner = pools(system)[int(pool.owner[slot])]
    members = [m for element in pools(system) for m in element.members]
    a, b = (members[int(k)].node.name for k in pool.pair[slot])
    return f"{owner.name} ({a}, {b})"


def too_many(system: System, pool: ContactPool) -> str:
    """Says what there was no room for, and the remedy."""
    lacks, elements, name = int(pool.lacks[0]), pools(system), system.model.name
    if lacks == ISLAND or lacks == 0:
        return (
            f"model {name!r}: element {elements[0].name!r}: more than {LARGEST_ISLAND} contacts push each other at "
            "once, or they lie in too many heaps: give it fewer bodies, or let several models have them"
        )
    q = lacks - 1
    owner = elements[int(pool.owner[pool.kinds[q, FIRST]])]
    most = int(pool.kinds[q, COUNT])
    return (
        f"model {name!r}: element {owner.name!r} has room for {most} pairs that are near each other at the same time, "
        f"and more are: give it a larger capacity, Contacts(..., capacity={2 * most}), or take a shorter step"
    )
