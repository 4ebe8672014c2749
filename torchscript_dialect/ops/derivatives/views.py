"""Derivatives of views, copies and casts."""

from torchscript_dialect.ops.derivatives.declaring import derivative, not_differentiable

derivative(
    "view reshape _unsafe_view _reshape_alias _reshape_copy flatten.using_ints unflatten.int "
    "squeeze squeeze.dim squeeze.dims unsqueeze ravel atleast_1d atleast_2d atleast_3d resize",
    self="grad.reshape(self.size())",
)
derivative("_reshape_from_tensor", self="grad.reshape(self.size())", shape="not_differentiable")
derivative("view_as reshape_as", self="grad.reshape(self.size())", other="not_differentiable")
derivative("expand broadcast_to", self="grad")
derivative("expand_as", self="grad", other="not_differentiable")
derivative("sum_to_size", self="grad.expand(self.size())")
derivative("_grad_sum_to_size", self="grad.expand(self.size())")
derivative("t", self="grad.t()")
for _name in ("numpy_T", "mT", "mH", "matrix_H"):
    derivative(_name, self=f"torch.{_name}(grad)")
    derivative(f"{_name}.a", self=f"torch.{_name}(grad)")
derivative("adjoint", self="torch.adjoint(grad)")
derivative("select_backward", grad_output="grad.select(dim, index)")
derivative("slice_backward", grad_output="grad.slice(dim, start, end, step)")
derivative("diagonal_backward", grad_output="grad.diagonal(offset, dim1, dim2)")
derivative("unfold_backward", grad_in="grad.unfold(dim, size, step)")
derivative("transpose.int", self="grad.transpose(dim0, dim1)")
derivative("swapdims", self="grad.transpose(dim0, dim1)")
derivative("swapaxes", self="grad.transpose(axis0, axis1)")
derivative("permute", self="grad.permute(inverse_order(dims))")
derivative("movedim.intlist moveaxis.intlist", self="grad.movedim(destination, source)")
derivative("movedim.int moveaxis.int", self="grad.movedim(destination, source)")
derivative("select.int", self="scattered_select(grad, self, dim, index)")
derivative("slice.Tensor", self="scattered_slice(grad, self, dim, start, end, step)")
derivative(
    "narrow", self="scattered_slice(grad, self, dim, start, end_of(self, dim, start, length), 1)"
)
derivative("diagonal", self="scattered_diagonal(grad, self, offset, dim1, dim2)")
derivative("unfold", self="folded(grad, self, dimension, size, step)")
derivative("as_strided", self="scattered_strides(grad, self, size, stride, storage_offset)")
derivative("alias clone contiguous lift_fresh cpu cuda", self="grad")
derivative(
    "to.device to.dtype to.dtype_layout to.prim_Device to.prim_dtype _to_copy _cast_Double _cast_Float _cast_Half",
    self="grad",
)
derivative("to.other to.prim_other type_as", self="grad", other="not_differentiable")
derivative("copy_", self="torch.zeros_like(grad)", src="grad")
derivative("copy", self="torch.zeros_like(grad)", src="grad")
derivative("fill.Scalar zero", self="torch.zeros_like(grad)")
derivative("fill_diagonal_", self="grad.clone().fill_diagonal_(0, wrap)")
derivative("fill.Tensor", self="torch.zeros_like(grad)", value="grad.sum()")
derivative("view.dtype view_copy.dtype", result="not_differentiable")
not_differentiable(
    "zeros_like ones_like full_like empty_like rand_like randn_like new_zeros new_ones new_full new_empty new_empty_strided detach"
)
