"""Linear solver, Newton, integrators and the analyses in time."""
