"""xDSL's interpreter with what it lacks of upstream's dialects, to run exported functions on NumPy arrays."""

from __future__ import annotations

import math as pymath
from collections.abc import Callable, Sequence
from itertools import product
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray
from xdsl.context import Context
from xdsl.dialects import arith, linalg, math, tensor
from xdsl.dialects.builtin import (
    Builtin,
    DenseIntOrFPElementsAttr,
    Float32Type,
    IndexType,
    IntegerType,
    ModuleOp,
    TensorType,
    f32,
    f64,
)
from xdsl.dialects.func import Func, FuncOp
from xdsl.interpreter import Interpreter, InterpreterFunctions, impl, register_impls
from xdsl.interpreters.arith import ArithFunctions
from xdsl.interpreters.builtin import BuiltinFunctions, xtype_for_el_type
from xdsl.interpreters.func import FuncFunctions
from xdsl.interpreters.linalg import LinalgFunctions
from xdsl.interpreters.math import MathFunctions
from xdsl.interpreters.shaped_array import ShapedArray
from xdsl.interpreters.tensor import TensorFunctions
from xdsl.interpreters.utils.ptr import TypedPtr
from xdsl.parser import Parser
