"""What joints are made of: alignment of frames, and the freedoms that a joint leaves."""
