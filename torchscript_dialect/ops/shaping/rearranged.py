"""Operators that put elements together and apart, as decompositions into views and copies."""

from __future__ import annotations

from torchscript_dialect.ops import registry
from torchscript_dialect.ops.aliasing import Aliasing, Origin
from torchscript_dialect.ops.composite import DIMENSION_IN_RANGE, composite

# Splits along the first, second and third dimension

_CHECKED = """
    if self.dim() < {rank}:
        raise RuntimeError("torch.{name} requires a tensor with at least {rank} dimension, but got a tensor with "
            + str(self.dim()) + " dimensions!")
    dim = {dim}
"""
for _name, _rank, _dim in (
    ("hsplit", 1, "0 if self.dim() == 1 else 1"),
    ("vsplit", 2, "0"),
    ("dsplit", 3, "2"),
):
    _checked = _CHECKED.format(name=_name, rank=_rank, dim=_dim)
    composite(
        f"aten::{_name}.int",
        f"def {_name}(self: Tensor, sections: int) -> List[Tensor]:{_checked}"
        f"""    too_many = self.size(dim) != 0 and sections > self.size(dim)  # where % may overflow
    if sections <= 0 or too_many or self.size(dim) % sections != 0:
        raise RuntimeError("torch.{_name} attempted to split along dimension " + str(dim)
            + ", but the size of the dimension " + str(self.size(dim))
            + " is not divisible by the split_size " + str(sections) + "!")
    return torch.tensor_split(self, sections, dim)
""",
    )
    composite(
        f"aten::{_name}.array",
        f"def {_name}(self: Tensor, indices: List[int]) -> List[Tensor]:{_checked}"
        "    return torch.tensor_split(self, indices, dim)\n",
    )

composite(
    "aten::column_stack",
    """
def column_stack(tensors: List[Tensor]) -> Tensor:
    columns: List[Tensor] = []
    for x in tensors:
        if x.dim() <= 1:
            columns.append(x.reshape([x.numel(), 1]))
        else:
            columns.append(x)
    return torch.hstack(columns)
""",
)
composite(
    "aten::_chunk_cat",
    """
def _chunk_cat(tensors: List[Tensor], dim: int, num_chunks: int) -> Tensor:
    if num_chunks < 1:
        raise RuntimeError("_chunk_cat expects positive num_chunks")
    if len(tensors) == 0:
        raise RuntimeError("_chunk_cat expects a non-empty input tensor list")
    first = tensors[0]
    rank = first.dim()"""
    + DIMENSION_IN_RANGE
    + """
    if dim < 0:
        dim += rank
    chunks: List[Tensor] = []
    for x in tensors:
        if x.numel() == 0:
            raise RuntimeError("_chunk_cat expects non-empty tensor")
        if x.dtype != first.dtype:
            raise RuntimeError("_chunk_cat expects all input tensors with the same dtype")
        if x.dim() <= dim:
            raise RuntimeError("_chunk_cat expects input tensors with dimension " + str(dim))
        if x.size()[:dim] != first.size()[:dim]:
            raise RuntimeError("_chunk_cat expects same sizes of 0,...,dim-1 dimensions for all tensors")
        missing = -x.size(dim) % num_chunks
        padded = x
        if missing > 0:
            zeros = x.new_zeros(x.size()[:dim] + [missing] + x.size()[dim + 1:])
            padded = torch.cat([x, zeros], dim)
        chunks.append(padded.reshape(x.size()[:dim] + [num_chunks, -1]))
    return torch.cat(chunks, dim + 1)
""",
)
composite(
    "aten::block_diag",
    """
def block_diag(tensors: List[Tensor]) -> Tensor:
    blocks: List[Tensor] = []
    rows, columns = 0, 0
    for place, x in enumerate(tensors):
        if x.dim() > 2:
            raise RuntimeError("torch.block_diag: Input tensors must have 2 or fewer dimensions. Input "
                + str(place) + " has " + str(x.dim()) + " dimensions")
        block = x.expand([1, x.size(0)] if x.dim() == 1 else ([1, 1] if x.dim() == 0 else x.size()))
        rows, columns = rows + block.size(0), columns + block.size(1)
        blocks.append(block)
    if len(blocks) == 0:
        return torch.empty([1, 0])
    like = torch.cat([x.flatten() for x in tensors])
    result = like.new_zeros([rows, columns])
    row, column = 0, 0
    for block in blocks:
        result.narrow(0, row, block.size(0)).narrow(1, column, block.size(1)).copy_(block)
        row, column = row + block.size(0), column + block.size(1)
    return result
""",
)
composite(
    "aten::cartesian_prod",
    """
def cartesian_prod(tensors: List[Tensor]) -> Tensor:
    if len(tensors) == 0:
        raise RuntimeError("meshgrid expects a non-empty TensorList")
    for x in tensors:
        if x.dim() != 1:
            raise RuntimeError("Expect a 1D vector, but got shape " + str(x.size()))
    if len(tensors) == 1:
        return tensors[0]
    return torch.stack([x.flatten() for x in torch.meshgrid(tensors, indexing="ij")], 1)
""",
)
registry.attach("aten::cartesian_prod", aliases=Aliasing(results=Origin.ANYWHERE, keeps=(0,)))
composite(
    "aten::combinations",
    """
def combinations(self: Tensor, r: int, with_replacement: bool) -> Tensor:
    if self.dim() != 1:
        raise RuntimeError("Expect a 1D vector, but got shape " + str(self.size()))
    if r < 0:
        raise RuntimeError("Expect a non-negative number, but got " + str(r))
    if r == 0:
        return self.new_empty([0])
    places = torch.arange(self.size(0), device=self.device)
    grids = torch.meshgrid([places] * r, indexing="ij")
    mask = torch.ones([self.size(0)] * r, dtype=torch.bool, device=self.device)
    for d in range(r - 1):
        if with_replacement:
            mask = mask & (grids[d] <= grids[d + 1])
        else:
            mask = mask & (grids[d] < grids[d + 1])
    return torch.stack([self.index_select(0, grid.masked_select(mask)) for grid in grids], 1)
""",
)
composite("aten::msort", "def msort(self: Tensor) -> Tensor:\n    return torch.sort(self, 0)[0]\n")
composite(
    "aten::diagflat",
    """
def diagflat(self: Tensor, offset: int) -> Tensor:
    return self.contiguous().view(-1).diag(offset)
""",
)
composite(
    "aten::take_along_dim",
    """
def take_along_dim(self: Tensor, indices: Tensor, dim: Optional[int]) -> Tensor:
    if indices.dtype != torch.int64:
        raise RuntimeError("torch.take_along_dim(): dtype of indices should be Long but got a different dtype")
    if dim is None:
        return self.view(-1).gather(0, indices.view(-1))
    if self.dim() != indices.dim():
        raise RuntimeError("torch.take_along_dim(): input and indices should have the same number of dimensions, "
            "but got " + str(self.dim()) + " dimensions for input, and " + str(indices.dim()) + " dimensions for indices")
    rank = self.dim()"""
    + DIMENSION_IN_RANGE
    + """
    place = dim if dim >= 0 else dim + rank
    sizes, places = self.size(), indices.size()
    for d in range(self.dim()):
        if d != place:
            if sizes[d] == 1:
                sizes[d] = places[d]
            elif places[d] == 1:
                places[d] = sizes[d]
            elif sizes[d] != places[d]:
                raise RuntimeError("The size of tensor a (" + str(sizes[d]) + ") must match the size of tensor b ("
                    + str(places[d]) + ") at non-singleton dimension " + str(d))
    found = torch.remainder(indices, self.size(dim))
    return self.expand(sizes).gather(dim, found.expand(places))
""",
)
composite(
    "aten::tensor_split.tensor_indices_or_sections",
    """
def tensor_split(self: Tensor, tensor_indices_or_sections: Tensor, dim: int) -> List[Tensor]:
    given = tensor_indices_or_sections
    if given.dtype != torch.int64:
        raise RuntimeError("tensor_split expected tensor_indices_or_sections to have dtype of long, but got another")
    if given.dim() == 0:
        return torch.tensor_split(self, int(given), dim)
    if given.dim() != 1:
        raise RuntimeError(
            "tensor_split expected tensor_indices_or_sections to be a zero-dimensional or one-dimensional tensor, "
            "but got a tensor with " + str(given.dim()) + " dims")
    return torch.tensor_split(self, [int(place) for place in given.unbind()], dim)
""",
)

# Copies of which a part is replaced: with the strides of what they are copies of, where no elements share memory

for _name, _settings, _place, _view in (
    ("diagonal_scatter", "offset: int, dim1: int, dim2: int", "", "diagonal(offset, dim1, dim2)"),
    (
        "as_strided_scatter",
        "size: List[int], stride: List[int], storage_offset: Optional[int]",
        "place = 0 if storage_offset is None else storage_offset - self.storage_offset()\n    ",
        "as_strided(size, stride, place)",
    ),
):
    composite(
        f"aten::{_name}",
        f"""
def {_name}(self: Tensor, src: Tensor, {_settings}) -> Tensor:
    shares = False
    for size_of_dim, step in zip(self.size(), self.stride()):
        shares = shares or (size_of_dim > 1 and step == 0)
    if shares:
        result = self.clone()
    else:
        result = torch.empty_strided(self.size(), self.stride(), dtype=self.dtype, device=self.device).copy_(self)
    {_place}part = result.{_view}
    if part.size() != src.size():
        raise RuntimeError("expected src to have a size equal to the slice of self. src size = "
            + str(src.size()) + ", slice size = " + str(part.size()))
    part.copy_(src)
    return result
""",
    )
