# pyright: basic, reportUndefinedVariable=false
# ruff: noqa: F821


@program(floats(1, 3, 8, 8))
class Convolutional(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 4, 3, padding=1)
        self.bn = nn.BatchNorm2d(4)
        self.pool = nn.MaxPool2d(2)
        self.fc = nn.Linear(64, 5)

    def forward(self, x):
        x = self.pool(F.relu(self.bn(self.conv(x))))
        return self.fc(torch.flatten(x, 1))


class BasicBlock(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.conv1 = nn.Conv2d(channels, channels, 3, padding=1, bias=False)
        self.bn1 = nn.BatchNorm2d(channels)
        self.relu = nn.ReLU(inplace=True)
        self.conv2 = nn.Conv2d(channels, channels, 3, padding=1, bias=False)
        self.bn2 = nn.BatchNorm2d(channels)

    def forward(self, x):
        out = self.relu(self.bn1(self.conv1(x)))
        out = self.bn2(self.conv2(out))
        out += x
        return self.relu(out)


@program(floats(1, 4, 6, 6))
class Residual(nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = nn.Sequential(BasicBlock(4), BasicBlock(4))
        self.pool = nn.AdaptiveAvgPool2d((1, 1))

    def forward(self, x):
        return self.pool(self.blocks(x)).flatten(1)


class Attention(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        self.heads = heads
        self.qkv = nn.Linear(dim, 3 * dim)
        self.out = nn.Linear(dim, dim)

    def forward(self, x):
        b, n, d = x.shape
        qkv = self.qkv(x).reshape(b, n, 3, self.heads, d // self.heads).permute(2, 0, 3, 1, 4)
        q, k, v = qkv[0], qkv[1], qkv[2]
        scores = (q @ k.transpose(-2, -1)) * (d // self.heads) ** -0.5
        return self.out((scores.softmax(dim=-1) @ v).transpose(1, 2).reshape(b, n, d))


class EncoderLayer(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.norm1 = nn.LayerNorm(dim)
        self.attention = Attention(dim, 2)
        self.norm2 = nn.LayerNorm(dim)
        self.mlp = nn.Sequential(
            nn.Linear(dim, 2 * dim), nn.GELU(), nn.Dropout(0.1), nn.Linear(2 * dim, dim)
        )

    def forward(self, x):
        x = x + self.attention(self.norm1(x))
        return x + self.mlp(self.norm2(x))


@program(ints(2, 5))
class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.tokens = nn.Embedding(7, 8)
        self.positions = nn.Parameter(torch.zeros(1, 10, 8))
        self.layers = nn.ModuleList([EncoderLayer(8) for _ in range(2)])
        self.head = nn.Linear(8, 3)

    def forward(self, ids):
        x = self.tokens(ids) + self.positions[:, : ids.size(1)]
        for layer in self.layers:
            x = layer(x)
        return self.head(x.mean(dim=1))


@program(floats(2, 3), floats(2, 4))
class GatedCell(nn.Module):
    def __init__(self):
        super().__init__()
        self.input = nn.Linear(3, 12)
        self.hidden = nn.Linear(4, 12)

    def forward(self, x, h):
        r, z, n = self.input(x).chunk(3, 1)
        hr, hz, hn = self.hidden(h).chunk(3, 1)
        r, z = torch.sigmoid(r + hr), torch.sigmoid(z + hz)
        return (1 - z) * torch.tanh(n + r * hn) + z * h


@program(floats(2, 6))
class Autoencoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(6, 3), nn.ReLU())
        self.decoder = nn.Sequential(nn.Linear(3, 6), nn.Sigmoid())

    def forward(self, x):
        code = self.encoder(x)
        return self.decoder(code), code


@program(floats(4, 3))
class Trained(nn.Module):
    trains = True

    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 4)
        self.norm = nn.LayerNorm(4)

    def forward(self, x):
        return self.norm(self.fc(x)).sigmoid()


@program(floats(1, 2, 4, 4))
class Upsampled(nn.Module):
    def __init__(self):
        super().__init__()
        self.down = nn.Conv2d(2, 4, 2, stride=2)
        self.up = nn.ConvTranspose2d(4, 2, 2, stride=2)

    def forward(self, x):
        return torch.cat([x, self.up(self.down(x))], dim=1)


@program(floats(1, 4, 4, 4))
class Grouped(nn.Module):
    def __init__(self):
        super().__init__()
        self.depthwise = nn.Conv2d(4, 4, 3, padding=1, groups=4, bias=False)
        self.pointwise = nn.Conv2d(4, 8, 1)
        self.norm = nn.GroupNorm(2, 8)

    def forward(self, x):
        return F.avg_pool2d(self.norm(self.pointwise(self.depthwise(x))), 2)
