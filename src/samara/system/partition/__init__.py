"""Substructures of a model: which elements, nodes and states a part owns, and what is left between the parts.

partition.py    what a partition is: parts, interface, balance
cuts.py         how it is found: METIS on the graph of nodes and elements, or the blades of the rotors
drawing.py      a picture of it
"""

from samara.system.partition.cuts import partition
from samara.system.partition.partition import Partition

__all__ = ["Partition", "partition"]
