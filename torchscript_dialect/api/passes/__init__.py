"""Passes over whole modules, one a file."""
