"""Connectivity of the nodes of a model: parts and clusters."""
