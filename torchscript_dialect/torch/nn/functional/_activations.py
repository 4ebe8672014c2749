"""Functions of each element, and shares of a dimension."""

# The compiler's source, in the language that it compiles.
# pyright: basic, reportAttributeAccessIssue=false, reportOperatorIssue=false, reportIndexIssue=false
from __future__ import annotations

from torchscript_dialect import torch
from torchscript_dialect.ops.eager.dispatch import function
from torchscript_dialect.tensor.tensor import Tensor

gelu = function("gelu")
softplus = function("softplus")
softshrink = function("softshrink")
hardshrink = function("hardshrink")
logsigmoid = function("log_sigmoid")
prelu = function("prelu")
relu_ = function("relu_")
selu_ = function("selu_")
celu_ = function("celu_")
elu_ = function("elu_")
hardtanh_ = function("hardtanh_")
leaky_relu_ = function("leaky_relu_")
rrelu_ = function("rrelu_")
threshold_ = function("threshold_")


def _threshold(input: Tensor, threshold: float, value: float, inplace: bool = False) -> Tensor:
    """The element above a threshold, a value at it and below."""
    if inplace:
        result = torch.threshold_(input, threshold, value)
    else:
        result = torch.threshold(input, threshold, value)
    return result


threshold = _threshold  # PyTorch's names, of the function and of what graphs call


def relu(input: Tensor, inplace: bool = False) -> Tensor:
    """The larger of the element and 0."""
    if inplace:
        result = torch.relu_(input)
    else:
        result = torch.relu(input)
    return result


def glu(input: Tensor, dim: int = -1) -> Tensor:
    """One half of a dimension times the sigmoid of the other."""
    if input.dim() == 0:
        raise RuntimeError("glu does not support scalars because halving size must be even")
    return torch.glu(input, dim)


def hardtanh(
    input: Tensor, min_val: float = -1.0, max_val: float = 1.0, inplace: bool = False
) -> Tensor:
    """The element held between two bounds."""
    if min_val > max_val:
        raise ValueError("min_val cannot be greater than max_val")
    if inplace:
        result = torch.hardtanh_(input, min_val, max_val)
    else:
        result = torch.hardtanh(input, min_val, max_val)
    return result


def relu6(input: Tensor, inplace: bool = False) -> Tensor:
    """The element held between 0 and 6."""
    if inplace:
        result = torch.relu6_(input)
    else:
        result = torch.relu6(input)
    return result


def elu(input: Tensor, alpha: float = 1.0, inplace: bool = False) -> Tensor:
    """The element above 0, alpha (e^x - 1) below."""
    if inplace:
        result = torch.elu_(input, alpha)
    else:
        result = torch.elu(input, alpha)
    return result


def selu(input: Tensor, inplace: bool = False) -> Tensor:
    """`elu` with the scale that keeps mean 0 and variance 1."""
    if inplace:
        result = torch.selu_(input)
    else:
        result = torch.selu(input)
    return result


def celu(input: Tensor, alpha: float = 1.0, inplace: bool = False) -> Tensor:
    """The element above 0, alpha (e^(x / alpha) - 1) below."""
    if inplace:
        result = torch.celu_(input, alpha)
    else:
        result = torch.celu(input, alpha)
    return result


def leaky_relu(input: Tensor, negative_slope: float = 0.01, inplace: bool = False) -> Tensor:
    """The element above 0, a fraction of it below."""
    if inplace:
        result = torch.leaky_relu_(input, negative_slope)
    else:
        result = torch.leaky_relu(input, negative_slope)
    return result


def rrelu(
    input: Tensor,
    lower: float = 1.0 / 8,
    upper: float = 1.0 / 3,
    training: bool = False,
    inplace: bool = False,
) -> Tensor:
    """The element above 0, a random fraction of it below, or the mean fraction in evaluation."""
    if inplace:
        result = torch.rrelu_(input, lower, upper, training)
    else:
        result = torch.rrelu(input, lower, upper, training)
    return result


def silu(input: Tensor, inplace: bool = False) -> Tensor:
    """x / (1 + e^-x)."""
    if inplace:
        return torch.silu_(input)
    return torch.silu(input)


def mish(input: Tensor, inplace: bool = False) -> Tensor:
    """x tanh(log(1 + e^x))."""
    if inplace:
        return torch.mish_(input)
    return torch.mish(input)


def hardsigmoid(input: Tensor, inplace: bool = False) -> Tensor:
    """(x + 3) / 6, held between 0 and 1."""
    if inplace:
        return torch.hardsigmoid_(input)
    return torch.hardsigmoid(input)


def hardswish(input: Tensor, inplace: bool = False) -> Tensor:
    """x times `hardsigmoid` of x."""
    if inplace:
        return torch.hardswish_(input)
    return torch.hardswish(input)


def tanh(input: Tensor) -> Tensor:
    """The hyperbolic tangent."""
    return input.tanh()


def sigmoid(input: Tensor) -> Tensor:
    """1 / (1 + e^-x)."""
    return input.sigmoid()


def tanhshrink(input: Tensor) -> Tensor:
    """x - tanh(x)."""
    return input - input.tanh()


def softsign(input: Tensor) -> Tensor:
    """x / (1 + |x|)."""
    return input / (input.abs() + 1)


def _get_softmax_dim(name: str, ndim: int, stacklevel: int) -> int:
    """The dimension that softmax works along where none is given."""
    if ndim == 0 or ndim == 1 or ndim == 3:
        result = 0
    else:
        result = 1
    return result


def softmin(
    input: Tensor, dim: int | None = None, _stacklevel: int = 3, dtype: int | None = None
) -> Tensor:
    """`softmax` of the negated elements."""
    if dim is None:
        dim = _get_softmax_dim("softmin", input.dim(), _stacklevel)
    if dtype is None:
        result = (-input).softmax(dim)
    else:
        result = (-input).softmax(dim, dtype=dtype)
    return result


def softmax(
    input: Tensor, dim: int | None = None, _stacklevel: int = 3, dtype: int | None = None
) -> Tensor:
    """Exponentials that add up to 1 along a dimension."""
    if dim is None:
        dim = _get_softmax_dim("softmax", input.dim(), _stacklevel)
    if dtype is None:
        result = input.softmax(dim)
    else:
        result = input.softmax(dim, dtype=dtype)
    return result


def log_softmax(
    input: Tensor, dim: int | None = None, _stacklevel: int = 3, dtype: int | None = None
) -> Tensor:
    """The logarithm of `softmax`."""
    if dim is None:
        dim = _get_softmax_dim("log_softmax", input.dim(), _stacklevel)
    if dtype is None:
        result = input.log_softmax(dim)
    else:
        result = input.log_softmax(dim, dtype=dtype)
    return result


def gumbel_softmax(
    logits: Tensor, tau: float = 1, hard: bool = False, eps: float = 1e-10, dim: int = -1
) -> Tensor:
    """`softmax` of the logits with random noise; with `hard` the choice of the largest share."""
    noise = torch.empty_like(logits, memory_format=torch.contiguous_format).exponential_().log()
    shares = ((logits - noise) / tau).softmax(dim)
    if hard:
        index = shares.max(dim, keepdim=True)[1]
        chosen = torch.zeros_like(logits, memory_format=torch.contiguous_format)
        chosen = chosen.scatter_(dim, index, 1.0)
        result = chosen - shares.detach() + shares
    else:
        result = shares
    return result
