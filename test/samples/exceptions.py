"""Operators without samples, and samples on which we differ from PyTorch, each with the reason."""

UNSAMPLED: dict[str, str] = {
    **dict.fromkeys(
        "aten::manual_seed aten::Generator aten::manual_seed.generator aten::seed aten::initial_seed".split(),
        "generators: test_random.py",
    ),
    **dict.fromkeys(
        "aten::empty.memory_format aten::empty_strided aten::empty_like aten::new_empty aten::empty.out aten::empty_like.out"
        " aten::new_empty.out aten::empty_strided.out".split(),
        "the elements are arbitrary: test_creation.py",
    ),
    **dict.fromkeys(
        "aten::to.device aten::to.prim_Device aten::device.with_index prim::type prim::index aten::eq.device aten::ne.device".split(),
        "devices: test_devices.py",
    ),
    **dict.fromkeys(
        "prim::EnumName prim::EnumValue.int prim::EnumValue.float prim::EnumValue.str aten::eq.enum aten::ne.enum aten::len.any aten::is_grad_enabled aten::set_grad_enabled aten::has_torch_function prim::Guard"
        " prim::awaitable_nowait prim::awaitable_wait prim::IfThenElse prim::abs prim::AutogradAnyNonZero"
        " prim::AutogradAllZero prim::AutogradAllNonZero prim::AutogradZero".split(),
        "one line of Python",
    ),
    **dict.fromkeys(
        (
            "prim::tolist",
            "aten::wait",
            "prim::ModuleContainerIndex.list",
            "prim::ModuleContainerIndex.dict",
        ),
        "test/unit/runtime",
    ),
    **dict.fromkeys(("aten::warn", "prim::Print"), "an effect on the terminal"),
}
_TENSOR_KEYS = (
    "__getitem__.Dict_{} _set_item.{} Delete.Dict_{} __contains__.{} len.Dict_{} keys.{} values.{} items.{} copy.Dict_{} clear.{}"
    " update.{} popitem.{} setdefault.{} get.{} get.default_{} pop.Dict_{} pop.Dict_default_{} dict.{} dict.Dict_{}"
)
UNSAMPLED |= dict.fromkeys(
    (f"aten::{name.format('Tensor')}" for name in _TENSOR_KEYS.split()),
    "tensors as keys have no use",
)

DIFFERENT: dict[str, tuple[int, str]] = {
    "aten::binary_cross_entropy.out": (
        3,
        "a mean in `out` without dimensions is the first element there",
    ),
    **dict.fromkeys(
        ("aten::_embedding_bag_dense_backward", "aten::_embedding_bag_backward"),
        (2, "scale_grad_by_freq divides by how often another row is used there"),
    ),
    **dict.fromkeys(("aten::abs_", "aten::absolute_"), (1, "complex tensors are refused there")),
    "aten::logaddexp": (2, "complex tensors are refused here"),
    **dict.fromkeys(
        ("aten::tanh_backward", "aten::sigmoid_backward", "aten::silu_backward"),
        (2, "complex tensors are refused here"),
    ),
    "aten::threshold_": (2, "writes to expanded tensors there"),
    **dict.fromkeys(
        ("aten::cumsum_", "aten::cumprod_"), (8, "the dtype must be the tensor's own there")
    ),
}
"""How many samples differ, and why."""
