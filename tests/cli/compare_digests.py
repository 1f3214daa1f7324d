#!/usr/bin/env python3
"""Loads a checkpoint as every rank and in every dtype of a file of expected digests, and compares them all; then all
ranks of each rank count in one pass, which must give the same and read each byte once.

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


ABSENT = "absent"


def load(ballast, checkpoint, tp_size, tp_rank, dtype, more):
    command = [ballast, "load", checkpoint, "--json", "--digest", *more,
               "--tp-size", str(tp_size), "--tp-rank", str(tp_rank), "--dtype", dtype]
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode != 0:
        return None, [f"{' '.join(command)}: exit status {result.returncode}\n{result.stderr.rstrip()}"]
    return json.loads(result.stdout), []


def file_bytes(ballast, checkpoint):
    """Of all weight files."""
    result = subprocess.run([ballast, "inspect", checkpoint, "--json"], capture_output=True, text=True, check=True)
    return sum(file["file_bytes"] for file in json.loads(result.stdout)["files"])


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
    found = parameters_of(document)
    for name in sorted(found.keys() | case["parameters"].keys()):
        wanted, got = case["parameters"].get(name, ABSENT), found.get(name, ABSENT)
        if wanted != got and not (wanted is None and got == ABSENT and name in found):
            faults.append(f"{name}: expected {wanted}, got {got}")
    return faults


def faults_of_bytes(document):
    if document["bytes_read"] == document["bytes_needed"]:
        return []
    return [f"bytes_read {document['bytes_read']} is not bytes_needed {document['bytes_needed']}"]


def faults_of_all_ranks(document, expected, cases, in_files):
    """Of one pass for all ranks; cases[r] is what rank r should be."""
    faults = faults_of_bytes(document)
    if document["bytes_read"] > in_files:
        faults.append(f"bytes_read {document['bytes_read']} is more than the files' {in_files}")
    if len(document["ranks"]) != len(cases):
        return faults + [f"expected {len(cases)} ranks, got {len(document['ranks'])}"]
    for rank, case in zip(document["ranks"], cases):
        faults += [f"rank {case['tp_rank']}: {fault}" for fault in faults_of_case(rank, expected, case)]
    return faults


def whole_sets(cases):
    """The cases of each rank count and dtype of which every rank is there, by rank."""
    sets = {}
    for case in cases:
        sets.setdefault((case["tp_size"], case["dtype"]), {})[case["tp_rank"]] = case
    return {key: [ranks[r] for r in range(key[0])] for key, ranks in sets.items() if len(ranks) == key[0]}


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
    cases = expected["cases"] + expected.get("cases_uneven_group", [])
    if not cases:
        sys.exit(f"{arguments.against}: no cases")
    wrong = loads = 0

    def report(label, faults, parameters):
        nonlocal wrong, loads
        loads += 1
        wrong += bool(faults)
        print(f"{label}: " + (f"{len(faults)} differences" if faults else f"{parameters} parameters equal"))
        for fault in faults:
            print(f"  {fault}")

    for case in cases:
        document, faults = load(arguments.ballast, arguments.checkpoint, case["tp_size"], case["tp_rank"],
                                case["dtype"], more)
        if document is not None:
            faults = faults_of_bytes(document) + faults_of_case(document, expected, case)
        report(f"rank {case['tp_rank']} of {case['tp_size']}, {case['dtype']}", faults, len(case["parameters"]))
    in_files = file_bytes(arguments.ballast, arguments.checkpoint)
    for (tp_size, dtype), ranks in whole_sets(cases).items():
        document, faults = load(arguments.ballast, arguments.checkpoint, tp_size, "all", dtype, more)
        if document is not None:
            faults = faults_of_all_ranks(document, expected, ranks, in_files)
        report(f"all {tp_size} ranks in one pass, {dtype}", faults, sum(len(case["parameters"]) for case in ranks))
    if wrong:
        sys.exit(f"{wrong} of {loads} loads differ")


if __name__ == "__main__":
    main()
