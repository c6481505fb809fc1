"""Variational equations of a step: derivatives of a run with respect to parameters, and transition matrices."""
