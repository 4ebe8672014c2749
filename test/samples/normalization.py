"""Normalization layers and losses."""

SAMPLES = {}
