"""docs/schema.json, the JSON Schema of schema files: it takes every file that Ballast takes, and refuses what it should.

Exits with 77, which counts as skipped, where the package jsonschema is not there (Debian: python3-jsonschema)."""

import copy
import json
import os
import sys
import unittest

try:
    import jsonschema
except ImportError:
    sys.exit(77)

from running import FIXTURES, CliTest, document

ROOT = os.path.join(FIXTURES, "..", "..")


def read(*path):
    with open(os.path.join(ROOT, *path), encoding="utf-8") as file:
        return json.load(file)


class JsonSchema(CliTest):
    def setUp(self):
        schema = read("docs", "schema.json")
        jsonschema.Draft7Validator.check_schema(schema)
        self.validator = jsonschema.Draft7Validator(schema)

    def faults(self, value):
        return [f"{list(error.absolute_path)}: {error.message}" for error in self.validator.iter_errors(value)]

    def test_takes_every_export(self):
        for policy in document(self.succeed("models", "--json"))["policies"]:
            with self.subTest(policy["name"]):
                self.assertEqual(self.faults(json.loads(self.succeed("models", "--export", policy["name"]))), [])

    def test_takes_the_example(self):
        self.assertEqual(self.faults(read("examples", "schema", "seed_oss.json")), [])

    def test_refuses_what_ballast_refuses(self):
        good = read("examples", "schema", "seed_oss.json")

        def refuses(change):
            bad = copy.deepcopy(good)
            change(bad)
            self.assertNotEqual(self.faults(bad), [])

        refuses(lambda file: file.pop("name"))
        refuses(lambda file: file.update(ballast_schema=2))
        refuses(lambda file: file.update(parameter={}))
        refuses(lambda file: file["parameters"]["Norm"].pop("recipe"))
        refuses(lambda file: file["parameters"]["Norm"]["dependencies"].update(params="optoinal"))
        refuses(lambda file: file["parameters"]["Norm"]["dependencies"].update({"a-b": "single"}))
        refuses(lambda file: file["containers"]["Layer"]["rules"][0].pop("to"))
        refuses(lambda file: file["containers"]["Layer"]["rules"][0].update(form="x"))
        refuses(lambda file: file["container_map"]["layers"][0].update(choices=[{"container": "Layer"}]))
        refuses(lambda file: file["container_map"]["skip"][0].pop("reason"))


if __name__ == "__main__":
    unittest.main()
