#!/usr/bin/env python3
"""How tight the safe response times of rta are, on random systems of kernel strings.

    scripts/rta_tightness.py [--systems 200] [--seed 1] [--release] WARPSPAN [OTHER_WARPSPAN]
    scripts/rta_tightness.py --measured [--priorities] [--sizes 128,256,512,1024] [--runs 20] WARPSPAN [..]

Each system has 3 to 8 kernels of random strings and grids on a Jetson TX2; with --measured, of random C that are
given. Together they need a given share of the GPU, 20 to 90 %, where a launch needs blocks * warps * a cycles of a
multiprocessor (a is its rate), or blocks * threads / 2048 times C of one. With --priorities a kernel of a shorter
period is more urgent. The program prints, for each share, how many systems the first binary proves schedulable, and
the mean of its bounds over the simulated response times; where a second binary is given (an earlier version), the
same for that, and the mean of the ratio of its bounds to those of the first. With --runs it counts the systems that
miss no deadline in so many runs of the simulator, each with random first releases: no method can prove more.
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


def measured(rng, load, release, sizes, priorities):
    kernels = []
    shares = [rng.expovariate(1) for _ in range(rng.randint(3, 8))]
    periods = [rng.choice([5, 10, 20, 25, 40, 50, 100, 200]) * 1000 for _ in shares]
    order = sorted(set(periods))
    for number, (share, period) in enumerate(zip(shares, periods), 1):
        threads = rng.choice(sizes)
        # what a launch needs of both multiprocessors, in their time, in blocks of a small part of its period
        work = load * share / sum(shares) * period * MULTIPROCESSORS
        blocks = max(1, round(work * THREADS / threads / (period * rng.uniform(0.01, 0.1))))
        execution = max(1, round(work * THREADS / threads / blocks))
        first = release(period) if callable(release) else release
        kernels.append(
            f'[[kernel]]\nname = "K{number}"\nexecution = {execution}\nblocks = {blocks}\n'
            f"threads_per_block = {threads}\nperiod = {period}\n{first}"
            + (f"priority = {-order.index(period)}\n" if priorities else "")
        )
    return 'unit = "us"\n[gpu]\nmultiprocessors = 2\nthreads = 2048\nblocks = 32\n' + "".join(kernels)


def survives(binary, text, rng, runs):
    """Whether no deadline is missed in so many runs of the simulator with random first releases."""
    for _ in range(runs):
        lines = []
        for line in text.splitlines():
            if line.startswith("period"):
                period = int(line.split("=")[1])
                line += f"\nrelease = {rng.randrange(0, period, 100)}"
            lines += [line] if line != "sporadic = true" else []
        with tempfile.NamedTemporaryFile("w", suffix=".toml") as file:
            file.write("\n".join(lines))
            file.flush()
            if analysis(binary, file.name)["verdict"] == "refuted":
                return False
    return True


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
    parser.add_argument("--measured", action="store_true", help="C of all kernels is given")
    parser.add_argument("--priorities", action="store_true", help="with --measured: rate-monotonic priorities")
    parser.add_argument("--sizes", default="512", help="with --measured: threads of a block, any of these")
    parser.add_argument("--runs", type=int, default=0, help="with --measured: runs of the simulator of each system")
    args = parser.parse_args()
    sizes = [int(size) for size in args.sizes.split(",")]
    rng = random.Random(args.seed)
    loads = [0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9]
    print("load  systems  survive  proved by each             bound / simulated, each    other bounds / first")
    for at, load in enumerate(loads):
        number = args.systems * (at + 1) // len(loads) - args.systems * at // len(loads)
        proved = [0] * len(args.binaries)
        over, ratios = [[] for _ in args.binaries], []
        surviving = 0
        for _ in range(number):
            with tempfile.NamedTemporaryFile("w", suffix=".toml") as file:
                release = "release = 0\n" if args.release else ""
                if args.measured:
                    text = measured(rng, load, release or "sporadic = true\n", sizes, args.priorities)
                    surviving += args.runs > 0 and survives(args.binaries[0], text, rng, args.runs)
                else:
                    text = system(rng, load, release)
                file.write(text)
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
        print(f"{load:4.0%}  {number:7d}  {surviving:7d}{each:24s}{means:30s}{mean(ratios)}")


if __name__ == "__main__":
    main()
