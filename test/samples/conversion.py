"""Changes of dtype, copies, fills, tensors to Python values, facts about tensors."""

import numpy as np

from samples.arrays import array, channels_last, expanded, sliced, special, transposed

_DTYPES = [
    "float32",
    "float64",
    "int64",
    "int32",
    "uint8",
    "bool",
    "float16",
    "bfloat16",
    "complex64",
]
_NUMBERS = [6, 7, 4, 11, 0, 5, 15, 9]
_INPUTS = [
    *[lambda d=d: array((2, 3), d) for d in _DTYPES],
    lambda: transposed((2, 3)),
    lambda: sliced((2, 3)),
    lambda: expanded((2, 3)),
    lambda: channels_last((2, 3, 2, 2)),
    lambda: array(()),
    lambda: array((0, 3)),
]
_ONE = [lambda d=d: array((), d) for d in _DTYPES] + [
    lambda: array((1, 1)),
    lambda: array((2,)),
    lambda: array((0,)),
    lambda: np.array(np.inf, np.float32),
]


def each(makes, *rest):
    return [lambda make=make, r=r: (make(), *r) for make in makes for r in rest]


_CAST = [lambda m=m, d=d: (m(), d) for m in _INPUTS for d in _NUMBERS]
_COPIES = [
    lambda: (array((2, 3)), array((2, 3), seed="b")),
    lambda: (array((2, 3)), array((3,), "int64")),
    lambda: (array((2, 3), "int64"), array((2, 3), "float64")),
    lambda: (transposed((2, 3)), array((2, 3))),
    lambda: (array((2, 3)), array((4,))),
    lambda: (array((3,)), array((2, 3))),
    lambda: (array((2, 3)), array((), "complex64")),
    lambda: (array((2, 3), "bool"), array((2, 3))),
    lambda: (expanded((2, 3)), array((2, 3))),
]

SAMPLES = {
    "resize_as_": [
        lambda: (array((2, 3)), array((3, 2), "float64"), None),
        lambda: (array((2, 3)), array((4,), seed="t"), None),
    ],
    "to.dtype": [lambda m=m: (*m(), False, False, None) for m in _CAST]
    + [lambda m=m, f=f: (m(), 6, False, True, f) for m in _INPUTS for f in (None, 0, 2)],
    "to.dtype_layout": [
        lambda m=m: (m()[0], m()[1], None, None, None, False, False, None) for m in _CAST[:30]
    ],
    "_to_copy": [lambda m=m: (m()[0], m()[1], None, None, None, False, None) for m in _CAST[:30]],
    "to.prim_dtype": [lambda m=m: (*m(), False, False) for m in _CAST[:30]],
    "as_tensor": [lambda d=d: (array((2, 3)), d, None) for d in (None, 7, 4)],
    "to.prim_other": [lambda: (array((2, 3)), False, False)],
    "to.other": [
        lambda: (array((2, 3)), array((), "int64"), False, False, None),
        lambda: (array((2, 3)), array(()), False, False, None),
    ],
    "type_as": [lambda: (array((2, 3)), array((), "int64")), lambda: (array((2, 3)), array(()))],
    "_cast_Byte _cast_Char _cast_Double _cast_Float _cast_Int _cast_Long _cast_Short _cast_Half": each(
        _INPUTS[:3], (False,)
    ),
    "copy_ copy": [lambda m=m: (*m(), False) for m in _COPIES],
    "copy_.Tensor": _COPIES[:2],
    "copy_.int": [lambda: (array((2, 3)), 3)],
    "copy_.float": [lambda: (array((2, 3)), 2.5)],
    "fill_.Scalar fill.Scalar": [
        *each([*_INPUTS], (2,), (0.5,)),
        lambda: (array((2,), "uint8"), 300),
        lambda: (array((2,)), 1j),
        lambda: (array((2,), "int64"), float("nan")),
    ],
    "fill_.Tensor fill.Tensor": each(_INPUTS[:4], (np.array(2.5),), (np.array([1.0]),)),
    "zero_ zero": each(_INPUTS, ()),
    "resize_": [lambda: (array((2, 3)), [2, 3], None)],
    "item Bool.Tensor is_nonzero": each(_ONE, ()),
    "_local_scalar_dense": each(_ONE[:9], ()),
    "Int.Tensor Float.Tensor": each(_ONE[:6] + _ONE[9:12], ()),
    "IntImplicit ScalarImplicit": each(_ONE[:5] + _ONE[9:10], ()),
    "FloatImplicit": each(_ONE[:3] + _ONE[9:10], ()),
    "ComplexImplicit": each(_ONE[8:9], ()),
    "Complex.Tensor_Tensor": [lambda: (array(()), array((), seed="b"))],
    "Complex.Tensor_float": [lambda: (array(()), 2.5)],
    "Complex.Tensor_int": [lambda: (array(()), 2)],
    "Complex.Tensor_bool": [lambda: (array(()), True)],
    "Complex.float_Tensor": [lambda: (2.5, array(()))],
    "Complex.int_Tensor": [lambda: (2, array(()))],
    "Complex.bool_Tensor": [lambda: (True, array(()))],
    "storage_offset": each(_INPUTS[:2], ()),
    "size stride dim numel is_contiguous is_floating_point is_complex is_signed get_device element_size prim::dtype prim::device prim::layout prim::requires_grad prim::itemsize prim::nbytes prim::is_cpu prim::is_cuda prim::is_xpu prim::is_mps prim::is_meta prim::is_sparse prim::is_sparse_csr prim::is_mkldnn prim::is_quantized prim::is_nested prim::is_ipu prim::is_xla prim::is_vulkan prim::is_maia prim::is_mtia prim::name": each(
        [_INPUTS[0], _INPUTS[2], *_INPUTS[9:14]], ()
    ),
    "size.int stride.int": each(_INPUTS[:2], (0,), (-1,), (5,)),
    "sym_size sym_stride sym_numel sym_storage_offset": each(_INPUTS[:1], ()),
    "sym_size.int sym_stride.int": each(_INPUTS[:1], (0,)),
    "is_contiguous.memory_format": each(_INPUTS, (0,), (2,)),
    "is_same_size": [lambda: (array((2, 3)), array((2, 3))), lambda: (array((2, 3)), array((3,)))],
    "len.Tensor": each([_INPUTS[0], _INPUTS[13], _INPUTS[14]], ()),
    "result_type.Tensor": [
        lambda: (array((2,), "int64"), array((), "float64")),
        lambda: (array((), "bool"), array((), "uint8")),
    ],
    "result_type.Scalar": [lambda: (array((2,), "int64"), 2.5)],
    "result_type.Scalar_Tensor": [lambda: (2.5, array((2,), "float16"))],
    "result_type.Scalar_Scalar": [lambda: (1, 2.5), lambda: (True, 3)],
    "can_cast": [lambda: (6, 4), lambda: (0, 1), lambda: (4, 15), lambda: (1, 11)],
    "promote_types": [lambda: (6, 4), lambda: (0, 1), lambda: (5, 15)],
    "equal": [
        lambda: (array((2, 3)), array((2, 3))),
        lambda: (array((2, 3)), array((3,))),
        lambda: (special(), special()),
    ],
    "allclose": [
        lambda: (array((2, 3)), array((2, 3)), 1e-5, 1e-8, False),
        lambda: (special(), special(), 1e-5, 1e-8, True),
        lambda: (special(), special(), 1e-5, 1e-8, False),
    ],
}
