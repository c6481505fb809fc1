"""Laws of contact: Hertzian, one-sided, stops."""
