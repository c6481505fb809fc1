"""The variational step: derivatives of a run by parameters, and transition matrices."""
