"""A mechanism at one instant: the motions its joints allow, its equations at rest, its massless nodes."""
