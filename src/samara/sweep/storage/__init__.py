"""What is kept of a sweep on disk, and whether it is of the same sweep."""
