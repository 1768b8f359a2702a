#!/usr/bin/env python3
"""How much memory ten million states take: three counters that go round, each of which may move in every step.

    python3 ten_million.py [--quotient PATH] [--many VALUES_OF_A_COUNTER]

For `quotient show`, which builds, and for questions with and without a bound on steps: seconds of the
processor, and the most memory that was held. Ends with 1 if that is a gigabyte or more.
"""

import argparse
import os
import pathlib
import subprocess
import sys
import tempfile

MODEL = """dtmc
module a
  a : [0..{last}];
  [] true -> (a'=mod(a+1, {many}));
endmodule
module b = a [a=b] endmodule
module c = a [a=c] endmodule
rewards "turns" a=0 : 1; endrewards
"""
QUESTIONS = ["P=? [ F<=3 a=3 ]", "P=? [ b!=2 U[1,4] a=3 ]", 'R{"turns"}=? [ C<=3 ]']
GIGABYTE = 1_000_000  # of a thousand bytes each, as the system counts


def held(command):
    """Seconds of the processor, the most memory held, in kilobytes, and what was printed."""
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen(command, stdout=output)
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        text = output.read().decode()
    if process.returncode != 0:
        sys.exit(f"{command}: {process.returncode}\n{text}")
    return used.ru_utime + used.ru_stime, used.ru_maxrss * 1.024, text


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quotient", default="quotient")
    parser.add_argument("--many", type=int, default=216, help="how many values a counter has")
    options = parser.parse_args()
    too_much = False
    with tempfile.TemporaryDirectory() as folder:
        model = pathlib.Path(folder) / "counters.prism"
        model.write_text(MODEL.format(last=options.many - 1, many=options.many))
        print(f"{options.many ** 3:,} states")
        print("| question | seconds | megabytes |")
        print("|---|---:|---:|")
        for question in [None, *QUESTIONS]:
            asked = ["show"] if question is None else ["check", "--property", question]
            seconds, kilobytes, _ = held([options.quotient, *asked, str(model)])
            print(f"| {question or 'none: `show`'} | {seconds:.1f} | {kilobytes / 1000:.0f} |", flush=True)
            too_much |= kilobytes >= GIGABYTE
    sys.exit(int(too_much))


if __name__ == "__main__":
    main()
