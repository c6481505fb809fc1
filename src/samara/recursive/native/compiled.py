"""A tree made native: its functions, its parameters, and its block of numbers."""

from __future__ import annotations

import warnings

import numpy as np

from samara.model import Parameter
from samara.model.roles.inertia import RigidMass, total_mass
from samara.recursive.argument_checks import HELD_ANSWER, dependent_message, mechanism_size
from samara.recursive.graph.kernel import TreeGraph
from samara.recursive.graph.reactions import reactions
from samara.recursive.native.by_kind import LongTree
from samara.recursive.native.contacts import ContactPlaces, touch
from samara.recursive.native.jumps import kick, may_jump, prescribing, twists
from samara.recursive.tree import Tree, TreeError
from samara.system.kernels.signals import is_fixed
from samara.system.memory.aligned_arrays import aligned_zeros
from samara.system.system import System
from samara.tracing.collection import collection_paused
from samara.tracing.kernels import native
from samara.tracing.kernels.evaluate import evaluate
from samara.tracing.kernels.lanes import Place

#: Of the matrix of cut joints, made of unit diagonal: a singular value below it shows constraints that repeat others.
SINGULAR_VALUE = 1e-10
#: Segments above which a tree is treated by kinds. A whole runs 1.5 to 1.8 times as fast at 40 to 300 links of a chain,
#: but takes ten times as long to compile at 100, forty times at 300 (`samara bench recursive`, cases crossover).
LONG = 64
#: Segments of a tree with contacts above which a whole takes longer than half a minute to compile.
SLOW_WITH_CONTACTS = 200


class CompiledTree:
    """Functions of a tree for one instance at a time, beside the system whose memory they share.

    by_kind:    whether it is treated by kinds of segments instead of as a whole; by default where it is long, and can.
    block:      of numbers, see `recursive.graph.block`.
    parameters: values of the named parameters that it reads; the system writes them when they change.
    indices:    where `place` writes.
    """

    @collection_paused()
    def __init__(self, tree: Tree, system: System, by_kind: bool | None = None) -> None:
        self.tree, self.system = tree, system
        self.graph = TreeGraph(tree, system)
        self.places = self.graph.block
        self.long: LongTree | None = None
        self.contacts: ContactPlaces | None = None
        self.addresses: dict[str, int] = {}
        self.operations: dict[str, int] = {}
        reason = self._not_by_kind()
        if by_kind and reason:
            raise TreeError(f"model {tree.model.name!r} cannot be treated by kinds of segments: {reason}")
        if by_kind or (by_kind is None and len(tree.segments) > LONG and not reason):
            bodies = [(number, numbers) for _, number, numbers in self.graph.bodies()]
            self.long = LongTree(tree, self.places, bodies, np.asarray(self.graph.gravity, float))
        else:
            self._load_whole()
        self.block = aligned_zeros(self.places.size if self.long is None else self.long.size)
        self.parameters = np.zeros(max(1, len(self.graph.parameters)))
        for k, parameter in enumerate(self.graph.parameters):
            system.parameters.follow(parameter.name, self.parameters, (k,))
        self.indices = self.graph.indices()
        self.copies = self.places.copies(system.layout)
        self.to_rest()

    def _load_whole(self) -> None:
        """One kernel for the whole tree."""
        functions = [self.graph.forward(), self.graph.place(), reactions(self.graph)]
        if self.tree.cut:
            functions.append(self.graph.project())
        if self.places.pushes > self.places.kept:
            functions += [twists(self.graph), kick(self.graph)]
        if self.graph.contacts:
            if len(self.tree.segments) > SLOW_WITH_CONTACTS:
                warnings.warn(
                    f"model {self.tree.model.name!r} has contacts and {len(self.tree.segments)} elementary motions: as "
                    "a tree it takes minutes to compile; formulation='redundant' does not",
                    stacklevel=2,
                )
            function, self.contacts = touch(self.graph)
            functions.append(function)
        loaded = native.load("tree", functions, 1, self.graph.shape())
        self.system.kernels.append(loaded)
        self.addresses = loaded.addresses
        self.operations = {f.name: f.graph.operations(node for _, node in f.outputs) for f in functions}

    def _not_by_kind(self) -> str:
        """Why the tree cannot be treated by kinds of segments; nothing if it can."""
        if self.graph.states:
            return f"it has scalar states, such as {self.graph.states[0].name!r}"
        if self.graph.contacts:
            return f"it has contacts, such as {self.graph.contacts[0].name!r}"
        if self.tree.cut:
            return "it has loops that are closed by cut joints"
        if self.graph.gravity is None:
            return "gravity differs among its bodies, or changes"
        if any(self.places.has_base(s.base) for s in self.tree.segments if s.parent < 0):
            return "it stands on a node that moves"
        constant = [s.name for s in self.tree.segments if any(d and is_fixed(d) for d in (s.drive, s.rate))]
        if constant:
            return f"{constant[0]} follows a drive that never changes"
        jumping = [s.name for s in self.tree.segments if any(d and may_jump(d) for d in (s.drive, s.rate))]
        if jumping:
            return f"{jumping[0]} follows a drive that may jump"
        tuned = [b.name for b in self.tree.bodies if any(isinstance(x, Parameter) for x in b.objects())]
        return f"numbers of {tuned[0]!r} are parameters" if tuned else ""

    def prescribed(self) -> np.ndarray:
        """(place in the state, place in the block, whether it is a place) of what jumps velocities where it jumps."""
        at, layout = self.places, self.system.layout
        found = [
            (layout.signal(d) + k, at.drive(d) + k, int(count == 2 and k == 0))
            for d, count in prescribing(self.graph)
            for k in range(count)
        ]
        found += [(place, to, int(at.is_base_pose(to))) for place, to in self.copies.tolist() if at.is_base_motion(to)]
        return np.array(found, np.int64).reshape(-1, 3)

    def leading(self) -> tuple[np.ndarray, np.ndarray]:
        """What takes bodies along where it jumps: (place in the state, in the block) of values of drives of joints,

        and (place in the block, those of rotation and position in the state) of prescribed nodes.
        """
        at, layout = self.places, self.system.layout
        drives = [s.drive for s in self.tree.segments if s.drive is not None and not is_fixed(s.drive)]
        source = {to: place for place, to in self.copies.tolist()}
        bases = [[at.base(node), *(source[at.base(node) + k] for k in range(12))] for node in at.bases]
        driven = np.array([(layout.signal(d), at.drive(d)) for d in drives], np.int64)
        return driven.reshape(-1, 2), np.array(bases, np.int64).reshape(-1, 13)

    def require_independent(self) -> None:
        """Refuses cut joints that repeat each other, or the tree, where the block is now."""
        if not self.tree.cut:
            return
        found = evaluate(self.graph.compliance(), self._read)
        n = round(np.sqrt(len(found)))
        E = np.array(found).reshape(n, n)
        scale = np.sqrt(np.abs(np.diag(E)))
        mass = total_mass(self.tree.bodies, RigidMass) * max(1.0, mechanism_size(self.tree) ** 2)
        answers = bool((scale * scale * mass > HELD_ANSWER).all())  # else the tree holds it already, but for rounding
        sizes = np.linalg.svd(E / np.outer(scale, scale), compute_uv=False) if answers else np.zeros(1)
        if not sizes[-1] > SINGULAR_VALUE:
            raise TreeError(dependent_message(self.tree))

    def _read(self, place: Place) -> float:
        if place.kind == "parameter":
            return float(self.parameters[place.position])
        return float(self.block[place.position])

    def to_rest(self) -> None:
        """Coordinates of the reference pose of every joint: zeros, and balls that are not turned."""
        self.block[:] = 0.0
        self.block[self.places.one] = 1.0
        for segment in self.tree.segments:
            if segment.freedom.kind == "ball":
                self.block[self.places.coordinates + segment.q] = 1.0

    # ---- parts of the block
    @property
    def coordinates(self) -> np.ndarray:
        """q."""
        return self.block[self.places.coordinates : self.places.speeds]

    @property
    def speeds(self) -> np.ndarray:
        """s."""
        return self.block[self.places.speeds : self.places.efforts]

    @property
    def rates(self) -> np.ndarray:
        """Rates of the speeds, as they were last evaluated."""
        return self.block[self.places.results : self.places.results + self.tree.speeds]

    def corrected(self) -> list[tuple[int, int, int]]:
        """Numbers that closing loops corrects: (place, place of the correction, level), level 3 for a ball's turn."""
        if not self.tree.cut:
            return []
        at, n = self.places, self.tree.speeds
        found = []
        for s in self.tree.free_segments:
            ball = s.freedom.kind == "ball"
            found.append((at.coordinates + s.q, at.corrections + s.v, 3 if ball else 0))
        return found + [(at.speeds + k, at.corrections + n + k, 1) for k in range(n)]
