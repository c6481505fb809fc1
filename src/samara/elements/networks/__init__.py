"""Networks: flows between junctions, and the base classes of network elements."""
