# pyright: basic, reportUndefinedVariable=false
# ruff: noqa: F821


@program(floats(2, 3), floats(2, 3))
def add(x, y):
    return x + y


@program(floats(2, 3), floats(3))
def broadcast(x, y):
    return x * y - y


@program(floats(2, 3))
def numbers(x):
    return x + 1, x - 2.5, x * 3, x / 4


@program(floats(2, 3))
def numbers_before(x):
    return 1 + x, 2.5 - x, 3 * x, 4 / x


@program(floats(2, 3))
def powers(x):
    return x**2, x**0.5, 2**x, x.pow(3)


@program(ints(2, 3))
def integers(x):
    return x + 1, x // 2, x % 3, -x, x / 2


@program(floats(2, 3), ints(2, 3))
def mixed_dtypes(x, n):
    return x + n, n / 2, n * x


@program(floats(2, 3), floats(2, 3))
def alpha(x, y):
    return torch.add(x, y, alpha=2), torch.sub(x, y, alpha=3), x.add(y, alpha=0.5)


@program(floats(2, 3), floats(2, 3))
def comparisons(x, y):
    return x > y, x <= y, x == y, x != 0, x < 0.5, x >= 1


@program(floats(2, 3), floats(2, 3))
def logical(x, y):
    a, b = x > 0, y > 0
    return a & b, a | b, a ^ b, ~a, a.logical_and(b)


@program(ints(2, 3), ints(2, 3))
def bits(x, y):
    return x & y, x | 4, x ^ y, x << 1, x >> 1, ~x


@program(floats(2, 3))
def elementary(x):
    return (
        x.exp() + x.abs().log() + torch.sin(x).cos() + x.tanh().sigmoid() + x.abs().sqrt().rsqrt()
    )


@program(floats(2, 3))
def rounding(x):
    return x.floor() + x.ceil() + x.round() + x.trunc() + x.sign() + x.neg()


@program(floats(2, 3))
def clamps(x):
    return x.clamp(-0.5, 0.5), x.clamp(min=0), torch.clamp(x, max=0.25), x.clamp_min(0.1)


@program(floats(2, 3), floats(2, 3))
def extremes(x, y):
    return torch.maximum(x, y), torch.minimum(x, y), torch.max(x, y), torch.min(x, y)


@program(floats(2, 3), floats(2, 3))
def choices(x, y):
    return torch.where(x > 0, x, y), torch.where(x > y, x, 0.0), x.masked_fill(x < 0, 0.0)


@program(floats(2, 3), floats(2, 3))
def combined(x, y):
    return torch.addcmul(x, x, y, value=0.5), torch.addcdiv(x, x, y), torch.lerp(x, y, 0.3)


@program(floats(2, 3), floats(2, 3))
def aliases(x, y):
    return (
        torch.multiply(x, y),
        torch.subtract(x, y),
        torch.absolute(x),
        torch.greater(x, y),
        torch.clip(x, 0, 1),
    )


@program(floats(2, 3), floats(2, 3))
def two_argument(x, y):
    return torch.atan2(x, y), torch.fmod(x, 2), torch.remainder(x, y), torch.hypot(x, y)


@program(floats(2, 3))
def nested_calls(x):
    def twice(y):
        return y + y

    return twice(twice(x) * 2)


@program(floats(2, 3), floats(2, 3))
def unused_results(x, y):
    x.exp()
    y.sum(0)
    return x + y


@program(floats(2, 3))
def same_input_and_output(x):
    return x


@program(floats(2, 3))
def shared_constant(x):
    c = torch.ones(3)
    return x + c * c


@program(floats(3))
def unrolled_loop(x):
    for i in range(3):
        x = x * (i + 1)
    return x


@program(floats(3))
def taken_branch(x):
    if x.sum() > 0:
        return x + 1
    return x - 1


@program(floats(3))
def baked_number(x):
    return x * float(x[0]) + int(x.sum() * 10)


@program(floats(2, 3))
def isclose_family(x):
    return torch.isfinite(x), torch.isnan(x), torch.isinf(x)


@program(floats(2, 3))
def special_activations(x):
    return torch.erf(x), torch.expm1(x), torch.log1p(x.abs()), torch.reciprocal(x), torch.square(x)


@program(floats(2, 3))
def floor_division(x):
    return x // 2, torch.div(x, 0.5, rounding_mode="floor"), torch.div(x, x, rounding_mode="trunc")


@program(floats(2, 3))
def detached(x):
    return x.detach() + 1


@program(floats(2, 3))
def clones(x):
    return x.clone(), x.contiguous(), x.t().contiguous()
