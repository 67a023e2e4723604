#!/usr/bin/env python3
"""Writes a language model of the architecture "llama" with random weights, as a GGUF file of some hundred kilobytes.

    tiny_model.py FILE [SEED]

It says nothing that makes sense, but it is a model: a server runs it as any other, streams its tokens, and holds it to a grammar once it
begins to call a tool. That it does, and ends, is made likely: the first number of each state is large, and the words that begin a call or
end an answer like it. Its tokens are the 256 bytes, and some words. GGUF: docs/gguf.md of ggml-org/ggml, version 3.
"""
import random
import struct
import sys

ALIGNMENT = 32
WIDTH, HEADS, LAYERS, INNER, CONTEXT = 64, 2, 2, 96, 32768
UINT32, FLOAT32, STRING, ARRAY, INT32 = 4, 6, 8, 9, 5
NORMAL, UNKNOWN, CONTROL, USER, BYTE = 1, 2, 3, 4, 6
BEGIN, END, OPEN, CLOSE = "<|im_start|>", "<|im_end|>", "<tool_call>", "</tool_call>"
# How much more likely than others these words are, as powers of e; and bytes that are no characters of ASCII, which make no text.
LIKED = {OPEN: 5.0, END: 2.5, CLOSE: -20.0}
LIKED.update({f"<0x{byte:02X}>": -20.0 for byte in range(256) if not 0x20 <= byte < 0x7F})
# Calls as the models of Hermes and Qwen write them.
TEMPLATE = """\
{%- if tools %}{{ '<|im_start|>system\\nTools: ' }}{% for tool in tools %}{{ tool | tojson }}{% endfor %}
{{- '\\nCall one so: <tool_call>{"name": NAME, "arguments": OBJECT}</tool_call><|im_end|>\\n' }}{% endif %}
{%- for message in messages %}
{%- if message.role == 'tool' %}{{ '<|im_start|>user\\n<tool_response>\\n' + message.content + '\\n</tool_response><|im_end|>\\n' }}
{%- else %}{{ '<|im_start|>' + message.role + '\\n' }}{% if message.content %}{{ message.content }}{% endif %}
{%- for call in message.tool_calls or [] %}
{{- '<tool_call>{"name": "' + call.function.name + '", "arguments": ' }}{{ call.function.arguments | tojson }}{{ '}</tool_call>' }}
{%- endfor %}{{ '<|im_end|>\\n' }}{% endif %}{% endfor %}
{%- if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}"""


def text(value):
    data = value.encode()
    return struct.pack("<Q", len(data)) + data


def scalar(kind, value):
    if kind == STRING:
        return text(value)
    return struct.pack({UINT32: "<I", FLOAT32: "<f", INT32: "<i"}[kind], value)


def pair(key, kind, value, of=None):
    head = text(key) + struct.pack("<I", kind)
    if kind != ARRAY:
        return head + scalar(kind, value)
    return head + struct.pack("<IQ", of, len(value)) + b"".join(scalar(of, one) for one in value)


def vocabulary():
    rows = [("<unk>", UNKNOWN), ("<s>", CONTROL), ("</s>", CONTROL)]
    rows += [(f"<0x{byte:02X}>", BYTE) for byte in range(256)]
    rows += [(BEGIN, CONTROL), (END, CONTROL), (OPEN, USER), (CLOSE, USER)]
    # SentencePiece's blank, without which no text begins.
    return rows + [("\u2581", NORMAL)]


def metadata(rows):
    return [
        pair("general.architecture", STRING, "llama"), pair("general.name", STRING, "tiny"),
        pair("llama.context_length", UINT32, CONTEXT), pair("llama.embedding_length", UINT32, WIDTH),
        pair("llama.block_count", UINT32, LAYERS), pair("llama.feed_forward_length", UINT32, INNER),
        pair("llama.attention.head_count", UINT32, HEADS), pair("llama.rope.dimension_count", UINT32, WIDTH // HEADS),
        pair("llama.attention.layer_norm_rms_epsilon", FLOAT32, 1e-5), pair("llama.vocab_size", UINT32, len(rows)),
        pair("tokenizer.ggml.model", STRING, "llama"),
        pair("tokenizer.ggml.tokens", ARRAY, [word for word, _ in rows], STRING),
        pair("tokenizer.ggml.scores", ARRAY, [0.0 for _ in rows], FLOAT32),
        pair("tokenizer.ggml.token_type", ARRAY, [kind for _, kind in rows], INT32),
        pair("tokenizer.ggml.unknown_token_id", UINT32, 0), pair("tokenizer.ggml.bos_token_id", UINT32, 1),
        pair("tokenizer.ggml.eos_token_id", UINT32, [word for word, _ in rows].index(END)),
        pair("tokenizer.chat_template", STRING, TEMPLATE),
    ]


def shapes(words):
    """Name and dimensions of each tensor, the fastest first."""
    yield "token_embd.weight", (WIDTH, words)
    for layer in range(LAYERS):
        for name in ("attn_q", "attn_k", "attn_v", "attn_output"):
            yield f"blk.{layer}.{name}.weight", (WIDTH, WIDTH)
        for name in ("ffn_gate", "ffn_up"):
            yield f"blk.{layer}.{name}.weight", (WIDTH, INNER)
        yield f"blk.{layer}.ffn_down.weight", (INNER, WIDTH)
        for name in ("attn_norm", "ffn_norm"):
            yield f"blk.{layer}.{name}.weight", (WIDTH,)
    yield "output_norm.weight", (WIDTH,)
    yield "output.weight", (WIDTH, words)


def main(path, seed):
    dice = random.Random(seed)
    rows = vocabulary()
    infos, data = [], b""
    for name, dimensions in shapes(len(rows)):
        count = 1
        for dimension in dimensions:
            count *= dimension
        values = [1.0] * count if len(dimensions) == 1 else [dice.gauss(0, 0.1) for _ in range(count)]
        if name in ("token_embd.weight", "output.weight"):
            for row, (word, _) in enumerate(rows):
                # After the norm it is about 4.
                if name == "token_embd.weight":
                    values[row * WIDTH] = 4.0
                elif word in LIKED:
                    values[row * WIDTH:(row + 1) * WIDTH] = [LIKED[word] / 4] + [0.0] * (WIDTH - 1)
        infos.append(text(name) + struct.pack("<I", len(dimensions)) + struct.pack(f"<{len(dimensions)}Q", *dimensions)
                     + struct.pack("<IQ", 0, len(data)))
        data += struct.pack(f"<{count}f", *values)
        data += bytes(-len(data) % ALIGNMENT)
    pairs = metadata(rows)
    head = b"GGUF" + struct.pack("<IQQ", 3, len(infos), len(pairs)) + b"".join(pairs) + b"".join(infos)
    with open(path, "wb") as file:
        file.write(head + bytes(-len(head) % ALIGNMENT) + data)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 1)
