"""What derivatives of sampled images call."""

SOURCE = """
def element_of(at: Tensor, size: int, align_corners: bool) -> Tensor:
    if align_corners:
        return (at + 1) / 2 * (size - 1)
    return ((at + 1) * size - 1) / 2

def led_back(at: Tensor, size: int, padding_mode: int, align_corners: bool) -> Tensor:
    inside = at
    if padding_mode == 2:
        low = 0.0 if align_corners else -0.5
        span = float(size - 1) if align_corners else float(size)
        if span == 0.0:
            return torch.zeros_like(at)
        distance = torch.abs(at - low)
        rest = torch.fmod(distance, span)
        turns = torch.floor(distance / span)
        inside = torch.where(torch.fmod(turns, 2) == 0, rest + low, span + low - rest)
    if padding_mode != 0:
        inside = torch.clamp(inside, 0, size - 1)
    return inside

def taken_at(input: Tensor, places: List[Tensor]) -> Tensor:
    rank = len(places)
    lead = input.size()[:2]
    flat = torch.zeros_like(places[0], dtype=torch.long)
    is_inside = torch.ones_like(places[0], dtype=torch.bool)
    for axis in range(rank):
        size = input.size(axis + 2)
        at = places[axis]
        is_inside = torch.logical_and(is_inside, torch.logical_and(at >= 0, at <= size - 1))
        flat = flat * size + torch.clamp(at, 0, size - 1).to(torch.long)
    index = flat.flatten(1).unsqueeze(1).expand([-1, lead[1], -1])
    found = input.flatten(2).gather(2, index)
    found = found.reshape(lead + places[0].size()[1:])
    return found.masked_fill(torch.logical_not(is_inside).unsqueeze(1), 0)

def check_grid(input: Tensor, grid: Tensor) -> None:
    rank = input.dim() - 2
    if rank < 2 or rank > 3 or grid.dim() != rank + 2:
        raise RuntimeError(
            "grid_sampler(): expected 4D or 5D input and grid with same number of dimensions, but got "
            f"input with sizes {input.size()} and grid with sizes {grid.size()}")
    if grid.size(0) != input.size(0):
        raise RuntimeError(
            "grid_sampler(): expected grid and input to have same batch size, but got input with sizes "
            f"{input.size()} and grid with sizes {grid.size()}")
    if grid.size(-1) != rank:
        raise RuntimeError(
            f"grid_sampler(): expected grid to have size {rank} in last dimension, but got grid with sizes {grid.size()}")
    if min(input.size()[2:]) == 0:
        raise RuntimeError(
            f"grid_sampler(): expected input to have non-empty spatial dimensions, but input has sizes {input.size()}")
    if grid.dtype != input.dtype:
        raise RuntimeError("grid_sampler(): expected grid and input to have the same scalar type")

def sampled(input: Tensor, grid: Tensor, is_linear: bool, padding_mode: int, align_corners: bool) -> Tensor:
    rank = input.dim() - 2
    positions: List[Tensor] = []
    for axis in range(rank):
        size = input.size(axis + 2)
        at = element_of(grid.select(-1, rank - 1 - axis), size, align_corners)
        positions.append(led_back(at, size, padding_mode, align_corners))
    if not is_linear:
        found = taken_at(input, [torch.round(at) for at in positions])
        first = positions[0].unsqueeze(1)  # the gradient of the grid is zeros, and not nothing
        return torch.where(torch.zeros_like(first, dtype=torch.bool), first, found)
    lows = [torch.floor(at.detach()) for at in positions]
    result: Optional[Tensor] = None
    for corner in range(1 << rank):
        places: List[Tensor] = []
        weight = torch.ones_like(positions[0])
        for axis in range(rank):
            beyond = positions[axis] - lows[axis]
            if (corner >> axis) % 2 == 0:
                places.append(lows[axis])
                weight = weight * (1 - beyond)
            else:
                places.append(lows[axis] + 1)
                weight = weight * beyond
        part = taken_at(input, places) * weight.unsqueeze(1)
        result = part if result is None else result + part
    assert result is not None
    return result

def cubic_weight(distance: Tensor) -> Tensor:
    a = -0.75
    near = ((a + 2) * distance - (a + 3)) * distance * distance + 1
    far = ((a * distance - 5 * a) * distance + 8 * a) * distance - 4 * a
    return torch.where(distance <= 1, near, far)

def sampled_by_cubes(input: Tensor, grid: Tensor, padding_mode: int, align_corners: bool) -> Tensor:
    height, width = input.size(2), input.size(3)
    x = element_of(grid.select(-1, 0), width, align_corners)
    y = element_of(grid.select(-1, 1), height, align_corners)
    left, top = torch.floor(x.detach()), torch.floor(y.detach())
    rows: List[Tensor] = []
    for row in range(4):
        below = top + (row - 1)
        v = led_back(below, height, padding_mode, align_corners)
        parts: List[Tensor] = []
        for column in range(4):
            beside = left + (column - 1)
            u = led_back(beside, width, padding_mode, align_corners)
            if padding_mode == 2:
                u, v = torch.round(u), torch.round(v)
            parts.append(taken_at(input, [v, u]) * cubic_weight(torch.abs(x - beside)).unsqueeze(1))
        rows.append((parts[0] + parts[1] + parts[2] + parts[3]) * cubic_weight(torch.abs(y - below)).unsqueeze(1))
    return rows[0] + rows[1] + rows[2] + rows[3]
"""
