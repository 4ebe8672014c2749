"""Whole models of packages, small or at small sizes: a list for `support.survey.whole`. What is not installed is left out."""

import importlib
import importlib.util
from collections.abc import Callable
from typing import Any

import torch

from support.survey.candidates import size_of_name
from support.survey.whole import Whole

Inputs = Callable[[int], tuple[Any, ...]]


def normal(*sizes: int) -> Inputs:
    """A tensor of random numbers."""
    return lambda seed: (torch.randn(sizes, generator=torch.Generator().manual_seed(seed)),)


def whole(limit: int, *sizes: int) -> Inputs:
    """A tensor of random whole numbers."""
    return lambda seed: (
        torch.randint(limit, sizes, generator=torch.Generator().manual_seed(seed)),
    )


def constant(value: torch.Tensor) -> Inputs:
    return lambda seed: (value,)


def together(*inputs: Inputs) -> Inputs:
    return lambda seed: tuple(part for i, give in enumerate(inputs) for part in give(seed + 10 * i))


def made(path: str, inputs: Inputs, *arguments: Any, tag: str = "", **keywords: Any) -> Whole:
    """The model that a function or class gives."""
    module, _, name = path.rpartition(".")
    make = lambda: getattr(importlib.import_module(module), name)(*arguments, **keywords)
    return Whole(f"{module.partition('.')[0]}.{name}{tag}", make, inputs)


def _timm() -> list[Whole]:
    """The smallest architecture, as far as names tell, of each of timm's modules."""
    timm = importlib.import_module("timm")
    found: list[Whole] = []
    for module in timm.list_modules():
        name = min(timm.list_models(module=module), key=size_of_name)
        config = timm.get_pretrained_cfg(name)
        channels, side, _ = config.input_size if config else (3, 224, 224)
        if config and not config.fixed_input_size:
            side = max(64, (config.min_input_size or (0, 0))[1])
        found.append(
            made(
                "timm.create_model",
                normal(2 if side < 128 else 1, channels, side, side),
                name,
                tag=f".{name}",
                scriptable=True,
                num_classes=10,
            )
        )
    return found


def _torchvision() -> list[Whole]:
    names = (
        "resnet18 mobilenet_v2 mobilenet_v3_small squeezenet1_1 shufflenet_v2_x0_5 densenet121 googlenet mnasnet0_5 swin_t swin_v2_t "
        "efficientnet_b0 regnet_y_400mf alexnet convnext_tiny"
    )
    return [
        made(
            "torchvision.models.get_model", normal(2, 3, 64, 64), name, tag=f".{name}", weights=None
        )
        for name in names.split()
    ]


def _segmentation() -> list[Whole]:
    heads = (
        "Unet UnetPlusPlus MAnet Linknet FPN PSPNet PAN DeepLabV3 DeepLabV3Plus UPerNet Segformer"
    )
    encoders = "mobilenet_v2 efficientnet-b0 timm-regnetx_002 mobileone_s0 mit_b0 densenet121 dpn68"
    pairs = [(head, "resnet18") for head in heads.split()]
    pairs += [("Unet", encoder) for encoder in encoders.split()]
    package = "segmentation_models_pytorch"
    return [
        made(
            f"{package}.{head}",
            normal(2, 3, 64, 64),
            encoder,
            tag=f"-{encoder}",
            encoder_weights=None,
        )
        for head, encoder in pairs
    ]


def _torchaudio() -> list[Whole]:
    models, transforms = "torchaudio.models", "torchaudio.transforms"
    lengths = constant(torch.tensor([20, 15]))
    small: dict[str, Any] = {
        "n_mels": 8,
        "n_symbol": 10,
        "symbol_embedding_dim": 16,
        "encoder_embedding_dim": 16,
    }
    small |= {"decoder_rnn_dim": 16, "attention_rnn_dim": 16, "prenet_dim": 8}
    small |= {"postnet_embedding_dim": 16, "attention_hidden_dim": 8}
    spoken = together(
        whole(10, 2, 6),
        constant(torch.tensor([6, 5])),
        normal(2, 8, 7),
        constant(torch.tensor([7, 6])),
    )
    sound = normal(2, 400)
    return [
        made(f"{models}.Conformer", together(normal(2, 20, 16), lengths), 16, 4, 32, 2, 7),
        made(
            f"{models}.Emformer",
            together(normal(2, 9, 16), constant(torch.tensor([8, 6]))),
            *(16, 4, 32, 2, 4),
            right_context_length=1,
        ),
        made(
            f"{models}.WaveRNN",
            together(normal(2, 1, 24), normal(2, 1, 8, 10)),
            *([2, 2], 8, 4, 2, 16, 16, 5, 8, 8, 8),
        ),
        made(f"{models}.Tacotron2", spoken, **small),
        made(f"{models}.Wav2Letter", normal(1, 8, 400), 5, "mfcc", 8),
        made(f"{transforms}.MelSpectrogram", sound, 8000, n_fft=64, n_mels=8),
        made(f"{transforms}.GriffinLim", normal(33, 14), 64, n_iter=3, rand_init=False),
        made(f"{transforms}.Resample", sound, 8000, 4000),
        made(f"{transforms}.Vad", normal(1, 8000), 8000),
        made(f"{transforms}.Loudness", normal(1, 2, 8000), 8000),
        made(f"{transforms}.SlidingWindowCmn", normal(2, 30, 8)),
    ]


_LISTS = {
    "timm": _timm,
    "torchvision": _torchvision,
    "segmentation_models_pytorch": _segmentation,
    "torchaudio": _torchaudio,
}
MODELS = [
    model
    for package, models in _LISTS.items()
    if importlib.util.find_spec(package)
    for model in models()
]
