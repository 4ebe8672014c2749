"""Fourier transforms, spectrograms, windows."""
