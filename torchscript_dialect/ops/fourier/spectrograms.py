"""Short-time Fourier transforms and their inverse, as decompositions (PyTorch: native/SpectralOps.cpp)."""

from __future__ import annotations

from torchscript_dialect.ops.composite import composite

_WEIGHTS = """
    weights = torch.ones([length], device=self.device)
    if window is not None:
        if window.dim() != 1 or window.size(0) != length:
            raise RuntimeError("{name}: expected a 1D window tensor of size equal to win_length=" + str(length)
                + ", but got window with size " + str(window.size()))
        weights = window
    if length < n_fft:
        left = (n_fft - length) // 2
        weights = torch.constant_pad_nd(weights, [left, n_fft - length - left], 0)
"""
_FRAMES = (
    """
    hop = n_fft // 4 if hop_length is None else hop_length
    length = n_fft if win_length is None else win_length
    if not self.is_floating_point() and not self.is_complex():
        raise RuntimeError("stft: expected a tensor of floating point or complex values")
    if self.dim() > 2 or self.dim() < 1:
        raise RuntimeError("stft: expected a 1D or 2D tensor")
    x = self.unsqueeze(0) if self.dim() == 1 else self
    if n_fft <= 0 or n_fft > x.size(1):
        raise RuntimeError("stft: expected 0 < n_fft < " + str(x.size(1)) + ", but got n_fft=" + str(n_fft))
    if hop <= 0:
        raise RuntimeError("stft: expected hop_length > 0, but got hop_length=" + str(hop))
    if length <= 0 or length > n_fft:
        raise RuntimeError("stft: expected 0 < win_length <= n_fft, but got win_length=" + str(length))
    is_complex = self.is_complex()
    if window is not None:
        is_complex = is_complex or window.is_complex()
    half = not is_complex if onesided is None else onesided
    if return_complex is None:
        if not is_complex:
            raise RuntimeError(
                "stft requires the return_complex parameter be given for real inputs, and will further require that "
                "return_complex=True in a future PyTorch release.")
        gives_complex = True
    else:
        gives_complex = return_complex
"""
    + _WEIGHTS.replace("{name}", "stft")
    + """
    frames = x.unfold(-1, n_fft, hop)
    if window is not None or length < n_fft:
        frames = frames * weights.to(frames.dtype) if window is None else frames * weights
    norm = "ortho" if normalized else "backward"
    if half:
        if is_complex:
            raise RuntimeError("Cannot have onesided output if window or input is complex")
        found = torch.fft_rfft(frames, None, -1, norm)
    else:
        found = torch.fft_fft(frames, None, -1, norm)
    result = found.transpose(1, 2)
    if self.dim() == 1:
        result = result.squeeze(0)
    return result if gives_complex else torch.view_as_real(result)
"""
)
composite(
    "aten::stft",
    """
def stft(
    self: Tensor, n_fft: int, hop_length: Optional[int], win_length: Optional[int], window: Optional[Tensor],
    normalized: bool, onesided: Optional[bool], return_complex: Optional[bool], align_to_window: Optional[bool]
) -> Tensor:
    if align_to_window is not None:
        raise NotImplementedError("stft: align_to_window is not supported")"""
    + _FRAMES,
)
composite(
    "aten::stft.center",
    """
def stft(
    self: Tensor, n_fft: int, hop_length: Optional[int], win_length: Optional[int], window: Optional[Tensor],
    center: bool, pad_mode: str, normalized: bool, onesided: Optional[bool], return_complex: Optional[bool],
    align_to_window: Optional[bool]
) -> Tensor:
    if center and align_to_window is not None:
        raise RuntimeError("stft align_to_window should only be set when center = false")
    x = self
    if center:
        extra = n_fft // 2
        x = torch.pad(self.view([1] * (3 - self.dim()) + self.size()), [extra, extra], pad_mode)
        x = x.view(self.size()[:-1] + [x.size(-1)])
    return torch.stft(
        x, n_fft, hop_length, win_length, window, normalized, onesided, return_complex, align_to_window=align_to_window)
""",
)
composite(
    "aten::istft",
    """
def istft(
    self: Tensor, n_fft: int, hop_length: Optional[int], win_length: Optional[int], window: Optional[Tensor],
    center: bool, normalized: bool, onesided: Optional[bool], length: Optional[int], return_complex: bool
) -> Tensor:
    wanted = length
    hop = n_fft // 4 if hop_length is None else hop_length
    size = n_fft if win_length is None else win_length
    if not self.is_complex():
        raise RuntimeError(
            "istft requires a complex-valued input tensor matching the output from stft with return_complex=True.")
    if self.numel() == 0:
        raise RuntimeError("istft: input tensor cannot be empty.")
    if self.dim() != 2 and self.dim() != 3:
        raise RuntimeError("istft: expected a tensor with 2 or 3 dimensions, but got " + str(self.dim()))
    half = self.size(-2) != n_fft if onesided is None else onesided
    if half and self.size(-2) != n_fft // 2 + 1:
        raise RuntimeError(
            "istft: expected the frequency dimension (3rd to the last) of the input tensor to match n_fft / 2 + 1 when "
            "onesided=True, but got " + str(self.size(-2)))
    if not half and self.size(-2) != n_fft:
        raise RuntimeError(
            "istft: expected the frequency dimension (3rd to the last) of the input tensor to match n_fft when "
            "onesided=False, but got " + str(self.size(-2)))
    if hop <= 0 or hop > size:
        raise RuntimeError("istft: expected 0 < hop_length <= win_length")
    if size <= 0 or size > n_fft:
        raise RuntimeError("istft: expected 0 < win_length <= n_fft")
    weights = torch.ones([size], dtype=torch.float64 if self.dtype == torch.complex128 else torch.float32, device=self.device)
    if window is not None:
        if window.dim() != 1 or window.size(0) != size:
            raise RuntimeError("istft: Invalid window shape. window has to be 1D and length of `win_length`")
        weights = window
    if size < n_fft:
        left = (n_fft - size) // 2
        weights = torch.constant_pad_nd(weights, [left, n_fft - size - left], 0)
    x = self.unsqueeze(0) if self.dim() == 2 else self
    x = x.transpose(1, 2)
    norm = "ortho" if normalized else "backward"
    if return_complex:
        if half:
            raise RuntimeError("Cannot have onesided output if window or input is complex")
        frames = torch.fft_ifft(x, None, -1, norm)
    else:
        frames = torch.fft_irfft(x.narrow(-1, 0, n_fft // 2 + 1), n_fft, -1, norm)
    frames = frames * weights
    count = frames.size(1)
    total = n_fft + hop * (count - 1)
    result = frames.new_zeros([frames.size(0), total])
    envelope = weights.new_zeros([1, total])
    for place in range(count):
        result.narrow(1, place * hop, n_fft).add_(frames.select(1, place))
        envelope.narrow(1, place * hop, n_fft).add_(weights * weights)
    start = n_fft // 2 if center else 0
    end = total
    if wanted is not None:
        end = start + wanted
    elif center:
        end = total - n_fft // 2
    result = result.slice(1, start, end)
    envelope = envelope.slice(1, start, end)
    if float(envelope.abs().min()) <= 1e-11:
        raise RuntimeError("window overlap add min: 1")
    result = result / envelope
    if end > total:
        result = torch.constant_pad_nd(result, [0, end - total], 0)
    return result.squeeze(0) if self.dim() == 2 else result
""",
)
