"""Definitions of what is measured, free of any code's conventions, and how Samara runs them."""
