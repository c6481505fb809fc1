"""The cards of a page, one a file. A card is built inside the container that is open, and has `update()`."""
