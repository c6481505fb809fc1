"""The errors a user can make: one sentence that names the culprit and the remedy."""


class ModelError(ValueError):
    """A model that cannot be what the user means."""


class ArgumentError(ValueError):
    """An argument that a function cannot work with."""


class CallError(ArgumentError, TypeError):
    """A call with arguments that are missing, too many, or of names that are not there."""
