#!/usr/bin/env python3
"""Loads a checkpoint as every rank and in every dtype of a file of expected digests, and compares them all.

    compare_digests.py --ballast build/bin/ballast --against tests/fixtures/expected/NAME.json [--through-export] CHECKPOINT

With --through-export the checkpoint's architecture is exported first, and loaded through that file.

The expected digests were worked out without Ballast (tests/fixtures/README.md). Exits with 1 when anything differs, and
says which container, parameter, rank and dtype.
"""

import argparse
import json
import subprocess
import sys
import tempfile


def load(ballast, checkpoint, case, more):
    command = [ballast, "load", checkpoint, "--json", "--digest", *more,
               "--tp-size", str(case["tp_size"]), "--tp-rank", str(case["tp_rank"]), "--dtype", case["dtype"]]
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode != 0:
        return None, [f"{' '.join(command)}: exit status {result.returncode}\n{result.stderr.rstrip()}"]
    return json.loads(result.stdout), []


def parameters_of(document):
    """By container.parameter: dtype, shape and digest, or None where the rank holds nothing."""
    found = {}
    for container in document["containers"]:
        for parameter in container["parameters"]:
            holds = "tensor" not in parameter
            found[f"{container['name']}.{parameter['name']}"] = (
                {key: parameter[key] for key in ("dtype", "shape", "digest")} if holds else None)
    return found


def faults_of_case(document, expected, case):
    faults = []
    for key in ("tp_rank", "tp_size"):
        if document[key] != case[key]:
            faults.append(f"{key}: expected {case[key]}, got {document[key]}")
    if document["model_type"] != expected["model_type"]:
        faults.append(f"model_type: expected {expected['model_type']}, got {document['model_type']}")
    if document["bytes_read"] != document["bytes_needed"]:
        faults.append(f"bytes_read {document['bytes_read']} is not bytes_needed {document['bytes_needed']}")
    found = parameters_of(document)
    for name in sorted(found.keys() | case["parameters"].keys()):
        wanted, got = case["parameters"].get(name, "absent"), found.get(name, "absent")
        if wanted != got:
            faults.append(f"{name}: expected {wanted}, got {got}")
    return faults


def export(ballast, checkpoint, path):
    """Writes the schema file of a checkpoint's architecture."""
    checked = subprocess.run([ballast, "check", checkpoint, "--json"], capture_output=True, text=True, check=True)
    policy = json.loads(checked.stdout)["policy"]
    with open(path, "w", encoding="utf-8") as file:
        subprocess.run([ballast, "models", "--export", policy], stdout=file, check=True)
    print(f"through the schema file of {policy}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--ballast", required=True, help="the program")
    parser.add_argument("--against", required=True, help="file of expected digests")
    parser.add_argument("--through-export", action="store_true", help="through a schema file of the architecture")
    parser.add_argument("checkpoint")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        more = []
        if arguments.through_export:
            more = ["--schema", f"{folder}/exported.json"]
            export(arguments.ballast, arguments.checkpoint, more[1])
        compare(arguments, more)


def compare(arguments, more):
    with open(arguments.against, encoding="utf-8") as file:
        expected = json.load(file)
    wrong = 0
    cases = expected["cases"] + expected.get("cases_uneven_group", [])
    if not cases:
        sys.exit(f"{arguments.against}: no cases")
    for case in cases:
        label = f"rank {case['tp_rank']} of {case['tp_size']}, {case['dtype']}"
        document, faults = load(arguments.ballast, arguments.checkpoint, case, more)
        if document is not None:
            faults = faults_of_case(document, expected, case)
        wrong += bool(faults)
        print(f"{label}: " + (f"{len(faults)} differences" if faults else f"{len(case['parameters'])} parameters equal"))
        for fault in faults:
            print(f"  {fault}")
    if wrong:
        sys.exit(f"{wrong} of {len(cases)} cases differ")


if __name__ == "__main__":
    main()
