// SPDX-License-Identifier: Apache-2.0
// Fills in the letters that are missing from words, all words in one batch whose rows have different lengths.
#include "encoder.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string_view>
#include <vector>

// What the model says about a batch of words.
struct Answer {
  std::int64_t longest = 0;
  std::vector<std::int32_t> letters; // [B,T]
  std::vector<float> vectors;        // [B,C]
};

// Runs both entries, with `padding` behind the end of each row.
static encoder::outcome ask(nax_context *context, const encoder::params &params,
                            const std::vector<std::string_view> &words, std::int32_t padding, Answer &answer) {
  const std::int64_t B = std::ssize(words);
  std::int64_t T = 0;
  std::vector<std::int32_t> lengths; // [B]
  for (std::string_view word : words) {
    lengths.push_back(std::int32_t(word.size()));
    T = std::max(T, std::int64_t(word.size()));
  }
  std::vector<std::int32_t> ids(B * T, padding); // [B,T]
  for (std::int64_t b = 0; b < B; ++b)
    std::transform(words[b].begin(), words[b].end(), ids.begin() + b * T,
                   [](char c) { return c >= 'a' && c <= 'z' ? c - 'a' + 1 : 0; });

  answer = {T, std::vector<std::int32_t>(B * T), std::vector<float>(B * encoder_size_C)};
  encoder::outcome filled = encoder::fill(context, params, {ids, B, T}, {lengths, B}, {answer.letters, B, T});
  return filled ? encoder::pool(context, params, {ids, B, T}, {lengths, B}, {answer.vectors, B}) : filled;
}

// The word with its gaps filled in; a letter that was given stays.
static std::string filled_in(std::string_view word, const std::int32_t *letters) {
  std::string text(word);
  for (std::size_t t = 0; t < word.size(); ++t)
    if (word[t] == '_' && letters[t] != 0)
      text[t] = char('a' + letters[t] - 1);
  return text;
}

static int run(nax_context *context, const char *path, const std::vector<std::string_view> &words) {
  encoder::params params;
  Answer answer, other;
  encoder::outcome outcome = params.open(context, path);
  if (outcome)
    outcome = ask(context, params, words, 0, answer);
  if (outcome)
    outcome = ask(context, params, words, 26, other);
  if (!outcome) {
    std::fprintf(stderr, "%s\n", outcome.message().c_str());
    return 1;
  }

  std::printf("word         filled in    length of its vector\n");
  bool same = answer.vectors == other.vectors;
  for (std::size_t b = 0; b < words.size(); ++b) {
    const std::int32_t *letters = &answer.letters[b * answer.longest];
    same = same && std::equal(letters, letters + words[b].size(), &other.letters[b * answer.longest]);
    float square = 0;
    for (int c = 0; c < encoder_size_C; ++c)
      square += answer.vectors[b * encoder_size_C + c] * answer.vectors[b * encoder_size_C + c];
    std::printf("%-12.*s %-12s %.4f\n", int(words[b].size()), words[b].data(), filled_in(words[b], letters).c_str(),
                std::sqrt(square));
  }
  std::printf("other letters behind the end of a row: %s\n", same ? "the same bits" : "THE ROW CHANGES");
  return 0;
}

int main(int argc, char **argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: 06-encoder encoder.safetensors [WORD...]\n");
    return 2;
  }
  std::vector<std::string_view> words(argv + 2, argv + argc);
  if (words.empty())
    words = {"w_dn_sday", "j_ne", "sep_em_er", "_l_phant", "ten", "or_h_stra", "s_v_nt__n", "g_r_ffe"};
  nax_context *context;
  if (nax_context_create(nullptr, &context)) {
    std::fprintf(stderr, "%s\n", nax_last_error(nullptr));
    return 1;
  }
  int status = run(context, argv[1], words);
  nax_context_destroy(context);
  return status;
}
