# SPDX-License-Identifier: Apache-2.0
# needs: torch==2.15.0 transformers==5.24.0 tokenizers==0.23.3 numpy==2.4.6
"""Vectors of all-MiniLM-L6-v2, made without nax: test/peers/run minilm_embeddings.py FOLDER [OUT]

FOLDER is what examples/09-embeddings/fetch.sh prints. BertModel of transformers reads the same files, computes in
float64, one text at a time so that nothing is padded; then the mean over the tokens, divided by its length. Writes
test/run/minilm/golden.txt, or with OUT the vectors of all texts of wordpiece_strings.py there. Lines of two fields with a
tab between: the text, with the escapes of wordpiece_tokens.py, and its 384 numbers.
"""
import os
import sys

import torch
from tokenizers import Tokenizer
from transformers import BertModel

from text_peers import escaped
from wordpiece_strings import strings
from wordpiece_tokens import SPECIALS, plain_of

TEXTS = [
    "",
    "A",
    "A man is playing a guitar.",
    "Someone plays an instrument",
    "Crème brûlée à l'hôtel in İstanbul",
    "我在北京 and you're in 서울 😀!!!",
    "The 2 Kittens Were Sleeping On The Windowsill, weren't they? " * 4,
    "one two three " * 120,  # longer than the 256 tokens that count
]


def vector(model, tokenizer, text):
    ids = torch.tensor([tokenizer.encode(text).ids])
    with torch.no_grad():
        states = model(input_ids=ids, attention_mask=torch.ones_like(ids), token_type_ids=torch.zeros_like(ids)).last_hidden_state
    return torch.nn.functional.normalize(states.mean(dim=1))[0].tolist()


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit("usage: minilm_embeddings.py FOLDER [OUT]")
    model = BertModel.from_pretrained(sys.argv[1]).double().eval()
    named = Tokenizer.from_file(os.path.join(sys.argv[1], "tokenizer.json"))
    named.no_padding()
    tokenizer = plain_of(named)
    tokenizer.enable_truncation(256)
    golden = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../run/minilm/golden.txt")
    texts = TEXTS if len(sys.argv) == 2 else dict.fromkeys(strings(SPECIALS))
    os.makedirs(os.path.dirname(golden), exist_ok=True)
    with open(golden if len(sys.argv) == 2 else sys.argv[2], "w", encoding="utf-8") as out:
        out.write("# Made by test/peers/minilm_embeddings.py, whose first lines explain the form.\n")
        for text in texts:
            out.write(escaped(text.encode()) + "\t" + " ".join(f"{x:.7f}" for x in vector(model, tokenizer, text)) + "\n")


if __name__ == "__main__":
    main()
