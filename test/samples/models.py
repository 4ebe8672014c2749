"""Whole small models in pure source text, with the arguments of four calls of each.

`MODELS[name]` is the source of a function of that name; `arguments(name)` gives the arguments of the calls, which share their
parameters, so that what a call writes to them the next one reads.
"""

from typing import Any

from samples.arrays import array

CALLS = 4
MODELS = {
    "cnn": """
def cnn(
    x: Tensor, weight: Tensor, bias: Tensor, scale: Tensor, shift: Tensor, mean: Tensor, var: Tensor,
    out: Tensor, out_bias: Tensor, training: bool
):
    y = torch.conv2d(x, weight, bias, stride=1, padding=1)
    y = torch.batch_norm(y, scale, shift, mean, var, training, 0.1, 1e-5, False)
    y = torch.max_pool2d(torch.relu(y), [2, 2])
    y = y.adaptive_avg_pool2d([2, 2])
    return torch.nn.functional.linear(torch.flatten(y, 1), out, out_bias)
""",
    "encoder": """
def encoder(
    x: Tensor, w_in: Tensor, b_in: Tensor, w_out: Tensor, b_out: Tensor, scale1: Tensor, shift1: Tensor,
    w1: Tensor, b1: Tensor, w2: Tensor, b2: Tensor, scale2: Tensor, shift2: Tensor, heads: int
):
    batch, length, size = x.size(0), x.size(1), x.size(2)
    q, k, v = torch.chunk(torch.nn.functional.linear(x, w_in, b_in), 3, -1)
    split = [batch, length, heads, size // heads]
    q = q.reshape(split).transpose(1, 2)
    k = k.reshape(split).transpose(1, 2)
    v = v.reshape(split).transpose(1, 2)
    seen = torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True)
    seen = seen.transpose(1, 2).reshape([batch, length, size])
    x = torch.layer_norm(x + torch.nn.functional.linear(seen, w_out, b_out), [size], scale1, shift1)
    hidden = torch.nn.functional.linear(torch.nn.functional.linear(x, w1, b1).gelu(), w2, b2)
    return torch.layer_norm(x + hidden, [size], scale2, shift2)
""",
    "unet": """
def unet(x: Tensor, w_down: Tensor, w_inner: Tensor, w_up: Tensor, w_out: Tensor, b_out: Tensor):
    down = torch.relu(torch.conv2d(x, w_down, padding="same"))
    inner = torch.relu(torch.conv2d(torch.max_pool2d(down, [2, 2]), w_inner, padding=[1, 1]))
    smooth = inner.upsample_bilinear2d([x.size(2), x.size(3)], False)
    near = inner.upsample_nearest2d([x.size(2), x.size(3)])
    learnt = torch.conv_transpose2d(inner, w_up, stride=[2, 2])
    y = torch.cat([down, smooth, near, learnt], 1)
    return torch.sigmoid(torch.conv2d(y, w_out, b_out))
""",
}


def _small(*shape: int, seed: str = "") -> Any:
    return array(shape, low=-1, high=1, seed=seed)


def _positive(*shape: int) -> Any:
    return array(shape, low=0.5, high=2)


def arguments(name: str) -> list[tuple[Any, ...]]:
    """The arguments of the calls of a model: arrays, of which parameters are the same ones in every call."""
    if name == "cnn":
        weight, out = _small(3, 2, 3, 3), _small(4, 12)
        norm = (_positive(3), _small(3), _small(3, seed="mean"), _positive(3) + 1)
        parameters = (weight, _small(3, seed="bias"), *norm, out, _small(4))
        return [
            (_small(2, 2, size, size, seed=str(call)), *parameters, call < 2)
            for call, size in enumerate((6, 6, 6, 7))
        ]
    if name == "encoder":
        parameters = (
            *(_small(24, 8), _small(24)),
            *(_small(8, 8), _small(8, seed="out")),
            *(_positive(8), _small(8)),
            *(_small(16, 8), _small(16)),
            *(_small(8, 16), _small(8, seed="2")),
            *(_positive(8), _small(8, seed="shift")),
        )
        return [
            (_small(2, length, 8, seed=str(call)), *parameters, 2)
            for call, length in enumerate((3, 3, 3, 5))
        ]
    parameters = (
        _small(2, 1, 3, 3),
        _small(3, 2, 3, 3),
        _small(3, 2, 2, 2, seed="up"),
        _small(1, 10, 1, 1),
        _small(1),
    )
    return [
        (_small(1, 1, size, 4, seed=str(call)), *parameters)
        for call, size in enumerate((4, 4, 4, 6))
    ]
