"""The error a user can make in a model: one sentence that names the culprit and the remedy."""


class ModelError(ValueError):
    """A model that cannot be what the user means."""
