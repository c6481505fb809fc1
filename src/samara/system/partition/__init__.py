"""Substructures of a model: the elements, nodes and states that each part owns, and the interface between the parts.

partition.py    a partition: parts, interface, load balance
cuts.py         how it is found: METIS on the graph of nodes and elements, or by rotor blades
drawing.py      its plot
"""

from samara.system.partition.cuts import partition
from samara.system.partition.partition import Partition

__all__ = ["Partition", "partition"]
