"""Equilibrium at rest: load steps, pseudo-transient continuation, relaxation, stability."""
