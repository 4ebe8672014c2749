"""The slot `grad` of operators: their derivatives, one file for each family; Note [Derivatives] in autodiff/derivatives.py.

They are attached when the first gradient is asked for, so that programs without gradients do not read them.
"""
