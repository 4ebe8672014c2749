"""Live Python objects in programs: names, constants, types, functions, classes and modules."""
