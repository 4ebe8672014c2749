"""What derivatives of sampled images call."""

SOURCE = """
def sampled_back(
        grad: Tensor, input: Tensor, grid: Tensor, interpolation_mode: int, padding_mode: int, align_corners: bool,
        needs: List[bool]) -> Tuple[Tensor, Tensor]:
    if input.dim() == 4:
        return torch.ops.aten.grid_sampler_2d_backward(
            grad, input, grid, interpolation_mode, padding_mode, align_corners, needs)
    return torch.ops.aten.grid_sampler_3d_backward(
        grad, input, grid, interpolation_mode, padding_mode, align_corners, needs)

def element_of(at: Tensor, size: int, align_corners: bool) -> Tensor:
    if align_corners:
        return (at + 1) / 2 * (size - 1)
    return ((at + 1) * size - 1) / 2

def folded_back(at: Tensor, size: int, align_corners: bool) -> Tuple[Tensor, Tensor]:
    low = 0.0 if align_corners else -0.5
    span = float(size - 1) if align_corners else float(size)
    if span == 0.0:
        return torch.zeros_like(at), torch.zeros_like(at)
    distance = torch.abs(at - low)
    rest = torch.fmod(distance, span)
    is_turned = torch.fmod(torch.floor(distance / span), 2) != 0
    direction = torch.where(torch.logical_xor(is_turned, at < low), -1.0, torch.ones_like(at))
    return torch.where(is_turned, span - rest, rest) + low, direction

def led_back(at: Tensor, size: int, padding_mode: int, align_corners: bool) -> Tensor:
    inside = folded_back(at, size, align_corners)[0] if padding_mode == 2 else at
    return inside if padding_mode == 0 else torch.clamp(inside, 0, size - 1)

def places_at(input: Tensor, places: List[Tensor]) -> Tuple[Tensor, Tensor]:
    flat = torch.zeros_like(places[0], dtype=torch.long)
    is_outside = torch.zeros_like(places[0], dtype=torch.bool)
    for axis in range(len(places)):
        size = input.size(axis + 2)
        at = places[axis]
        is_inside = torch.logical_and(at >= 0, at <= size - 1)
        is_outside = torch.logical_or(is_outside, torch.logical_not(is_inside))
        flat = flat * size + torch.clamp(at, 0, size - 1).to(torch.long)
    channels = input.size(1)
    return flat.flatten(1).unsqueeze(1).expand([-1, channels, -1]), is_outside.flatten(1).unsqueeze(1)

def moves_with(at: Tensor, size: int, padding_mode: int, align_corners: bool) -> Tensor:
    scale = (size - 1) / 2 if align_corners else size / 2
    if padding_mode == 0:
        return torch.full_like(at, scale)
    held, direction = at, torch.ones_like(at)
    if padding_mode == 2:
        held, direction = folded_back(at, size, align_corners)
    return torch.where(torch.logical_and(held > 0, held < size - 1), direction * scale, 0.0)

def cubic_weight(distance: Tensor) -> Tensor:
    a = -0.75
    near = ((a + 2) * distance - (a + 3)) * distance * distance + 1
    far = ((a * distance - 5 * a) * distance + 8 * a) * distance - 4 * a
    return torch.where(distance <= 1, near, far)

def cubic_slope(distance: Tensor) -> Tensor:
    a = -0.75
    near = (3 * (a + 2) * distance - 2 * (a + 3)) * distance
    far = (3 * a * distance - 10 * a) * distance + 8 * a
    return torch.where(distance <= 1, near, far)

def axis_taps(
        at: Tensor, size: int, interpolation_mode: int, padding_mode: int, align_corners: bool
        ) -> Tuple[List[Tensor], List[Tensor], List[Tensor]]:
    places: List[Tensor] = []
    weights: List[Tensor] = []
    slopes: List[Tensor] = []
    fixed = at.detach()
    if interpolation_mode == 2:
        low = torch.floor(fixed)
        scale = (size - 1) / 2 if align_corners else size / 2
        for tap in range(-1, 3):
            place = led_back(low + tap, size, padding_mode, align_corners)
            beyond = at - (low + tap)
            distance = torch.abs(beyond)
            places.append(torch.round(place) if padding_mode == 2 else place)
            weights.append(cubic_weight(distance))
            slopes.append(cubic_slope(distance) * torch.sign(beyond.detach()) * scale)
        return places, weights, slopes
    held = led_back(at, size, padding_mode, align_corners)
    if interpolation_mode == 1:
        places.append(torch.round(held.detach()))
        weights.append(torch.ones_like(held))
        slopes.append(torch.zeros_like(held))
        return places, weights, slopes
    low = torch.floor(held.detach())
    slope = moves_with(fixed, size, padding_mode, align_corners)
    places.append(low)
    places.append(low + 1)
    weights.append(low + 1 - held)
    weights.append(held - low)
    slopes.append(-slope)
    slopes.append(slope)
    return places, weights, slopes

def gradients_of_sampled(
        grad: Tensor, input: Tensor, grid: Tensor, interpolation_mode: int, padding_mode: int, align_corners: bool
        ) -> Tuple[Tensor, Tensor]:
    rank = input.dim() - 2
    places: List[List[Tensor]] = []
    weights: List[List[Tensor]] = []
    slopes: List[List[Tensor]] = []
    of_grid: List[Tensor] = []
    for axis in range(rank):
        at = element_of(grid.select(-1, rank - 1 - axis), input.size(axis + 2), align_corners)
        found = axis_taps(at, input.size(axis + 2), interpolation_mode, padding_mode, align_corners)
        places.append(found[0])
        weights.append(found[1])
        slopes.append(found[2])
        of_grid.append(torch.zeros_like(at))
    taps = len(places[0])
    values = grad.flatten(2)
    pixels = input.flatten(2)
    of_input = torch.zeros_like(pixels)
    for tap in range(int(taps ** rank)):
        chosen: List[int] = []
        rest = tap
        for axis in range(rank):
            chosen.append(rest % taps)
            rest = rest // taps
        index, is_outside = places_at(input, [places[axis][chosen[axis]] for axis in range(rank)])
        found = pixels.gather(2, index).masked_fill(is_outside, 0)
        dot = (values * found).sum(1).reshape(places[0][0].size())
        weight = torch.ones_like(dot)
        for axis in range(rank):
            weight = weight * weights[axis][chosen[axis]]
            part = dot * slopes[axis][chosen[axis]]
            for other in range(rank):
                if other != axis:
                    part = part * weights[other][chosen[other]]
            of_grid[axis] = of_grid[axis] + part
        written = (values * weight.flatten(1).unsqueeze(1)).masked_fill(is_outside, 0)
        of_input = of_input.scatter_add(2, index, written)
    of_grid.reverse()
    return of_input.reshape(input.size()), torch.stack(of_grid, -1)
"""
