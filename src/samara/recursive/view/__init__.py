"""A tree as people look at it: in words, block by block, and as a picture."""
