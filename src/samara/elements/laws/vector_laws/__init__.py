"""Laws of several coordinates."""
