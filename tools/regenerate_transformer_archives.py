"""Write test/golden/transformers: small models of the package `transformers` with random weights, traced and saved by PyTorch.

Needs PyTorch and transformers (4.44: masks of newer ones are made by torch.vmap, which PyTorch does not trace). Each archive holds its
inputs and results as the extra file expected.json.
"""

import json
import warnings
from pathlib import Path
from typing import Any

import torch
import transformers as tr

FOLDER = Path(__file__).resolve().parent.parent / "test" / "golden" / "transformers"

IDS = torch.tensor([[3, 7, 1, 9, 4, 2], [8, 8, 5, 0, 6, 1]])
IMAGES = torch.sin(torch.arange(3.0 * 16 * 16)).reshape(1, 3, 16, 16)
SOUNDS = torch.cos(torch.arange(4.0 * 24)).reshape(1, 4, 24)
TEXT = {"vocab_size": 11, "hidden_size": 8, "num_hidden_layers": 1, "num_attention_heads": 2}
VISION = {
    "hidden_size": 8,
    "num_hidden_layers": 1,
    "num_attention_heads": 2,
    "image_size": 16,
    "patch_size": 8,
}


class Named(torch.nn.Module):
    """A model that takes inputs by name, as one that takes them by position."""

    def __init__(self, model, *names: str) -> None:
        super().__init__()
        self.model = model
        self.names = names

    def forward(self, *inputs):
        return self.model(**dict(zip(self.names, inputs, strict=True)))[:2]


def models() -> dict:
    bert = tr.BertConfig(**TEXT, intermediate_size=12, max_position_embeddings=8)
    gpt2 = tr.GPT2Config(vocab_size=11, n_embd=8, n_layer=1, n_head=2, n_positions=8)
    t5 = tr.T5Config(vocab_size=11, d_model=8, d_kv=4, d_ff=12, num_layers=1, num_heads=2)
    vit = tr.ViTConfig(**VISION, intermediate_size=12)
    swin = tr.SwinConfig(
        image_size=16, patch_size=2, embed_dim=8, depths=[2, 1], num_heads=[2, 2], window_size=2
    )
    whisper = tr.WhisperConfig(
        vocab_size=11, d_model=8, encoder_layers=1, decoder_layers=1, encoder_attention_heads=2,
        decoder_attention_heads=2, encoder_ffn_dim=12, decoder_ffn_dim=12, max_source_positions=12,
        max_target_positions=8, num_mel_bins=4, pad_token_id=0, bos_token_id=1, eos_token_id=2,
        decoder_start_token_id=3,
    )  # fmt: skip
    clip = tr.CLIPConfig(
        text_config={**TEXT, "intermediate_size": 12, "max_position_embeddings": 8},
        vision_config={**VISION, "intermediate_size": 12},
        projection_dim=8,
    )
    convnext = tr.ConvNextConfig(num_channels=3, hidden_sizes=[4, 8], depths=[1, 1], num_stages=2)
    for config in (bert, gpt2, t5, vit, swin, whisper, clip, convnext):
        config.torchscript = True
    for config in (gpt2, t5, whisper):
        config.use_cache = False
    decoder = ("input_ids", "decoder_input_ids")
    return {
        "bert": (tr.BertModel(bert), (IDS,)),
        "gpt2": (tr.GPT2Model(gpt2), (IDS,)),
        "t5": (Named(tr.T5Model(t5), *decoder), (IDS, IDS[:, :3])),
        "vit": (tr.ViTModel(vit), (IMAGES,)),
        "swin": (tr.SwinModel(swin), (IMAGES,)),
        "whisper": (
            Named(tr.WhisperModel(whisper), "input_features", "decoder_input_ids"),
            (SOUNDS, IDS[:1, :3]),
        ),
        "clip": (Named(tr.CLIPModel(clip), "input_ids", "pixel_values"), (IDS, IMAGES)),
        "convnext": (tr.ConvNextModel(convnext), (IMAGES,)),
    }


def flat(value) -> list:
    """The tensors in a result, in order."""
    if isinstance(value, torch.Tensor):
        return [value]
    parts = value.values() if isinstance(value, dict) else value
    return [tensor for part in parts for tensor in flat(part)]


def main() -> None:
    warnings.simplefilter("ignore")
    FOLDER.mkdir(parents=True, exist_ok=True)
    torch.manual_seed(0)
    for name, (model, inputs) in models().items():
        model.eval()
        with torch.no_grad():
            for parameter in model.parameters():
                parameter += 0.05 * torch.randn_like(parameter)
            traced: Any = torch.jit.trace(model, inputs, strict=False, check_trace=False)
            results = flat(traced(*inputs))
        record = {
            "inputs": [tensor.tolist() for tensor in inputs],
            "results": [tensor.tolist() for tensor in results],
        }
        path = FOLDER / f"{name}.pt"
        torch.jit.save(traced, str(path), _extra_files={"expected.json": json.dumps(record)})
        print(f"{name}: {path.stat().st_size} bytes")


if __name__ == "__main__":
    main()
