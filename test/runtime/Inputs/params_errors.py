# SPDX-License-Identifier: Apache-2.0
"""Files that do not fit a model, and what the library says: params_errors.py LIBRARY FOLDER"""

import sys
from pathlib import Path

import numpy as np

import formats
import naxrt

AXES = {"V": 7, "C": 6, "H": 3, "D": 4}
PARAMS = [("tokens", "f32", ["V", "C"]), ("layers.0.wq", "f32", ["C", "H", "D"]), ("layers.1.wq", "f32", ["C", "H", "D"]),
          ("eps", "f32", [])]
SLOTS = [(0, 0, [0, 1], []), (1, 16, [1, 2], [0]), (2, 16, [1, 2], [0]), (3, 0, [], [])]
GGUF = [("gguf", "tokens", "token_embd.weight", None, None),
        ("gguf", "layers.*.wq", "blk.*.attn_q.weight", "H*D C", "interleaved_to_halves:D"),
        ("gguf", "layers.*.wq", "blk.*.q", "C H*D", None)]
HF = [("hf", "layers.*.wq", "model.layers.*.q_proj", "H*D C", "")]


class Case:
    def __init__(self, runtime, folder):
        self.runtime, self.path, self.count = runtime, Path(folder) / "file", 0

    def __call__(self, label, raw, names=(), params=PARAMS, slots=SLOTS, axes=AXES, change=lambda model: None):
        model, _ = naxrt.model("tiny", axes, params, slots, names)
        change(model)
        path = self.path
        if isinstance(raw, bytes):
            path.write_bytes(raw)
        else:
            path = raw
        self.runtime.log.clear()
        try:
            opened = self.runtime.open(model, path)
            text = "opened; " + "; ".join(self.runtime.log)
            self.runtime.close(opened)
        except naxrt.Failed as failed:
            text = str(failed)
        print(f"{label}: {text}".replace(str(path), "FILE").replace("\n", "\n  "))


def tensors(*shapes, kind="F32"):
    return [(name, kind, shape, b"\0" * (4 * int(np.prod(shape)))) for name, shape in shapes]


OWN = [("tokens", [7, 6]), ("layers.0.wq", [6, 3, 4]), ("layers.1.wq", [6, 3, 4]), ("eps", [])]
BLK = [("token_embd.weight", [7, 6]), ("blk.0.attn_q.weight", [12, 6]), ("blk.1.attn_q.weight", [12, 6]), ("eps", [])]


def stored_otherwise(case):
    """Slots that hold another type than the parameter's."""
    params, own = [("w", "f32", ["N", "K"]), ("v", "f32", ["N", "K"])], ([0], [1])
    rng = np.random.default_rng(5)

    def attempt(label, stored, kind, turned=False, value=1.0, nr=16, size=256, dtype="f32", scale=None, change=lambda model: None):
        shape = [size, size]
        raw = (np.full(shape, value, np.float32).tobytes() if kind == "F32" else formats.encode(rng, kind, shape)[0])
        if scale:  # of the last block
            at = len(raw) - formats.BLOCKS[kind][1] + scale[0]
            raw = raw[:at] + scale[1].to_bytes(2, "little") + raw[at + 2 :]
        slots = [(i, nr, *([own[1], own[0]] if turned else own), stored) for i in range(2)]
        if nr == 0:
            slots = [(i, 0, [0, 1], [], stored) for i in range(2)]
        case(label, formats.gguf([(name, kind, shape, raw) for name in "wv"]), axes={"N": size, "K": size},
             params=[(n, dtype, a) for n, _, a in params], slots=slots, change=change)

    attempt("blocks", "Q6_K", "Q6_K")
    attempt("no rule", "Q6_K", "F32")
    attempt("no rule for blocks", "Q4_K", "Q8_0")
    attempt("turned, no rule", "Q4_K", "Q4_K", turned=True)
    attempt("turned", "Q8_0", "Q8_0", turned=True)
    attempt("twice", "Q4_0", "Q6_K")
    attempt("once", "Q4_1", "F32")
    attempt("zeros", "Q8_0", "F32", value=0)
    attempt("tiny", "Q4_0", "F32", value=1e-44)
    for kind in ("Q8_0", "Q4_0", "Q4_1", "f16", "bf16_pairs"):
        for value in (-np.inf, np.nan, 3.4e38):
            attempt(f"{value} as {kind}", kind, "F32", value=value)
    not_finite = [("Q8_0", 0), ("Q4_0", 0), ("Q4_1", 0), ("Q4_1", 2), ("Q4_K", 0), ("Q4_K", 2), ("Q6_K", 208)]
    for kind, at in not_finite:
        attempt(f"scale at {at} of {kind}", kind, kind, scale=(at, 0x7E00 if at == 2 else 0xFC00))
    attempt("large for f16", "f16", "F32", value=65520)
    attempt("fits f16", "f16", "F32", value=65519)
    attempt("no whole blocks", "Q8_0", "F32", size=48)
    attempt("rows", "Q8_0", "F32", nr=0)
    attempt("rows of pairs", "bf16_pairs", "F32", nr=0)
    attempt("declared f16", "Q8_0", "F32", dtype="f16")
    attempt("unknown", "", "F32", change=lambda model: setattr(model.levels[0].slots[1], "stored", 7))


def main(library, folder):
    case = Case(naxrt.Runtime(library, threads=1), folder)
    st, gguf = (lambda *t: formats.safetensors(tensors(*t))), (lambda *t: formats.gguf(tensors(*t)))
    case("own names", st(*OWN), GGUF + HF)
    turned = [("turned", "tokens", "tokens", "C V", None)]
    case("same names", st(("tokens", [6, 7]), *OWN[1:]), GGUF + turned)
    case("as many by two tables", st(("tokens", [6, 7]), *OWN[1:]), [("other", "none", "tokens", None, None)] + turned)
    case("table for others", st(*OWN), [("other", "none", "tokens", None, None)])
    case("by table", gguf(*BLK), HF + GGUF)
    case("alternative", gguf(*BLK[:2], ("blk.1.q", [6, 12]), BLK[3]), HF + GGUF)
    case("unused", st(*OWN, ("b", [1]), ("a", [1])))
    case("many unused", st(*OWN, *((f"t{i}", [1]) for i in range(100))))
    case("missing", gguf(*BLK[:2]), GGUF)
    case("all missing", gguf(("a", [1]), ("b", [2])), GGUF)
    case("no tensors", st(), GGUF)

    case("axis", st(*OWN[:1], ("layers.0.wq", [5, 3, 4]), *OWN[2:]))
    case("axes", st(("tokens", [7, 5]), ("layers.0.wq", [6, 2, 4]), OWN[2], ("eps", [1])))
    case("joined", gguf(BLK[0], ("blk.0.attn_q.weight", [8, 6]), *BLK[2:]), GGUF)
    case("turned", st(("tokens", [6, 7]), *OWN[1:]))
    wide = {f"layers.{i}.w": [3] for i in range(30)}
    case("many", st(*wide.items()), params=[(n, "f32", ["C"]) for n in wide], slots=[])

    raw = formats.gguf([("tokens", "Q5_K", [7, 6], b"\0" * 1024)] + tensors(*OWN[1:]))
    case("quantised", raw)
    one = dict(params=PARAMS[:1], slots=SLOTS[:1])
    array = Path(folder) / "anything.npy"
    np.save(array, np.ones((7, 6), np.float32))
    case("one array", array, **one)
    case("one array for four", array)
    np.save(array, np.ones((7, 6)))
    case("f64", array, **one)
    case("f64 for f64", array, params=[("tokens", "f64", ["V", "C"])], slots=SLOTS[:1])
    np.save(array, np.ones((7, 6), np.int32))
    case("integers", array, **one)
    case("nowhere", Path(folder) / "none")

    bad = lambda axes, pairing=None: [("bad", "tokens", "other", axes, pairing)]
    for label, axes, pairing in (("unknown axis", "V D", None), ("axis twice", "V V", None), ("axis left out", "V", None),
                                 ("pairing", None, "halves:C"), ("paired axis", None, "interleaved_to_halves:D"),
                                 ("odd pairing", None, "halves_to_interleaved:V"),
                                 ("large pairing", None, "halves_to_interleaved:C:8")):
        case(label, st(("other", [7, 6])), bad(axes, pairing), **one)
    case("fine pairing", st(("other", [7, 6])), [("good", "tokens", "other", "V 1*C", "halves_to_interleaved:C:4")], **one)

    case("empty texts", st(("other", [7, 6])), [("", "tokens", "other", "", "")], **one)

    case("no parameters", st(), params=[], slots=[])
    case("version", st(*OWN), change=lambda m: setattr(m, "abi", 2))
    case("slot outside", st(*OWN), change=lambda m: setattr(m.levels[0], "block_bytes", 64))
    case("slot twice", st(*OWN), slots=[(0, 0, [0, 0], [])])
    stored_otherwise(case)
    case("integer parameter", st(*OWN), change=lambda m: setattr(m.params[0], "dtype", 4))


if __name__ == "__main__":
    main(*sys.argv[1:])
