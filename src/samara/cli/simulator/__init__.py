"""Commands around a simulator in real time: realtime, controller, record, panel."""
