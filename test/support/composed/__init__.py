"""Small programs that join features of the language: each body in each context, compiled by PyTorch and here.

Bodies and contexts read `x`, `n`, `o`, `l`, `d` and `s`, and change `acc`, `t` and `log`. `@` is a number of the fragment's own, which
its local names end in. No fragment leaves out an argument of an exported method: PyTorch gives such methods their defaults only after
it has compiled those that call them.
"""
