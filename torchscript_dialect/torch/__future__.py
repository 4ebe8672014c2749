"""`torch.__future__`: how conversions of modules will be done; here they change parameters in place, as PyTorch does by default."""

_ASKED = "conversions of modules change parameters in place here, and nothing else"


def get_overwrite_module_params_on_conversion() -> bool:
    """Whether conversions make new parameters: never."""
    return False


def set_overwrite_module_params_on_conversion(value: bool) -> None:
    """NotImplementedError where new parameters are asked for."""
    if value:
        raise NotImplementedError(_ASKED)


def get_swap_module_params_on_conversion() -> bool:
    """Whether conversions exchange what parameters are: never."""
    return False


def set_swap_module_params_on_conversion(value: bool) -> None:
    """NotImplementedError where they are to be exchanged."""
    if value:
        raise NotImplementedError(_ASKED)


__all__ = [
    "get_overwrite_module_params_on_conversion",
    "get_swap_module_params_on_conversion",
    "set_overwrite_module_params_on_conversion",
    "set_swap_module_params_on_conversion",
]
