"""Kernels that copy elements of one array to another of the same shape, each with strides of its own: what writes to a part of a tensor
on a device, and what makes a dense one of it.
"""

from __future__ import annotations

from xdsl.dialects.builtin import IntegerType, ModuleOp

from lowering.gpu.element_kernel import ElementKernel

NAME = "strided_copy"
WORK_PS = 1000


def strided_copy(rank: int, bits: int) -> ModuleOp:
    """A kernel (Note [Kernel loop form]) for arrays of `rank` dimensions and elements of so many bits. Its words are the number of
    elements, then for each dimension its size, and the strides of source and target in elements.
    """
    element = IntegerType(bits)
    kernel = ElementKernel(element, element)
    source, target = kernel.arrays
    dims = [[kernel.size(1 + 3 * dim + part) for part in range(3)] for dim in range(rank)]
    at_source, at_target = kernel.places(dims, 2)
    kernel.store(kernel.load(source, at_source, element), target, at_target)
    return kernel.module(NAME, words=1 + 3 * rank, cost=WORK_PS)
