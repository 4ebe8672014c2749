"""Derivatives of images sampled at the points of a grid."""

from torchscript_dialect.ops.derivatives.declaring import derivative, parts

_OPTIONS = "interpolation_mode, padding_mode, align_corners"
derivative(
    "affine_grid_generator",
    theta="torch.affine_grid_generator_backward(grad, size, align_corners)",
)
derivative(
    "grid_sampler grid_sampler_2d grid_sampler_3d",
    input__grid=f"sampled_back(grad, input, grid, {_OPTIONS}, needs)",
)
parts(
    "grid_sampler_2d_backward grid_sampler_3d_backward",
    "grad_output: Tensor, input: Tensor, grid: Tensor, interpolation_mode: int, padding_mode: int, align_corners: bool, "
    "output_mask: List[bool]",
    f"return gradients_of_sampled(grad_output, input, grid, {_OPTIONS})",
    result="Tuple[Tensor, Tensor]",
)
