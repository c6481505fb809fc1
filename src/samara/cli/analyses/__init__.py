"""Commands that analyse small motions: modes, floquet, campbell."""
