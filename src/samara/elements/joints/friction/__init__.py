"""Friction of joints."""
