"""Runs the CPU benchmarks and NumPy's side in turns, so that what else the machine does meets all of them alike, and prints
the median and the least of the rounds' times: run.py BENCH_CPU [ROUNDS [SECONDS]]."""
import json
import pathlib
import statistics
import subprocess
import sys

SAME_RESULTS = ("foldwise", "openmp", "tbb", "numpy")  # no relaxed arithmetic: these are compared


def one_round(program, seconds):
    options = [f"--benchmark_min_time={seconds}", "--benchmark_format=json", "--benchmark_enable_random_interleaving=true"]
    run = subprocess.run([program, *options], check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    times = {row["name"].removesuffix("/real_time"): row["real_time"] for row in json.loads(run.stdout)["benchmarks"]}
    script = pathlib.Path(__file__).with_name("numpy_peer.py")
    run = subprocess.run([sys.executable, script, str(seconds)], check=True, stdout=subprocess.PIPE)
    return times | json.loads(run.stdout)


def main():
    program = sys.argv[1]
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 9
    seconds = float(sys.argv[3]) if len(sys.argv) > 3 else 0.05
    samples = {}
    for _ in range(rounds):
        for name, time in one_round(program, seconds).items():
            samples.setdefault(name, []).append(time)

    cells = {}
    for name, times in samples.items():
        case, peer, size = name.split("/")
        cells.setdefault((case, int(size)), {})[peer] = (statistics.median(times), min(times))
    print(f"{rounds} rounds; microseconds, median and least; x: the best peer's least time over Foldwise's")
    for (case, size), peers in cells.items():
        best = min(least for peer, (_, least) in peers.items() if peer in SAME_RESULTS and peer != "foldwise")
        print(f"\n{case}, {size} elements: {best / peers['foldwise'][1]:.2f} x")
        for peer, (median, least) in sorted(peers.items(), key=lambda item: item[1][1]):
            print(f"  {peer:22} {median / 1e3:12.2f} {least / 1e3:12.2f}")


main()
