#!/usr/bin/env python3
"""Loads a checkpoint as every rank and in every dtype of a file of expected digests, and compares them all.

    compare_digests.py --ballast build/bin/ballast --against tests/fixtures/expected/NAME.json CHECKPOINT

The expected digests were worked out without Ballast (tests/fixtures/README.md). Exits with 1 when anything differs, and
says which container, parameter, rank and dtype.
"""

import argparse
import json
import subprocess
import sys


ABSENT = "absent"


def load(ballast, checkpoint, case):
    command = [ballast, "load", checkpoint, "--json", "--digest",
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
            # Made of nothing: an optional parameter that this model does not have, on any rank.
            if not holds and not parameter["sources"]:
                found[f"{container['name']}.{parameter['name']}"] = ABSENT
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
        wanted, got = case["parameters"].get(name, ABSENT), found.get(name, ABSENT)
        if wanted != got and not (wanted is None and got == ABSENT and name in found):
            faults.append(f"{name}: expected {wanted}, got {got}")
    return faults


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--ballast", required=True, help="the program")
    parser.add_argument("--against", required=True, help="file of expected digests")
    parser.add_argument("checkpoint")
    arguments = parser.parse_args()
    with open(arguments.against, encoding="utf-8") as file:
        expected = json.load(file)
    wrong = 0
    cases = expected["cases"] + expected.get("cases_uneven_group", [])
    if not cases:
        sys.exit(f"{arguments.against}: no cases")
    for case in cases:
        label = f"rank {case['tp_rank']} of {case['tp_size']}, {case['dtype']}"
        document, faults = load(arguments.ballast, arguments.checkpoint, case)
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
