#!/usr/bin/env python3
"""How tight the safe response times of rta are, on random systems of kernel strings.

    scripts/rta_tightness.py [--systems 200] [--seed 1] [--release] WARPSPAN [OTHER_WARPSPAN]

Each system has 3 to 8 kernels of random strings and grids on a Jetson TX2. Together they
need a given share of the GPU, 20 to 90 %, where a launch needs blocks * warps * a cycles of a multiprocessor
(a is its rate). The program prints, for each share, how many systems the first binary proves
schedulable, and the mean of its bounds over the simulated response times; where a second binary is given (an
earlier version), the same for that, and the mean of the ratio of its bounds to those of the first.
"""

import argparse
import json
import random
import statistics
import subprocess
import tempfile

MULTIPROCESSORS, THREADS = 2, 2048


def rate(string):
    """a: the sum over the maximal alternating blocks of half their length, rounded up."""
    a, length = 0, 1
    for before, letter in zip(string, string[1:] + string[-1]):
        if before == letter:
            a, length = a + (length + 1) // 2, 1
        else:
            length += 1
    return a


def system(rng, load, release):
    kernels = []
    shares = [rng.expovariate(1) for _ in range(rng.randint(3, 8))]
    for number, share in enumerate(shares, 1):
        period = rng.choice([100_000, 200_000])
        string = "".join(rng.choice("LC") for _ in range(rng.randint(4, 12)))
        threads = rng.choice([64, 128, 256, 512])
        # the work of a launch in rounds of its warp's string, which its blocks share
        work = load * share / sum(shares) * period * MULTIPROCESSORS / (threads // 32 * rate(string))
        rounds = rng.randint(1, 20)
        blocks = max(1, round(work / rounds))
        string = f"({string}){rounds}"
        kernels.append(
            f'[[kernel]]\nname = "K{number}"\ncode = "{string}"\nblocks = {blocks}\n'
            f"threads_per_block = {threads}\nperiod = {period}\n{release}"
        )
    sigmas = "[multiprocessor]\nsigma_l = 1\nsigma_c = 1\n"
    return f'unit = "cycles"\n[gpu]\npreset = "jetson-tx2"\n{sigmas}' + "".join(kernels)


def analysis(binary, path):
    command = [binary, "rta", path, "--format", "json", "--time-limit", "5s"]
    found = subprocess.run(command, capture_output=True, text=True, check=False)
    if not found.stdout:
        raise SystemExit(f"{binary} rta {path}: {found.stderr}")
    return json.loads(found.stdout)


def mean(numbers):
    return f"{statistics.mean(numbers):8.2f}" if numbers else "       -"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("binaries", nargs="+", metavar="WARPSPAN")
    parser.add_argument("--systems", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--release", action="store_true", help="the file says that all kernels begin at 0")
    args = parser.parse_args()
    rng = random.Random(args.seed)
    loads = [0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9]
    print("load  systems  proved by each             bound / simulated, each    other bounds / first")
    for at, load in enumerate(loads):
        number = args.systems * (at + 1) // len(loads) - args.systems * at // len(loads)
        proved = [0] * len(args.binaries)
        over, ratios = [[] for _ in args.binaries], []
        for _ in range(number):
            with tempfile.NamedTemporaryFile("w", suffix=".toml") as file:
                file.write(system(rng, load, "release = 0\n" if args.release else ""))
                file.flush()
                records = [analysis(binary, file.name) for binary in args.binaries]
            for which, record in enumerate(records):
                proved[which] += record["verdict"] == "proved"
                for kernel in record["kernels"]:
                    bound, simulated = kernel["response_bound"], kernel["simulated_estimate"]
                    if bound and simulated:
                        over[which].append(bound / simulated)
            for kernels in zip(*(record["kernels"] for record in records)):
                first, *others = [kernel["response_bound"] for kernel in kernels]
                ratios.extend(other / first for other in others if first and other)
        each = "".join(f"{count:9d}" for count in proved)
        means = "".join(f"{mean(numbers):>9s}" for numbers in over)
        print(f"{load:4.0%}  {number:7d}{each:24s}{means:30s}{mean(ratios)}")


if __name__ == "__main__":
    main()
