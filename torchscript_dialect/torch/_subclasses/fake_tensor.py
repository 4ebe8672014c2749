"""`torch._subclasses.fake_tensor`: programs ask whether a tensor stands for one in a symbolic trace, which none does here."""


def is_fake(x: object) -> bool:
    """Whether a value is a tensor without elements of a symbolic trace."""
    return False
