"""Trains an LSTM to go on with a wave, through a compiled loop over its steps: `python -m examples.train_lstm`."""

from examples._torch import torch


class Waves(torch.nn.Module):
    """What comes next, for each step of some series."""

    def __init__(self, hidden: int) -> None:
        super().__init__()
        self.hidden = hidden
        self.of_input = torch.nn.Linear(1, 4 * hidden)
        self.of_hidden = torch.nn.Linear(hidden, 4 * hidden)
        self.last = torch.nn.Linear(hidden, 1)

    def cell(
        self, x: torch.Tensor, h: torch.Tensor, c: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor]:
        i, f, g, o = (self.of_input(x) + self.of_hidden(h)).chunk(4, 1)
        c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
        return torch.sigmoid(o) * torch.tanh(c), c

    def forward(self, series: torch.Tensor) -> torch.Tensor:
        h = torch.zeros(series.size(1), self.hidden)
        c = torch.zeros(series.size(1), self.hidden)
        found = []
        for step in range(series.size(0)):
            h, c = self.cell(series[step], h, c)
            found.append(self.last(h))
        return torch.stack(found)


def waves(length, count):
    """Sums of two sines with phases of their own: (length, count, 1)."""
    time = torch.arange(length).to(torch.float32).reshape(-1, 1)
    phase = torch.rand(1, count) * 6.28
    return (0.7 * torch.sin(0.4 * time + phase) + 0.3 * torch.sin(0.9 * time)).unsqueeze(2)


def train(steps=100, length=20, hidden=16, show=lambda line: None):
    """The loss after each step."""
    torch.manual_seed(0)
    series = waves(length + 1, 16)
    model = Waves(hidden)
    compiled = torch.jit.script(model)
    optimizer = torch.optim.RMSprop(model.parameters(), lr=0.01)
    losses = []
    for step in range(steps):
        optimizer.zero_grad()
        loss = torch.nn.functional.mse_loss(compiled(series[:-1]), series[1:])
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        losses.append(loss.item())
        show(f"step {step + 1}/{steps}, loss {losses[-1]:.5f}")
    return losses


if __name__ == "__main__":
    train(show=lambda line: print(f"\r{line:60}", end="", flush=True))
    print()
