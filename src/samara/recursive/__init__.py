"""Body decomposition: tree-like systems of rigid bodies in their degrees of freedom, one forward recursion.

spatial.py        the algebra of screws
tree.py           a model as a tree of segments, or an error that names what is none
recursion.py      poses, twists, accelerations from the inside out
inertia.py, articulated.py   forward dynamics, O(n)
decomposition.py  H, C, h as sums over bodies; composite.py  the same along the tree
block.py, kernel.py, linker.py, states.py, algebraic.py, functions.py   traced into native code, with all loads
reactions.py, closures.py, jumps.py            what holds bodies together, loops, prescribed motions that jump
by_kind.py                                     long trees
compiled.py, reading.py                        for runs
rigid_tree.py, batch_kernel.py, guards.py      for users, and what is refused
denavit_hartenberg.py   chains of links from a table
view.py, drawing.py   a tree in words, block by block, and as a picture
"""

from samara.recursive.denavit_hartenberg import DenavitHartenbergRow, add_denavit_hartenberg
from samara.recursive.rigid_tree import Derivatives, RigidTree
from samara.recursive.tree import Tree, TreeError
from samara.recursive.view.view import TreeView

__all__ = [
    "DenavitHartenbergRow", "Derivatives", "RigidTree", "Tree", "TreeError", "TreeView", "add_denavit_hartenberg",
]  # fmt: skip
