# SPDX-License-Identifier: Apache-2.0
"""What `./nax bench` measures: the rows, who takes part in each, and what each is to reach."""
import dataclasses
import os

# Of the models that nax's side is compiled from: the text, and naxc's options beside those of the command. {Q4_0} is the
# file with weights of that name.
MODELS = {
    "dense": ("test/bench/cpu/dense.cpp", []),
    "dense-bf16": ("test/bench/cpu/dense.cpp", ["--weights=bf16"]),
    "chain": ("test/bench/cpu/chain.cpp", []),
    "chain-quick": ("test/bench/cpu/chain.cpp", ["-DLAYERS=2"]),
    "attention": ("test/bench/cpu/attention.cpp", []),
    "smollm2": ("examples/07-smollm2/model.cpp", []),
    "minilm": ("examples/09-embeddings/model.cpp", []),
}
MODELS["smollm2-bf16"] = ("examples/07-smollm2/model.cpp", ["--weights=bf16"])
for kind in ("Q8_0", "Q4_0", "Q4_1"):  # not all matrices of a file have its type
    MODELS["smollm2-" + kind.lower()] = ("examples/07-smollm2/model.cpp", ["--weights-of={%s}" % kind])

# Titles, and what is said of all rows of a group together.
GROUPS = {
    "gemm": {"title": "dense layers, f32, M x N x K", "mean": {"must": 91, "reach": 95, "least": 128}},
    "gemm-bf16": {"title": "dense layers, bf16, M x N x K"},
    "attention": {"title": "causal attention, f32, D = 64, T positions, query heads / key heads"},
    "attention-scaling": {"title": "causal attention of one head, f32, D = 64 (memory: of 12 heads)",
                          "growth": {"time": 4, "memory": 2, "within": 8}},
    "gemv": {"title": "decode: a vector through dense layers that no cache holds, f32"},
    "decode-attention": {"title": "decode: attention of one query, S = 1024, f32, query heads / key heads"},
    "smollm2-prefill": {"title": "SmolLM2-135M, prefill"},
    "smollm2-step": {"title": "SmolLM2-135M, a step behind 200 positions"},
    "minilm": {"title": "all-MiniLM-L6-v2, f32, batch x tokens"},
    "start": {"title": "SmolLM2-135M, from start of the process to the first token"},
    "memory": {"title": "peak memory of that process"},
    "scaling": {"title": "SmolLM2-135M, prefill on more cores"},
}

SMOLLM2_LAYERS, SMOLLM2_WEIGHTS, SMOLLM2_TABLE = 30, 134515008, 49152 * 576


@dataclasses.dataclass
class Series:
    """One who takes part. `worker` is what program: nax:MODEL, or a peer; two ways of one peer are two processes."""

    name: str
    worker: str
    words: str
    threads: int
    level: str = ""  # NAX_LEVEL
    compare: bool = True  # whether it has the same numbers, so that its results must agree with nax's


@dataclasses.dataclass
class Row:
    group: str
    name: str
    series: list
    amount: float  # what a call does, in the unit times a second
    unit: str  # with its scale: see SCALES
    limit: str = ""  # a row of limits.c
    work: float = 0  # what a call does, in the limit's work
    # Pairs: "percent" of the limit, "most" in the unit, or by what factor nax is faster than the best whose name begins so ("peer": all).
    must: tuple = ()
    reach: tuple = ()
    size: int = 0  # T or M, which a plot has along
    memory: str = ""  # words of nax's row whose memory is looked at; those of the row itself unless given
    kind: str = "time"  # or "start", "memory": of a process that does the row once
    threads: int = 1


SCALES = {"GFLOP/s": 1e-9, "GB/s": 1e-9, "tokens/s": 1, "sentences/s": 1, "ms": 1e3, "MB": 1e-6}


def peers_of(words, threads, **ways):
    """peers_of("gemm 1 2 3 f32", 1, openblas="", torch="eager onednn"): a series for each way of each peer."""
    names = {"openblas": "OpenBLAS", "torch": "PyTorch", "onnxruntime": "ONNX Runtime", "openvino": "OpenVINO",
             "iree": "IREE", "llama": "llama.cpp"}
    shown = {"eager": "", "onednn": "oneDNN", "nofa": "no flash", "fa": "flash", "fa16": "f16 cache"}
    if words.split()[0] in ("gemm", "gemv", "attention", "decode"):
        names["llama"] = "ggml"
        shown["fa"] = ""
    found = []
    for peer, each in ways.items():
        for way in each.split() or [""]:
            text = shown.get(way, way)
            name = names[peer] + (" (%s)" % text if text else "")
            found.append(Series(name, peer, (words + " " + way).strip(), threads))
    return found


def gemm(config):
    shapes = [(128, 768, 768), (128, 3072, 768), (128, 768, 3072), (512, 768, 768), (512, 2304, 768), (512, 3072, 768),
              (512, 768, 3072), (1024, 3072, 768), (1024, 768, 3072), (512, 576, 576), (512, 1536, 576), (512, 576, 1536)]
    small = {100: (90, 94), 16: (90, 95), 4: (72, 80)}
    if config.quick:
        shapes, small = shapes[:1], {4: (72, 80)}
    for m, n, k in shapes + [(m, 768, 768) for m in small]:
        must, reach = small.get(m, (88, 92))
        words, flop = "gemm %d %d %d f32" % (m, n, k), 2.0 * m * n * k
        series = [Series("nax", "nax:dense", "d%dx%d T=%d" % (n, k, m), 1)]
        series += peers_of(words, 1, openblas="", torch="eager onednn", onnxruntime="", openvino="", iree="", llama="")
        yield Row("gemm", "%dx%dx%d" % (m, n, k), series, flop, "GFLOP/s", "fma-f32", flop,
                  (("percent", must), ("peer", 0.98)) if m >= 128 else (("percent", must),),
                  (("percent", reach), ("peer", 1.05)) if m >= 128 else (("percent", reach),), m)


def gemm_bf16(config):
    for m, n, k in [(512, 768, 768), (512, 3072, 768), (512, 768, 3072)][: 1 if config.quick else 3]:
        words, flop = "gemm %d %d %d bf16" % (m, n, k), 2.0 * m * n * k
        series = [Series("nax", "nax:dense-bf16", "d%dx%d T=%d" % (n, k, m), 1)]
        series += peers_of(words, 1, torch="eager onednn", openvino="", llama="")
        limit = "tiles-bf16" if "amx_bf16" in config.cpu_flags else "dot-bf16"
        yield Row("gemm-bf16", "%dx%dx%d" % (m, n, k), series, flop, "GFLOP/s", limit, flop, (("percent", 88),),
                  (("percent", 95),), m)
        if limit == "tiles-bf16":  # the same without tiles
            alone = [dataclasses.replace(series[0], level="v4+")]
            yield Row("gemm-bf16", "%dx%dx%d, v4+" % (m, n, k), alone, flop, "GFLOP/s", "dot-bf16", flop,
                      (("percent", 88),), (("percent", 95),))


def attention(config):
    sizes = [(128, 55, 68, 2), (512, 68, 78, 2), (1024, 76, 86, 3), (2048, 76, 86, 3), (4096, 76, 86, 3)]
    rows = [(t, 12, 12, "heads", *rest) for t, *rest in sizes] + [(1024, 9, 3, "groups", 76, 86, 3)]
    if config.quick:
        rows = [(128, 12, 12, "heads", 55, 68, 2), (128, 9, 3, "groups", 76, 86, 3)]
    for t, h, kv, entry, must, reach, factor in rows:
        flop = 2.0 * t * (t + 1) * 64 * h  # of visible pairs only
        series = [Series("nax", "nax:attention", "%s T=%d" % (entry, t), 1)]
        series += peers_of("attention %d %d %d 64" % (t, h, kv), 1, torch="eager flex", onnxruntime="", openvino="", iree="",
                           llama="fa fa16")
        yield Row("attention", "T=%d %d/%d" % (t, h, kv), series, flop, "GFLOP/s", "fma-f32", flop,
                  (("percent", must), ("peer", 2)), (("percent", reach), ("peer", factor)), t if h == kv else 0)


def attention_scaling(config):
    for t in [128, 256] if config.quick else [1 << n for n in range(10, 16)]:
        flop = 2.0 * t * (t + 1) * 64
        series = [Series("nax", "nax:attention", "single T=%d" % t, 1)]
        series += peers_of("attention %d 1 1 64" % t, 1, torch="eager", llama="fa")
        yield Row("attention-scaling", "T=%d" % t, series, flop, "GFLOP/s", "fma-f32", flop, size=t,
                  memory="heads T=%d" % t)  # so that the numbers are more than the workspace, which has one size


def gemv(config):
    layers = 2 if config.quick else 56
    weights = 2.0 * layers * 768 * 3072 * 4
    for threads in (1, config.cores):
        must, reach = (95, 105) if threads == 1 else (85, 97)
        series = [Series("nax", "nax:chain-quick" if config.quick else "nax:chain", "forward T=1", threads)]
        series += peers_of("gemv 768 3072 %d" % layers, threads, openblas="", torch="eager compiled", onnxruntime="",
                           openvino="", llama="")
        yield Row("gemv", "%d thread%s" % (threads, "s" if threads > 1 else ""), series, weights, "GB/s",
                  "read %d" % weights, weights, (("percent", must),), (("percent", reach),), threads=threads)


def decode_attention(config):
    s = 128 if config.quick else 1024
    for h, kv, entry, must, reach in ((12, 12, "heads", 85, 95), (9, 3, "groups", 65, 90)):
        each = 2.0 * s * kv * 64 * 4
        copies = 4 if config.quick else int(2**30 / each)  # together more than a cache holds
        series = [Series("nax", "nax:attention", "%s cache=%d caches=%d" % (entry, s - 1, copies), 1)]
        series += peers_of("decode %d %d %d 64 %d" % (s, h, kv, copies), 1, torch="eager", llama="fa fa16")
        yield Row("decode-attention", "%d/%d" % (h, kv), series, each, "GB/s", "read %d" % (each * copies), each,
                  (("percent", must),), (("percent", reach),))


def prefill_flop(t):
    return 2.0 * (SMOLLM2_WEIGHTS - SMOLLM2_TABLE) * t + SMOLLM2_LAYERS * 2.0 * t * (t + 1) * 64 * 9 + 2.0 * SMOLLM2_TABLE


def prefill(config):
    t = 16 if config.quick else 512
    targets = {"f32": ((("peer", 1), ("llama.cpp", 1.3)), (("llama.cpp", 1.6),)),
               "bf16": ((("peer", 1), ("llama.cpp", 1.5)), (("llama.cpp", 2),))}
    for kind, (must, reach) in targets.items():
        model = "nax:smollm2" if kind == "f32" else "nax:smollm2-bf16"
        series = [Series("nax", model, "forward T=%d params=%s" % (t, config.files["F32"]), config.cores)]
        series += peers_of("prefill %s %d" % (config.files[kind.upper()], t), config.cores, llama="fa nofa")
        safetensors = "prefill %s %d" % (config.files["safetensors"], t)
        series += peers_of(safetensors + " " + kind, config.cores, torch="eager compiled", openvino="")
        series += peers_of(safetensors, config.cores, onnxruntime="") if kind == "f32" else []
        yield Row("smollm2-prefill", "%s, %d tokens" % (kind, t), series, t, "tokens/s", "fma-f32", prefill_flop(t),
                  must, reach, threads=config.cores)


def step(config):
    behind = 16 if config.quick else 200
    cache = 2.0 * SMOLLM2_LAYERS * behind * 3 * 64 * 4
    targets = {"f32": ((("percent", 85),), (("percent", 95),)), "bf16": ((("percent", 85),), (("percent", 95),)),
               "Q4_1": ((("llama.cpp", 2),), (("llama.cpp", 3.5),)), "Q8_0": ((("llama.cpp", 2),), (("llama.cpp", 3.5),)),
               "Q4_0": ((("llama.cpp", 1.5),), (("llama.cpp", 3),))}
    for kind, (must, reach) in targets.items():
        file = config.files[kind.upper()]
        known = {"f32": 4.0 * SMOLLM2_WEIGHTS, "bf16": 2.0 * SMOLLM2_WEIGHTS}
        read = cache + (known[kind] if kind in known else config.size_of(file))
        model = "nax:smollm2" + ("" if kind == "f32" else "-" + kind.lower())
        words = "forward T=1 cache=%d params=%s" % (behind, config.files["F32"] if kind == "bf16" else file)
        series = [Series("nax", model, words, config.cores)]
        series += peers_of("step %s %d" % (file, behind), config.cores, llama="fa nofa")
        if kind in known:
            safetensors = "step %s %d" % (config.files["safetensors"], behind)
            others = peers_of(safetensors + " " + kind, config.cores, torch="eager compiled", openvino="")
            others += peers_of(safetensors, config.cores, onnxruntime="") if kind == "f32" else []
            series += [dataclasses.replace(each, compare=False) for each in others]  # their caches are drawn
        yield Row("smollm2-step", kind, series, 1, "tokens/s", "read %d" % max(read, 1 << 26), read, must, reach,
                  threads=config.cores)


def minilm(config):
    b, t = (2, 16) if config.quick else (32, 128)
    file = os.path.join(config.files["minilm"], "model.safetensors")
    flop = 2.0 * b * t * 6 * (4 * 384 * 384 + 2 * 384 * 1536) + 6 * 4.0 * b * t * t * 384
    for threads in (1, config.cores):
        series = [Series("nax", "nax:minilm", "sentences B=%d T=%d params=%s" % (b, t, file), threads)]
        series += peers_of("minilm %s %d %d" % (config.files["minilm"], b, t), threads, torch="eager compiled",
                           onnxruntime="", openvino="")
        targets = [(("ONNX", x), ("OpenVINO", x)) for x in (1.2, 1.5)]
        yield Row("minilm", "%dx%d, %d thread%s" % (b, t, threads, "s" if threads > 1 else ""), series, b, "sentences/s",
                  "fma-f32", flop, *targets, threads=threads)


def start(config):
    """The process computes a prompt of 16 tokens, which is what comes before the first token."""
    nax = Series("nax", "nax:smollm2-q4_1", "forward T=16 params=%s" % config.packed, config.cores)
    others = peers_of("prefill %s 16" % config.files["Q4_1"], config.cores, llama="fa mapped")
    others += peers_of("saved %s 16" % config.files["safetensors"], config.cores, onnxruntime="")
    yield Row("start", "16 tokens", [nax] + others, 0, "ms", must=(("llama.cpp", 5), ("ONNX", 5)),
              reach=(("llama.cpp", 12), ("ONNX", 12)), kind="start", threads=config.cores)
    cache = 2.0 * SMOLLM2_LAYERS * 16 * 3 * 64 * 4
    yield Row("memory", "16 tokens", [nax] + others, 0, "MB", must=(("peer", 1),),
              reach=(("most", (config.size_of(config.packed) + cache + 16e6) * 1e-6),), kind="memory", threads=config.cores)


def scaling(config):
    t = 16 if config.quick else 512
    words = "forward T=%d params=%s" % (t, config.files["F32"])
    series = [Series("nax" if n == config.cores else "nax, 1 thread", "nax:smollm2", words, n) for n in (config.cores, 1)]
    yield Row("scaling", "%d cores" % config.cores, series, t, "tokens/s", must=(("nax, 1 thread", 1.85),),
              reach=(("nax, 1 thread", 1.95),), threads=config.cores)


MAKERS = [gemm, gemm_bf16, attention, attention_scaling, gemv, decode_attention, prefill, step, minilm, start, scaling]


def rows(config, filters):
    """All rows whose "GROUP NAME" has one of the filters in it; all without filters."""
    found = [row for make in MAKERS for row in make(config)]
    return [row for row in found if not filters or any(f in row.group + " " + row.name for f in filters)]
