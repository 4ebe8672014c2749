"""The dialects of the way from kernels to machine code that are not upstream's.

`kernel` says what the runtime needs to know of a function. The others, `x_ext`, hold operations of the upstream dialect `x` that
xDSL 0.74 lacks, or defines for scalars only, or prints in a way that it does not read. Their text is upstream's but for the name:
a second `arith.cmpf` would clash with xDSL's in every process that knows both.
"""
