"""Regulators, and the control laws that they follow."""
