"""Constraints that repeat each other: found, named, released; locks among them."""
