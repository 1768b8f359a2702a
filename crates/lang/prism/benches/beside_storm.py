#!/usr/bin/env python3
"""Quotient beside Storm: the same models and properties, one after the other.

    python3 beside_storm.py [--quotient PATH] [--models FOLDER] [--seconds N] [--only NAME]

Needs the Python package `stormpy` (2.0). Without `--models` the examples of this repository are run; with
it a folder with `expected.csv` (columns type, family, prism, props, constants, property, states), such as
the models of the Quantitative Verification Benchmark Set.

Seconds are those of the processor. Storm's are for building and solving in a process that runs already;
ours are for whole processes: `quotient show`, which builds, and `quotient check`, which builds, solves and
writes evidence. Storm's numbers are as near as it believes, ours lie between bounds that are proved.
"""

import argparse
import csv
import multiprocessing
import pathlib
import queue
import resource
import subprocess
import time

HERE = pathlib.Path(__file__).resolve().parent
EXAMPLES = [
    ("herman.prism", "herman.props", "", None),
    ("leader.prism", "leader.props", "", None),
    ("backoff.prism", "backoff.props", "", None),
    ("coin.prism", "coin.props", "K=4", None),
    ("zeroconf.prism", "zeroconf.props", "n=4,q=0.1,p=0.01", None),
    ("cluster.prism", "cluster.props", "", None),
    ("queue.prism", "queue.props", "N=1000,t=1", None),
]


def storm(model, properties, constants, name, answers):
    """Runs in a process of its own, so that it can be stopped."""
    import stormpy

    program = stormpy.parse_prism_program(str(model), prism_compatibility=True)
    text = pathlib.Path(properties).read_text()
    asked = stormpy.parse_properties(text, program)
    if name:
        asked = [one for one in asked if str(one).startswith(f"({name})")]
    program, asked = stormpy.instantiate_constants(program, constants, asked)
    begin = time.process_time()
    built = stormpy.build_model(program, asked)
    builds = time.process_time() - begin
    begin = time.process_time()
    for one in asked:
        stormpy.model_checking(built, one)
    answers.put((built.nr_states, builds, time.process_time() - begin))


def beside(model, properties, constants, name, seconds):
    answers = multiprocessing.Queue()
    arguments = (model, properties, constants, name, answers)
    process = multiprocessing.Process(target=storm, args=arguments)
    process.start()
    end = time.monotonic() + seconds
    try:
        while time.monotonic() < end:
            alive = process.is_alive()
            try:
                return answers.get(timeout=0.5)
            except queue.Empty:
                if not alive:  # refused
                    return None
        return None
    finally:
        process.terminate()
        process.join()


def ours(quotient, verb, model, more, seconds):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [quotient, verb, str(model), "--format", "json", *more]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=seconds)
    except subprocess.TimeoutExpired:
        return None
    if done.returncode not in (0, 1, 2):  # refused: no time is no answer
        return None
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def rows(models):
    if models is None:
        folder = HERE.parent / "gallery"
        for model, properties, constants, name in EXAMPLES:
            yield folder / model, folder / properties, constants, name
        return
    with open(models / "expected.csv", newline="") as file:
        for row in csv.DictReader(file):
            folder = models / row["type"] / row["family"]
            yield folder / row["prism"], folder / row["props"], row["constants"], row["property"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quotient", default="quotient")
    parser.add_argument("--models", type=pathlib.Path)
    parser.add_argument("--seconds", type=float, default=120.0)
    parser.add_argument("--only", help="a part of the name of a model")
    options = parser.parse_args()
    print("| model | property | states | Storm builds | Storm solves | ours builds | ours, all | all, ratio |")
    print("|---|---|---:|---:|---:|---:|---:|---:|")
    for model, properties, constants, name in rows(options.models):
        if options.only and options.only not in model.name:
            continue
        given = [part for one in constants.split(",") if one for part in ("--constant", one)]
        asked = ["--properties", str(properties), *given]
        builds = ours(options.quotient, "show", model, asked, options.seconds)
        if name:
            asked += ["--property", name]
        all_of_it = ours(options.quotient, "check", model, asked, options.seconds)
        theirs = beside(model, properties, constants, name, options.seconds)
        states, first, second = theirs if theirs else ("", None, None)
        show = lambda one: f"{one:.2f}" if one is not None else "–"
        ratio = (first + second) / all_of_it if theirs and all_of_it else None
        label = f"{model.name} {constants}".strip()
        cells = [label, name or "all", str(states), show(first), show(second)]
        print("| " + " | ".join([*cells, show(builds), show(all_of_it), show(ratio)]) + " |", flush=True)


if __name__ == "__main__":
    main()
