"""The operator's panel in the browser: a process of its own that observes a session and sends requests to it.

    track, health, sources, feed    what is read from the session, once for all pages, 25 times a second
    decimation, trigger, cursors, scope, histogram    what a page shows of it
    events, alarms, staging, desk    who did what; limits that are watched; parameters; the one place that commands
    stick_motion, pilot, attitude    flying: how sticks move, who holds them, how the craft lies
    roles, bucket, gate    who may come in, and who may command
    layouts, recording    files of layouts; the recorder beside
    page, cards/    what is seen, with NiceGUI; server, start    the process

Only page, cards and server need NiceGUI; nothing here is loaded by `import samara`.
"""
