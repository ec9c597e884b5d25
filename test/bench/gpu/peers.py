# SPDX-License-Identifier: Apache-2.0
"""The same work as speed.c's by PyTorch, where this python has it and it finds a GPU: lines for gpu.sh, or one that says
why there are none. Attention by SDPA's flash and cuDNN back ends, and by FlexAttention, which Triton compiles; products
of matrices by cuBLAS.

    peers.py SECONDS CASE...      CASE: attention:TABLE:ROW:B:T:H:D or matmul:TABLE:ROW:M:K:N
"""
import statistics
import sys
import time

RUNS = 11


def line(table, row, column, value, unit, note=""):
    print("\t".join([table, row, column, value, unit, note]), flush=True)


def seconds(torch, work):
    """The median time of a call, by the GPU's clock; all calls are put on the stream at once, as speed.c does."""
    for _ in range(3):
        work()
    events = [torch.cuda.Event(enable_timing=True) for _ in range(RUNS + 1)]
    torch.cuda.synchronize()
    work()
    for event in events[:-1]:
        event.record()
        work()
    events[-1].record()
    torch.cuda.synchronize()
    return statistics.median(a.elapsed_time(b) for a, b in zip(events, events[1:])) * 1e-3


def attempt(torch, table, row, column, flop, make):
    """One figure; a peer that is not there or fails is said to be so."""
    try:
        took = seconds(torch, make())
        line(table, row, column, "%.1f" % (flop / took * 1e-12), "TFLOP/s", "%.3f ms" % (took * 1e3))
    except Exception as error:  # whatever a back end raises, the others go on
        line(table, row, column, "-", "TFLOP/s", " ".join(str(error).split())[:80])


def attention(torch, table, row, b, t, h, d):
    from torch.nn.attention import SDPBackend, sdpa_kernel

    flop = 2 * b * h * t * t * d
    q, k, v = (torch.randn(b, h, t, d, device="cuda", dtype=torch.bfloat16) for _ in range(3))

    def sdpa(backend):
        def work():
            with sdpa_kernel(backend):
                torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True)

        return work

    def flex():
        from torch.nn.attention.flex_attention import create_block_mask, flex_attention

        mask = create_block_mask(lambda b, h, i, j: i >= j, None, None, t, t, device="cuda")
        compiled = torch.compile(flex_attention)
        return lambda: compiled(q, k, v, block_mask=mask)

    attempt(torch, table, row, "torch SDPA flash", flop, lambda: sdpa(SDPBackend.FLASH_ATTENTION))
    attempt(torch, table, row, "torch SDPA cuDNN", flop, lambda: sdpa(SDPBackend.CUDNN_ATTENTION))
    attempt(torch, table, row, "Triton (FlexAttention)", flop, flex)


def matmul(torch, table, row, m, k, n):
    x = torch.randn(m, k, device="cuda", dtype=torch.bfloat16)
    w = torch.randn(n, k, device="cuda", dtype=torch.bfloat16).t()
    attempt(torch, table, row, "cuBLAS (torch.matmul)", 2 * m * k * n, lambda: lambda: torch.matmul(x, w))


def main(limit, cases):
    began = time.monotonic()
    try:
        import torch
    except ImportError:
        return line("peers", "PyTorch", "", "not measured", "", "this python has no torch")
    if not torch.cuda.is_available():
        return line("peers", "PyTorch", "", "not measured", "", "torch %s finds no GPU" % torch.__version__)
    line("peers", "PyTorch", "", torch.__version__, "", "CUDA %s, cuDNN %s" % (torch.version.cuda, torch.backends.cudnn.version()))
    kinds = {"attention": attention, "matmul": matmul}
    for case in cases:
        kind, table, row, *sizes = case.split(":")
        if time.monotonic() - began > float(limit):
            line("peers", row, "", "not measured", "", "no time left")
        else:
            kinds[kind](torch, table, row, *map(int, sizes))


main(sys.argv[1], sys.argv[2:])
