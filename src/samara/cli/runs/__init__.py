"""Commands that build and run models: run, check, tree, models."""
