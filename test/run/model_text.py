# SPDX-License-Identifier: Apache-2.0
"""Writes a reference.py configuration as a nax model: what a person would write for it, with the sizes filled in.

    python3 test/run/model_text.py gpt-odd            # one of reference.py's cases, on standard output
    python3 test/run/model_text.py --update           # the .cpp files of test/run/cases

Every option that reference.py knows has its spelling here, so that a case drawn tomorrow needs no new model text.
"""
import os, sys
import reference

ABOUT = {
    "gpt-small": "Learned positions, layer norm and biases, at the sizes of the teaching example.",
    "gpt-odd": "The GPT family at sizes that are multiples of nothing.",
    "llama-gqa": "RMSNorm, rope on halves, grouped key heads and a gated feed-forward.",
    "llama-mqa": "One key head, so keys and values have no head axis at all; an untied head.",
    "gptj-rotary": "Rope on interleaved pairs of the first 8 of 16 components.",
    "bert": "Every position reads every real position of its row; norm after the residual.",
    "packed": "Several documents in one row: nothing reads across, positions restart, no loss across.",
    "window-softcap": "A sliding window over capped scores.",
    "alibi-6": "Linear biases for a head count that is no power of two; norms without a shift.",
    "low-variance": "Activations so small that eps decides.",
    "one-token": "T = 1.",
}


def number(x):
    """The shortest literal that C++ reads as the same double; 1e-05 as 1e-5."""
    text = repr(float(x))
    return text.replace("e-0", "e-").replace("e+0", "e") if "e" in text else text


class Writer:
    """`loss`: beside the logits; "apart": of an entry of its own, since what has labels has no step; or none."""

    def __init__(self, cfg, loss=True):
        self.cfg, self.wants_loss = cfg, loss
        self.H, self.K = cfg["H"], cfg.get("K", cfg["H"])
        self.grouped = 1 < self.K < self.H
        self.data = "Packed" if cfg.get("documents") and cfg.get("restart_positions") else \
                    "Ragged" if cfg.get("ragged") else None
        # Documents that a mask alone knows are no packed axis, whose positions restart.
        self.same_document = bool(cfg.get("documents")) and self.data != "Packed"
        self.extra = ["Tensor<boolean, B, T, S> same"] if self.same_document else []
        self.names = []
        # A key head of its own axis when there are several; none when all queries share one.
        self.key = ["H"] if self.K == self.H else ["K"] if self.grouped else []
        self.heads = ["K", "G"] if self.grouped else ["H"]

    # -------------------------------------------------------------- pieces

    def axes(self):
        c = self.cfg
        kind = "Causal" if c["causal"] else "Positions"
        sequence = f'{kind}<"T", {self.data}>' if self.data else f'{kind}<"T">'
        out = ['struct B : Axis<"B"> {};', f"struct T : {sequence} {{}};", f'struct V : Axis<"V", {c["V"]}> {{}};']
        if self.grouped:
            out += [f'struct K : Axis<"K", {self.K}> {{}};', f'struct G : Axis<"G", {self.H // self.K}> {{}};',
                    'struct H : Product<"H", K, G> {};']
        else:
            out += [f'struct H : Axis<"H", {self.H}> {{}};']
        out += [f'struct {a} : Axis<"{a}", {c[a]}> {{}};' for a in ("D", "C", "F")]
        if c["positions"] == "learned":
            out += [f'struct P : Axis<"P", {c["max_T"]}> {{}};']
        out += ["using S = Read<T>;"]
        if c["positions"] == "rope":
            dims = c.get("rope_dims", c["D"])
            some = f", .dims = {dims}" if dims != c["D"] else ""
            out += [f'inline constexpr Rope rotary{{.base = {number(c["rope_base"])}, '
                    f'.pairing = Rope::{c["rope_pairing"]}{some}}};']
        return out

    def struct(self, name, members, body, head="struct "):
        """A module: its parameters one a line, then its functions."""
        rows = [f"    ({kind}, {member})" for kind, member in members]
        return [f"{head}{name} {{", f"  BOOST_HANA_DEFINE_STRUCT({name},", ",\n".join(rows) + ");", *body, "};"]

    def name(self, param, file, axes=None):
        self.names.append((param, file, axes))

    def linear(self, path, file, member, bias, ins, outs):
        """Members and names of a weight stored [out, in], and of its bias."""
        kinds = [(f"Param<f32, {', '.join(ins + outs)}>", member)]
        self.name(f"{path}.{member}", f"{file}.weight", f"{'*'.join(outs)} {'*'.join(ins)}")
        if self.cfg.get("bias"):
            kinds += [(f"Param<f32, {', '.join(outs)}>", bias)]
            self.name(f"{path}.{bias}", f"{file}.bias", "*".join(outs))
        return kinds

    def plus(self, text, bias):
        return f"{text} + {bias}" if self.cfg.get("bias") else text

    def norm(self):
        c = self.cfg
        members, call = [("Param<f32, C>", "gain")], f"layer_norm<C>(x, gain, Eps{{{number(c['eps'])}}})"
        if c["norm"] == "rms":
            call = f"rms_norm<C>(x, gain, Eps{{{number(c['eps'])}}})"
        elif c.get("norm_bias", True):
            members += [("Param<f32, C>", "shift")]
            call = f"layer_norm<C>(x, gain, shift, Eps{{{number(c['eps'])}}})"
        return self.struct("Norm", members, [
            f"  Tensor<f32, B, T, C> operator()(Tensor<f32, B, T, C> x) const {{ return {call}; }}"])

    def name_norm(self, path, file):
        self.name(f"{path}.gain", f"{file}.weight")
        if self.cfg["norm"] == "layer" and self.cfg.get("norm_bias", True):
            self.name(f"{path}.shift", f"{file}.bias")

    def attention(self):
        c, key = self.cfg, self.key
        path, file = "layers.*.attention", "layers.*."
        members = self.linear(path, file + "q", "wq", "bq", ["C"], ["H", "D"])
        members += self.linear(path, file + "k", "wk", "bk", ["C"], key + ["D"])
        members += self.linear(path, file + "v", "wv", "bv", ["C"], key + ["D"])
        members += self.linear(path, file + "o", "wo", "bo", ["H", "D"], ["C"])
        q = self.plus("dot<C>(x, wq)", "bq")
        q = f"split<H>({q})" if self.grouped else q
        k, v = self.plus("dot<C>(x, wk)", "bk"), self.plus("dot<C>(x, wv)", "bv")
        if c["positions"] == "rope":
            q, k = f"rope<T, D, rotary>({q})", f"rope<T, D, rotary>({k})"
        scale = f", Scale{{{number(c['scale'])}}}" if "scale" in c else ""
        body = [f"    auto q = {q};", f"    auto k = {k};", f"    auto v = {v};"]
        s = f"scores<D>(q, read<T>(k){scale})"
        if c.get("softcap"):
            s = f"softcap({s}, {number(c['softcap'])})"
        if c["positions"] == "alibi":
            s = f"alibi<{', '.join(self.heads)}>({s})"
        hides = [f"window<T>({c['window']})"] if c.get("window") else []
        hides += ["allowed_where_true(same)"] if self.same_document else []
        if hides:
            s = f"mask({s}, {' & '.join(hides)})"
        if c["causal"]:
            s = f"causal_mask({s})"
        mixed = "dot<S>(w, read<T>(v))"
        mixed = f"merge<H>({mixed})" if self.grouped else mixed
        body += [f"    auto w = softmax<S>({s});", f"    return {self.plus(f'dot<H, D>({mixed}, wo)', 'bo')};"]
        return self.struct("Attention", members, [
            f"  Tensor<f32, B, T, C> operator()({self.args('Tensor<f32, B, T, C> x')}) const {{", *body, "  }"])

    def mlp(self):
        c, path, file = self.cfg, "layers.*.mlp", "layers.*."
        members = self.linear(path, file + "gate", "gate", "gate_bias", ["C"], ["F"]) if c["mlp"] == "gated" else []
        members += self.linear(path, file + "up", "up", "up_bias", ["C"], ["F"])
        members += self.linear(path, file + "down", "down", "down_bias", ["F"], ["C"])
        up = self.plus("dot<C>(x, up)", "up_bias")
        if c["mlp"] == "gated":
            up = f"({up})" if c.get("bias") else up
            up = f"{c['act']}({self.plus('dot<C>(x, gate)', 'gate_bias')}) * {up}"
        else:
            up = f"{c['act']}({up})"
        return self.struct("Mlp", members, [
            "  Tensor<f32, B, T, C> operator()(Tensor<f32, B, T, C> x) const {",
            f"    return {self.plus(f'dot<F>({up}, down)', 'down_bias')};", "  }"])

    def block(self):
        self.name_norm("layers.*.norm1", "layers.*.norm1")
        self.name_norm("layers.*.norm2", "layers.*.norm2")
        call = "attention({}, same)" if self.same_document else "attention({})"
        body = [f"    x = x + {call.format('norm1(x)')};", "    return x + mlp(norm2(x));"]
        if self.cfg["norm_at"] == "post":
            body = [f"    x = norm1(x + {call.format('x')});", "    return norm2(x + mlp(x));"]
        return self.struct("Block", [("Norm", "norm1"), ("Attention", "attention"), ("Norm", "norm2"), ("Mlp", "mlp")], [
            f"  Tensor<f32, B, T, C> operator()({self.args('Tensor<f32, B, T, C> x')}) const {{", *body, "  }"])

    def model(self):
        c = self.cfg
        members = [("Param<f32, V, C>", "tokens")]
        self.name("tokens", "embed", "V C")
        x = "embed<V>(ids, tokens)"
        if c["positions"] == "learned":
            members += [("Param<f32, P, C>", "positions")]
            self.name("positions", "positions", "P C")
            x = f"embed_positions<T>({x}, positions)"
        if c["norm_at"] == "post":
            members += [("Norm", "embed_norm")]
            self.name_norm("embed_norm", "embed_norm")
            x = f"embed_norm({x})"
        members += [(f"std::array<Block, {c['layers']}>", "layers")]
        hidden = "repeat(layers, x, same)" if self.same_document else "repeat(layers, x)"
        if c["norm_at"] == "pre":
            members += [("Norm", "norm")]
            self.name_norm("norm", "norm")
            hidden = f"norm({hidden})"
        table = "tokens"
        if not c.get("tied", True):
            members += [("Param<f32, V, C>", "head")]
            self.name("head", "head", "V C")
            table = "head"
        args = self.args("Tensor<Ids<V>, B, T> ids")
        head = f"unembed<V>({hidden}, {table})"
        body = [f"  auto forward({args}) const {{", f"    auto x = {x};", f"    return {head};", "  }"]
        if self.has_loss() and self.wants_loss == "apart":
            body += [f"  auto loss({args}) const {{", body[1], f"    auto logits = {head};",
                     "    return mean<B, T>(cross_entropy<V>(logits, next<T>(ids)));", "  }"]
        elif self.has_loss():
            body[2:3] = [f"    auto logits = {head};",
                         "    return std::tuple(logits, mean<B, T>(cross_entropy<V>(logits, next<T>(ids))));"]
        return self.struct("Model", members, body)

    def args(self, first):
        return ", ".join([first] + self.extra)

    def has_loss(self):
        return self.wants_loss and self.cfg["causal"] and not self.cfg.get("ragged") and not self.same_document

    def results(self):
        return ["logits", "loss"] if self.has_loss() else ["logits"]

    # -------------------------------------------------------------- the whole

    def text(self, name, first=()):
        parts = [self.axes(), self.norm(), self.attention(), self.mlp(), self.block(), self.model()]
        ids = "(ids, same)" if self.same_document else "(ids)"
        entry = f"(forward, {ids}, ({', '.join(self.results())}))"
        if self.has_loss() and self.wants_loss == "apart":
            entry = f"(forward, {ids}, (logits)), (loss, {ids}, (loss))"
        out = ["// SPDX-License-Identifier: Apache-2.0", *first, "#include <nax/nax.h>", "#include <array>",
               "using namespace nax;", "", *parts[0], ""]
        for part in parts[1:]:
            out += [*part, ""]
        out += [f"NAX_MODEL({name}, Model, {entry});", *self.names_table()]
        return "\n".join(out) + "\n"

    def names_table(self):
        rows = [f'  {{"{p}", "{f}"' + (f', "{a}"' if a else "") + "}" for p, f, a in self.names]
        return [f"NAX_NAMES(reference,", ",\n".join(rows) + ");"]


def c_name(case):
    return case.replace("-", "_")


def write(case, cfg, first=()):
    return Writer(cfg).text(c_name(case), first)


def checked_in(case, cfg):
    return write(case, cfg, [f"// {ABOUT[case]}", "// Written by test/run/model_text.py --update.",
                             "// REQUIRES: lowering, numpy, cpu-v3",
                             f"// RUN: %python %S/../run_case.py --model %s --cases %cases {case}"])


if __name__ == "__main__":
    here = os.path.dirname(os.path.abspath(__file__))
    if sys.argv[1] in ("--update", "--check"):
        for case, (cfg, _) in reference.CASES.items():
            path, text = os.path.join(here, "cases", case + ".cpp"), checked_in(case, cfg)
            if sys.argv[1] == "--update":
                open(path, "w").write(text)
            elif open(path).read() != text:
                sys.exit(f"{case}.cpp is not what model_text.py writes: run model_text.py --update")
    else:
        print(write(sys.argv[1], reference.CASES[sys.argv[1]][0]), end="")
