"""What an element brings to the contract: a row. Rows live in `rows_*.py` next to this file, each in a list `ROWS`.

    from row import Row, placement, vector

    ROWS = [
        Row(
            "Spring",
            lambda nodes, rng, turn: Spring(*nodes, place_a=placement(rng), place_b=placement(rng), stiffness=40.0),
            bad={"stiffness": lambda nodes: Spring(*nodes, stiffness=-1.0)},
        ),
        Row("Force", lambda nodes, rng, turn: Force(*nodes, force=turn(vector(rng))), nodes=1),
    ]

One row an element is the least; options that change the equations deserve rows of their own.
"""

from __future__ import annotations

import functools
import importlib.util
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from samara.model import (
    ELECTRIC,
    Connection,
    Contribution,
    Domain,
    Element,
    Junction,
    Networked,
    Node,
    Output,
    Placement,
    Way,
    option,
    setting,
)
from samara.rotations import exp_so3

Turn = Callable[[Sequence[float]], np.ndarray]


@dataclass(frozen=True, eq=False)
class Row:
    """One element under the contract.

    name:     of the row; different from that of all other rows.
    make:     (nodes, rng, turn) -> the element with random but physical numbers. Called once an instance, in different
              models with the same random numbers, so all chance must come from `rng`. Vectors that the element keeps in
              world axes (gravity, a dead load) go through `turn`: the model as a whole may be turned. An element that
              stands on others comes last in a tuple with them; they are added before it and not looked at.
    nodes:    how many nodes the element takes.
    bad:      {field or other words of the message: nodes -> an element that must be refused}. The `ModelError` must
              name the element and contain those words.
    analytic: False where the element's coordinates cannot take complex numbers: the plain residual then differentiates
              by differences, and is compared to 1e-9 instead of 1e-13.
    reach:    distance of the nodes from each other [m], about.
    speed:    size of the twists [m/s, rad/s].
    near:     how far the nodes stray from their initial places against each other [m, rad], for elements that are only
              meant for moderate deformation; None: anywhere.
    outside:  whether its loads come from outside, so that its nodes' do not balance, and the states it shares get its
              loads rather than its work.
    step:     of the differences that the Jacobian is compared with: short where tables have kinks.
    unbalanced: why the element's power is not exactly that of its energies; "" for all that balance. Such a row is
              left out of the power balance and owes a test of how close it comes.
    then:     (nodes, element) -> another element that belongs to it and is added after it, not looked at.
    fixed:    whether the element knows of something at a place of the world, a ground perhaps, so that it is not the
              same elsewhere.
    carried:  (element, value of a junction) -> energy that a unit of flow carries there; the potential in electric
              networks, 1 in thermal ones. Hydraulic rows without it are left out of the power balance.
    """

    name: str
    make: Callable[[list[Node], np.random.Generator, Turn], Element | tuple[Element, ...]]
    nodes: int = 2
    bad: Mapping[str, Callable[[list[Node]], Element]] = field(default_factory=dict)
    analytic: bool = True
    reach: float = 1.0
    speed: float = 2.0
    near: float | None = None
    unbalanced: str = ""
    outside: bool = False
    step: float = 4e-3
    then: Callable[[list[Node], Element], Element] | None = None
    fixed: bool = False
    carried: Callable[[Element, float], float] | None = None

    def __repr__(self) -> str:
        return self.name


class Terminals(Networked):
    """Junctions for a row of networks to hang on: it comes first in the row's tuple. From each something
    leaks away, as much as its value.

        ends = Terminals.of(2)
        return ends, Resistor(*ends.junctions, resistance=3.0)
    """

    junctions: tuple[Junction, ...] = setting(default=())
    count: int = option(default=0)

    @classmethod
    def of(cls, count: int, domain: Domain = ELECTRIC, value: float = 0.0) -> Terminals:
        """So many junctions of a domain; random values are around this one."""
        return cls(junctions=tuple(Junction(domain, value) for _ in range(count)), count=count)

    def own_states(self):
        return {f"end_{k}": junction for k, junction in enumerate(self.junctions)}

    def connections(self):
        return [Connection(Way.STORES, junction) for junction in self.junctions]

    def formulate(self, site):
        values = [Output(f"value_{k}", "1", s.value) for k, s in enumerate(site.states)]
        return Contribution(wrenches=[], balances=[s.value for s in site.states], outputs=values)


# ---- random numbers that rows are made of
def vector(rng: np.random.Generator, size: float = 1.0) -> np.ndarray:
    """Three numbers of about this size."""
    return size * rng.uniform(-1.0, 1.0, 3)


def rotation(rng: np.random.Generator, size: float = 2.0) -> np.ndarray:
    """A rotation by up to about this angle [rad]."""
    return exp_so3(vector(rng, size))


def placement(rng: np.random.Generator, reach: float = 0.3) -> Placement:
    """A frame fixed in a node, anyhow turned."""
    return Placement(vector(rng, reach), rotation(rng))


def inertia(rng: np.random.Generator, size: float = 1.0) -> np.ndarray:
    """A symmetric inertia matrix that a body can have [kg m^2]."""
    x, y, z = size * rng.uniform(0.2, 1.0, 3)
    R = rotation(rng)
    return R @ np.diag([y + z, z + x, x + y]) @ R.T


@functools.cache
def all_rows() -> list[Row]:
    """The rows of all `rows_*.py`."""
    rows: list[Row] = []
    for path in sorted(Path(__file__).parent.glob("rows_*.py")):
        spec = importlib.util.spec_from_file_location(path.stem, path)
        assert spec is not None and spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        rows += module.ROWS
    names = [row.name for row in rows]
    repeated = sorted({n for n in names if names.count(n) > 1})
    assert not repeated, f"rows of the same name: {repeated}"
    return rows
