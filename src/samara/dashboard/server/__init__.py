"""The process of the panel: server, start, browser."""
