"""`torch.fx.experimental.proxy_tensor`: programs ask whether they are traced symbolically, which they are never here."""


def get_proxy_mode() -> None:
    """What traces this thread."""
