"""A tree made native: compiled functions, contacts, jumps, long trees, batches."""
