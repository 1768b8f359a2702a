#!/usr/bin/env python3
"""Numbers of a set of models beside those that are known of them.

    python3 known_values.py --models FOLDER [--quotient PATH] [--seconds N] [--least STATES] [--most STATES] [--only NAME]

FOLDER has `expected.csv` (columns type, family, prism, props, constants, property, states, value, kind), such as
the models of the Quantitative Verification Benchmark Set. Each question is a process of its own; seconds are those
of the processor, and a question that takes more is ended; questions that have no number there are left out. A number that is known from a run with floating point is
taken to be right to a thousandth, another to a millionth; a row says `differs` where ours is further away.
"""

import argparse
import csv
import json
import math
import pathlib
import resource
import subprocess


def asked(options, row):
    """Seconds, and what was answered: a number, true or false, or a word that says why not."""
    folder = options.models / row["type"] / row["family"]
    command = [options.quotient, "check", str(folder / row["prism"]), "--format", "json", "--threads", "1"]
    command += ["--properties", str(folder / row["props"])]
    for one in filter(None, row["constants"].split(",")):
        command += ["--constant", one]
    command += ["--property", row["property"]]
    most = math.ceil(options.seconds)
    limit = lambda: resource.setrlimit(resource.RLIMIT_CPU, (most, most + 1))
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, capture_output=True, text=True, preexec_fn=limit)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    taken = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    if done.returncode < 0:
        return taken, "out of time"
    try:
        answer = json.loads(done.stdout)["result"]["properties"][0]
    except (ValueError, KeyError, IndexError):
        return taken, "refused"
    if "value" in answer and not answer.get("compared"):
        return taken, float(answer["value"])
    return taken, {"holds": True, "violated": False}.get(answer["verdict"], answer["verdict"])


def judged(row, found):
    known = row["value"]
    if isinstance(found, str):
        return found
    if isinstance(found, bool):
        return "same" if str(found).lower() == known else "differs"
    known = float(known)
    if found == known:
        return "same"
    share = abs(found - known) / max(abs(found), abs(known))
    return "same" if share <= (1e-6 if row["kind"] == "reference" else 1e-3) else "differs"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quotient", default="quotient")
    parser.add_argument("--models", type=pathlib.Path, required=True)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--least", type=int, default=0)
    parser.add_argument("--most", type=int, default=10**9)
    parser.add_argument("--only", help="a part of the name of a model")
    options = parser.parse_args()
    with open(options.models / "expected.csv", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["states"] and row["props"] and row["value"]]
    rows = [row for row in rows if options.least < int(row["states"]) <= options.most]
    rows = [row for row in rows if not options.only or options.only in row["prism"]]
    print("| model | states | question | seconds | ours | known | |")
    print("|---|---:|---|---:|---:|---:|---|")
    for row in sorted(rows, key=lambda row: int(row["states"])):
        taken, found = asked(options, row)
        ours = "–" if isinstance(found, str) else str(found).lower() if isinstance(found, bool) else f"{found:.8g}"
        model = f"{row['prism']} {row['constants']}".strip()
        cells = [model, row["states"], row["property"], f"{taken:.2f}", ours, row["value"] or "–", judged(row, found)]
        print("| " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
