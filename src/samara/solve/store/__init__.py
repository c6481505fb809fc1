"""What a run leaves and takes up again: checkpoints, and states that are put back on error."""
