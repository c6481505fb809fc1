"""The state of a system, the arrays that hold it, and its exact derivatives."""
