"""Checkpoints that are wrong: exit status 1, text on standard error, an error object with --json."""

import json
import os
import tempfile
import unittest

from running import GGUF, LLAMA, SHARDED, CliTest, copy_of, document, run

LFS_POINTER = """version https://git-lfs.github.com/spec/v1
oid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393
size 12345
"""
FIELDS = {"code", "what", "operation", "container", "parameter", "dependency", "tensor", "file", "expected", "got",
          "cause", "offset"}


def edit_config(path, **changes):
    with open(f"{path}/config.json", encoding="utf-8") as file:
        config = json.load(file)
    config.update(changes)
    with open(f"{path}/config.json", "w", encoding="utf-8") as file:
        json.dump(config, file)


class Failures(CliTest):
    def fails(self, *arguments, code, says):
        """Both ways of saying so; the diagnostics of the second."""
        text = run(*arguments)
        self.assertEqual(text.returncode, 1, text.stderr)
        self.assertEqual(text.stdout, "")
        self.assertIn(says, text.stderr)
        machine = run(*arguments, "--json")
        self.assertEqual(machine.returncode, 1)
        self.assertEqual(machine.stderr, text.stderr)
        answer = document(machine.stdout)
        self.assertEqual(answer.keys(), {"error"})
        error = answer["error"]
        self.assertEqual(error.keys(), {"code", "total", "diagnostics"})
        self.assertEqual(error["code"], code)
        self.assertGreaterEqual(error["total"], len(error["diagnostics"]))
        for diagnostic in error["diagnostics"]:
            self.assertLessEqual(diagnostic.keys(), FIELDS)
            self.assertTrue(diagnostic["what"])
            self.assertNotIn("", diagnostic.values())
        return error["diagnostics"]

    def all_fail(self, path, code, says):
        for command in ("inspect", "check", "plan", "load"):
            with self.subTest(command):
                self.fails(command, path, code=code, says=says)

    def test_no_such_file(self):
        self.all_fail("/nonexistent/model", "io_open", "/nonexistent/model")

    def test_truncated_file(self):
        with copy_of(LLAMA) as path:
            file = f"{path}/model.safetensors"
            os.truncate(file, os.path.getsize(file) - 100)
            self.all_fail(path, "extent_out_of_file", "model.safetensors")

    def test_lfs_pointer(self):
        with copy_of(LLAMA) as path:
            with open(f"{path}/model.safetensors", "w", encoding="utf-8") as file:
                file.write(LFS_POINTER)
            self.all_fail(path, "not_a_checkpoint", "LFS")

    def test_empty_folder(self):
        with tempfile.TemporaryDirectory() as path:
            self.all_fail(path, "no_weights", path)

    def test_missing_shard(self):
        with copy_of(SHARDED) as path:
            os.remove(next(f"{path}/{name}" for name in sorted(os.listdir(path)) if "-00002-" in name))
            self.all_fail(path, "shard_missing", "-00002-")

    def test_unknown_architecture(self):
        with copy_of(LLAMA) as path:
            edit_config(path, model_type="nonsense", architectures=["NonsenseForNothing"])
            self.fails("load", path, code="unknown_architecture", says="nonsense")
            self.succeed("inspect", path)
            self.succeed("load", path, "--model-type", "llama")

    def test_all_faults_together(self):
        with copy_of(LLAMA) as path:
            edit_config(path, num_hidden_layers=3)
            diagnostics = self.fails("check", path, code="dependency_missing", says="transformer_layer_2")
            self.assertIn("qkv_w", {diagnostic.get("parameter") for diagnostic in diagnostics})

    def test_a_fault_of_every_rank_is_said_once(self):
        with copy_of(LLAMA) as path:
            edit_config(path, num_hidden_layers=3)
            one, four = (run("check", path, "--tp-size", n).stderr for n in ("1", "4"))
            self.assertEqual(one, four)

    def test_ranks_that_do_not_divide(self):
        self.fails("check", SHARDED, "--tp-size", "3", code="invalid_sharding", says="3")
        what = {diagnostic["what"] for diagnostic in self.fails("load", SHARDED, "--tp-size", "3", "--tp-rank", "all",
                                                                 code="invalid_sharding", says="1, 2, 4, 6 or 8 ranks")}
        self.assertEqual(what, {"for all 3 ranks: 8 query and 2 key/value heads cannot be divided over 3 ranks"})

    def test_config_elsewhere(self):
        with copy_of(LLAMA) as path, tempfile.TemporaryDirectory() as elsewhere:
            os.rename(f"{path}/config.json", f"{elsewhere}/config.json")
            self.fails("load", path, code="config_missing", says="config")
            self.succeed("load", path, "--config", elsewhere)

    def test_not_a_regular_file(self):
        with tempfile.TemporaryDirectory() as folder:
            os.mkfifo(f"{folder}/model.safetensors")
            self.fails("load", f"{folder}/model.safetensors", code="not_a_regular_file", says="model.safetensors")

    def test_gguf_cut_in_its_header(self):
        with copy_of(GGUF) as path:
            file = next(f"{path}/{name}" for name in os.listdir(path) if name.endswith(".gguf"))
            os.truncate(file, document(run("inspect", file, "--json").stdout)["files"][0]["header_bytes"] - 100)
            self.fails("load", file, code="header_truncated", says="gguf")


if __name__ == "__main__":
    unittest.main()
