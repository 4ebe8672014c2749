"""What derivatives of arithmetic, powers and special functions of numbers call."""

SOURCE = """
def inverse_square(x: Tensor, y: Tensor) -> Tensor:
    square = x * x + y * y
    return square.reciprocal().masked_fill(square == 0, 0)

def times(grad: Tensor, factor: number) -> Tensor:
    if grad.is_complex():
        return grad * torch.scalar_tensor(factor, dtype=grad.dtype).conj()
    return grad * factor

def over(grad: Tensor, divisor: number) -> Tensor:
    if grad.is_complex():
        return grad / torch.scalar_tensor(divisor, dtype=grad.dtype).conj()
    return grad / divisor

def one_minus(weight: number) -> number:
    return 1 - weight

def inverse(x: number) -> number:
    return 1.0 / float(x)

def power_of_number(grad: Tensor, base: Tensor, exponent: number) -> Tensor:
    if exponent == 0.0:
        return torch.zeros_like(grad)
    return grad * (base.pow(exponent - 1) * exponent).conj()

def power_of_base(grad: Tensor, base: Tensor, exponent: Tensor) -> Tensor:
    slope = grad * (exponent * base.pow(exponent + -1)).conj()
    return torch.where(exponent == 0.0, torch.zeros_like(slope), slope)

def power_of_exponent(grad: Tensor, base: Tensor, exponent: Tensor, result: Tensor) -> Tensor:
    flat = torch.logical_and(base == 0, torch.real(exponent) >= 0)
    slope = grad * (result * torch.log(base)).conj()
    return torch.where(flat, torch.zeros_like(slope), slope)

def sign_of(grad: Tensor, x: Tensor, result: Tensor) -> Tensor:
    if not x.is_complex():
        return torch.zeros_like(grad)
    size = torch.abs(x)
    along = grad / torch.where(size == 0, torch.ones_like(size), size)
    across = along - torch.real(along * result.conj()) * result
    return torch.where(size == 0, torch.zeros_like(across), across)

def angle_of(grad: Tensor, x: Tensor) -> Tensor:
    if not x.is_complex():
        return torch.zeros_like(grad)
    square = torch.real(x * x.conj())
    turned = grad * (x * 1j) / torch.where(square == 0, torch.ones_like(square), square)
    return torch.where(square == 0, torch.zeros_like(turned), turned)

def copied_sign(grad: Tensor, x: Tensor, result: Tensor) -> Tensor:
    ratio = result / x
    return torch.where(x == 0, torch.zeros_like(grad), grad * ratio)

def clamped(grad: Tensor, x: Tensor, low: Optional[number], high: Optional[number]) -> Tensor:
    result = grad
    if low is not None:
        result = torch.where(x >= low, result, torch.zeros_like(result))
    if high is not None:
        result = torch.where(x <= high, result, torch.zeros_like(result))
    return result

def clamped_by(grad: Tensor, x: Tensor, low: Optional[Tensor], high: Optional[Tensor]) -> Tensor:
    result = grad
    if low is not None:
        result = torch.where(x >= low, result, torch.zeros_like(result))
    if high is not None:
        result = torch.where(x <= high, result, torch.zeros_like(result))
    return result

def clamped_below(grad: Tensor, x: Tensor, low: Optional[Tensor], high: Optional[Tensor]) -> Tensor:
    assert low is not None
    is_low = x < low
    if high is not None:
        is_low = torch.logical_and(is_low, low < high)
    return torch.where(is_low, grad, torch.zeros_like(grad))

def clamped_above(grad: Tensor, x: Tensor, low: Optional[Tensor], high: Optional[Tensor]) -> Tensor:
    assert high is not None
    is_high = x > high
    if low is not None:
        is_high = torch.logical_or(is_high, high < low)
    return torch.where(is_high, grad, torch.zeros_like(grad))

def logit_of(grad: Tensor, x: Tensor, eps: Optional[float]) -> Tensor:
    at_end = torch.logical_or(x == 0.0, x == 1.0)
    slope = torch.where(at_end, grad * float("inf"), grad / (x * (1.0 - x)))
    if eps is None:
        outside = torch.logical_or(x < 0.0, x > 1.0)
        return torch.where(outside, torch.full_like(slope, float("nan")), slope)
    outside = torch.logical_or(x < eps, x > 1.0 - eps)
    return torch.where(outside, torch.zeros_like(slope), slope)

def sinc_of(grad: Tensor, x: Tensor) -> Tensor:
    pi = 3.141592653589793
    square = x * x * pi
    vanishes = square == 0
    slope = (pi * x * torch.cos(pi * x) - torch.sin(pi * x)) / torch.where(vanishes, torch.ones_like(x), square)
    return torch.where(vanishes, torch.zeros_like(slope), slope).conj() * grad

def multivariate(grad: Tensor, x: Tensor, p: int) -> Tensor:
    total = torch.digamma(x)
    for j in range(1, p):
        total = total + torch.digamma(x - j / 2)
    return grad * total

def bessel_1(x: Tensor, before: Tensor, result: Tensor) -> Tensor:
    y = torch.where(x == 0, torch.ones_like(x), x)
    return torch.where(x == 0, torch.full_like(x, 0.5), before - result / y)

def scaled_bessel_1(x: Tensor, before: Tensor, result: Tensor) -> Tensor:
    y = torch.where(x == 0, torch.ones_like(x), x)
    return torch.where(x == 0, torch.full_like(x, 0.5), before - result * (torch.sgn(x) + 1 / y))

def logarithm_beside(grad: Tensor, x: Tensor, other: Tensor, offset: float) -> Tensor:
    value = torch.special_xlog1py(grad, other) if offset == 1.0 else torch.xlogy(grad, other)
    return value.masked_fill(torch.logical_and(x == 0, other + offset <= 0), 0)
"""
