"""One-dimensional laws: what pulls a coordinate back."""
