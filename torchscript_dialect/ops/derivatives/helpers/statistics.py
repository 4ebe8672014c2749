"""What derivatives of quantiles and slopes call."""

SOURCE = """
def ranked_between(x: Tensor, q: Tensor, dim: Optional[int], keepdim: bool, interpolation: str, ignores_nan: bool) -> Tensor:
    values = x.reshape([-1])
    if dim is not None and x.dim() > 0:
        values = x.movedim(dim, -1)
    ranked = torch.sort(values, -1)[0]
    last = ranked.size(-1) - 1
    missing = ranked.isnan().sum([-1], True)
    wanted = q.reshape([-1])
    if ignores_nan:
        ranks = torch.clamp(wanted * (last - missing).to(x.dtype), min=0)
    else:
        ranks = torch.where(missing > 0, x.new_full([], last), wanted * last)
    if interpolation == "nearest":
        ranks = torch.round(ranks)
    below = torch.ceil(ranks) if interpolation == "higher" else torch.floor(ranks)
    result = ranked.gather(-1, below.to(torch.long))
    if interpolation == "linear" or interpolation == "midpoint":
        above = ranked.gather(-1, torch.ceil(ranks).to(torch.long))
        weight = torch.full_like(ranks, 0.5) if interpolation == "midpoint" else ranks - below
        result = torch.lerp(result, above, weight)
    if keepdim and dim is None:
        result = result.reshape([1 for axis in range(x.dim())] + [-1])
    elif keepdim and dim is not None and x.dim() > 0:
        result = result.unsqueeze(dim % x.dim())
    if q.dim() == 0:
        return result.squeeze(-1)
    return result.movedim(-1, 0)

def all_axes(x: Tensor, dim: Optional[int]) -> List[int]:
    if dim is None:
        return [axis for axis in range(x.dim())]
    return [dim]

def even_slopes(x: Tensor, axis: int, gap: float, edge_order: int) -> Tensor:
    size = x.size(axis)
    rows = x.movedim(axis, -1)
    first = rows.narrow(-1, 1, 1) - rows.narrow(-1, 0, 1)
    last = rows.narrow(-1, size - 1, 1) - rows.narrow(-1, size - 2, 1)
    if edge_order == 2:
        first = -1.5 * rows.narrow(-1, 0, 1) + 2 * rows.narrow(-1, 1, 1) - 0.5 * rows.narrow(-1, 2, 1)
        last = 0.5 * rows.narrow(-1, size - 3, 1) - 2 * rows.narrow(-1, size - 2, 1) + 1.5 * rows.narrow(-1, size - 1, 1)
    middle = (rows.narrow(-1, 2, size - 2) - rows.narrow(-1, 0, size - 2)) / 2
    return (torch.cat([first, middle, last], -1) / gap).movedim(-1, axis)

def slopes(x: Tensor, axis: int, gaps: Tensor, edge_order: int) -> Tensor:
    size = x.size(axis)
    rows = x.movedim(axis, -1)
    steps = (rows.narrow(-1, 1, size - 1) - rows.narrow(-1, 0, size - 1)) / gaps
    first, last = steps.narrow(-1, 0, 1), steps.narrow(-1, size - 2, 1)
    if size < 3:
        return torch.cat([first, last], -1).movedim(-1, axis)
    left, right = gaps.narrow(0, 0, size - 2), gaps.narrow(0, 1, size - 2)
    share = left / (left + right)
    before, after = steps.narrow(-1, 0, size - 2), steps.narrow(-1, 1, size - 2)
    if edge_order == 2:
        first = first + (first - steps.narrow(-1, 1, 1)) * share.narrow(0, 0, 1)
        last = last + (last - steps.narrow(-1, size - 3, 1)) * (1 - share.narrow(0, size - 3, 1))
    return torch.cat([first, before * (1 - share) + after * share, last], -1).movedim(-1, axis)
"""
