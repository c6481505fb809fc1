"""What is read from the session, once for all pages: tracks, health, sources, alarms, events."""
