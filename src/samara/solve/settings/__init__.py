"""Settings of a simulation: formulation, integrator and step-size parameters."""
