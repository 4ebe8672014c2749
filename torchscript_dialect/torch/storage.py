"""`torch.storage`: the classes of memory of tensors."""

from torchscript_dialect.tensor.storages import TypedStorage as TypedStorage
from torchscript_dialect.tensor.storages import UntypedStorage as UntypedStorage
