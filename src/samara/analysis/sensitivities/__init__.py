"""Derivatives by parameters: of equilibria, modes, runs and trims."""
