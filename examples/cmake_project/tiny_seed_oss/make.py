"""Writes a Seed-OSS of 19 KB beside this file, and the digests that loading it must give, worked out with lists.

Needs nothing but Python. All values are small integers, so F16 holds them exactly and nothing is rounded.
"""

import hashlib
import json
import pathlib
import struct

FOLDER = pathlib.Path(__file__).parent
DIM, LAYERS, HEADS, KV_HEADS, HEAD, INTER, VOCAB = 16, 2, 4, 2, 4, 64, 11
CHUNK = 32  # MLP rows and columns are dealt out in chunks of this many


def make_values():
    state = 1
    while True:
        state = (state * 1103515245 + 12345) % 2**31
        yield state // 65536 % 255 - 127


VALUES = make_values()


def matrix(rows, columns):
    return [[next(VALUES) for _ in range(columns)] for _ in range(rows)]


def vector(length):
    return [next(VALUES) for _ in range(length)]


def flat(tensor):
    return [x for row in tensor for x in (row if isinstance(row, list) else [row])]


def to_bytes(tensor):
    return struct.pack(f"<{len(flat(tensor))}e", *flat(tensor))


def make_tensors():
    tensors = {"model.embed_tokens.weight": matrix(VOCAB, DIM), "model.norm.weight": vector(DIM)}
    for i in range(LAYERS):
        for name, rows in (("q", HEADS * HEAD), ("k", KV_HEADS * HEAD), ("v", KV_HEADS * HEAD)):
            tensors[f"model.layers.{i}.self_attn.{name}_proj.weight"] = matrix(rows, DIM)
            tensors[f"model.layers.{i}.self_attn.{name}_proj.bias"] = vector(rows)
        tensors[f"model.layers.{i}.self_attn.o_proj.weight"] = matrix(DIM, HEADS * HEAD)
        tensors[f"model.layers.{i}.mlp.gate_proj.weight"] = matrix(INTER, DIM)
        tensors[f"model.layers.{i}.mlp.up_proj.weight"] = matrix(INTER, DIM)
        tensors[f"model.layers.{i}.mlp.down_proj.weight"] = matrix(DIM, INTER)
        tensors[f"model.layers.{i}.input_layernorm.weight"] = vector(DIM)
        tensors[f"model.layers.{i}.post_attention_layernorm.weight"] = vector(DIM)
    return tensors


def write_checkpoint(tensors):
    header, data = {"__metadata__": {"format": "pt"}}, b""
    for name, tensor in sorted(tensors.items()):
        shape = [len(tensor)] + ([len(tensor[0])] if isinstance(tensor[0], list) else [])
        begin = len(data)
        data += to_bytes(tensor)
        header[name] = {"dtype": "F16", "shape": shape, "data_offsets": [begin, len(data)]}
    text = json.dumps(header).encode()
    (FOLDER / "model.safetensors").write_bytes(struct.pack("<Q", len(text)) + text + data)
    config = {
        "architectures": ["SeedOssForCausalLM"], "dtype": "float16", "head_dim": HEAD, "hidden_size": DIM,
        "intermediate_size": INTER, "max_position_embeddings": 64, "model_type": "seed_oss", "num_attention_heads": HEADS,
        "num_hidden_layers": LAYERS, "num_key_value_heads": KV_HEADS, "tie_word_embeddings": True,
        "vocab_size": VOCAB,
    }
    (FOLDER / "config.json").write_text(json.dumps(config, indent=2) + "\n")


def part(total, rank, ranks, granularity=1):
    """Which of `total` things a rank holds: whole chunks, the first ranks one more."""
    each, more = divmod(total // granularity, ranks)
    first = rank * each + min(rank, more)
    return range(first * granularity, (first + each + (rank < more)) * granularity)


def heads(tensor, which):
    return [row for h in which for row in tensor[h * HEAD:(h + 1) * HEAD]]


def columns(tensor, which):
    return [[row[i] for i in which] for row in tensor]


def expected(tensors, rank, ranks):
    q, kv = part(HEADS, rank, ranks), part(KV_HEADS, rank, ranks)
    inter = part(INTER, rank, ranks, CHUNK)
    for i in range(LAYERS):
        def get(name):
            return tensors[f"model.layers.{i}.{name}"]

        for kind, short in (("weight", "w"), ("bias", "b")):
            fused = [heads(get(f"self_attn.{x}_proj.{kind}"), mine) for x, mine in (("q", q), ("k", kv), ("v", kv))]
            yield f"transformer_layer_{i}.qkv_{short}", fused[0] + fused[1] + fused[2]
        of_my_heads = [h * HEAD + x for h in q for x in range(HEAD)]
        yield f"transformer_layer_{i}.attn_out_w", columns(get("self_attn.o_proj.weight"), of_my_heads)
        gate, up = get("mlp.gate_proj.weight"), get("mlp.up_proj.weight")
        yield f"transformer_layer_{i}.mlp_1_w", [row for x in inter for row in (gate[x], up[x])]
        yield f"transformer_layer_{i}.mlp_2_w", columns(get("mlp.down_proj.weight"), inter)
        yield f"transformer_layer_{i}.attn_norm_gamma", get("input_layernorm.weight")
        yield f"transformer_layer_{i}.mlp_norm_gamma", get("post_attention_layernorm.weight")
    embedding = tensors["model.embed_tokens.weight"]
    yield "non_transformer.word_emb", embedding
    yield "non_transformer.word_unembed", [embedding[x] for x in part(VOCAB, rank, ranks)]
    yield "non_transformer.final_norm", tensors["model.norm.weight"]


def main():
    tensors = make_tensors()
    write_checkpoint(tensors)
    lines = []
    for ranks in (1, 2):
        for rank in range(ranks):
            for name, tensor in expected(tensors, rank, ranks):
                lines.append(f"{ranks} {rank} {name} sha256:{hashlib.sha256(to_bytes(tensor)).hexdigest()}\n")
    (FOLDER / "expected.txt").write_text("".join(lines))


if __name__ == "__main__":
    main()
