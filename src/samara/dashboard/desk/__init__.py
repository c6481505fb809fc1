"""The one place that commands: staged parameters, layouts, the recorder."""
