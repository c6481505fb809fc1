"""The errors a user can make: one sentence that names the culprit and the remedy."""


class ModelError(ValueError):
    """A model that cannot be what the user means."""


class ArgumentError(ValueError):
    """An argument that a function cannot work with."""
