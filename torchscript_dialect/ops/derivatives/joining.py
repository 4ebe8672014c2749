"""Derivatives of what joins, divides and rearranges tensors."""

from torchscript_dialect.ops.derivatives.declaring import derivative

derivative("cat concat concatenate", tensors="divided(grad, tensors, dim)")
derivative("stack", tensors="grad.unbind(dim)")
derivative("unbind.int", self="torch.stack(grads, dim)")
for _name in (
    "split.Tensor",
    "split.sizes",
    "split",
    "split_with_sizes",
    "chunk",
    "unsafe_split.Tensor",
    "unsafe_split_with_sizes",
    "unsafe_chunk",
    "tensor_split.sections",
    "tensor_split.indices",
):
    derivative(_name, self="torch.cat(grads, dim)")
derivative("flip", self="grad.flip(dims)")
derivative("fliplr", self="grad.flip([1])")
derivative("flipud", self="grad.flip([0])")
derivative("roll", self="grad.roll([-one for one in shifts], dims)")
derivative("rot90", self="grad.rot90(-k, dims)")
derivative("tril", self="grad.tril(diagonal)")
derivative("triu", self="grad.triu(diagonal)")
derivative("repeat", self="repeated(grad, self, repeats)")
derivative("diag_embed", self="grad.diagonal(offset, dim1, dim2)")
derivative("constant_pad_nd", self="torch.constant_pad_nd(grad, [-one for one in pad], 0)")
derivative("pixel_shuffle", self="torch.pixel_unshuffle(grad, upscale_factor)")
derivative("pixel_unshuffle", self="torch.pixel_shuffle(grad, downscale_factor)")
