"""The steps of the frontend as passes, one a file: `convert_to_ssa.py` is `ts-convert-to-ssa`."""
