"""Functions that are computed in float64: kernels against NumPy's form of the same bodies, and that against mpmath."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from lowering.backend import LinalgBackend
from support.native_calls import needs_native_calls
from torchscript_dialect.ops import registry
from torchscript_dialect.runtime.kernels.operator_kernels import INPUT, compile_operator
from torchscript_dialect.runtime.values.type_tests import tensor_type
from torchscript_dialect.tensor.tensor import Tensor, tensor_of

FINITE = """
-30.5 -7.25 -7.0 -2.0 -1.0 -0.999 -0.5 -0.25 -1e-30 -0.0 0.0 1e-30 0.125 0.25 0.5 0.999 1.0 1.5 2.0 2.5 7.0 15.75 16.0 16.5
40.0 200.0 1e30
"""
NUMBERS = np.array([*map(float, FINITE.split()), -np.inf, np.inf, np.nan])
MPMATH: dict[str, dict[float, float]] = {
    "erfc": {
        0.5: 0.4795001221869535,
        2.5: 0.0004069520174449589,
        -7.25: 2.0,
        16.5: 1.979130575553268e-120,
    },
    "erfinv": {0.25: 0.2253120550121781, -0.999: -2.3267537655135246, 1e-30: 8.862269254527581e-31},
    "special_erfcx": {
        0.5: 0.6156903441929259,
        2.5: 0.2108063640611436,
        -7.25: 1.3447256865019581e23,
        16.5: 0.034130853321913276,
    },
    "special_ndtr": {
        0.5: 0.6914624612740131,
        2.5: 0.9937903346742238,
        -7.25: 2.0838581586720695e-13,
        16.5: 1.0,
    },
    "special_log_ndtr": {
        0.5: -0.3689464152886564,
        2.5: -0.006229025485860002,
        -7.25: -29.199385149405348,
        -30.5: -469.4627373229121,
    },
    "special_ndtri": {
        0.125: -1.150349380376008,
        0.999: 3.090232306167813,
        1e-30: -11.464024688443615,
    },
    "lgamma": {
        0.5: 0.5723649429247001,
        2.5: 0.2846828704729192,
        -7.25: -7.54188344347575,
        16.5: 29.277754515040815,
    },
    "digamma": {
        0.5: -1.9635100260214235,
        2.5: 0.7031566406452432,
        -7.25: 5.189977214956288,
        16.5: 2.7727513716226233,
    },
    "special_bessel_j0": {
        0.5: 0.9384698072408129,
        2.5: -0.048383776468198,
        -7.25: 0.291996924191779,
        16.5: -0.19638069293686103,
    },
    "special_bessel_j1": {
        0.5: 0.2422684576748739,
        2.5: 0.49709410246427405,
        -7.25: -0.06858170065313174,
        16.5: -0.005764213735631227,
    },
    "special_bessel_y0": {
        0.125: -1.3896806251438405,
        1.5: 0.38244892379775886,
        2.5: 0.4980703596152319,
        16.5: 0.00018123245754096657,
    },
    "special_bessel_y1": {
        0.125: -5.199936112534775,
        1.5: -0.4123086269739113,
        2.5: 0.1459181379667858,
        16.5: 0.19647583778590966,
    },
    "i0": {
        0.5: 1.0634833707413236,
        2.5: 3.289839144050123,
        -7.25: 212.5583411627976,
        16.5: 1450186.417336459,
    },
    "special_i0e": {
        0.5: 0.6450352704491501,
        2.5: 0.27004644161220276,
        -7.25: 0.15095349002867584,
        16.5: 0.09898397306486703,
    },
    "special_i1": {
        0.5: 0.2578943053908963,
        2.5: 2.5167162452886984,
        -7.25: -197.3015658656383,
        16.5: 1405530.7903481056,
    },
    "special_i1e": {
        0.5: 0.1564208031848717,
        2.5: 0.20658464953126657,
        -7.25: -0.14011851895630761,
        16.5: 0.09593595708142647,
    },
    "special_modified_bessel_i0": {
        0.5: 1.0634833707413236,
        2.5: 3.289839144050123,
        -7.25: 212.5583411627976,
        16.5: 1450186.417336459,
    },
    "special_modified_bessel_i1": {
        0.5: 0.2578943053908963,
        2.5: 2.5167162452886984,
        -7.25: -197.3015658656383,
        16.5: 1405530.7903481056,
    },
    "special_modified_bessel_k0": {
        0.125: 2.20786908674497,
        1.5: 0.21380556264752573,
        2.5: 0.06234755320036619,
        16.5: 2.0905609883231757e-08,
    },
    "special_modified_bessel_k1": {
        0.125: 7.831118299115751,
        1.5: 0.2773878004568438,
        2.5: 0.07389081634774707,
        16.5: 2.1530047344891613e-08,
    },
    "special_scaled_modified_bessel_k0": {
        0.125: 2.501843440219129,
        1.5: 0.9582100532948965,
        2.5: 0.7595486903280996,
        16.5: 0.30628222489038615,
    },
    "special_scaled_modified_bessel_k1": {
        0.125: 8.873819586426329,
        1.5: 1.243165873552553,
        2.5: 0.900174423907878,
        16.5: 0.31543068294209264,
    },
    "special_spherical_bessel_j0": {
        0.5: 0.958851077208406,
        2.5: 0.2393888576415826,
        -7.25: 0.11352839710503523,
        16.5: -0.04313850559812867,
    },
    "special_airy_ai": {
        0.5: 0.23169360648083348,
        2.5: 0.01572592338047049,
        -2.5: -0.11232506769296609,
        -7.25: 0.32374057321118616,
        16.5: 5.4969111729670606e-21,
    },
}
WAVES = frozenset(
    f"special_{name}" for name in ("bessel_j0", "bessel_j1", "bessel_y0", "bessel_y1", "airy_ai")
)
"""Their series lose digits where they oscillate."""
WITH_ROOTS = WAVES | {"lgamma", "digamma", "special_log_ndtr", "special_ndtri"}


def of_numpy(name: str, numbers: Any, *constants: Any) -> Any:
    operator = registry.find(f"aten::{name}")
    assert operator is not None
    assert operator.kernel is not None
    return operator.kernel(tensor_of(numbers), *constants).array


def of_kernel(name: str, numbers: Any, *constants: Any) -> Any:
    """What machine code for the operator alone gives."""
    operator = registry.find(f"aten::{name}")
    assert operator is not None
    tensor = tensor_of(numbers)
    kernel = compile_operator(operator, [tensor_type(tensor)], [INPUT, *constants], "llvm", "")
    call = kernel.bind([tensor])
    assert call is not None
    found = kernel.launch(call)
    assert isinstance(found, Tensor)
    return found.array


@pytest.fixture(autouse=True)
def compiles_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(LinalgBackend, "pays_alone", lambda *_: True)


@pytest.mark.parametrize("name", MPMATH)
def test_values(name: str) -> None:
    points = MPMATH[name]
    expected = np.array(list(points.values()))
    found = of_numpy(name, np.array(list(points)))
    tolerance = 1e-10 if name in WAVES else 1e-13
    np.testing.assert_allclose(found, expected, tolerance, tolerance if name in WAVES else 0)


@needs_native_calls
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("name", [*MPMATH, "signbit", "nan_to_num"])
def test_kernels_give_what_numpy_gives(name: str, dtype: str) -> None:
    with np.errstate(over="ignore"):
        numbers = NUMBERS.astype(dtype)
    constants = (None, None, None) if name == "nan_to_num" else ()
    expected = of_numpy(name, numbers, *constants)
    found = of_kernel(name, numbers, *constants)
    assert found.dtype == expected.dtype
    if name in ("signbit", "nan_to_num"):
        assert found.tobytes() == expected.tobytes()
        return
    units = {"float32": 1.2e-7, "float64": 1e-12}[dtype]
    np.testing.assert_allclose(found, expected, units, units if name in WITH_ROOTS else 1e-45)
    is_zero = expected == 0
    assert (np.signbit(found[is_zero]) == np.signbit(expected[is_zero])).all()


@needs_native_calls
def test_arguments_of_functions_are_constants() -> None:
    numbers = np.linspace(2.0, 9.0, 50)
    expected = of_numpy("mvlgamma", numbers, 3)
    np.testing.assert_allclose(of_kernel("mvlgamma", numbers, 3), expected, 1e-13)
    replaced = of_numpy("nan_to_num", NUMBERS, 1.5, 7.0, None)
    assert of_kernel("nan_to_num", NUMBERS, 1.5, 7.0, None).tobytes() == replaced.tobytes()
