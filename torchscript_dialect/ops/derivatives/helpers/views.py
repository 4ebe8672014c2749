"""What derivatives of views, indexing and joining call."""

SOURCE = """
def inverse_order(dims: List[int]) -> List[int]:
    axes = [axis % len(dims) for axis in dims]
    return [axes.index(axis) for axis in range(len(dims))]

def scattered_select(grad: Tensor, x: Tensor, dim: int, index: int) -> Tensor:
    return torch.select_backward(grad, x.size(), dim, index)

def scattered_slice(grad: Tensor, x: Tensor, dim: int, start: Optional[int], end: Optional[int], step: int) -> Tensor:
    first = 0 if start is None else start
    last = 9223372036854775807 if end is None else end
    return torch.slice_backward(grad, x.size(), dim, first, last, step)

def folded(grad: Tensor, x: Tensor, dim: int, size: int, step: int) -> Tensor:
    places = torch.arange(x.numel(), device=grad.device).view(x.size()).unfold(dim, size, step).reshape([-1])
    return grad.new_zeros([x.numel()]).index_add(0, places, grad.reshape([-1])).view(x.size())

def wrapped(index: Tensor, size: int) -> Tensor:
    return torch.where(index < 0, index + size, index)

def end_of(x: Tensor, dim: int, start: int, length: int) -> int:
    first = start
    if first < 0:
        first = first + x.size(dim)
    return first + length

def scattered_diagonal(grad: Tensor, x: Tensor, offset: int, dim1: int, dim2: int) -> Tensor:
    result = grad.new_zeros(x.size())
    result.diagonal(offset, dim1, dim2).copy_(grad)
    return result

def are_apart(size: List[int], stride: List[int]) -> bool:
    apart = True
    for axis in range(len(size)):
        within = 0
        for other in range(len(size)):
            if stride[other] < stride[axis] or (stride[other] == stride[axis] and other > axis):
                within = within + max(size[other] - 1, 0) * stride[other]
        apart = apart and (size[axis] < 2 or stride[axis] > within)
    return apart

def scattered_strides(grad: Tensor, x: Tensor, size: List[int], stride: List[int], offset: Optional[int]) -> Tensor:
    own = x.storage_offset()
    first = own if offset is None else offset
    if x.is_contiguous() and first >= own and are_apart(size, stride):
        return grad.new_zeros(x.size()).as_strided_scatter(grad, size, stride, first - own)
    extent = 1 + max(first, own)
    for axis in range(len(size)):
        extent = extent + max(size[axis] - 1, 0) * stride[axis]
    for axis in range(x.dim()):
        extent = extent + max(x.size(axis) - 1, 0) * x.stride(axis)
    places = torch.arange(extent, device=grad.device)
    taken = places.as_strided(size, stride, first).reshape([-1])
    memory = grad.new_zeros([extent]).index_add(0, taken, grad.reshape([-1]))
    held = places.as_strided(x.size(), x.stride(), own).reshape([-1])
    if not are_apart(x.size(), x.stride()):
        memory = memory / torch.zeros_like(memory).index_add(0, held, grad.new_ones(held.size()))
    return memory.index_select(0, held).reshape(x.size())

def repeated(grad: Tensor, x: Tensor, repeats: List[int]) -> Tensor:
    lead = len(repeats) - x.dim()
    sizes: List[int] = []
    axes: List[int] = []
    for axis in range(len(repeats)):
        axes.append(2 * axis)
        sizes.append(repeats[axis])
        sizes.append(1 if axis < lead else x.size(axis - lead))
    if len(axes) == 0:
        return grad
    return grad.reshape(sizes).sum(axes).reshape(x.size())

def divided(grad: Tensor, tensors: List[Tensor], dim: int) -> List[Tensor]:
    parts: List[Tensor] = []
    start = 0
    for one in tensors:
        size = 0
        if not (one.dim() == 1 and one.numel() == 0):
            size = one.size(dim)
        parts.append(grad.narrow(dim, start, size).reshape(one.size()))
        start = start + size
    return parts

def chosen(grad: Tensor, x: Tensor, mask: Tensor) -> Tensor:
    wide = torch.broadcast_tensors([x, mask])
    return grad.new_zeros(wide[0].size()).masked_scatter(wide[1], grad)

def filled(grad: Tensor, mask: Tensor, source: Tensor) -> Tensor:
    taken = torch.masked_select(grad, mask)
    rest = grad.new_zeros([source.numel() - taken.numel()])
    return torch.cat([taken, rest]).reshape(source.size())

def gathered(grad: Tensor, dim: int, index: Tensor, src: Tensor) -> Tensor:
    found = grad.gather(dim, index)
    if found.size() == src.size():
        return found
    result = grad.new_zeros(src.size())
    part = result
    for axis in range(src.dim()):
        part = part.narrow(axis, 0, found.size(axis))
    part.copy_(found)
    return result

def of_filled(grad: Tensor, dim: int, index: Tensor) -> Tensor:
    if grad.dim() == 0:
        return grad
    return (grad - grad.index_fill(dim, index, 0)).sum()

def cut(x: Tensor, like: Tensor) -> Tensor:
    result = x
    for axis in range(x.dim()):
        result = result.narrow(axis, 0, like.size(axis))
    return result

def uncut(x: Tensor, sizes: List[int]) -> Tensor:
    pads: List[int] = []
    for axis in range(x.dim()):
        last = x.dim() - 1 - axis
        pads.append(0)
        pads.append(sizes[last] - x.size(last))
    return torch.constant_pad_nd(x, pads, 0)

def of_scatter_reduce(
        grad: Tensor, x: Tensor, dim: int, index: Tensor, src: Tensor, reduce: str, include_self: bool, result: Tensor
) -> Tuple[Tensor, Tensor]:
    taken = cut(src, index)
    of_x, of_taken = grad, grad.gather(dim, index)
    if reduce == "prod":
        of_x, of_taken = of_scattered_product(grad, x, dim, index, taken, include_self, result)
    elif reduce == "mean":
        count = torch.ones_like(x) if include_self else torch.zeros_like(x)
        count = count.scatter_add(dim, index, torch.ones_like(taken))
        count = count.masked_fill(count == 0, 1)
        of_x = grad / count
        of_taken = of_x.gather(dim, index)
    elif reduce != "sum":
        is_x = (x == result).to(grad.dtype)
        is_taken = (taken == result.gather(dim, index)).to(grad.dtype)
        count = is_x if include_self else is_x.scatter(dim, index, 0)
        each = grad / count.scatter_add(dim, index, is_taken)
        of_x = is_x * each
        of_taken = is_taken * each.gather(dim, index)
    if not include_self:
        of_x = of_x.scatter(dim, index, 0)
    return of_x, uncut(of_taken, src.size())

def of_scattered_product(
        grad: Tensor, x: Tensor, dim: int, index: Tensor, taken: Tensor, include_self: bool, result: Tensor
) -> Tuple[Tensor, Tensor]:
    one = x.masked_fill(x == 0, 1)
    of_x = grad * one.scatter_reduce(dim, index, taken, "prod", include_self=include_self) / one
    is_zero = taken == 0
    zeros = torch.zeros_like(x).scatter_add(dim, index, is_zero.to(x.dtype)).gather(dim, index)
    is_single = torch.logical_and(is_zero, zeros == 1)
    others = x.scatter_reduce(dim, index, taken.masked_fill(is_single, 1), "prod", include_self=include_self)
    of_taken = (grad * result).gather(dim, index) / taken.masked_fill(is_zero, 1)
    return of_x, torch.where(is_single, (grad * others).gather(dim, index), of_taken)
"""
