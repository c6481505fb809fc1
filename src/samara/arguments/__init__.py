"""The one door for arguments: numbers, arrays, words, files and calls, checked as a user gives them.

    steps = whole("transient: steps", steps)

Each function takes what is asked for, "culprit: argument", and the value; it returns the value in the type that native
code is compiled for, or raises `ArgumentError` with one sentence, the culprit and the argument. A native loop is
compiled once for each combination of the types of its arguments, which takes a minute: an int where a float is meant,
a float32 or a NumPy integer would be a new combination, so they are converted before they get there.
"""

from samara.arguments.arrays import ANY, FLOAT, as_reals, finite_numbers, real_numbers, rising
from samara.arguments.calls import known, require_fit
from samara.arguments.errors import ArgumentError, CallError, ModelError, refused, shown
from samara.arguments.numbers import (
    as_real,
    as_whole,
    finite,
    fraction,
    not_negative,
    positive,
    whole,
)
from samara.arguments.words import file_path, instance, named, names, one_of, outputs, several, text, yes_or_no

__all__ = [
    "ANY",
    "FLOAT",
    "ArgumentError",
    "CallError",
    "ModelError",
    "as_real",
    "as_reals",
    "as_whole",
    "file_path",
    "finite",
    "finite_numbers",
    "fraction",
    "instance",
    "known",
    "named",
    "names",
    "not_negative",
    "one_of",
    "outputs",
    "positive",
    "real_numbers",
    "refused",
    "require_fit",
    "rising",
    "several",
    "shown",
    "text",
    "whole",
    "yes_or_no",
]
