"""Training loops as people publish them; each gives its losses. The same seed gives the same numbers in PyTorch and here.

Run against one library or the other by `support.training`.
"""

from typing import Any

from examples._torch import torch

nn = torch.nn
F = torch.nn.functional
optim = torch.optim
STEPS = 20


class Generator(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(
            nn.Linear(8, 16), nn.BatchNorm1d(16), nn.LeakyReLU(0.2), nn.Linear(16, 4), nn.Tanh()
        )

    def forward(self, z):
        return self.net(z)


class Discriminator(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(
            nn.Linear(4, 16), nn.LeakyReLU(0.2), nn.Dropout(0.3), nn.Linear(16, 1)
        )

    def forward(self, x):
        return self.net(x)


def adversarial():
    """Two compiled networks, each with an optimizer of its own; batch normalization and dropout."""
    makes, judges = torch.jit.script(Generator()), torch.jit.script(Discriminator())
    of_maker = optim.Adam(makes.parameters(), lr=2e-3, betas=(0.5, 0.999))
    of_judge = optim.RMSprop(judges.parameters(), lr=1e-3)
    loss = nn.BCEWithLogitsLoss()
    losses = []
    for _ in range(STEPS):
        of_judge.zero_grad()
        made = makes(torch.randn(6, 8))
        of_real = loss(judges(torch.randn(6, 4)), torch.ones(6, 1))
        judged = of_real + loss(judges(made.detach()), torch.zeros(6, 1))
        judged.backward()
        of_judge.step()
        of_maker.zero_grad()
        fooled = loss(judges(made), torch.ones(6, 1))
        fooled.backward()
        of_maker.step()
        losses += [judged.item(), fooled.item()]
    return losses


def gradient_penalty():
    """A loss with the gradient of a compiled network in it."""
    network = torch.jit.script(nn.Sequential(nn.Linear(4, 16), nn.SiLU(), nn.Linear(16, 1)))
    optimizer = optim.Adam(network.parameters(), lr=1e-3)
    losses = []
    for _ in range(STEPS):
        real, fake, share = torch.randn(6, 4), torch.rand(6, 4), torch.rand(6, 1)
        between = (share * real + (1 - share) * fake).requires_grad_(True)
        told = network(between)
        (slope,) = torch.autograd.grad(told, between, torch.ones_like(told), create_graph=True)
        penalty = ((slope.norm(2, dim=1) - 1) ** 2).mean()
        loss = network(fake).mean() - network(real).mean() + 10 * penalty
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses


class Tagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(11, 6, padding_idx=0)
        self.rnn = nn.LSTM(6, 8, num_layers=2, batch_first=True, bidirectional=True)
        self.out = nn.Linear(16, 3)

    def forward(self, x, lengths):
        packed = nn.utils.rnn.pack_padded_sequence(
            self.embedding(x), lengths, batch_first=True, enforce_sorted=False
        )
        found, (hidden, _) = self.rnn(packed)
        rows, _ = nn.utils.rnn.pad_packed_sequence(found, batch_first=True)
        return self.out(rows.mean(1) + torch.cat([hidden[-1], hidden[-2]], 1))


def packed_sequences():
    """Rows of different lengths through an LSTM in two directions; gradients are clipped, and the rate follows a cosine."""
    model = Tagger()
    optimizer = optim.SGD(model.parameters(), lr=0.1, momentum=0.9, nesterov=True)
    schedule = optim.lr_scheduler.CosineAnnealingLR(optimizer, STEPS)
    losses = []
    for _ in range(STEPS):
        x, wanted = torch.randint(1, 11, (4, 5)), torch.randint(0, 3, (4,))
        loss = F.cross_entropy(model(x, torch.tensor([5, 3, 2, 4])), wanted)
        optimizer.zero_grad()
        loss.backward()
        length = nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        schedule.step()
        losses += [loss.item(), length.item()]
    return losses


class Autoencoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Linear(6, 8)
        self.mean = nn.Linear(8, 2)
        self.log_variance = nn.Linear(8, 2)
        self.decoder = nn.Sequential(nn.Linear(2, 8), nn.ReLU(), nn.Linear(8, 6))

    def forward(self, x):
        hidden = F.relu(self.encoder(x))
        mean, log_variance = self.mean(hidden), self.log_variance(hidden)
        deviation = torch.exp(0.5 * log_variance)
        z = mean + deviation * torch.randn_like(deviation)
        return torch.sigmoid(self.decoder(z)), mean, log_variance


def evidence(made, x, mean, log_variance):
    missed = F.binary_cross_entropy(made, x, reduction="sum")
    return missed - 0.5 * torch.sum(1 + log_variance - mean.pow(2) - log_variance.exp())


def variational():
    """Numbers that the program draws by itself, through which gradients go."""
    model, loss_of = torch.jit.script(Autoencoder()), torch.jit.script(evidence)
    optimizer = optim.AdamW(model.parameters(), lr=1e-2, amsgrad=True)
    losses = []
    for _ in range(STEPS):
        x = torch.rand(5, 6)
        made, mean, log_variance = model(x)
        loss = loss_of(made, x, mean, log_variance)
        optimizer.zero_grad(set_to_none=False)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.parts = nn.Linear(8, 24)
        self.out = nn.Linear(8, 8)
        self.first, self.second = nn.LayerNorm(8), nn.LayerNorm(8)
        self.drop = nn.Dropout(0.1)
        self.wide = nn.Sequential(nn.Linear(8, 16), nn.GELU(), nn.Dropout(0.1), nn.Linear(16, 8))

    def forward(self, x):
        batch, length, _ = x.shape
        q, k, v = self.parts(self.first(x)).chunk(3, -1)
        q = q.view(batch, length, 2, 4).transpose(1, 2)
        k = k.view(batch, length, 2, 4).transpose(1, 2)
        v = v.view(batch, length, 2, 4).transpose(1, 2)
        shares = self.drop(F.softmax(q @ k.transpose(-2, -1) * 0.5, -1))
        found = (shares @ v).transpose(1, 2).contiguous().view(batch, length, 8)
        x = x + self.out(found)
        return x + self.wide(self.second(x))


def attention():
    """Two compiled blocks of a transformer with dropout, smoothed labels, and a rate that rises and falls."""
    model = torch.jit.script(nn.Sequential(Block(), Block(), nn.Linear(8, 5)))
    optimizer = optim.AdamW(model.parameters(), lr=1e-3, weight_decay=0.1)
    schedule = optim.lr_scheduler.OneCycleLR(optimizer, 1e-2, total_steps=STEPS + 5)
    losses = []
    for _ in range(STEPS):
        x, wanted = torch.randn(3, 4, 8), torch.randint(0, 5, (3, 4))
        loss = F.cross_entropy(model(x).flatten(0, 1), wanted.flatten(), label_smoothing=0.1)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        schedule.step()
        losses.append(loss.item())
    return losses


class Clipped(torch.autograd.Function):
    """A clamp whose gradient lets numbers come back."""

    @staticmethod
    def forward(ctx: Any, x: Any, low: float, high: float) -> Any:
        ctx.save_for_backward(x)
        ctx.bounds = low, high
        return x.clamp(low, high)

    @staticmethod
    def backward(ctx: Any, grad: Any) -> Any:
        (x,) = ctx.saved_tensors
        low, _ = ctx.bounds
        return torch.where((x >= low) | (grad < 0), grad, torch.zeros_like(grad)), None, None


def functions_of_users():
    """A gradient of the user's own behind a compiled layer."""
    layer = torch.jit.script(nn.Linear(3, 3))
    optimizer = optim.SGD(layer.parameters(), 0.1)
    losses = []
    for _ in range(STEPS):
        loss = (Clipped.apply(layer(torch.randn(4, 3)), -0.5, 0.5) - 0.1).pow(2).sum()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses


def convolutions():
    """Pooling and batch normalization, compiled; statistics are those of evaluation at the end."""
    model = torch.jit.script(
        nn.Sequential(
            nn.Conv2d(1, 4, 3, padding=1),
            nn.BatchNorm2d(4),
            nn.ReLU(),
            nn.MaxPool2d(2),
            nn.Conv2d(4, 8, 3),
            nn.AdaptiveAvgPool2d(1),
            nn.Flatten(),
            nn.Linear(8, 3),
        )
    )
    optimizer = optim.SGD(model.parameters(), lr=0.05, momentum=0.9, weight_decay=1e-3)
    schedule = optim.lr_scheduler.MultiStepLR(optimizer, [5, 10], 0.1)
    losses = []
    for _ in range(STEPS):
        x, wanted = torch.randn(4, 1, 8, 8), torch.randint(0, 3, (4,))
        loss = F.nll_loss(F.log_softmax(model(x), 1), wanted)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        schedule.step()
        losses.append(loss.item())
    model.eval()
    with torch.no_grad():
        return losses + model(torch.ones(1, 1, 8, 8)).flatten().tolist()


def steps_of_steps():
    """The gradient of a loss after a step of descent, by what the step began with."""
    weight = torch.randn(3, 1, requires_grad=True)
    optimizer = optim.SGD([weight], 0.1)
    losses = []
    for _ in range(STEPS):
        x = torch.randn(6, 3)
        wanted = x.sum(1, keepdim=True)
        (slope,) = torch.autograd.grad(F.mse_loss(x @ weight, wanted), weight, create_graph=True)
        loss = F.mse_loss(x @ (weight - 0.1 * slope), wanted)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses


def truncated():
    """A cell of a GRU whose state is cut off its past every three steps."""
    cell, out = nn.GRUCell(3, 4), nn.Linear(4, 1)
    parameters = [*cell.parameters(), *out.parameters()]
    optimizer = optim.RMSprop(parameters, 0.01, centered=True, momentum=0.5)
    state = torch.zeros(2, 4)
    losses = []
    for _ in range(STEPS):
        state = state.detach()
        loss = torch.zeros(())
        for _ in range(3):
            state = cell(torch.randn(2, 3), state)
            loss = loss + out(state).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses


PROGRAMS = (
    adversarial,
    gradient_penalty,
    packed_sequences,
    variational,
    attention,
    functions_of_users,
    convolutions,
    steps_of_steps,
    truncated,
)
