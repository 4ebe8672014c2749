"""`interpolate` and `upsample` as operators, which archives of PyTorch 1.0 to 1.5 call (PyTorch:
jit/runtime/register_prim_ops_fulljit.cpp, `interpolate`). Later ones hold the source of `torch.nn.functional.interpolate`.

Sizes are taken before factors, and the operator that resizes gets a factor only where `recompute_scale_factor` is False. PyTorch warns
of defaults that changed in its versions 0.4 and 1.5; nothing is warned of here.
"""

from __future__ import annotations

from torchscript_dialect.ops.composite import composite

_PLAIN = {
    "nearest": ("upsample_nearest1d", "upsample_nearest2d", "upsample_nearest3d"),
    "linear": ("upsample_linear1d", None, None),
    "bilinear": (None, "upsample_bilinear2d", None),
    "bicubic": (None, "upsample_bicubic2d", None),
    "trilinear": (None, None, "upsample_trilinear3d"),
    "area": ("adaptive_avg_pool1d", "adaptive_avg_pool2d", "adaptive_avg_pool3d"),
}
"""By mode, the operator for images of 1, 2 and 3 dimensions."""


def _cases() -> str:
    """What calls the operator of a mode and a rank."""
    lines: list[str] = []
    for mode, operators in _PLAIN.items():
        lines.append(f'    if mode == "{mode}":')
        for rank, operator in enumerate(operators, 1):
            if operator is None:
                continue
            arguments = ["input", "sizes"]
            if mode != "area":
                arguments += [] if mode == "nearest" else ["corners"]
                arguments += [f"scales[{axis}]" for axis in range(rank)]
            lines.append(f"        if rank == {rank}:")
            lines.append(f"            return torch.{operator}({', '.join(arguments)})")
        needed = [rank + 2 for rank, operator in enumerate(operators, 1) if operator]
        if len(needed) == 1:
            lines.append("        if rank >= 1 and rank <= 3:")
            told = f'"D input, but {mode} mode needs {needed[0]}D input"'
            lines.append(f'            raise RuntimeError("Got " + str(rank + 2) + {told})')
    return "\n".join(lines)


_BODY = """
    rank = input.dim() - 2
    corners = False
    if align_corners is not None:
        if mode == "nearest" or mode == "area":
            raise RuntimeError("align_corners option can only be set with the interpolating modes: linear | bilinear | bicubic |"
                               " trilinear")
        corners = align_corners
    if antialias:
        raise RuntimeError("Antialias is not yet supported")
    scales: List[Optional[float]] = [None, None, None]
    sizes: List[int] = []
    if scale_factor is not None:
        for axis in range(rank):
            factor = {factor}
            sizes.append(int(math.floor(input.size(axis + 2) * factor)))
            if recompute_scale_factor is not None:
                if not recompute_scale_factor and axis < 3:
                    scales[axis] = factor
    if size is not None:
        sizes = {sizes}
    elif scale_factor is None:
        raise RuntimeError("either size or scale_factor should be defined")
{cases}
    raise RuntimeError("Input Error: Only 3D, 4D and 5D input Tensors supported (got " + str(input.dim()) + "D) for the modes:"
                       " nearest | linear | bilinear | trilinear (got " + mode + ") ")
"""
_INTERPOLATE = """
def interpolate(input: Tensor, size: Optional[{size}], scale_factor: Optional[{factor}], mode: str, align_corners: Optional[bool],
                recompute_scale_factor: Optional[bool], antialias: bool) -> Tensor:"""
_UPSAMPLE = """
def upsample(input: Tensor, size: Optional[{size}], scale_factor: Optional[{factor}], mode: str,
             align_corners: Optional[bool]) -> Tensor:"""
_OF_MODE = """
def upsample(input: Tensor, size: Optional[{size}], scale_factor: Optional[{factor}]) -> Tensor:
    mode = "{mode}"
    align_corners: Optional[bool] = {corners}"""
_NOT_ASKED = """
    recompute_scale_factor: Optional[bool] = None
    antialias = False"""


def _declare(operator: str, overload: str, head: str, factor: str, **words: str) -> None:
    many_sizes, many_factors = "size_list" in overload, "scale_list" in overload
    head = head.format(
        size="List[int]" if many_sizes else "int",
        factor=f"List[{factor}]" if many_factors else factor,
        **words,
    )
    body = _BODY.format(
        sizes="size" if many_sizes else "[size for _ in range(rank)]",
        factor="float(scale_factor[axis])" if many_factors else "float(scale_factor)",
        cases=_cases(),
    )
    name = f"aten::{operator}" + (f".{overload}" if overload else "")
    composite(name, head + body)


for overload in ("", "size_list", "scale_list", "size_list_scale_list"):
    _declare("__interpolate", overload, _INTERPOLATE, "float")
    _declare(
        "__upsample_bilinear",
        overload,
        _OF_MODE + _NOT_ASKED,
        "int",
        mode="bilinear",
        corners="True",
    )
for overload in ("", "size_list"):
    _declare("__upsample", overload, _UPSAMPLE + _NOT_ASKED, "int")
    _declare(
        "__upsample_nearest",
        overload,
        _OF_MODE + _NOT_ASKED,
        "int",
        mode="nearest",
        corners="None",
    )
