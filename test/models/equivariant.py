"""A network of vectors and tensors that turn with their input: its products are a thousand generated lines without a loop."""

import linecache
import math
from typing import Dict, List, Optional, Tuple

from examples._torch import torch
from support.models import normal, whole

nn = torch.nn
F = torch.nn.functional
Tensor = torch.Tensor


def _spherical_harmonics(lmax: int, x: Tensor, y: Tensor, z: Tensor) -> Tensor:
    """The first polynomials that turn into each other, of unit vectors."""
    sh_0_0 = torch.ones_like(x)
    if lmax == 0:
        return torch.stack([sh_0_0], dim=-1)
    sh_1_0 = x
    sh_1_1 = y
    sh_1_2 = z
    if lmax == 1:
        return torch.stack([sh_0_0, sh_1_0, sh_1_1, sh_1_2], dim=-1)
    sh_2_0 = math.sqrt(3.0) * x * z
    sh_2_1 = math.sqrt(3.0) * x * y
    y2 = y.pow(2)
    x2z2 = x.pow(2) + z.pow(2)
    sh_2_2 = y2 - 0.5 * x2z2
    sh_2_3 = math.sqrt(3.0) * y * z
    sh_2_4 = math.sqrt(3.0) / 2.0 * (z.pow(2) - x.pow(2))
    return torch.stack(
        [sh_0_0, sh_1_0, sh_1_1, sh_1_2, sh_2_0, sh_2_1, sh_2_2, sh_2_3, sh_2_4], dim=-1
    )


def _terms(paths: int) -> List[Tuple[int, int, int, float]]:
    """Which components are multiplied into which, and how strongly."""
    found = []
    for n in range(paths):
        i, j, k = n % 9, (n * 4 + n // 9) % 9, (n * 7 + n // 81) % 9
        found.append((i, j, k, round(math.cos(1.7 * n), 6)))
    return found


def generate(name: str, paths: int) -> str:
    """The source of a tensor product, one statement for each path, as code generators of this kind write it."""
    lines = [f"def {name}(x1: Tensor, x2: Tensor, w: Tensor) -> Tensor:"]
    lines += [f"    x1_{i} = x1[:, {i}]" for i in range(9)]
    lines += [f"    x2_{i} = x2[:, {i}]" for i in range(9)]
    sums: Dict[int, str] = {}
    for n, (i, j, k, c) in enumerate(_terms(paths)):
        lines.append(f"    mul_{n} = x1_{i} * x2_{j}")
        lines.append(f"    path_{n} = mul_{n} * {c}")
        if k in sums:
            lines.append(f"    add_{n} = {sums[k]} + path_{n};  {sums[k]} = None")
            sums[k] = f"add_{n}"
        else:
            sums[k] = f"path_{n}"
    outs = ", ".join(sums[k] for k in sorted(sums))
    lines.append(f"    stack = torch.stack([{outs}], dim=1)")
    lines.append("    return stack * w")
    return "\n".join(lines) + "\n"


def compiled(name: str, paths: int):
    """The function of the generated source, which `inspect` finds as if it stood in a file."""
    source = generate(name, paths)
    file = f"<generated {name}>"
    linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
    names = {"torch": torch, "Tensor": Tensor, "__name__": __name__}
    exec(compile(source, file, "exec"), names)
    return names[name]


tensor_product = compiled("tensor_product", 330)


class BesselBasis(nn.Module):
    """Waves that end at a distance."""

    prefactor: float

    def __init__(self, r_max: float, num_basis: int = 4):
        super().__init__()
        self.r_max = float(r_max)
        self.prefactor = 2.0 / self.r_max
        weights = torch.linspace(1.0, num_basis, num_basis) * math.pi
        self.bessel_weights = nn.Parameter(weights)

    def forward(self, x: Tensor) -> Tensor:
        numerator = torch.sin(self.bessel_weights * x.unsqueeze(-1) / self.r_max)
        return self.prefactor * (numerator / x.unsqueeze(-1))


@torch.jit.script
def polynomial_cutoff(x: Tensor, r_max: float, p: float = 6.0) -> Tensor:
    x = x / r_max
    out = 1.0 - ((p + 1.0) * (p + 2.0) / 2.0) * torch.pow(x, p)
    out = out + (p * (p + 2.0) * torch.pow(x, p + 1.0))
    out = out - ((p * (p + 1.0) / 2) * torch.pow(x, p + 2.0))
    return out * (x < 1.0)


class Interaction(nn.Module):
    def __init__(self, num_basis: int, r_max: float):
        super().__init__()
        self.basis = BesselBasis(r_max, num_basis)
        self.radial = nn.Sequential(nn.Linear(num_basis, 6), nn.SiLU(), nn.Linear(6, 9))
        self.mix = nn.Linear(9, 9, bias=False)
        self.r_max = r_max

    def forward(self, features: Tensor, vectors: Tensor, edge_index: Tensor) -> Tensor:
        lengths = vectors.norm(p=2, dim=-1).clamp(min=1e-3)
        unit = vectors / lengths.unsqueeze(-1)
        harmonics = _spherical_harmonics(2, unit[:, 0], unit[:, 1], unit[:, 2])
        weights = self.radial(self.basis(lengths))
        weights = weights * polynomial_cutoff(lengths, self.r_max).unsqueeze(-1)
        messages = tensor_product(features[edge_index[0]], harmonics, weights)
        gathered = torch.zeros_like(features).index_add(0, edge_index[1], messages)
        return self.mix(gathered) + features


class EnergyModel(nn.Module):
    def __init__(self, num_types: int = 3, r_max: float = 4.0):
        super().__init__()
        self.embed = nn.Embedding(num_types, 9)
        self.layers = nn.ModuleList([Interaction(4, r_max) for _ in range(2)])
        self.readout = nn.Linear(9, 1)
        self.register_buffer("shifts", torch.zeros(num_types))

    def forward(self, data: Dict[str, Tensor]) -> Dict[str, Tensor]:
        pos, edge_index, types = data["pos"], data["edge_index"], data["types"]
        vectors = pos[edge_index[1]] - pos[edge_index[0]]
        shift: Optional[Tensor] = None
        if "shift" in data:
            shift = data["shift"]
        if shift is not None:
            vectors = vectors + shift
        x = self.embed(types)
        for layer in self.layers:
            x = layer(x, vectors, edge_index)
        energies = self.readout(x).squeeze(-1) + self.shifts[types]
        data["node_energy"] = energies
        data["total_energy"] = energies.sum(0, keepdim=True)
        return data


def make():
    return EnergyModel()


def _atoms(seed: int, atoms: int, edges: int) -> tuple:
    data = {
        "pos": normal(seed, atoms, 3),
        "edge_index": whole(seed, atoms, 2, edges),
        "types": whole(seed + 5, 3, atoms),
    }
    if seed == 1:
        data["shift"] = normal(seed + 7, edges, 3)
    return (data,)


CALLS = [_atoms(0, 5, 8), _atoms(1, 5, 8), _atoms(2, 7, 12)]
