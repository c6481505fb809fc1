"""Blocks: the discrete parts that control laws are made of, one a file.

Each takes a sample and gives one, at the rate that it was made for; gains that are designed from a model belong here
too. Blocks know no session, no link and no clock, so that the same ones serve in a script.
"""
