"""Operators of training: gradients that are operators, optimizers, lists of parameters."""
