"""--json: one document on standard output, with the keys that docs/cli.md promises."""

import json
import os
import re
import struct
import tempfile
import unittest

from running import FIXTURES, GGUF, LLAMA, OLD_NAMES, SHARDED, CliTest, document, run

LOAD_KEYS = {"model_type", "policy", "properties", "tp_rank", "tp_size", "containers", "skipped", "warnings", "bytes_needed",
             "bytes_read", "bytes_loaded", "arena_bytes", "seconds", "peak_rss"}
ALL_RANKS_KEYS = {"model_type", "policy", "tp_rank", "tp_size", "ranks", "bytes_needed", "bytes_read", "bytes_loaded",
                  "arena_bytes", "seconds", "peak_rss"}
PARAMETER_KEYS = {"name", "dtype", "shape", "strides", "device", "nbytes", "sources", "aux"}


class Json(CliTest):
    def answer(self, *arguments):
        result = run(*arguments, "--json")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(result.stderr, "")
        return document(result.stdout)

    def test_every_command_on_every_checkpoint(self):
        for name in sorted(os.listdir(f"{FIXTURES}/checkpoints")):
            for command in ("inspect", "check", "plan", "load"):
                with self.subTest(f"{command} {name}"):
                    self.answer(command, f"{FIXTURES}/checkpoints/{name}")

    def test_load(self):
        json_of = self.answer("load", SHARDED, "--tp-size", "2", "--tp-rank", "1")
        self.assertEqual(json_of.keys(), LOAD_KEYS)
        self.assertEqual((json_of["model_type"], json_of["policy"]), ("llama", "llama"))
        self.assertEqual((json_of["tp_rank"], json_of["tp_size"]), (1, 2))
        self.assertEqual(json_of["seconds"].keys(), {"open", "bind", "plan", "execute", "total"})
        self.assertEqual(json_of["bytes_read"], json_of["bytes_needed"])
        self.assertGreaterEqual(json_of["arena_bytes"], json_of["bytes_loaded"])
        self.assertGreater(json_of["peak_rss"], json_of["bytes_loaded"])
        names = [container["name"] for container in json_of["containers"]]
        self.assertEqual(names, ["transformer_layer_0", "transformer_layer_1", "non_transformer"])
        for container in json_of["containers"]:
            self.assertEqual(container.keys(), {"name", "parameters"})
            for parameter in container["parameters"]:
                self.assertEqual(parameter.keys(), PARAMETER_KEYS)
        qkv = json_of["containers"][0]["parameters"][0]
        self.assertEqual((qkv["name"], qkv["dtype"], qkv["device"]), ("qkv_w", "bfloat16", "cpu"))
        self.assertEqual(qkv["strides"], [qkv["shape"][1], 1])
        self.assertEqual(qkv["nbytes"], 2 * qkv["shape"][0] * qkv["shape"][1])
        self.assertEqual(qkv["sources"], [f"model.layers.0.self_attn.{x}_proj.weight" for x in "qkv"])

    def test_load_of_all_ranks(self):
        json_of = self.answer("load", SHARDED, "--tp-size", "4", "--tp-rank", "all")
        self.assertEqual(json_of.keys(), ALL_RANKS_KEYS)
        self.assertEqual((json_of["tp_rank"], json_of["tp_size"]), ("all", 4))
        self.assertEqual([rank["tp_rank"] for rank in json_of["ranks"]], [0, 1, 2, 3])
        self.assertEqual(json_of["bytes_read"], json_of["bytes_needed"])
        for key in ("bytes_loaded", "arena_bytes"):
            self.assertEqual(json_of[key], sum(rank[key] for rank in json_of["ranks"]))
        for number, rank in enumerate(json_of["ranks"]):
            self.assertEqual(rank.keys(), LOAD_KEYS - {"bytes_read", "seconds", "peak_rss"})
            alone = self.answer("load", SHARDED, "--tp-size", "4", "--tp-rank", str(number))
            self.assertEqual(rank, {key: alone[key] for key in rank})
        self.assertLess(json_of["bytes_needed"], sum(rank["bytes_needed"] for rank in json_of["ranks"]))

    def test_all_ranks_of_one(self):
        json_of = self.answer("load", LLAMA, "--tp-rank", "all", "--digest")
        self.assertEqual(json_of.keys(), ALL_RANKS_KEYS)
        self.assertEqual(json_of["ranks"][0]["containers"], self.answer("load", LLAMA, "--digest")["containers"])

    def test_digests_only_when_asked_for(self):
        parameters = self.answer("load", LLAMA, "--digest")["containers"][0]["parameters"]
        for parameter in parameters:
            self.assertEqual(parameter.keys(), PARAMETER_KEYS | {"digest"})
            self.assertRegex(parameter["digest"], r"\Asha256:[0-9a-f]{64}\Z")

    def test_a_parameter_of_another_rank_is_null(self):
        parameters = self.answer("load", f"{FIXTURES}/checkpoints/bert_f32", "--tp-size", "2", "--tp-rank", "1")[
            "containers"][0]["parameters"]
        bias = next(parameter for parameter in parameters if parameter["name"] == "attn_out_b")
        self.assertEqual(bias.keys(), {"name", "tensor", "sources", "aux"})
        self.assertIsNone(bias["tensor"])

    def test_skipped_names_are_listed(self):
        skipped = self.answer("load", OLD_NAMES)["skipped"]
        self.assertEqual(skipped, self.answer("check", OLD_NAMES)["skipped"])
        self.assertTrue(all(re.search(r"inv_freq$", name) for name in skipped), skipped)
        self.assertEqual(len(skipped), 2)

    def test_threads_do_not_change_the_result(self):
        one, many = (self.answer("load", GGUF, "--digest", "--threads", n)["containers"] for n in ("1", "7"))
        self.assertEqual(one, many)

    def test_inspect(self):
        json_of = self.answer("inspect", SHARDED)
        self.assertEqual(json_of.keys(), {"path", "config", "files", "tensors", "totals", "unindexed"})
        self.assertEqual([file.keys() for file in json_of["files"]],
                         [{"path", "format", "file_bytes", "header_bytes", "metadata"}] * 3)
        self.assertEqual(json_of["tensors"][0].keys(), {"name", "dtype", "shape", "nbytes", "file", "offset"})
        self.assertEqual(json_of["totals"]["tensors"], len(json_of["tensors"]))
        self.assertEqual(json_of["totals"]["bytes"], sum(tensor["nbytes"] for tensor in json_of["tensors"]))
        self.assertEqual(json_of["config"]["n_layers"], 2)

    def test_check(self):
        json_of = self.answer("check", SHARDED, "--tp-size", "2")
        self.assertEqual(json_of.keys(), {"path", "model_type", "policy", "tp_size", "tensors", "ranks", "skipped"})
        self.assertEqual([rank["tp_rank"] for rank in json_of["ranks"]], [0, 1])
        self.assertEqual(json_of["ranks"][0].keys(),
                         {"tp_rank", "parameters", "arena_bytes", "bytes_needed", "bytes_placed"})

    def test_plan_agrees_with_load(self):
        plan, load = self.answer("plan", GGUF, "--all"), self.answer("load", GGUF)
        for key in ("bytes_needed", "arena_bytes", "skipped", "policy"):
            self.assertEqual(plan[key], load[key])
        self.assertEqual(plan["bytes_placed"], load["bytes_loaded"])
        self.assertEqual(plan["bytes_direct"] + plan["bytes_staged"], plan["bytes_needed"])
        self.assertEqual(len(plan["copies"]), plan["n_copies"])
        self.assertNotIn("copies", self.answer("plan", GGUF))

    def test_models(self):
        policies = self.answer("models")["policies"]
        names = [policy["name"] for policy in policies]
        self.assertEqual(len(names), len(set(names)))
        self.assertLessEqual({"llama", "mixtral", "deepseek_v3", "bert"}, set(names))
        self.assertEqual(policies[0].keys(), {"name", "model_types", "architectures", "containers"})
        containers = {container["name"]: container for container in policies[0]["containers"]}
        self.assertEqual(containers.keys(), {"LlamaLayer", "MixtralLayer", "DecoderNonTransformer"})
        qkv = containers["LlamaLayer"]["parameters"][0]
        self.assertEqual((qkv["name"], qkv["type"]), ("qkv_w", "LlamaQkv"))
        self.assertEqual(qkv["dependencies"][0], {"name": "q_params", "kind": "single"})

    def test_names_with_odd_characters(self):
        name = "a\x1b[31m\"\\\n\u202eé"
        header = json.dumps({name: {"dtype": "U8", "shape": [1], "data_offsets": [0, 1]}}).encode()
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(os.fsencode(folder), b"odd\xff\x1b.safetensors")
            with open(path, "wb") as file:
                file.write(struct.pack("<Q", len(header)) + header + b"\0")
            self.assertEqual(self.answer("inspect", path)["tensors"][0]["name"], name)
            text = run("inspect", path, "--all").stdout
            self.assertIn("\\x1B[31m", text)
            self.assertNotIn("\x1b", text)
            self.assertNotIn("\u202e", text)


if __name__ == "__main__":
    unittest.main()
