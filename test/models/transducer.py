"""Speech recognition with a transducer: the predictor steps only where a token is written; hypotheses are tuples in a beam."""

from typing import Dict, List, Optional, Tuple

import numpy as np
from examples._torch import torch
from support.models import normal

nn = torch.nn
F = torch.nn.functional
Tensor = torch.Tensor

Hypothesis = Tuple[List[int], Tensor, List[List[Tensor]], float]


def _get_hypo_tokens(hypo: Hypothesis) -> List[int]:
    return hypo[0]


def _get_hypo_predictor_out(hypo: Hypothesis) -> Tensor:
    return hypo[1]


def _get_hypo_state(hypo: Hypothesis) -> List[List[Tensor]]:
    return hypo[2]


def _get_hypo_score(hypo: Hypothesis) -> float:
    return hypo[3]


def _get_hypo_key(hypo: Hypothesis) -> str:
    return str(hypo[0])


class _TimeReduction(nn.Module):
    """Joins neighbouring frames."""

    def __init__(self, stride: int) -> None:
        super().__init__()
        self.stride = stride

    def forward(self, input: Tensor, lengths: Tensor) -> Tuple[Tensor, Tensor]:
        B, T, D = input.shape
        num_frames = T - (T % self.stride)
        input = input[:, :num_frames, :]
        lengths = lengths.div(self.stride, rounding_mode="trunc")
        T_max = num_frames // self.stride
        output = input.reshape(B, T_max, D * self.stride)
        output = output.contiguous()
        return output, lengths


class _CustomLSTM(nn.Module):
    """An LSTM with a norm of the gates, over (T, B, D)."""

    def __init__(self, input_dim: int, hidden_dim: int, layer_norm: bool = False) -> None:
        super().__init__()
        self.x2g = nn.Linear(input_dim, 4 * hidden_dim, bias=not layer_norm)
        self.p2g = nn.Linear(hidden_dim, 4 * hidden_dim, bias=False)
        if layer_norm:
            self.c_norm = nn.LayerNorm(hidden_dim)
            self.g_norm = nn.LayerNorm(4 * hidden_dim)
        else:
            self.c_norm = nn.Identity()
            self.g_norm = nn.Identity()
        self.hidden_dim = hidden_dim

    def forward(self, input: Tensor, state: Optional[List[Tensor]]) -> Tuple[Tensor, List[Tensor]]:
        if state is None:
            B = input.size(1)
            h = torch.zeros(B, self.hidden_dim, device=input.device, dtype=input.dtype)
            c = torch.zeros(B, self.hidden_dim, device=input.device, dtype=input.dtype)
        else:
            h, c = state
        gated_input = self.x2g(input)
        outputs = []
        for gates in gated_input.unbind(0):
            gates = gates + self.p2g(h)
            gates = self.g_norm(gates)
            input_gate, forget_gate, cell_gate, output_gate = gates.chunk(4, 1)
            input_gate = input_gate.sigmoid()
            forget_gate = forget_gate.sigmoid()
            cell_gate = cell_gate.tanh()
            output_gate = output_gate.sigmoid()
            c = forget_gate * c + input_gate * cell_gate
            c = self.c_norm(c)
            h = output_gate * c.tanh()
            outputs.append(h)
        output = torch.stack(outputs, dim=0)
        state = [h, c]
        return output, state


class _Predictor(nn.Module):
    def __init__(self, num_symbols: int, dim: int, num_layers: int) -> None:
        super().__init__()
        self.embedding = nn.Embedding(num_symbols, dim)
        self.input_layer_norm = nn.LayerNorm(dim)
        self.lstm_layers = nn.ModuleList(
            [_CustomLSTM(dim, dim, layer_norm=i > 0) for i in range(num_layers)]
        )
        self.linear = nn.Linear(dim, dim)

    def forward(
        self, input: Tensor, lengths: Tensor, state: Optional[List[List[Tensor]]] = None
    ) -> Tuple[Tensor, Tensor, List[List[Tensor]]]:
        lstm_out = self.input_layer_norm(self.embedding(input.permute(1, 0)))
        state_out: List[List[Tensor]] = []
        for layer_idx, lstm in enumerate(self.lstm_layers):
            lstm_out, lstm_state_out = lstm(lstm_out, None if state is None else state[layer_idx])
            state_out.append(lstm_state_out)
        return self.linear(lstm_out).permute(1, 0, 2), lengths, state_out


class _Joiner(nn.Module):
    def __init__(self, dim: int, output_dim: int, activation: str = "relu") -> None:
        super().__init__()
        self.linear = nn.Linear(dim, output_dim)
        if activation == "relu":
            self.activation = nn.ReLU()
        elif activation == "tanh":
            self.activation = nn.Tanh()
        else:
            raise ValueError(f"Unsupported activation {activation}")

    def forward(self, source: Tensor, target: Tensor) -> Tensor:
        joint = source.unsqueeze(2).contiguous() + target.unsqueeze(1).contiguous()
        return self.linear(self.activation(joint))


class Transducer(nn.Module):
    def __init__(self, input_dim: int = 4, dim: int = 6, num_symbols: int = 5, beam_width: int = 2):
        super().__init__()
        self.time_reduction = _TimeReduction(2)
        self.encoder = _CustomLSTM(2 * input_dim, dim)
        self.predictor = _Predictor(num_symbols, dim, 2)
        self.joiner = _Joiner(dim, num_symbols, "tanh")
        self.blank = num_symbols - 1
        self.beam_width = beam_width
        self.step_max_tokens = 3

    def transcribe(self, sources: Tensor, lengths: Tensor) -> Tuple[Tensor, Tensor]:
        reduced, lengths = self.time_reduction(sources, lengths)
        out, _ = self.encoder(reduced.transpose(0, 1), None)
        return out.transpose(0, 1), lengths

    @torch.jit.export
    def greedy(self, encoded: Tensor, max_symbols: int = 3) -> List[int]:
        tokens: List[int] = []
        state: Optional[List[List[Tensor]]] = None
        one = torch.ones([1], dtype=torch.int32)
        last = self.blank
        pred, _, state = self.predictor(torch.tensor([[last]]), one, state)
        for t in range(encoded.size(1)):
            emitted = 0
            frame = encoded[:, t : t + 1]
            while emitted < max_symbols:
                logits = self.joiner(frame, pred)[0, 0, 0]
                best = int(logits.argmax().item())
                if best == self.blank:
                    break
                tokens.append(best)
                pred, _, state = self.predictor(torch.tensor([[best]]), one, state)
                emitted += 1
        return tokens

    def _init_b_hypos(self) -> List[Hypothesis]:
        token = self.blank
        one_tensor = torch.tensor([1])
        pred_out, _, pred_state = self.predictor(torch.tensor([[token]]), one_tensor, None)
        init_hypo = ([token], pred_out[0].detach(), pred_state, 0.0)
        return [init_hypo]

    def _gen_next_token_probs(self, enc_out: Tensor, hypos: List[Hypothesis]) -> Tensor:
        predictor_out = torch.stack([_get_hypo_predictor_out(h) for h in hypos], dim=0)
        joined_out = self.joiner(enc_out.expand(len(hypos), -1, -1), predictor_out)
        return F.log_softmax(joined_out / 1.5, dim=3)[:, 0, 0]

    def _gen_b_hypos(
        self,
        b_hypos: List[Hypothesis],
        a_hypos: List[Hypothesis],
        next_probs: Tensor,
        hypo_map: Dict[str, Hypothesis],
    ) -> List[Hypothesis]:
        for i in range(len(a_hypos)):
            h_a = a_hypos[i]
            append_blank_score = _get_hypo_score(h_a) + float(next_probs[i, -1])
            if _get_hypo_key(h_a) in hypo_map:
                h_b = hypo_map[_get_hypo_key(h_a)]
                score = torch.tensor(_get_hypo_score(h_b)).logaddexp(
                    torch.tensor(append_blank_score)
                )
            else:
                score = torch.tensor(append_blank_score)
            h_b = (
                _get_hypo_tokens(h_a),
                _get_hypo_predictor_out(h_a),
                _get_hypo_state(h_a),
                float(score),
            )
            hypo_map[_get_hypo_key(h_b)] = h_b
        return [hypo for _, hypo in hypo_map.items()]

    def _gen_a_hypos(self, a_hypos: List[Hypothesis], next_probs: Tensor) -> List[Hypothesis]:
        scores = torch.tensor([_get_hypo_score(h) for h in a_hypos]).unsqueeze(1)
        nonblank = (next_probs[:, :-1] + scores).reshape(-1)
        values, indices = nonblank.topk(min(self.beam_width, nonblank.size(0)))
        new_hypos: List[Hypothesis] = []
        for value, index in zip(values, indices):
            i = int(index) // (next_probs.size(1) - 1)
            token = int(index) % (next_probs.size(1) - 1)
            h = a_hypos[i]
            pred_out, _, state = self.predictor(
                torch.tensor([[token]]), torch.tensor([1]), _get_hypo_state(h)
            )
            new_hypos.append((_get_hypo_tokens(h) + [token], pred_out[0], state, float(value)))
        return new_hypos

    @torch.jit.export
    def search(self, enc_out: Tensor) -> List[Tuple[List[int], float]]:
        b_hypos = self._init_b_hypos()
        for t in range(enc_out.shape[1]):
            a_hypos = b_hypos
            b_hypos = torch.jit.annotate(List[Hypothesis], [])
            hypo_map = torch.jit.annotate(Dict[str, Hypothesis], {})
            symbols_current_t = 0
            while a_hypos:
                next_probs = self._gen_next_token_probs(enc_out[:, t : t + 1], a_hypos)
                b_hypos = self._gen_b_hypos(b_hypos, a_hypos, next_probs, hypo_map)
                if symbols_current_t == self.step_max_tokens:
                    break
                a_hypos = self._gen_a_hypos(a_hypos, next_probs)
                symbols_current_t += 1
            _, sorted_idx = torch.tensor([_get_hypo_score(hyp) for hyp in b_hypos]).topk(
                min(self.beam_width, len(b_hypos))
            )
            b_hypos = [b_hypos[int(idx)] for idx in sorted_idx]
        return [(_get_hypo_tokens(h), _get_hypo_score(h)) for h in b_hypos]

    def forward(self, sources: Tensor, lengths: Tensor):
        encoded, lengths = self.transcribe(sources, lengths)
        return encoded, lengths, self.greedy(encoded, 3), self.search(encoded)


def make():
    return Transducer()


CALLS = [
    (normal(0, 1, 8, 4), np.array([8])),
    (normal(1, 1, 8, 4), np.array([8])),
    (normal(2, 1, 11, 4), np.array([11])),
]
