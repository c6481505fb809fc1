"""Native redundant formulation: six unknowns per node, constraints with multipliers, one Newton iteration matrix."""
