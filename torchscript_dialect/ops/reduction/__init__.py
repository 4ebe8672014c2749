"""Reductions, scans, sorts, and what is found in sorted elements."""
