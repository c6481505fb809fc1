"""Static equilibrium: load steps, pseudo-transient continuation, relaxation, stability."""
