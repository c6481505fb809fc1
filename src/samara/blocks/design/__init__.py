"""Gains of laws, designed from a linear model."""
