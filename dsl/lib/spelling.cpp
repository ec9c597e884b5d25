// SPDX-License-Identifier: Apache-2.0
#include "spelling.h"
#include <cctype>
#include <charconv>

namespace nax::trace {

std::string identifier(std::string_view text) {
  std::string name;
  for (char c : text) name += std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
  if (name.empty() || std::isdigit(static_cast<unsigned char>(name[0]))) name = "_" + name;
  return name;
}

std::string Spelling::alias(std::string const& wanted) {
  std::string name = "#" + identifier(wanted);
  for (int i = 1; !taken.insert(name).second; ++i) name = "#" + identifier(wanted) + "_" + std::to_string(i);
  return name;
}

// One name, one declaration: in the IR an axis is its name.
void Spelling::declare(rule::Ax a) {
  // Every description in a trace was made from a C++ type.
  auto const* axis = static_cast<DeclaredAxis const*>(a);
  auto [found, isNew] = declared.try_emplace(axis->name, axis);
  DeclaredAxis const* other = found->second;
  if (isNew || other == axis) return;
  fail(model, std::string(rule::two_axes(other, other->type, axis, axis->type).view()));
}

std::string Spelling::axis(rule::Ax a) {
  if (auto found = axis_names.find(a); found != axis_names.end()) return found->second;
  std::string text = "#nax.axis<";
  std::string wanted(a->name);
  switch (a->kind) {
  case rule::Kind::read:
    text += "read " + axis(a->of);
    wanted = "Read" + wanted;
    break;
  case rule::Kind::next:
    text += "next " + axis(a->of);
    wanted = "Next" + wanted;
    break;
  case rule::Kind::product:
  case rule::Kind::concat:
    declare(a);
    text += quoted(a->name) + " = ";
    for (int i = 0; i < a->nparts; ++i) {
      if (i) text += a->kind == rule::Kind::concat ? " + " : " * ";
      text += axis(a->parts[i]);
    }
    break;
  default:
    declare(a);
    text += quoted(a->name);
    if (a->kind == rule::Kind::positions) text += ", positions";
    if (a->kind == rule::Kind::causal) text += ", causal";
    if (a->size != dynamic_size) text += ", " + std::to_string(a->size);
    if (a->data == rule::Data::ragged) text += ", ragged";
    if (a->data == rule::Data::packed) text += ", packed";
    if (a->data == rule::Data::left_padded) text += ", left_padded";
  }
  std::string name = alias(wanted);
  lines += name + " = " + text + ">\n";
  return axis_names[a] = name;
}

std::string Spelling::axes(std::vector<rule::Ax> const& as) {
  std::string text = "[";
  for (rule::Ax a : as) text += (text.size() > 1 ? ", " : "") + axis(a);
  return text + "]";
}

std::string Spelling::rope(Rope const& r) {
  for (auto const& [known, name] : rope_names)
    if (known == r) return name;
  std::string name = alias("rope");
  lines += name + " = #nax.rope<base = " + number(r.base) +
           ", pairing = " + (r.pairing == Rope::halves ? "halves" : "interleaved") +
           ", scaling = " + number(r.scaling) + ", dims = " + std::to_string(r.dims) + ">\n";
  rope_names.push_back({r, name});
  return name;
}

std::string Spelling::type(rule::Ten t) {
  std::string text = "!nax.tensor<" + axes({t.begin(), t.end()}) + ", ";
  text += t.number == "boolean" ? "i1" : std::string(t.number);
  switch (t.is) {
  case rule::Is::number:
  case rule::Is::boolean:
  case rule::Is::none: break;
  case rule::Is::ids: text += ", ids<" + axis(t.a) + ">"; break;
  case rule::Is::rotated: text += ", rotated<" + axis(t.a) + ", " + axis(t.b) + ", " + rope(t.rope) + ">"; break;
  case rule::Is::scores:
    text += ", scores<" + axis(t.a) + ", " + axis(t.b);
    if (t.state & rule::capped) text += ", capped";
    if (t.state & rule::biased) text += ", biased";
    if (t.state & rule::masked) text += ", masked";
    if (t.state & rule::causally) text += ", causally";
    text += ">";
    break;
  case rule::Is::weights: text += ", weights<" + axis(t.a) + ">"; break;
  case rule::Is::logits: text += ", logits<" + axis(t.a) + ">"; break;
  case rule::Is::losses: text += ", losses<" + axis(t.a) + ">"; break;
  case rule::Is::mask: text += ", mask<" + (t.a ? axis(t.a) : "every") + ", " + axis(t.b) + ">"; break;
  }
  if (t.whole) text += ", whole " + axis(t.whole);
  return text + ">";
}

std::string Spelling::attr(OwnedAttr const& a) {
  switch (a.is) {
  case Attr::Is::axis: return a.key + " = " + axis(a.axes[0]);
  case Attr::Is::axes: return a.key + " = " + axes(a.axes);
  case Attr::Is::number: return a.key + " = " + number(a.number) + " : f64";
  case Attr::Is::integer: return a.key + " = " + std::to_string(a.integer) + " : i64";
  case Attr::Is::rope: return a.key + " = " + rope(a.rope);
  case Attr::Is::flag: break;
  }
  return a.key;
}

std::string Spelling::location(Site at) {
  if (!at.line()) return " loc(unknown)";
  return " loc(" + quoted(at.file_name()) + ":" + std::to_string(at.line()) + ":" + std::to_string(at.column()) + ")";
}

std::string Spelling::quoted(std::string_view text) {
  std::string out = "\"";
  constexpr char digits[] = "0123456789ABCDEF";
  for (unsigned char c : text) {
    if (c >= 32 && c < 127 && c != '"' && c != '\\')
      out += static_cast<char>(c);
    else
      out += {'\\', digits[c / 16], digits[c % 16]};
  }
  return out + "\"";
}

// The shortest text that is read back as the same number; MLIR wants a point in it.
std::string Spelling::number(double v) {
  char text[40];
  char* end = std::to_chars(text, text + sizeof text, v, std::chars_format::scientific).ptr;
  std::string out(text, end);
  if (out.find('.') == std::string::npos) out.insert(out.find('e'), ".0");
  return out;
}

} // namespace nax::trace
