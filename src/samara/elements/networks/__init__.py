"""Networks: what flows between junctions, and the families that its elements are made of."""
