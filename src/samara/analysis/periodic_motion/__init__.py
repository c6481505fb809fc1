"""Periodic motion and steady rotation: shooting, transition matrices, whether forces jump."""
