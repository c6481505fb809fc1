"""Real time: clock, loop, mailboxes, recorder, controllers."""
