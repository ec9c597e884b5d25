/* SPDX-License-Identifier: Apache-2.0 */
/* Byte-pair merging of one piece: of all neighbours that may become one, those of the lowest rank go first, the
   leftmost of equals before the others. A heap keeps a piece of n bytes at n log n, since a piece may be a megabyte
   of letters without a space. */
#include "tokenizer.h"

#include <string.h>

/* A place of the chain of tokens that the piece consists of at the moment. */
typedef struct Link {
  int32_t id;             /* -1: swallowed by the link before it */
  int32_t previous, next; /* -1: none */
} Link;

/* Neighbours that could be merged when this was noted; stale when one of them has changed since. */
typedef struct Candidate {
  int32_t rank, left;
  int32_t left_id, right_id;
} Candidate;

typedef struct Heap {
  Candidate *items;
  int64_t count;
} Heap;

static bool goes_first(Candidate a, Candidate b) { return a.rank != b.rank ? a.rank < b.rank : a.left < b.left; }

static void push(Heap *heap, Candidate item) {
  int64_t at = heap->count++;
  while (at > 0 && goes_first(item, heap->items[(at - 1) / 2])) {
    heap->items[at] = heap->items[(at - 1) / 2];
    at = (at - 1) / 2;
  }
  heap->items[at] = item;
}

static Candidate pop(Heap *heap) {
  Candidate first = heap->items[0], last = heap->items[--heap->count];
  int64_t at = 0;
  for (;;) {
    int64_t child = 2 * at + 1;
    if (child + 1 < heap->count && goes_first(heap->items[child + 1], heap->items[child]))
      ++child;
    if (child >= heap->count || !goes_first(heap->items[child], last))
      break;
    heap->items[at] = heap->items[child];
    at = child;
  }
  heap->items[at] = last;
  return first;
}

static void note(const nax_tokenizer *tokenizer, Heap *heap, const Link *links, int32_t left) {
  if (left < 0 || links[left].next < 0)
    return;
  int32_t left_id = links[left].id, right_id = links[links[left].next].id;
  const naxtext_merge *merge = naxtext_find_merge(tokenizer, left_id, right_id);
  if (merge)
    push(heap, (Candidate){merge->rank, left, left_id, right_id});
}

static nax_status need_scratch(naxtext_encoder *encoder, int64_t bytes) {
  if (bytes <= encoder->scratch_bytes)
    return NAX_OK;
  naxrt_release(&encoder->context->hooks, encoder->scratch, encoder->scratch_bytes);
  encoder->scratch_bytes = 0;
  encoder->scratch = naxrt_allocate(encoder->context, bytes, "the tokens of a text");
  if (!encoder->scratch)
    return NAX_E_MEMORY;
  encoder->scratch_bytes = bytes;
  return NAX_OK;
}

nax_status naxtext_encode_piece(naxtext_encoder *encoder, const unsigned char *piece, int64_t length) {
  const nax_tokenizer *tokenizer = encoder->tokenizer;
  if (length == 1) {
    naxtext_append(encoder, tokenizer->byte_ids[*piece]);
    return NAX_OK;
  }

  // length - 1 candidates at first; each of at most length - 1 merges adds two.
  int64_t candidates = 3 * length;
  nax_status status = need_scratch(encoder, length * (int64_t)sizeof(Link) + candidates * (int64_t)sizeof(Candidate));
  if (status != NAX_OK)
    return status;
  Heap heap = {encoder->scratch, 0};
  Link *links = (Link *)(heap.items + candidates);

  for (int64_t i = 0; i < length; ++i)
    links[i] = (Link){tokenizer->byte_ids[piece[i]], (int32_t)i - 1, i + 1 < length ? (int32_t)i + 1 : -1};
  for (int64_t i = 0; i + 1 < length; ++i)
    note(tokenizer, &heap, links, (int32_t)i);

  while (heap.count > 0) {
    Candidate best = pop(&heap);
    Link *left = &links[best.left];
    if (left->id != best.left_id || left->next < 0 || links[left->next].id != best.right_id)
      continue;
    Link *right = &links[left->next];
    left->id = naxtext_find_merge(tokenizer, best.left_id, best.right_id)->result;
    left->next = right->next;
    right->id = -1;
    if (left->next >= 0)
      links[left->next].previous = best.left;
    note(tokenizer, &heap, links, left->previous);
    note(tokenizer, &heap, links, best.left);
  }

  for (int32_t i = 0; i >= 0; i = links[i].next)
    naxtext_append(encoder, links[i].id);
  return NAX_OK;
}
