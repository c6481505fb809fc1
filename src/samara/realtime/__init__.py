"""clock, loop, mailboxes, recorder, controllers"""
