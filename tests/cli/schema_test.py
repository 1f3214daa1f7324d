"""Schema files on the command line: --schema, models --export, and the page of architectures."""

import json
import os
import tempfile
import unittest

from running import FIXTURES, LLAMA, CliTest, document, run

ROOT = os.path.join(FIXTURES, "..", "..")
SEED_OSS = os.path.join(ROOT, "examples", "schema", "seed_oss.json")
TINY_SEED_OSS = os.path.join(ROOT, "examples", "cmake_project", "tiny_seed_oss")


class Schema(CliTest):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def write(self, name, value):
        path = os.path.join(self.folder.name, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(value if isinstance(value, str) else json.dumps(value))
        return path

    def seed_oss(self, **changes):
        with open(SEED_OSS, encoding="utf-8") as file:
            return {**json.load(file), **changes}

    def refused(self, *arguments, status=1, says):
        result = run(*arguments)
        self.assertEqual(result.returncode, status, result.stderr)
        self.assertEqual(result.stdout, "")
        self.assertIn(says, result.stderr)

    def test_an_architecture_that_is_not_built_in(self):
        for command in ("check", "plan", "load"):
            self.assertEqual(document(self.succeed(command, TINY_SEED_OSS, "--schema", SEED_OSS, "--json"))["policy"], "seed_oss")

    def test_the_file_is_all_that_is_known(self):
        self.refused("check", LLAMA, "--schema", SEED_OSS, says="there is no policy for models of type 'llama'")
        self.refused("check", TINY_SEED_OSS, "--schema", SEED_OSS, "--model-type", "llama", says="expected: one of: seed_oss")

    def test_a_model_type_of_the_file_may_be_asked_for(self):
        path = self.write("other.json", self.seed_oss(name="mine", model_types=["my_type"]))
        other = self.write("no.json", self.seed_oss(name="x", model_types=["x"], architectures=["y"]))
        self.refused("check", TINY_SEED_OSS, "--schema", other, says="there is no policy for models of type 'seed_oss'")
        self.assertEqual(document(self.succeed("check", TINY_SEED_OSS, "--schema", path, "--model-type", "my_type",
                                               "--json"))["policy"], "mine")

    def test_a_file_without_types_takes_every_checkpoint(self):
        path = self.write("any.json", self.seed_oss(name="any", model_types=[], architectures=[]))
        self.assertEqual(document(self.succeed("check", TINY_SEED_OSS, "--schema", path, "--json"))["policy"], "any")

    def test_faults_have_their_place(self):
        path = self.write("bad.json", self.seed_oss(name=3, parameter={}))
        self.refused("check", TINY_SEED_OSS, "--schema", path, says="bad.json, name, line 1, column ")
        result = run("models", "--schema", path, "--json")
        self.assertEqual(result.returncode, 1)
        faults = document(result.stdout)["error"]["diagnostics"]
        self.assertEqual([fault["code"] for fault in faults], ["schema_invalid"] * 2)
        self.assertEqual(faults[0]["nearest"], "parameters")
        self.assertRegex(faults[1]["place"], r"\Aname, line 1, column \d+\Z")
        self.assertEqual(faults[1]["file"], path)

    def test_a_file_that_is_not_there(self):
        self.refused("load", LLAMA, "--schema", "/no/such.json", says="/no/such.json")

    def test_models_of_a_file(self):
        policy, = document(self.succeed("models", "--schema", SEED_OSS, "--json"))["policies"]
        self.assertEqual((policy["name"], policy["model_types"]), ("seed_oss", ["seed_oss"]))
        layer = policy["containers"][0]
        self.assertEqual(layer["name"], "LayerWithBiases")
        self.assertEqual([parameter["name"] for parameter in layer["parameters"]][-1], "qkv_b")
        self.assertEqual(layer["parameters"][0]["dependencies"],
                         [{"name": name, "kind": "single"} for name in "qkv"])

    def test_every_architecture_can_be_exported(self):
        policies = document(self.succeed("models", "--json"))["policies"]
        self.assertGreaterEqual(len(policies), 2)
        for policy in policies:
            with self.subTest(policy["name"]):
                text = self.succeed("models", "--export", policy["name"])
                exported = document(text)
                self.assertEqual((exported["name"], exported["model_types"]), (policy["name"], policy["model_types"]))
                path = self.write("exported.json", text)
                through, = document(self.succeed("models", "--schema", path, "--json"))["policies"]
                self.assertEqual(through["containers"], policy["containers"])
                self.assertEqual(self.succeed("models", "--schema", path, "--export", policy["name"]), text)
                for alias in policy["model_types"] + policy["architectures"]:
                    self.assertEqual(self.succeed("models", "--export", alias), text)

    def test_wrong_usage(self):
        self.refused("models", "--export", "nonsense", status=2, says="no policy answers to 'nonsense'")
        self.refused("models", "--schema", SEED_OSS, "--export", "llama", says="does not answer to 'llama'")
        self.refused("inspect", LLAMA, "--schema", SEED_OSS, status=2, says="--schema")

    def test_the_page_of_architectures_is_current(self):
        with open(os.path.join(ROOT, "docs", "architectures.md"), encoding="utf-8") as file:
            self.assertEqual(file.read(), self.succeed("models", "--markdown"),
                             "make it again: build/bin/ballast models --markdown > docs/architectures.md")


if __name__ == "__main__":
    unittest.main()
