"""Recursions over the segments of a tree: poses, twists, articulated-body inertias, sums over bodies."""
