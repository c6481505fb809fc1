"""Pumps, and sources of flow and pressure."""
