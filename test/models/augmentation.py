"""Pictures turned, cut, shifted in colour: pipelines whose chances come as arguments, and functions chosen by name."""

import math
from typing import Dict, List, Optional, Sequence, Tuple, Union

from examples._torch import torch
from support.models import uniform

nn = torch.nn
F = torch.nn.functional
Tensor = torch.Tensor


def _max_value(dtype: int) -> int:
    if dtype == torch.uint8:
        return 255
    elif dtype == torch.int8:
        return 127
    else:
        return 1


def get_dimensions(img: Tensor) -> List[int]:
    channels = 1 if img.ndim == 2 else img.shape[-3]
    height, width = img.shape[-2:]
    return [channels, height, width]


def _assert_channels(img: Tensor, permitted: List[int]) -> None:
    c = get_dimensions(img)[0]
    if c not in permitted:
        raise TypeError(
            f"Input image tensor permitted channel values are {permitted}, but found {c}"
        )


def _blend(img1: Tensor, img2: Tensor, ratio: float) -> Tensor:
    ratio = float(ratio)
    bound = _max_value(img1.dtype)
    return (ratio * img1 + (1.0 - ratio) * img2).clamp(0, bound).to(img1.dtype)


def rgb_to_grayscale(img: Tensor, num_output_channels: int = 1) -> Tensor:
    _assert_channels(img, [1, 3])
    r, g, b = img.unbind(dim=-3)
    l_img = (0.2989 * r + 0.587 * g + 0.114 * b).to(img.dtype)
    l_img = l_img.unsqueeze(dim=-3)
    if num_output_channels == 3:
        return l_img.expand(img.shape)
    return l_img


def _rgb2hsv(img: Tensor) -> Tensor:
    r, g, b = img.unbind(dim=-3)
    maxc = torch.max(img, dim=-3).values
    minc = torch.min(img, dim=-3).values
    eqc = maxc == minc
    cr = maxc - minc
    ones = torch.ones_like(maxc)
    s = cr / torch.where(eqc, ones, maxc)
    cr_divisor = torch.where(eqc, ones, cr)
    rc = (maxc - r) / cr_divisor
    gc = (maxc - g) / cr_divisor
    bc = (maxc - b) / cr_divisor
    hr = (maxc == r) * (bc - gc)
    hg = ((maxc == g) & (maxc != r)) * (2.0 + rc - bc)
    hb = ((maxc != g) & (maxc != r)) * (4.0 + gc - rc)
    h = hr + hg + hb
    h = torch.fmod((h / 6.0 + 1.0), 1.0)
    return torch.stack((h, s, maxc), dim=-3)


def _hsv2rgb(img: Tensor) -> Tensor:
    h, s, v = img.unbind(dim=-3)
    i = torch.floor(h * 6.0)
    f = (h * 6.0) - i
    i = i.to(dtype=torch.int32)
    p = torch.clamp((v * (1.0 - s)), 0.0, 1.0)
    q = torch.clamp((v * (1.0 - s * f)), 0.0, 1.0)
    t = torch.clamp((v * (1.0 - s * (1.0 - f))), 0.0, 1.0)
    i = i % 6
    mask = i.unsqueeze(dim=-3) == torch.arange(6, device=i.device).view(-1, 1, 1)
    a1 = torch.stack((v, q, p, p, t, v), dim=-3)
    a2 = torch.stack((t, v, v, q, p, p), dim=-3)
    a3 = torch.stack((p, p, t, v, v, q), dim=-3)
    a4 = torch.stack((a1, a2, a3), dim=-4)
    return torch.einsum("...ijk, ...xijk -> ...xjk", mask.to(dtype=img.dtype), a4)


def adjust_hue(img: Tensor, hue_factor: float) -> Tensor:
    if not (-0.5 <= hue_factor <= 0.5):
        raise ValueError(f"hue_factor ({hue_factor}) is not in [-0.5, 0.5].")
    if get_dimensions(img)[0] == 1:  # Match PIL behaviour
        return img
    img = _rgb2hsv(img)
    h, s, v = img.unbind(dim=-3)
    h = (h + hue_factor) % 1.0
    img = torch.stack((h, s, v), dim=-3)
    return _hsv2rgb(img)


def _get_gaussian_kernel1d(kernel_size: int, sigma: float, dtype: torch.dtype) -> Tensor:
    ksize_half = (kernel_size - 1) * 0.5
    x = torch.linspace(-ksize_half, ksize_half, steps=kernel_size, dtype=dtype)
    pdf = torch.exp(-0.5 * (x / sigma).pow(2))
    return pdf / pdf.sum()


def gaussian_blur(img: Tensor, kernel_size: List[int], sigma: List[float]) -> Tensor:
    kernel_x = _get_gaussian_kernel1d(kernel_size[0], sigma[0], img.dtype)
    kernel_y = _get_gaussian_kernel1d(kernel_size[1], sigma[1], img.dtype)
    kernel = torch.mm(kernel_y[:, None], kernel_x[None, :])
    kernel = kernel.expand(img.shape[-3], 1, kernel.shape[0], kernel.shape[1])
    padding = [kernel_size[0] // 2, kernel_size[0] // 2, kernel_size[1] // 2, kernel_size[1] // 2]
    img = F.pad(img, padding, mode="reflect")
    return F.conv2d(img, kernel, groups=img.shape[-3])


def _get_inverse_affine_matrix(
    center: List[float], angle: float, translate: List[float], scale: float, shear: List[float]
) -> List[float]:
    rot = math.radians(angle)
    sx = math.radians(shear[0])
    sy = math.radians(shear[1])
    cx, cy = center
    tx, ty = translate
    a = math.cos(rot - sy) / math.cos(sy)
    b = -math.cos(rot - sy) * math.tan(sx) / math.cos(sy) - math.sin(rot)
    c = math.sin(rot - sy) / math.cos(sy)
    d = -math.sin(rot - sy) * math.tan(sx) / math.cos(sy) + math.cos(rot)
    matrix = [d, -b, 0.0, -c, a, 0.0]
    matrix = [x / scale for x in matrix]
    matrix[2] += matrix[0] * (-cx - tx) + matrix[1] * (-cy - ty)
    matrix[5] += matrix[3] * (-cx - tx) + matrix[4] * (-cy - ty)
    matrix[2] += cx
    matrix[5] += cy
    return matrix


def affine(img: Tensor, matrix: List[float], interpolation: str = "bilinear") -> Tensor:
    theta = torch.tensor(matrix, dtype=img.dtype, device=img.device).reshape(1, 2, 3)
    w, h = img.shape[-1], img.shape[-2]
    d = 0.5
    base_grid = torch.empty(1, h, w, 3, dtype=theta.dtype, device=theta.device)
    x_grid = torch.linspace(-w * 0.5 + d, w * 0.5 + d - 1, steps=w, device=theta.device)
    base_grid[..., 0].copy_(x_grid)
    y_grid = torch.linspace(-h * 0.5 + d, h * 0.5 + d - 1, steps=h).unsqueeze_(-1)
    base_grid[..., 1].copy_(y_grid)
    base_grid[..., 2].fill_(1)
    rescaled_theta = theta.transpose(1, 2) / torch.tensor([0.5 * w, 0.5 * h], dtype=theta.dtype)
    grid = base_grid.view(1, h * w, 3).bmm(rescaled_theta).view(1, h, w, 2)
    grid = grid.expand(img.shape[0], h, w, 2)
    return F.grid_sample(img, grid, mode=interpolation, padding_mode="zeros", align_corners=False)


def posterize(img: Tensor, bits: int) -> Tensor:
    levels = (img * 255).to(torch.uint8)
    mask = -int(2 ** (8 - bits))
    return (levels & mask).to(torch.float32) / 255


def _apply_op(img: Tensor, op_name: str, magnitude: float, interpolation: str) -> Tensor:
    if op_name == "Rotate":
        matrix = _get_inverse_affine_matrix([0.0, 0.0], -magnitude, [0.0, 0.0], 1.0, [0.0, 0.0])
        img = affine(img, matrix, interpolation)
    elif op_name == "ShearX":
        shear = [math.degrees(math.atan(magnitude)), 0.0]
        matrix = _get_inverse_affine_matrix([0.0, 0.0], 0.0, [0.0, 0.0], 1.0, shear)
        img = affine(img, matrix, interpolation)
    elif op_name == "Color":
        img = _blend(img, rgb_to_grayscale(img, 3), 1.0 + magnitude)
    elif op_name == "Contrast":
        mean = torch.mean(rgb_to_grayscale(img), dim=(-3, -2, -1), keepdim=True)
        img = _blend(img, mean, 1.0 + magnitude)
    elif op_name == "Posterize":
        img = posterize(img, int(magnitude))
    elif op_name == "Solarize":
        img = torch.where(img >= magnitude, 1.0 - img, img)
    elif op_name == "Hue":
        img = adjust_hue(img, magnitude)
    elif op_name == "Blur":
        img = gaussian_blur(img, [3, 3], [magnitude, magnitude])
    elif op_name == "Identity":
        pass
    else:
        raise ValueError(f"The provided operator {op_name} is not recognized.")
    return img


class Normalize(nn.Module):
    def __init__(self, mean: Sequence[float], std: Sequence[float], inplace: bool = False):
        super().__init__()
        self.mean = mean
        self.std = std
        self.inplace = inplace

    def forward(self, tensor: Tensor) -> Tensor:
        if not self.inplace:
            tensor = tensor.clone()
        mean = torch.as_tensor(self.mean, dtype=tensor.dtype).view(-1, 1, 1)
        std = torch.as_tensor(self.std, dtype=tensor.dtype).view(-1, 1, 1)
        if (std == 0).any():
            raise ValueError(f"std evaluated to zero after conversion to {tensor.dtype}")
        return tensor.sub_(mean).div_(std)


class RandomPolicy(nn.Module):
    """Operations in a row; which, and how strongly, is told by numbers between 0 and 1."""

    def __init__(self, num_ops: int = 2, magnitude_bins: int = 4, interpolation: str = "bilinear"):
        super().__init__()
        self.num_ops = num_ops
        self.num_magnitude_bins = magnitude_bins
        self.interpolation = interpolation

    def _augmentation_space(self, num_bins: int) -> Dict[str, Tuple[Tensor, bool]]:
        return {
            "Identity": (torch.tensor(0.0), False),
            "Rotate": (torch.linspace(0.0, 30.0, num_bins), True),
            "ShearX": (torch.linspace(0.0, 0.3, num_bins), True),
            "Color": (torch.linspace(0.0, 0.9, num_bins), True),
            "Contrast": (torch.linspace(0.0, 0.9, num_bins), True),
            "Posterize": (8 - (torch.arange(num_bins) / ((num_bins - 1) / 4)).round().int(), False),
            "Solarize": (torch.linspace(1.0, 0.0, num_bins), False),
            "Hue": (torch.linspace(0.0, 0.5, num_bins), True),
            "Blur": (torch.linspace(0.5, 1.5, num_bins), False),
        }

    def forward(self, img: Tensor, chances: List[float]) -> Tuple[Tensor, List[str]]:
        op_meta = self._augmentation_space(self.num_magnitude_bins)
        chosen: List[str] = []
        for i in range(self.num_ops):
            op_index = int(chances[3 * i] * len(op_meta))
            op_name = list(op_meta.keys())[op_index]
            magnitudes, signed = op_meta[op_name]
            bin = int(chances[3 * i + 1] * self.num_magnitude_bins)
            magnitude = float(magnitudes[bin].item()) if magnitudes.ndim > 0 else 0.0
            if signed and chances[3 * i + 2] < 0.5:
                magnitude *= -1.0
            img = _apply_op(img, op_name, magnitude, self.interpolation)
            chosen.append("{}({})".format(op_name, round(100 * magnitude)))
        return img, chosen


class Pipeline(nn.Module):
    def __init__(self):
        super().__init__()
        self.policy = RandomPolicy()
        self.normalize = Normalize((0.485, 0.456, 0.406), (0.229, 0.224, 0.225))

    def forward(self, img: Tensor, chances: List[float], crop: Optional[List[int]] = None):
        if crop is not None:
            top, left, height, width = crop
            img = img[..., top : top + height, left : left + width]
            img = F.interpolate(img, size=[10, 10], mode="bilinear", align_corners=False)
        if chances[-1] < 0.5:
            img = img.flip(-1)
        img, chosen = self.policy(img, chances)
        return self.normalize(img), chosen


def make():
    return Pipeline()


CALLS = [
    (uniform(0, 1, 3, 10, 10), [0.12, 0.6, 0.9, 0.82, 0.7, 0.2, 0.3]),
    (uniform(1, 1, 3, 10, 10), [0.24, 0.9, 0.1, 0.58, 0.3, 0.2, 0.8], [1, 2, 6, 7]),
    (uniform(2, 2, 3, 9, 11), [0.95, 0.5, 0.1, 0.36, 0.7, 0.2, 0.8]),
]
