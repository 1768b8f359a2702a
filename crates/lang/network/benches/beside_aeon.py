#!/usr/bin/env python3
"""Quotient beside biodivine's model checker of HCTL: the same networks and formulas, one after the other.

    python3 beside_aeon.py [--quotient PATH] [--seconds N] [--variables N] [--parameters] FILE.bnet…

Needs the Python package `biodivine_aeon` (1.3), which is written in Rust. Networks of more variables than
`--variables` (20) are left out.

Seconds are those of the processor. The peer's are for evaluating in a process that has read the network already;
ours are for the whole command `quotient check FILE --property F1 --property F2 …`: its start, reading, all
formulas with one evaluator, a state where a formula is false, and evidence. The numbers of states are compared.

A variable without a function is an input, which keeps its value. The peer takes it for one whose function is an
unknown constant, so it is given the same network with `input, input` written out. With `--parameters` the peer reads the file as
it is, and our question is the same: `--inputs parameters`.
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


def functions(text):
    """The variables of a network with their functions, and the inputs, which have none."""
    rows = [row.split(",", 1) for row in text.splitlines() if "," in row and not row.startswith("#")]
    rows = [(name.strip(), update.strip()) for name, update in rows if name.strip() != "targets"]
    names = {name for name, _ in rows}
    used = set(re.findall(r"[A-Za-z_][A-Za-z0-9_]*", " ".join(update for _, update in rows)))
    return rows, sorted(used - names - {"true", "false"})


def peer(text, answers):
    """Runs in a process of its own, so that it can be stopped."""
    import biodivine_aeon as aeon

    network = aeon.BooleanNetwork.from_bnet(text, repair_graph=True)
    asked = [aeon.HctlFormula(text) for text in FORMULAS]
    begin = time.process_time()
    graph = aeon.AsynchronousGraph.mk_for_model_checking(network, 2)
    for formula in asked:
        states = aeon.ModelChecking.verify(graph, formula)
        answers.put((states.cardinality(), time.process_time() - begin))
        begin = time.process_time()


def theirs(text, seconds):
    answers = multiprocessing.Queue()
    process = multiprocessing.Process(target=peer, args=(text, answers))
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


def ours(quotient, path, seconds, parameters):
    command = [quotient, "check", str(path), "--timeout", f"{seconds}s"]
    if parameters:
        command += ["--inputs", "parameters"]
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
    parser.add_argument("--parameters", action="store_true")
    parser.add_argument("files", nargs="+", type=pathlib.Path)
    asked = parser.parse_args()
    totals = [0.0, 0.0]
    print("| network | variables | quotient | biodivine | ratio | states |")
    print("|---|---:|---:|---:|---:|---|")
    for path in asked.files:
        text = path.read_text()
        rows, inputs = functions(text)
        if len(rows) > asked.variables:
            continue
        if not asked.parameters:
            text = text.rstrip() + "\n" + "".join(f"{name}, {name}\n" for name in inputs)
        them = theirs(text, asked.seconds)
        counts, spent = ours(asked.quotient, path, asked.seconds, asked.parameters)
        if len(them) < len(FORMULAS) or len(counts) < len(FORMULAS):
            print(f"| {path.stem} | {len(rows)} | {len(counts)} answers | {len(them)} answers | | |")
            continue
        peers = sum(seconds for _, seconds in them)
        totals = [totals[0] + spent, totals[1] + peers]
        same = counts == [int(number) for number, _ in them]
        remark = "the same" if same else "DIFFERENT"
        print(f"| {path.stem} | {len(rows)} | {spent:.2f} | {peers:.2f} | {peers / spent:.1f} | {remark} |", flush=True)
    print(f"| all | | {totals[0]:.2f} | {totals[1]:.2f} | {totals[1] / max(totals[0], 0.01):.1f} | |")


if __name__ == "__main__":
    main()
