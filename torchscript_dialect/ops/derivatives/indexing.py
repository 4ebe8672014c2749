"""Derivatives of indexing, gathering and scattering."""

from torchscript_dialect.ops.derivatives.declaring import derivative, parts

derivative(
    "index.Tensor index.Tensor_hacked_twin _unsafe_index.Tensor _unsafe_index.Tensor_hacked_twin",
    self="torch.index_put(zeros_of(grad, self), indices, grad, True)",
    indices="not_differentiable",
)
derivative(
    "index_put index_put.hacked_twin _unsafe_index_put _unsafe_index_put.hacked_twin _index_put_impl",
    self="grad if accumulate else torch.index_put(grad, indices, grad.new_zeros([]), False)",
    values="torch.index(grad, indices)",
    indices="not_differentiable",
)
derivative(
    "index_select",
    self="zeros_of(grad, self).index_add(dim, index, grad)",
    index="not_differentiable",
)
derivative(
    "index_add",
    self="grad",
    source="times(grad.index_select(dim, index).reshape(source.size()), alpha)",
    index="not_differentiable",
)
derivative(
    "index_fill.int_Scalar", self="grad.index_fill(dim, index, 0)", index="not_differentiable"
)
derivative(
    "index_fill.int_Tensor",
    self="grad.index_fill(dim, index, 0)",
    value="of_filled(grad, dim, index)",
    index="not_differentiable",
)
derivative(
    "index_copy",
    self="grad.index_fill(dim, index, 0)",
    source="grad.index_select(dim, index).reshape(source.size())",
    index="not_differentiable",
)
derivative(
    "gather", self="zeros_of(grad, self).scatter_add(dim, index, grad)", index="not_differentiable"
)
derivative(
    "scatter.src",
    self="grad.scatter(dim, index, 0)",
    src="gathered(grad, dim, index, src)",
    index="not_differentiable",
)
derivative("scatter.value", self="grad.scatter(dim, index, 0)", index="not_differentiable")
derivative(
    "scatter_add", self="grad", src="gathered(grad, dim, index, src)", index="not_differentiable"
)
derivative("take", self="zeros_of(grad, self).put(index, grad, True)", index="not_differentiable")
derivative(
    "put",
    self="grad if accumulate else grad.put(index, torch.zeros_like(source), False)",
    source="grad.take(index).reshape(source.size())",
    index="not_differentiable",
)
derivative("masked_fill.Scalar", self="grad.masked_fill(mask, 0)", mask="not_differentiable")
derivative(
    "masked_fill.Tensor",
    self="grad.masked_fill(mask, 0)",
    value="torch.where(mask, grad, torch.zeros_like(grad)).sum()",
    mask="not_differentiable",
)
derivative(
    "masked_select",
    self="chosen(grad, self, mask)",
    mask="not_differentiable",
)
derivative(
    "masked_scatter",
    self="grad.masked_fill(mask, 0)",
    source="filled(grad, mask, source)",
    mask="not_differentiable",
)
derivative(
    "embedding",
    weight="torch.embedding_backward(grad, indices, weight.size(0), padding_idx, scale_grad_by_freq, sparse)",
    indices="not_differentiable",
)
derivative(
    "scatter_reduce.two",
    self__src="of_scatter_reduce(grad, self, dim, index, src, reduce, include_self, result)",
    index="not_differentiable",
)
parts(
    "index_reduce",
    "self: Tensor, dim: int, index: Tensor, source: Tensor, reduce: str, include_self: bool",
    """
    if self.dim() == 0:
        row = self.reshape([1])
        places = index.reshape([-1])
        return row.scatter_reduce(0, places, source.reshape([-1]), reduce, include_self=include_self).reshape([])
    axis = dim % self.dim()
    sizes = [-1 if one == axis else 1 for one in range(self.dim())]
    places = index.reshape(sizes).expand(source.size())
    return self.scatter_reduce(dim, places, source, reduce, include_self=include_self)
""",
)
derivative(
    "_unsafe_masked_index",
    self="torch._unsafe_masked_index_put_accumulate(zeros_of(grad, self), mask, indices, grad)",
    mask="not_differentiable",
    indices="not_differentiable",
)
derivative(
    "_unsafe_masked_index_put_accumulate",
    self="grad",
    values="torch._unsafe_masked_index(grad, mask, indices, 0)",
    mask="not_differentiable",
    indices="not_differentiable",
)
