"""Samples."""

SAMPLES = {}
