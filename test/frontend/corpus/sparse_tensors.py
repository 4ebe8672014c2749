"""Sparse tensors inside of functions whose arguments and results are strided."""
from examples._torch import torch
from support.corpus import arr, case, ramp


PLACES = arr([[0, 1, 1, 0], [2, 0, 2, 2]], dtype="int64")


@case(PLACES, ramp(4), ramp(4, 3))
@case(PLACES, ramp(4, dtype="float64"), ramp(4, 1, dtype="float64"))
def product_of_coordinates(places, values, x):
    s = torch.sparse_coo_tensor(places, values, [2, 4])
    y = torch.sparse.mm(s, x)
    return y + 1, s @ x, s.t().to_dense()


@case(PLACES, ramp(4))
@case(PLACES, arr([1, 2, 3, 4], dtype="int64"))
def parts_of_coordinates(places, values):
    s = torch.sparse_coo_tensor(places, values, [2, 4]).coalesce()
    return s.indices(), s.values(), s._nnz(), s.is_coalesced(), s.is_sparse, s.sparse_dim()


@case(ramp(3, 4))
@case(ramp(3, 4, dtype="float64"))
def there_and_back(x):
    s = torch.relu(x - 0.5).to_sparse()
    total = torch.zeros(3, 4)
    for i in range(2):
        total = total + s
        s = s * 2
    return total, s.to_dense(), torch.sparse.softmax(s, 1).to_dense()


@case(arr([0, 1, 3], dtype="int64"), arr([2, 0, 2], dtype="int64"), ramp(3), ramp(4, 2))
@case(arr([0, 0, 2], dtype="int64"), arr([1, 3], dtype="int64"), ramp(2), ramp(4, 1))
def compressed_rows(bounds, columns, values, x):
    s = torch.sparse_csr_tensor(bounds, columns, values, [2, 4])
    return s @ x, s.to_dense(), s.crow_indices(), s.t().to_dense()


@case(ramp(3, 4), True)
@case(ramp(3, 4), False)
def chosen_layout(x, sparse: bool):
    y = x.to_sparse() if sparse else x
    if y.is_sparse:
        return y.to_dense() * 2
    return y
