"""Where a model starts: its reference pose, moved on by what joints say."""
