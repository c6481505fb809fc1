"""Newton corrections of a subset of the nodes: their size, and applying them (`redundant.newton`)."""

from __future__ import annotations

from samara.solve.linear.schur.team import LINE
from samara.tracing.driver.bits import largest_in, largest_of
from samara.tracing.driver.driver_cache import inner

#: Numbers of `Schur.looks`: what corrections are measured by, the gain that is taken, and whether parts have looked at
#: the present ones; then of each part, in lines of its own, the largest correction and the progress.
SPEED, SPIN, GAIN, SEEN = range(4)
LARGEST, TOP, BOTTOM = range(3)


@inner
def look(m, looks, part, first, end):
    """At the corrections of the nodes of a part, some groups."""
    speed, spin, at = looks[SPEED], looks[SPIN], LINE * (part + 1)
    looks[at + LARGEST] = largest_twist(m, speed, spin, first, end)
    looks[at + TOP], looks[at + BOTTOM] = progress(m, speed, spin, first, end)


@inner
def set_looks(s, speed, spin):
    """What parts measure corrections by, from now on."""
    if s.looks.size != 0:
        s.looks[SPEED], s.looks[SPIN] = speed, spin
        forget_looks(s)


@inner
def forget_looks(s):
    """Corrections are others than those that parts have looked at."""
    if s.looks.size != 0:
        s.looks[SEEN] = 0.0


@inner
def has_looked(s):
    """Whether parts have looked at the present corrections."""
    return s.looks.size != 0 and s.looks[SEEN] != 0.0


@inner
def largest_of_all(m, s, speed, spin):
    """Largest correction of a node."""
    if not has_looked(s):
        return largest_twist(m, speed, spin, 0, m.layout.free_groups)
    worst = largest_twist(m, speed, spin, 0, s.between)
    for part in range(s.number):
        worst = largest_of(worst, s.looks[LINE * (part + 1) + LARGEST])
    return worst


@inner
def progress_of_all(m, s, speed, spin):
    """Of all nodes, part by part: the same sums whoever works on them."""
    if not has_looked(s):
        return progress(m, speed, spin, 0, m.layout.free_groups)
    top, bottom = progress(m, speed, spin, 0, s.between)
    for part in range(s.number):
        top += s.looks[LINE * (part + 1) + TOP]
        bottom += s.looks[LINE * (part + 1) + BOTTOM]
    return top, bottom


@inner
def largest_twist(m, speed, spin, first, end):
    """Of some groups of nodes, relative to the speeds; speed and spin are the inverses of the model's."""
    x, half, worst = m.x, 3 * m.layout.width, 0.0
    for g in range(first, end):
        at = 2 * half * g
        twist = largest_of(speed * largest_in(x[at : at + half]), spin * largest_in(x[at + half : at + 2 * half]))
        worst = largest_of(worst, twist)
    return worst


@inner
def progress(m, speed, spin, first, end):
    """<z, z - z'> and <z - z', z - z'> of corrections z of some groups of nodes and those before."""
    x, found, half, top, bottom = m.x, m.scratch.found, 3 * m.layout.width, 0.0, 0.0
    for g in range(first, end):
        at = 2 * half * g
        for i in range(2 * half):
            weight = speed if i < half else spin
            change = (x[at + i] - found[at + i]) * weight
            top += x[at + i] * weight * change
            bottom += change * change
    return top, bottom


@inner
def keep(m, first, end):
    """Corrections from a number to another are taken as they were found."""
    x, found, taken = m.x, m.scratch.found, m.scratch.taken
    for i in range(first, end):
        found[i] = taken[i] = x[i]


@inner
def extend(m, gain, first, end):
    """And with a gain: z - g (a' + z - z')."""
    x, found, taken = m.x, m.scratch.found, m.scratch.taken
    for i in range(first, end):
        z = x[i]
        a = z - gain * (taken[i] + z - found[i])
        found[i] = z
        taken[i] = a
        x[i] = a
