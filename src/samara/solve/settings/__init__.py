"""What a simulation is told: its formulation, its integrator, and the numbers of its steps."""
