"""What derivatives of layers and losses call."""

SOURCE = """
def bias_size(bias: Optional[Tensor]) -> Optional[List[int]]:
    if bias is None:
        return None
    return bias.size()

def each(values: List[int], rank: int) -> List[int]:
    if len(values) == 1:
        return [values[0] for axis in range(rank)]
    return values

def convolved(
        grad: Tensor, input: Tensor, weight: Tensor, bias: Optional[Tensor], stride: List[int], padding: List[int],
        dilation: List[int], transposed: bool, output_padding: List[int], groups: int, needs: List[bool], rank: int
) -> Tuple[Tensor, Tensor, Tensor]:
    x, g = input, grad
    is_one = input.dim() == rank + 1
    if is_one:
        x, g = input.unsqueeze(0), grad.unsqueeze(0)
    wanted = [needs[0], needs[1], needs[2] and bias is not None]
    dx, dw, db = torch.convolution_backward(
        g, x, weight, bias_size(bias), each(stride, rank), each(padding, rank), each(dilation, rank), transposed,
        each(output_padding, rank), groups, wanted)
    if is_one and needs[0]:
        dx = dx.squeeze(0)
    return dx, dw, db

def line_spread(grad: Tensor, x: Tensor, indices: Tensor) -> Tensor:
    return torch.ops.aten.adaptive_max_pool2d_backward(
        grad.unsqueeze(-2), x.unsqueeze(-2), indices.unsqueeze(-2)).squeeze(-2)

def layer_norm_gradients(
        grad: Tensor, input: Tensor, normalized_shape: List[int], weight: Optional[Tensor], bias: Optional[Tensor], eps: float,
        needs: List[bool]
) -> Tuple[Tensor, Tensor, Tensor]:
    _, mean, inverse = torch.native_layer_norm(input, normalized_shape, weight, bias, eps)
    return torch.native_layer_norm_backward(grad, input, normalized_shape, mean, inverse, weight, bias, needs)

def group_norm_gradients(
        grad: Tensor, grad_mean: Tensor, grad_inverse: Tensor, input: Tensor, weight: Optional[Tensor], mean: Tensor, inverse: Tensor,
        N: int, C: int, HxW: int, group: int, needs: List[bool]
) -> Tuple[Tensor, Optional[Tensor], Optional[Tensor]]:
    count = C // group * HxW
    rows = input.reshape([N, group, count])
    m, r = mean.unsqueeze(2), inverse.unsqueeze(2)
    normal = (rows - m) * r
    flat = grad.reshape([N, C, HxW])
    scaled = flat
    if weight is not None:
        scaled = flat * weight.view([1, C, 1])
    g = scaled.reshape([N, group, count])
    dx = r * (g - g.mean([2], True) - normal * (g * normal).mean([2], True))
    dx = dx + (grad_mean.unsqueeze(2) - grad_inverse.unsqueeze(2) * r * r * normal) / count
    dw: Optional[Tensor] = None
    db: Optional[Tensor] = None
    if needs[1] and weight is not None:
        dw = (flat * normal.reshape([N, C, HxW])).sum([0, 2])
    if needs[2]:
        db = flat.sum([0, 2])
    return dx.reshape(input.size()), dw, db

def gradients_of_groups(
        grad: Tensor, input: Tensor, num_groups: int, weight: Optional[Tensor], bias: Optional[Tensor], eps: float, needs: List[bool]
) -> Tuple[Tensor, Optional[Tensor], Optional[Tensor]]:
    N, C = input.size(0), input.size(1)
    HxW = 1
    for axis in range(2, input.dim()):
        HxW = HxW * input.size(axis)
    dense = input.contiguous()
    _, mean, inverse = torch.native_group_norm(dense, weight, bias, N, C, HxW, num_groups, eps)
    dx, dw, db = torch.native_group_norm_backward(
        grad.contiguous(), dense, mean, inverse, weight, N, C, HxW, num_groups, needs)
    return dx, dw, db

def dropped(grad: Tensor, mask: Tensor, p: float, train: Optional[bool]) -> Tensor:
    if train is not None and not train:
        return grad
    scale = 0.0 if p == 1.0 else 1.0 / (1.0 - p)
    return grad * mask * scale

def scale_at(factors: Optional[List[float]], place: int) -> Optional[float]:
    if factors is None:
        return None
    return factors[place]

def averaged(grad: Tensor, x: Tensor, reduction: int) -> Tensor:
    if reduction == 1:
        return grad / x.numel()
    return grad

def logits_of(grad: Tensor, x: Tensor, y: Tensor, weight: Optional[Tensor], pos_weight: Optional[Tensor], reduction: int) -> Tensor:
    slope = torch.sigmoid(x)
    if pos_weight is not None:
        positive = pos_weight * y
        slope = (positive + 1 - y) * slope - positive
    else:
        slope = slope - y
    return averaged(weighted(slope * grad, weight), x, reduction)

def targets_of(grad: Tensor, x: Tensor, weight: Optional[Tensor], pos_weight: Optional[Tensor], reduction: int) -> Tensor:
    slope = -x
    if pos_weight is not None:
        slope = torch.log_sigmoid(-x) - torch.log_sigmoid(x) * pos_weight
    return averaged(weighted(slope * grad, weight), x, reduction)

def weighted(grad: Tensor, weight: Optional[Tensor]) -> Tensor:
    if weight is not None:
        return grad * weight
    return grad

def cross_entropy_target(grad: Tensor, x: Tensor, target: Tensor, weight: Optional[Tensor], reduction: int) -> Tensor:
    return averaged(grad, x, reduction) * weighted(-torch.logit(x), weight)

def collected(grad: Tensor, indices: Tensor, rank: int) -> Tensor:
    return torch.flatten(grad, -rank).gather(-1, torch.flatten(indices, -rank)).reshape(indices.size())

def looked_up(grad: Tensor, indices: Tensor, padding_idx: int) -> Tensor:
    found = torch.embedding(grad, indices)
    if padding_idx < 0:
        return found
    return found.masked_fill((indices == padding_idx).unsqueeze(-1), 0)

def convolved_twice(
        of_input: Tensor, of_weight: Tensor, of_bias: Tensor, grad_output: Tensor, input: Tensor, weight: Tensor,
        stride: List[int], padding: List[int], dilation: List[int], transposed: bool, output_padding: List[int],
        groups: int, mask: List[bool]
) -> Tuple[Tensor, Tensor, Tensor]:
    slope = torch.zeros_like(grad_output)
    dx, dw = torch.zeros_like(input), torch.zeros_like(weight)
    turned = grad_output.conj()
    if mask[0]:
        slope = slope + torch.convolution(
            of_input, weight.conj(), None, stride, padding, dilation, transposed, output_padding, groups)
        dw = torch.convolution_backward(
            turned, of_input, weight, None, stride, padding, dilation, transposed, output_padding, groups,
            [False, True, False])[1]
    if mask[1]:
        slope = slope + torch.convolution(
            input.conj(), of_weight, None, stride, padding, dilation, transposed, output_padding, groups)
        dx = torch.convolution_backward(
            turned, input, of_weight, None, stride, padding, dilation, transposed, output_padding, groups,
            [True, False, False])[0]
    if mask[2]:
        slope = slope + of_bias.reshape([-1 if axis == 1 else 1 for axis in range(grad_output.dim())])
    return slope, dx, dw
"""
