"""A mechanism at one instant: the motions that its joints leave, its equations at rest, its massless nodes."""
