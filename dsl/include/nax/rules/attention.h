// SPDX-License-Identifier: Apache-2.0
// read, scores, what may be done to scores and in which order, softmax, rope.
#pragma once
#include "nax/rules/common.h"

namespace nax::rule {

constexpr Text read(Ax t, Ten x) {
  if (x.is == Is::scores || x.is == Is::weights || x.is == Is::mask)
    return say(0, "read<", t, ">: ", x, " is already about what is read; read keys and values: read<", t, ">(k)");
  if (Text e = axis("read", t, x)) return e;
  if (!sequence(t)) return say(4, "read<", t, ">: ", t, " is not a sequence; only Positions and Causal axes are read");
  if (reader_of(x, t)) return say(11, "read<", t, ">: ", x, " stands on ", ReadOf{t}, " already");
  return {};
}

// Rules 8 and 5: the key has an axis `a`, be it heads, that the query lacks.
constexpr Text key_heads(Ax d, Ax a, Ten q, Ten k) {
  Text t = words("scores<", d, ">: the key ", k, " has ", a, " but the query ", q, " has not");
  if (Ax whole = inside(q, a)) return coded(8, t << ": write split<" << whole << ">(q) first");
  if (factors_in(q, a)) return coded(8, t << ", being split: write split<" << a << ">(k)");
  if (Ax h = reordered_in(q, a)) return other_order("scores", h, q, a, k);
  for (int i = 0; i < a->nparts; ++i)
    if (has(q, a->parts[i]))
      return coded(8, t << ": " << composition(a) << " would be more heads of keys than of queries");
  for (Ax h : q)
    if (!has(k, h) && h->size >= 0 && a->size >= 0 && !along_sequence(h) && !along_sequence(a)) {
      if (h->size < a->size) continue; // no heads in groups
      if (h->size % a->size) return coded(8, t << ", and " << sized(h) << " is no multiple of " << sized(a));
      return coded(8, t << "; " << h << " comes in groups: struct " << h << " : Product<\"" << h << "\", " << a
                        << ", G> {}, then split<" << h << ">(q)");
    }
  t << "; spread<" << a << ">(q) asks with each";
  return coded(5, a->size < 0 ? t
                              : t << ", or queries come in groups: struct Q : Product<\"Q\", " << a << ", "
                                  << (a->name == "G" ? "R" : "G") << "> {}");
}
constexpr Text scores(Ax d, Ten q, Ten k) {
  string_view op = "scores";
  for (TensorInfo const* z : {&q, &k})
    if (z->is != Is::rotated)
      if (Text t = reals(op, *z)) return t;
  for (TensorInfo const* z : {&q, &k})
    if (Text t = axis(op, d, *z)) {
      Ten other = z == &q ? k : q;
      Ax both = matched(q, k);
      if (!has(other, d) || !both || absent_code(d, *z) != 1) return t;
      return coded(3, absent(op, d, *z) << ", only " << other << " has it: write scores<" << both << ">(q, k)");
    }
  if (along_sequence(d))
    return say(9, "scores<", d, ">: ", d, " is a sequence; queries and keys match over their features");
  bool key_asks = !read_axis(q, k) && query_axis(k, q);
  for (Ax a : q)
    if (reads(a) && key_asks)
      return say(4, "scores<", d, ">: the query ", q, " is read and the key ", k,
                 " is not; the operands are swapped: scores<", d, ">(q, read<", a->of, ">(k))");
  for (Ax a : q)
    if (reads(a))
      return say(4, "scores<", d, ">: the query ", q, " stands on ", a, "; the one who asks stands on ", a->of);
  // Positions that neither side reads (a grid's other direction) are shared; one side must be read.
  if (!read_axis(q, k))
    for (Ax a : k)
      if (sequence(a))
        return say(4, "scores<", d, ">: the key ", k, " stands on ", a,
                   has(q, a) ? ", as the query does (only each position with itself would meet)" : "",
                   "; keys are read: write scores<", d, ">(q, read<", a, ">(k))");
  Ax Q = query_axis(q, k), K = read_axis(q, k);
  if (!Q) return say(4, "scores<", d, ">: the query ", q, " must have exactly one sequence axis that ", k, " has not");
  if (!K) return say(4, "scores<", d, ">: the key ", k, " must have exactly one axis being read");
  for (Ax a : k) {
    if (a == K || has(q, a)) continue;
    if (Ax b = twin(q, a))
      return say(2, "scores<", d, ">: ", a, " of ", k, " and ", b, " of ", q,
                 " are two declarations of one name; use one, or give them two names");
    return key_heads(d, a, q, k);
  }
  if (q.is != k.is) {
    bool query = q.is == Is::rotated;
    return say(34, "scores<", d, ">: the ", query ? "query " : "key ", query ? q : k, " but the ",
               query ? "key " : "query ", query ? k : q, " is not; rotate both with the same rope");
  }
  for (TensorInfo const* z : {&q, &k})
    if (z->is == Is::rotated && z->b != d)
      return say(31, "scores<", d, ">: ", *z, " was rotated over ", z->b, ", and matches over ", d,
                 "; rotation goes over the features that match: rope<", base(z->a), ",", d, ">");
  if (q.is == Is::rotated)
    if (string_view differs = rotated_apart(q, k); !differs.empty())
      return say(34, "scores<", d, ">: query ", q, " and key ", k, " were rotated differently (", differs,
                 "); use one Rope for both");
  if (q.is == Is::rotated && (q.a != Q || base(k.a) != K->of))
    return say(34, "scores<", d, ">: ", q, " or ", k, " was rotated by other positions than it asks or is read by");
  if (K->of != Q && K->of->name == Q->name)
    return say(2, "scores<", d, ">: ", Q, " of ", q, " and ", K, " of ", k,
               " are two declarations of one name; use one, or give them two names");
  if (K->of != Q && causal(K))
    return say(30, "scores<", d, ">: ", Q, " reads the other causal sequence ", K->of,
               " and nothing says how their positions align; declare ", K->of,
               " as Positions if all of it may be read");
  if (K->of != Q && K->of->data == Data::packed)
    return say(29, "scores<", d, ">: ", Q, " reads the packed ", K->of,
               " and nothing says which document each of its positions is in; declare ", K->of,
               " as Ragged, one document a row");
  if (K->of != Q && q.is == Is::rotated)
    return say(38, "scores<", d, ">: ", Q, " and ", K->of, " both count from 0 in rope, and nothing says how far ", Q,
               " is from ", K->of, "; rotate and read one sequence, or neither");
  if (Text t = same_number(op, q, k)) return t;
  return meet(op, q, k);
}

// softcap, bias, alibi, causal_mask and mask work on scores.
constexpr Text on_scores(string_view op, string_view more, Ten s, int after_softmax) {
  switch (s.is) {
  case Is::scores: return {};
  case Is::weights:
    return say(after_softmax, op, ": ", s, " are weights already; ", op, " works on scores: put it before softmax<",
               s.a, ">");
  case Is::mask:
  case Is::boolean: return say(18, op, ": ", s, " is a mask, not scores, which come first: mask(scores, m)");
  case Is::logits:
    return say(42, op, ": ", s, " are logits, not scores",
               op == "softcap" ? "; they are capped by tanh(x / cap) * cap" : "");
  default:
    return say(16, op, ": ", s, " are not scores, which have their scale: write ", op, "(scores<D>(q, read<T>(k))",
               more, ")");
  }
}
constexpr Text softcap(Ten s) {
  if (Text t = on_scores("softcap", ", cap", s, 15)) return t;
  if (s.state & masked)
    return say(15, "softcap: ", s,
               " are masked already, and capping would let blocked positions back in; cap before the mask");
  if (s.state & biased) return say(15, "softcap: ", s, " have their bias already; cap before the bias");
  if (s.state & capped) return say(15, "softcap: ", s, " are capped already");
  return {};
}
constexpr Text bias(Ten s, Ten b) {
  if (Text t = on_scores("bias", ", b", s, 21)) return t;
  if (b.is == Is::boolean || b.is == Is::mask)
    return say(18, "bias: ", b, " is a mask, not numbers to add; write mask(scores, ",
               b.is == Is::mask ? "m)" : "allowed_where_true(m))");
  if (b.is == Is::scores && b.state & masked)
    return say(18, "bias: ", b, " are scores with their mask, not numbers to add; the mask goes around: ",
               b.state & causally ? "causal_mask(bias(scores, b))" : "mask(bias(scores, b), m)");
  if (b.is == Is::scores)
    return say(18, "bias: ", b, " are scores, not numbers to add; take them as numbers with .values()");
  if (Text t = values("bias", b)) return t;
  if (b.number == "i32" || b.number == "i64")
    return say(
        18, "bias: ", b, " of ", b.number,
        " are whole numbers; if they say what may be read, write mask(scores, allowed_where_true(to<boolean>(m)))");
  if (s.state & masked) return say(15, "bias: ", s, " are masked already; add the bias before the mask");
  if (s.state & biased) return say(15, "bias: ", s, " have a bias already; add the two before: bias(scores, b + c)");
  for (Ax a : b)
    if (!has(s, a)) {
      if (Ax o = twin(s, a))
        return say(2, "bias: ", a, " of ", b, " and ", o, " of ", s, " are two declarations of one name; use one");
      return say(5, "bias: ", b, " has ", a, ", which ", s, " has not");
    }
  if (Text t = same_number("bias", s, b)) return t;
  return taint("bias", s, b);
}
constexpr Text alibi(Ax const* heads, int n, Ten s) {
  if (Text t = on_scores("alibi", "", s, 21)) return t;
  if (n == 0) return say(10, "alibi: say the axis of the heads, each of which has its slope: alibi<H>(scores)");
  if (Text t = named_twice("alibi", heads, n)) return t;
  for (int i = 0; i < n; ++i) {
    if (Text t = axis("alibi", heads[i], s)) return t;
    if (heads[i] == s.a || heads[i] == s.b || along_sequence(heads[i]))
      return say(31, "alibi<", heads[i], ">: ", heads[i], " of ", s, " is a sequence; each head has its slope");
    if (heads[i]->size < 0)
      return say(31, "alibi<", heads[i], ">: ", heads[i], " has no fixed size; slopes need the number of heads");
  }
  if (s.b->of != s.a)
    return say(30, "alibi: ", s, " reads ", s.b->of, " from ", s.a, ": two sequences have no distance between them");
  if (s.state & masked) return say(15, "alibi: ", s, " are masked already; add the bias before the mask");
  if (s.state & biased) return say(15, "alibi: ", s, " have a bias already");
  return {};
}
constexpr Text causal_mask(Ten s) {
  if (Text t = on_scores("causal_mask", "", s, 14)) return t;
  if (s.state & causally) return say(15, "causal_mask: ", s, " are causally masked already; once is enough");
  if (s.b->of != s.a)
    return say(30, "causal_mask: ", s, " reads ", s.b->of, " from ", s.a,
               ": two sequences have no order between them; for padding write mask(scores, shorter_than<", s.b->of,
               ">(lengths))");
  if (!causal(s.a))
    return say(30, "causal_mask: ", s.a, " of ", s, " is declared Positions (all may read all); declare struct ", s.a,
               " : Causal<\"", s.a, "\"> {}");
  return {};
}
constexpr Text mask(Ten s, Ten m) {
  if (Text t = on_scores("mask", ", m", s, 14)) return t;
  if (m.is == Is::boolean)
    return say(17, "mask: ", m, " does not say what true means; write allowed_where_true(m) or blocked_where_true(m)");
  if (m.is == Is::number || m.is == Is::ids)
    return say(18, "mask: ", m, " of ", m.number,
               " are numbers, not a mask; added numbers are bias(scores, b), a mask is a Mask<Q,K>");
  if (m.is == Is::scores)
    return say(18, "mask: ", m, " are scores, not a mask; causal_mask(scores) and mask(scores, m) give masked scores");
  if (m.is != Is::mask)
    return say(18, "mask: ", m,
               " is not a mask; build one: window<T>(n), shorter_than<T>(lengths), allowed_where_true(m)");
  if (m.b != s.b && base(m.b)->name == base(s.b)->name && base(m.b) != base(s.b))
    return say(2, "mask: ", m.b, " of ", m, " and ", s.b, " of ", s, " are two declarations of one name; use one");
  if (m.b != s.b) {
    if (m.a && m.a == s.a && m.b->of == s.a)
      return say(20, "mask: ", m, " is for ", m.a, " reading itself, but ", s, " reads ", s.b->of,
                 "; two sequences have no distance between them");
    if (m.b == s.a || m.b->of == s.a)
      return say(19, "mask: ", m, " is about the querying ", s.a, "; padding hides what is read: build it on ", s.b);
    return say(20, "mask: ", m, " is about ", m.b, ", but ", s, " reads ", s.b);
  }
  if (m.a && m.a != s.a) return say(20, "mask: ", m, " is for queries on ", m.a, ", but in ", s, " ", s.a, " asks");
  for (Ax a : m)
    if (!has(s, a)) {
      if (Ax o = twin(s, a))
        return say(2, "mask: ", a, " of ", m, " and ", o, " of ", s, " are two declarations of one name; use one");
      return say(5, "mask: ", m, " has ", a, ", which ", s, " has not");
    }
  return taint("mask", s, m);
}

// An axis of as many rows as there are when called, such as a batch.
constexpr Ax rows(Ax a) {
  if (a->size >= 0) return nullptr;
  for (int i = 0; i < a->nparts; ++i)
    if (Ax r = rows(a->parts[i])) return r;
  return a->kind == Kind::plain ? a : nullptr;
}
constexpr Text softmax(Ax a, Ten x) {
  if (x.is == Is::weights)
    return say(13, "softmax<", a, ">: ", x, " are weights already (they sum to 1 over ", x.a,
               "); drop the second softmax");
  if (x.is != Is::scores && x.is != Is::logits)
    if (Text t = reals("softmax", x)) return t;
  if (x.is == Is::logits && a != x.a && has(x, a))
    return say(12, "softmax<", a, ">: ", x, " are logits over ", x.a, ": write softmax<", x.a, ">");
  if (x.is == Is::scores) {
    if (a == x.a)
      return say(12, "softmax<", a, ">: ", a, " is the querying axis of ", x,
                 "; each query normalises over the positions it reads: write softmax<", x.b, ">");
    bool elsewhere = along_sequence(a) && !twin(x, a);
    if (Text t = elsewhere ? Text() : axis_of("softmax", a, x))
      return coded(absent_code(a, x), t << "; scores normalise over what is read: write softmax<" << x.b << ">");
    if (a != x.b)
      return say(12, "softmax<", a, ">: ", a, " is not what is being read in ", x,
                 "; each query normalises over the positions it reads: write softmax<", x.b, ">");
    if (causal(a) && !(x.state & causally))
      return say(22, "softmax<", a, ">: ", x, " are not ", x.state & masked ? "causally " : "", "masked, and ", x.a,
                 " is causal: write softmax<", a, ">(causal_mask(scores))");
    return {};
  }
  if (Text t = axis("softmax", a, x)) return t;
  if (a->size == 1) return say(12, "softmax<", a, ">: ", a, " of ", x, " has size 1, so every weight is 1");
  if (Ax r = x.is == Is::number ? rows(a) : nullptr) {
    Ax choice = nullptr;
    int features = 0;
    for (Ax b : x)
      if (b->size > 1 && !along_sequence(b)) choice = b, ++features;
    if (features == 1)
      return say(12, "softmax<", a, ">: ", r, " of ", x, " has no fixed size, as rows of a batch have: write softmax<",
                 choice, ">; declare ", r, " as Positions only if there is a choice among them");
    for (Ax b : x)
      if (b->size >= 0 || along_sequence(b))
        return say(12, "softmax<", a, ">: ", r, " of ", x,
                   " has no fixed size, as rows of a batch have; rows are apart. Declare ", r,
                   " as Positions if there is a choice among them");
  }
  if (base(a)->data == Data::packed)
    return say(29, "softmax<", a, ">: a row of the packed ", base(a),
               " holds several documents, which one softmax would mix; declare ", base(a),
               " as Ragged, one document a row");
  if (causal(a))
    return say(25, "softmax<", a, ">: it would look at every position of the causal ", base(a), " in ", x,
               "; only masked scores may");
  return {};
}

// Rule 38: old and new positions laid one after another, or positions that no declaration calls so.
constexpr Text undeclared_positions(Ax t, Ax d, Ten x) {
  if (t->kind == Kind::concat && t->size < 0)
    return say(38, "rope<", t, ",", d, ">: ", composition(t), " does not say which position each is at; declare one ",
               "sequence, struct ", t, " : Causal<\"", t, "\"> {}, and rotate all of it");
  if (t->size >= 0 || sequence(t) || reads(t)) return {};
  for (Ax a : x)
    if (along_sequence(a)) return {};
  return say(38, "rope<", t, ",", d, ">: ", t, " of ", x, " is not declared to have positions; declare it: struct ", t,
             " : Causal<\"", t, "\"> {} or Positions<\"", t, "\">, with LeftPadded or Packed if its data is");
}
// rope<t, d, r>(x): queries and keys, before scores.
constexpr Text rope(Ax t, Ax d, Ten x, Rope r) {
  if (x.is == Is::rotated) return say(33, "rope<", t, ",", d, ">: ", x, " is rotated already; rotate once");
  if (Text e = reals("rope", x)) return e;
  if (Text e = axis("rope", t, x)) return e;
  if (Text e = axis("rope", d, x)) return e;
  if (Text e = undeclared_positions(t, d, x)) return e;
  if (!sequence(t) && !reads(t))
    return say(31, "rope<", t, ",", d, ">: ", t, " of ", x, " is not a sequence; rotation goes by position: rope<",
               along_sequence(d) ? base(d)->name : "T", ",", along_sequence(d) ? t->name : d->name, ">");
  if (along_sequence(d))
    return say(31, "rope<", t, ",", d, ">: ", d, " is a sequence; the second axis is the features of one head");
  std::int64_t n = r.dims ? r.dims : d->size;
  if (n < 0) return say(32, "rope<", t, ",", d, ">: ", d, " has no fixed size; its rotary size must be known");
  if (n % 2)
    return say(32, "rope<", t, ",", d, ">: the rotary size ", n, " of ", d, " is odd; features rotate in pairs");
  if (n == 0 || n > d->size)
    return say(32, "rope<", t, ",", d, ">: the rotary size ", n, " is larger than ", d, " (", d->size, ")");
  if (!(r.base > 0) || !(r.scaling > 0))
    return say(34, "rope<", t, ",", d, ">: base and scaling of a Rope are positive");
  return {};
}

// What goes into rope is known only while the model runs: see dsl/lib/follow.cpp.
constexpr Text rope_after_table(Ax t, Ax d) {
  return say(36, "rope<", t, ",", d, ">: embed_positions<", base(t),
             "> added the positions already; if both are meant, say so in the Rope: .after_table = true");
}
constexpr Text table_twice(Ax t) {
  return say(36, "embed_positions<", t, ">: embed_positions<", base(t),
             "> added the positions already; add one table, once");
}
constexpr Text placed_twice(string_view op, Ax t) {
  return say(36, op, ": the positions of ", t,
             " come from embed_positions and from rope; if both are meant, say so in ",
             "the Rope: .after_table = true");
}

} // namespace nax::rule
