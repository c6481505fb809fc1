"""The redundant formulation, native: six unknowns per node, constraints by multipliers, one Newton iteration matrix."""
