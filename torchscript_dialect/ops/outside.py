"""Operators that reach outside the program: what they touch is refused where it is not allowed (runtime/permissions.py)."""

from __future__ import annotations

from torchscript_dialect.ops import registry

_TOUCHING = {
    "files": "aten::save aten::from_file aten::from_file.out",
    "network": "prim::rpc_async prim::rpc_sync prim::rpc_remote aten::to_here",
}

for _what, _names in _TOUCHING.items():
    for _name in _names.split():
        registry.attach(_name, touches=_what)
