"""Trees in minimal coordinates."""
