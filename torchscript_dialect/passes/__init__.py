"""The pass manager: how passes are found, put in a row, run, watched and timed."""
