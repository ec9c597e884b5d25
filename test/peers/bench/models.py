# SPDX-License-Identifier: Apache-2.0
"""The two real models that are measured, for any package: `o` has the package's operations, `p` gives it a parameter by
the name that Hugging Face's files have. Weights are [out, in]."""


def minilm(o, p, ids, types):
    """all-MiniLM-L6-v2, [B,T] tokens that all count: one vector a row."""
    norm = lambda x, name: o.layer_norm(x, p(name + ".weight"), p(name + ".bias"), 1e-12)
    dense = lambda x, name: o.linear(x, p(name + ".weight"), p(name + ".bias"))
    x = o.add(o.embed(p("embeddings.word_embeddings.weight"), ids),
              o.embed(p("embeddings.token_type_embeddings.weight"), types))
    x = norm(o.add(x, o.first_rows(p("embeddings.position_embeddings.weight"), ids)), "embeddings.LayerNorm")
    for layer in range(6):
        at = "encoder.layer.%d." % layer
        q, k, v = (dense(x, at + "attention.self." + name) for name in ("query", "key", "value"))
        x = norm(o.add(x, dense(o.attention(q, k, v, 12), at + "attention.output.dense")), at + "attention.output.LayerNorm")
        inner = o.gelu(dense(x, at + "intermediate.dense"))
        x = norm(o.add(x, dense(inner, at + "output.dense")), at + "output.LayerNorm")
    return o.unit(o.mean(x))


def smollm2(o, p, ids):
    """SmolLM2-135M: the logits of the last of [1,T] tokens. `o` knows how many positions there were before."""
    norm = lambda x, name: o.rms_norm(x, p(name + ".weight"), 1e-5)
    dense = lambda x, name: o.linear(x, p(name + ".weight"))
    x = o.embed(p("model.embed_tokens.weight"), ids)
    for layer in range(30):
        at = "model.layers.%d." % layer
        inner = norm(x, at + "input_layernorm")
        q, k, v = (dense(inner, at + "self_attn.%s_proj" % name) for name in "qkv")
        x = o.add(x, dense(o.causal(q, k, v, 9, 3, layer), at + "self_attn.o_proj"))
        inner = norm(x, at + "post_attention_layernorm")
        gate = o.silu(dense(inner, at + "mlp.gate_proj"))
        x = o.add(x, dense(o.mul(gate, dense(inner, at + "mlp.up_proj")), at + "mlp.down_proj"))
    return o.linear(norm(o.last(x), "model.norm"), p("model.embed_tokens.weight"))


def rotary_table(positions, first, numpy):
    """Cosines and sines [positions, 32] of the 64 wide heads, halves of a head being the pairs."""
    angles = (numpy.arange(positions) + first)[:, None] * 100000.0 ** (-numpy.arange(32) / 32)
    return numpy.cos(angles).astype(numpy.float32), numpy.sin(angles).astype(numpy.float32)
