"""Rotors in small motions: rotating parts, identical blades, multiblade coordinates.

frame     how a rotor stands in the unknowns: Coleman's transformation, exchange of the blades
find      the rotors of a model that turn; alike: whether their blades are
hub_loads what the blades exert on the hub; harmonics: of a channel, by n per revolution
motion    what a model does at an instant, and whether it does the same later; turn: after which period
coleman   small motions in multiblade coordinates; carried: in a basis that goes along with them, A(t)
exponents Floquet's exponents of A(t); averaged: modes about a periodic motion by them
"""
