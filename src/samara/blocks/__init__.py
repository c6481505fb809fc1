"""Blocks: laws of signals, each written once on plain or traced numbers, whoever evaluates it.

An element of a model, a sampled law in a model or in hard real time, a controller process and a script use the same
record: native code and derivatives are made from its functions by tracing.
"""
