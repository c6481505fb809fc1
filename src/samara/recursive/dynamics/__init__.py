"""Recursions over the segments of a tree: poses, twists, articulated bodies, sums over bodies."""
