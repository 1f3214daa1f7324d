"""Checkpoints that contradict their config or themselves: one report, exit status 1, and no weights are read."""

import json
import os
import struct
import subprocess
import tempfile
import unittest

from running import BALLAST, document

VOCAB, DIM, INTER, HEADS, HEADS_KV, LAYERS = 65_536, 32, 64, 4, 2, 3
SIZES = {"BF16": 2, "F32": 4, "U8": 1, "U32": 4}
MOST_READ = 1 << 20  # the program's libraries and the header; the embedding alone has four times as much


class Checkpoint:
    """A Llama to be made wrong. Its weights are a hole in a sparse file."""

    def __init__(self):
        self.config = {"model_type": "llama", "hidden_size": DIM, "intermediate_size": INTER, "vocab_size": VOCAB,
                       "num_hidden_layers": LAYERS, "num_attention_heads": HEADS, "num_key_value_heads": HEADS_KV,
                       "tie_word_embeddings": False}
        head = DIM // HEADS
        self.tensors = {}
        self.put("model.embed_tokens", VOCAB, DIM)
        self.put("lm_head", VOCAB, DIM)
        self.put("model.norm", DIM)
        for layer in range(LAYERS):
            prefix = f"model.layers.{layer}."
            self.put(prefix + "self_attn.q_proj", DIM, DIM)
            self.put(prefix + "self_attn.k_proj", HEADS_KV * head, DIM)
            self.put(prefix + "self_attn.v_proj", HEADS_KV * head, DIM)
            self.put(prefix + "self_attn.o_proj", DIM, DIM)
            self.put(prefix + "mlp.gate_proj", INTER, DIM)
            self.put(prefix + "mlp.up_proj", INTER, DIM)
            self.put(prefix + "mlp.down_proj", DIM, INTER)
            self.put(prefix + "input_layernorm", DIM)
            self.put(prefix + "post_attention_layernorm", DIM)

    def put(self, stem, *shape, dtype="BF16"):
        self.put_name(stem + ".weight", *shape, dtype=dtype)

    def put_name(self, name, *shape, dtype="BF16"):
        self.tensors[name] = (dtype, shape)

    def erase(self, part):
        self.tensors = {name: tensor for name, tensor in self.tensors.items() if part not in name}

    def write(self, folder, cut=0):
        header, at = {}, 0
        for name, (dtype, shape) in self.tensors.items():
            size = SIZES[dtype]
            for extent in shape:
                size *= extent
            header[name] = {"dtype": dtype, "shape": shape, "data_offsets": [at, at + size]}
            at += size
        text = json.dumps(header).encode()
        with open(f"{folder}/model.safetensors", "wb") as file:
            file.write(struct.pack("<Q", len(text)) + text)
            file.truncate(8 + len(text) + at - cut)
        with open(f"{folder}/config.json", "w", encoding="utf-8") as file:
            json.dump(self.config, file)


def run_counting(*arguments):
    """Exit status, both outputs, and how many bytes the process read in all."""
    process = subprocess.Popen([BALLAST, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    stdout, stderr = process.stdout.read(), process.stderr.read()
    os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)  # it has ended, and its counters are still there
    with open(f"/proc/{process.pid}/io", encoding="ascii") as file:
        counters = dict(line.split(": ") for line in file)
    status = process.wait()
    process.stdout.close()
    process.stderr.close()
    return status, stdout, stderr, int(counters["rchar"])


class BadInput(unittest.TestCase):
    def setUp(self):
        self.checkpoint = Checkpoint()
        self.folder = self.enterContext(tempfile.TemporaryDirectory())

    def refused(self, total, *wanted, cut=0, commands=("check", "plan", "load")):
        """Each of `wanted` is a code and what its diagnostic must mention."""
        self.checkpoint.write(self.folder, cut)
        for command in commands:
            with self.subTest(command):
                status, stdout, stderr, read = run_counting(command, self.folder, "--json")
                self.assertEqual(status, 1, stderr)
                self.assertLess(read, MOST_READ)
                error = document(stdout)["error"]
                self.assertEqual(error["total"], total, stderr)
                for code, *parts in wanted:
                    found = [one for one in error["diagnostics"] if one["code"] == code]
                    self.assertTrue(any(all(part in json.dumps(one) for part in parts) for one in found),
                                    f"no {code} with {parts} in\n{stderr}")

    def test_nothing_is_wrong_with_what_is_made_wrong_here(self):
        self.checkpoint.write(self.folder)
        status, _, stderr, read = run_counting("load", self.folder)
        self.assertEqual(status, 0, stderr)
        self.assertGreater(read, MOST_READ)  # so that the counter is known to count
        self.assertEqual(run_counting("check", self.folder)[0], 0)

    def test_heads(self):
        self.checkpoint.config["num_key_value_heads"] = 4
        self.refused(1, ("shape_mismatch", "qkv_w", "num_key_value_heads", "transformer_layer_{0..2}"))

    def test_fewer_layers(self):
        self.checkpoint.config["num_hidden_layers"] = 1
        self.refused(1, ("layer_index_out_of_range", "model.layers.{1..2}.*"))

    def test_more_layers(self):
        self.checkpoint.config["num_hidden_layers"] = 5
        self.refused(9, ("dependency_missing", "model.layers.{3..4}.mlp.up_proj.weight", "the checkpoint 3"))

    def test_vocabulary(self):
        self.checkpoint.config["vocab_size"] = VOCAB + 1
        self.refused(2, ("shape_mismatch", "word_emb", "vocab_size"), ("shape_mismatch", "word_unembed", "vocab_size"))

    def test_layer_missing_in_the_middle(self):
        self.checkpoint.erase(".layers.1.")
        self.refused(9, ("dependency_missing", "model.layers.1.mlp.up_proj.weight", "nothing of this layer is there"))

    def test_tensor_of_another_shape(self):
        self.checkpoint.put("model.layers.1.mlp.down_proj", DIM, INTER - 1)
        self.refused(1, ("shape_mismatch", "mlp_2_w", "transformer_layer_1", "[32, 63]"))

    def test_tensor_of_another_dtype(self):
        self.checkpoint.put("model.layers.1.self_attn.k_proj", 16, DIM, dtype="F32")
        self.refused(1, ("dtype_mismatch", "qkv_w", "transformer_layer_1"))

    def test_transposed_tensor(self):
        self.checkpoint.put("model.layers.1.mlp.down_proj", INTER, DIM)
        self.refused(1, ("shape_mismatch", "mlp_2_w", "the tensor is transposed"))

    def test_half_of_a_file(self):
        self.refused(1, ("extent_out_of_file", "an incomplete download"), cut=DIM * 2)

    def test_several_at_once(self):
        self.checkpoint.config["num_key_value_heads"] = 1
        self.checkpoint.erase("layers.1.mlp.up_proj")
        self.checkpoint.put("model.layers.0.self_attn.q_norm", 8)
        self.checkpoint.put("model.layers.2.mlp.down_proj", INTER, DIM)
        self.refused(4, ("name_unclaimed", "q_norm"), ("dependency_missing", "mlp.up_proj"),
                     ("shape_mismatch", "qkv_w", "num_key_value_heads"), ("shape_mismatch", "mlp_2_w", "transposed"))

    def test_another_architecture(self):
        self.checkpoint.config["model_type"] = "bert"
        self.checkpoint.write(self.folder)
        status, _, stderr, read = run_counting("check", self.folder)
        self.assertEqual(status, 1)
        self.assertLess(read, MOST_READ)
        self.assertIn("the names look like those of 'llama'", stderr.splitlines()[0])

    def test_quantised_by_config(self):
        self.checkpoint.config["quantization_config"] = {"quant_method": "awq", "bits": 4}
        self.refused(1, ("quantised_checkpoint", "'awq'", "4 bits"))

    def test_quantised_by_companions(self):
        self.checkpoint.put_name("model.layers.0.mlp.up_proj.weight_scale_inv", 1, dtype="F32")
        self.refused(1, ("companion_unclaimed", "FP8 blocks"))

    def test_quantised_by_dtype(self):
        for layer in range(LAYERS):
            self.checkpoint.put(f"model.layers.{layer}.mlp.down_proj", DIM, INTER, dtype="U8")
        self.refused(1, ("quantised_checkpoint", "mlp_2_w", "U8", "transformer_layer_{0..2}"))


if __name__ == "__main__":
    unittest.main()
