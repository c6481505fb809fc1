"""Body decomposition: trees of rigid bodies in minimal coordinates, with one forward recursion.

tree.py           a model as a tree of segments, or an error that names what does not form a tree
coordinates.py    joint coordinates and speeds from the poses and twists of nodes
rigid_tree.py, argument_checks.py   the interface for users, with checks of arguments and results
denavit_hartenberg.py               chains of links from a table
dynamics/         screw algebra (spatial.py); poses, twists and accelerations from the root outwards (recursion.py);
                  forward dynamics, O(n) (inertia.py, articulated.py); H, C, h as sums over bodies (decomposition.py)
graph/            tracing with all loads; H, C, h along the tree (composite.py), joint reactions, loop closures
native/           compiled functions for runs, contacts, prescribed motions that jump, long trees (by_kind.py), batches
view/             a tree as text, block by block, and as a picture
"""

from samara.recursive.denavit_hartenberg import DenavitHartenbergRow, add_denavit_hartenberg
from samara.recursive.rigid_tree import Derivatives, RigidTree
from samara.recursive.tree import Tree, TreeError
from samara.recursive.view.view import TreeView

__all__ = [
    "DenavitHartenbergRow", "Derivatives", "RigidTree", "Tree", "TreeError", "TreeView", "add_denavit_hartenberg",
]  # fmt: skip
