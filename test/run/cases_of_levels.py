# SPDX-License-Identifier: Apache-2.0
"""Cases of reference.py by the code of every level of processor and with weights stored in other types: the whole
sequence, its loss, and steps in one chunk, one by one, in odd chunks and with rows that go on by different numbers. Each
is compared with float64 on the numbers that are stored.

    python3 cases_of_levels.py --cases FOLDER gpt-odd packed             # FOLDER/gpt-odd; drawn here if there is none
    python3 cases_of_levels.py --cases FOLDER --part 1/3 --types f32     # a third of all, those only in FOLDER too
    python3 cases_of_levels.py --types bf16 --mutate softcap=none softcap    # the model changed: must fail

A model is compiled once for each type, for all levels; NAX_LEVEL chooses. A level that this processor lacks is skipped.
"""
import argparse, json, os, sys, tempfile
import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path += [os.path.join(HERE, "decode"), os.path.join(HERE, "../runtime/Inputs")]
import formats, steps
import model_text, nax_call, reference, run_case

# Capped scores that matter: without the cap logits are off by a quarter of the largest, ten times the widest bar.
CASES = dict(reference.CASES, softcap=(dict(reference.LLAMA, B=2, T=35, V=64, C=64, H=4, K=2, D=16, F=96, layers=2, softcap=5.0), 12))
# Of the largest |logit|. Stored numbers are widened, so nothing but f32's own roundings is left. At the levels of ROUNDED
# products of bf16 take rows rounded to bf16 as well; those of integers take rows in blocks of int8, unless they are exact.
BAR, ROUNDED, INT8 = 1e-5, {"v4+": 2e-2, "amx": 2e-2}, 6e-2


def bar_of(kind, level):
    return INT8 if kind.startswith("q") and "f32" not in kind else ROUNDED.get(level, BAR) if kind == "bf16" else BAR


def stored(params, kind):
    """Parameters as they are stored: matrices of products and the table of tokens in the type, all else as it is."""
    return {name: value if value.ndim < 2 or name == "positions" else stored_matrix(value, kind) for name, value in params.items()}


def stored_matrix(value, kind):
    flat = np.asarray(value, np.float32).reshape(-1)
    if kind == "f16":
        flat = flat.astype(np.float16)
    elif kind == "bf16":
        flat = formats.bf16_values(formats.bf16_bits(flat))
    elif kind != "f32" and value.shape[1] % 32 == 0:
        block = kind.split("/")[0].upper()
        flat = formats.block_values(block, formats.quantise(block, flat.reshape(-1, 32)))
    return flat.astype(np.float64).reshape(value.shape)


class Case:
    def __init__(self, name, folder, change=()):
        self.name = name
        with open(f"{folder}/config.json") as f:
            self.cfg = text_cfg = json.load(f)
        for one in change:
            text_cfg = run_case.mutated(text_cfg, one)
        self.writer, self.path = model_text.Writer(text_cfg, loss="apart"), f"{folder}/params.safetensors"
        self.text = self.writer.text("decoded")
        read = lambda file: np.load(f"{folder}/{file}.npy") if os.path.exists(f"{folder}/{file}.npy") else None
        self.ids, self.documents, self.ragged = read("ids"), read("doc"), read("lengths")
        self.inputs, self.lengths = {"ids": self.ids}, [self.ids.shape[1]] * self.ids.shape[0]
        if self.writer.data == "Packed":
            self.inputs["T_documents"] = self.documents
        if self.writer.data == "Ragged":
            self.lengths = self.ragged.tolist()
        if self.writer.same_document:
            self.inputs["same"] = self.documents[:, :, None] == self.documents[:, None, :]
        # A mask that is a buffer of all pairs of positions has no step.
        self.has_step = self.cfg["causal"] and not self.writer.same_document

    def right(self, kind):
        """Logits and loss in float64, of parameters as they are stored."""
        params = stored(parameters(self.path), kind)
        logits = reference.forward(self.cfg, params, self.ids, self.documents, self.ragged)[0]
        return logits, reference.next_token_loss(logits, self.ids, self.documents) if self.writer.has_loss() else None

    def compiled(self, kind, naxc):
        weights, _, activations = kind.partition("/")
        flags = [nax_call.EVERY_LEVEL] + ["--decode=forward"] * self.has_step
        flags += ["--weights=" + weights] * (kind != "f32") + ["--activations=" + activations] * bool(activations)
        return nax_call.compile(self.text, "decoded", naxc, flags)

    def whole(self, model, params, want, loss):
        data = {"T_lengths": self.ragged} if self.writer.data == "Ragged" else {}
        found = {"whole": apart(model.call("forward", params, **self.inputs, **data)["logits"], want)}
        if loss is not None:
            found["loss"] = apart(model.call("loss", params, **self.inputs)["loss"], np.array(loss))
        return found

    def steps(self, model, params, want):
        schedules = {"one chunk": steps.whole(self.lengths), "steps": steps.ones(self.lengths),
                     "chunks": steps.odd(self.lengths, [3, 1, 7, 2, 16]), "ragged": steps.ragged(self.lengths, np.random.default_rng(1))}
        for kind, schedule in schedules.items() if self.has_step else []:
            cache = model.cache("forward", B=len(self.lengths), T=max(self.lengths))
            rows = steps.run(cache, params, self.inputs, schedule)["logits"]
            largest = np.abs(want).max()
            yield kind, max(apart(row, want[b, :n], largest) for b, (row, n) in enumerate(zip(rows, self.lengths)))


def parameters(path):
    with open(path, "rb") as f:
        size = int.from_bytes(f.read(8), "little")
        head, blob = json.loads(f.read(size)), f.read()
    return {name: np.frombuffer(blob[slice(*at["data_offsets"])], "<f4").reshape(at["shape"]) for name, at in head.items()}


def apart(got, want, largest=None):
    return float(np.abs(got - want).max() / (largest or np.abs(want).max())) if np.isfinite(got).all() else np.inf


def check(case, kind, naxc):
    """For each level, whether it is right."""
    model, (want, loss) = case.compiled(kind, naxc), case.right(kind)
    for level in nax_call.each_level(model):
        params = model.open(case.path)
        found = case.whole(model, params, want, loss) | dict(case.steps(model, params, want))
        is_right = max(found.values()) <= bar_of(kind, level)
        print(f"{case.name} in {kind} by {level}: {', '.join(f'{what} {far:.1e}' for what, far in found.items())}"
              f" {'ok' if is_right else 'WRONG'}", flush=True)
        yield is_right


def all_names(folder):
    names = set(CASES)
    if os.path.isdir(folder):
        names |= {name for name in os.listdir(folder) if os.path.exists(os.path.join(folder, name, "config.json"))}
    return sorted(names)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--naxc", default="naxc")
    parser.add_argument("--cases", default="")
    parser.add_argument("--part", help="N/M: every Mth of all cases")
    parser.add_argument("--types", default="f32", help="f32, f16, bf16, q8_0, q4_1/f32 (with f32 activations), ...")
    parser.add_argument("--mutate", action="append", default=[], help="change the model: every type and level must then fail")
    parser.add_argument("names", nargs="*")
    args = parser.parse_args()
    names, passed = args.names, []
    if args.part:
        part, parts = map(int, args.part.split("/"))
        names = all_names(args.cases)[part - 1::parts]
    with tempfile.TemporaryDirectory() as work:
        for name in names:
            folder = os.path.join(args.cases, name)
            if not os.path.isdir(folder):
                folder = os.path.join(work, name)
                reference.write(folder, *CASES[name])
            case = Case(name, folder, args.mutate)
            passed += [is_right for kind in args.types.split(",") for is_right in check(case, kind, args.naxc)]
    if args.mutate and any(passed):
        sys.exit(f"the changed model passes: nothing notices {', '.join(args.mutate)}")
    if not args.mutate and not all(passed) or not passed:
        sys.exit("too far from the right answer" if names else "there is no case")


if __name__ == "__main__":
    main()
