"""Derivatives of images sampled at the points of a grid."""

from torchscript_dialect.ops.derivatives.declaring import parts

_PARAMETERS = (
    "input: Tensor, grid: Tensor, interpolation_mode: int, padding_mode: int, align_corners: bool"
)
for _name in ("grid_sampler", "grid_sampler_2d", "grid_sampler_3d"):
    parts(
        _name,
        _PARAMETERS,
        """
    check_grid(input, grid)
    if interpolation_mode == 2:
        if input.dim() != 4:
            raise RuntimeError("grid_sampler(): bicubic interpolation only supports 4D input")
        return sampled_by_cubes(input, grid, padding_mode, align_corners)
    return sampled(input, grid, interpolation_mode == 0, padding_mode, align_corners)
""",
    )
