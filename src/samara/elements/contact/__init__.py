"""Contact: surfaces that touch, and what happens where they do."""
