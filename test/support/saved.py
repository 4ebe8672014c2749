"""Values that `torch.save` takes, made by either namespace."""

from collections import Counter, OrderedDict
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parent.parent / "golden" / "saved"


def values(torch: Any) -> dict[str, Any]:
    """By name; equal ones have the same text."""
    x = torch.arange(6.0).reshape(2, 3)
    norm = torch.nn.BatchNorm1d(2)
    return {
        "state_dict": norm.state_dict(),
        "optimizer": torch.optim.Adam(norm.parameters()).state_dict(),
        "plain": (1, -300, 70000, -(2**40), 2.5, True, None, "é", 1j, b"x\xffyz", {1, 2}),
        "containers": [[], {}, (), {"a": {0: [1], 1.5: (2,)}}, OrderedDict(a=1), Counter("aab")],
        "of_torch": [
            torch.Size([1, 2]),
            torch.float32,
            torch.qint8,
            torch.device("cpu"),
            torch.sparse_coo,
        ],
        "parameter": torch.nn.Parameter(torch.ones(2)),
        "requires_grad": torch.ones(2, requires_grad=True),
        "views": [x, x[1], x.t(), x[:0]],
        "dtypes": [torch.ones(2).to(dtype) for dtype in (torch.bfloat16, torch.int8, torch.bool)],
        "without_storage_class": [
            torch.arange(3).to(torch.uint16),
            torch.ones(3).to(torch.float8_e4m3fn),
        ],
        "quantized": torch.quantize_per_tensor(torch.ones(2), 0.1, 0, torch.quint8),
        "sparse": [torch.eye(2).to_sparse(), torch.eye(2).to_sparse_csr()],
        "compressed": [
            torch.eye(2).to_sparse_csc(),
            x.to_sparse_bsr((1, 3)),
            x.to_sparse_bsc((2, 1)),
        ],
        "conjugates": [
            torch.tensor([1 + 2j, 3]).conj(),
            torch.tensor([1 + 2j]).conj().imag,
            torch.tensor([[1 + 2j, 3]]).mH,
        ],
        "buffer": torch.nn.Buffer(torch.ones(2)),
    }
