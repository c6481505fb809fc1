"""Layout of the arrays: batches, groups, unknowns, drives, parameters, sparsity pattern of the Jacobian."""
