"""Steps through impacts."""
