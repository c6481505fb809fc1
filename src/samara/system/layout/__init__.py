"""Where numbers live: batches, groups, unknowns, drives, parameters, the pattern of the Jacobian."""
