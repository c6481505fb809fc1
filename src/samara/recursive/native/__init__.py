"""Native code of a tree: compiled functions, contacts, jumps, long trees, batches."""
