"""Views of a tree: as text, block by block, and as a picture."""
