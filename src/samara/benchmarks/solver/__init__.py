"""The engine: steps, growth with the size of the model, the first minute, own elements, derivatives."""
