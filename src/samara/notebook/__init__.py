"""What notebooks show: tables, parts that open, and streams on which a line can be written over."""
