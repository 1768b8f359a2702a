#!/usr/bin/env python3
"""Quotient beside biodivine's model checker of HCTL: the same networks and formulas, one after the other.

    python3 beside_aeon.py [--quotient PATH] [--seconds N] [--variables N] FILE.bnet…

Needs the Python package `biodivine_aeon` (1.3), which is written in Rust. Networks of more variables than
`--variables` (20) are left out.

Seconds are those of the processor. The peer's are for evaluating in a process that has read the network already;
ours are for the whole command `quotient check FILE --property F1 --property F2 …`: its start, reading, all
formulas with one evaluator, a state where a formula is false, and evidence. The numbers of states are compared. A
variable that is updated to itself is a parameter for the peer, which counts a state once for all of its
values: numbers differ for networks with such inputs, which are marked.
"""

import argparse
import multiprocessing
import pathlib
import queue
import re
import resource
import subprocess
import time

FORMULAS = [
    "!{x}: AX {x}",
    "!{x}: AG EF {x}",
    "EF (!{x}: AX {x})",
    "AF (!{x}: AG EF {x})",
    "3{x}: 3{y}: ((@{x}: ~{y} & AX {x}) & (@{y}: AX {y}))",
]


def peer(path, answers):
    """Runs in a process of its own, so that it can be stopped."""
    import biodivine_aeon as aeon

    network = aeon.BooleanNetwork.from_file(str(path))
    asked = [aeon.HctlFormula(text) for text in FORMULAS]
    begin = time.process_time()
    graph = aeon.AsynchronousGraph.mk_for_model_checking(network, 2)
    for formula in asked:
        states = aeon.ModelChecking.verify(graph, formula)
        answers.put((states.cardinality(), time.process_time() - begin))
        begin = time.process_time()


def theirs(path, seconds):
    answers = multiprocessing.Queue()
    process = multiprocessing.Process(target=peer, args=(path, answers))
    process.start()
    found = []
    for _ in FORMULAS:
        try:
            found.append(answers.get(timeout=seconds))
        except queue.Empty:
            break
    process.kill()
    process.join()
    return found


def ours(quotient, path, seconds):
    command = [quotient, "check", str(path), "--timeout", f"{seconds}s"]
    for formula in FORMULAS:
        command += ["--property", formula]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    told = subprocess.run(command, capture_output=True, text=True).stdout
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
    return [int(number) for number in re.findall(r"true in (\d+) of", told)], spent


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--quotient", default="quotient")
    parser.add_argument("--seconds", type=int, default=20)
    parser.add_argument("--variables", type=int, default=20)
    parser.add_argument("files", nargs="+", type=pathlib.Path)
    asked = parser.parse_args()
    totals = [0.0, 0.0]
    print("| network | variables | quotient | biodivine | ratio | states |")
    print("|---|---:|---:|---:|---:|---|")
    for path in asked.files:
        rows = [row.split(",", 1) for row in path.read_text().splitlines() if "," in row]
        rows = [(name.strip(), update.strip()) for name, update in rows if name.strip() != "targets"]
        if len(rows) > asked.variables:
            continue
        inputs = any(name == update for name, update in rows)
        them = theirs(path, asked.seconds)
        counts, spent = ours(asked.quotient, path, asked.seconds)
        if len(them) < len(FORMULAS) or len(counts) < len(FORMULAS):
            print(f"| {path.stem} | {len(rows)} | {len(counts)} answers | {len(them)} answers | | |")
            continue
        peers = sum(seconds for _, seconds in them)
        totals = [totals[0] + spent, totals[1] + peers]
        same = counts == [int(number) for number, _ in them]
        remark = "the same" if same else "inputs" if inputs else "DIFFERENT"
        print(f"| {path.stem} | {len(rows)} | {spent:.2f} | {peers:.2f} | {peers / spent:.1f} | {remark} |", flush=True)
    print(f"| all | | {totals[0]:.2f} | {totals[1]:.2f} | {totals[1] / max(totals[0], 0.01):.1f} | |")


if __name__ == "__main__":
    main()
