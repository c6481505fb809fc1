"""Saving and restoring a run: checkpoints, and restoring the state after an error."""
