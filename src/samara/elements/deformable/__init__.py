"""Deformable connections: laws of three and six relative coordinates between two nodes."""
