"""Robots with flexible links and motors in their joints."""
