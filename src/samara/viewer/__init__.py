"""Runs and modes in three dimensions: pages for the browser, in one file and without a network; films; ParaView."""
