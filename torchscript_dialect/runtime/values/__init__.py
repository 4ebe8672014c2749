"""Runtime values: script objects, containers, arguments of calls, and their exchange with Python and archives."""
