"""Elements: one physical family a folder, one element a file."""
