"""What users fill in: records, their fields, how each is checked, and the drives among them."""
