"""Runs the CPU benchmarks and Python's side in turns, so that what else the machine does meets all of them alike; prints the
median and the least of the rounds' times, and writes the medians as cells."""
import argparse
import json
import math
import pathlib
import statistics
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import results_file  # noqa: E402
from report_cells import OWN, rows_of  # noqa: E402

BYTES = {"rel_diff": 12, "black_scholes": 20, "scale_shift": 8, "add_transposed": 12, "dot": 8, "heat": 8, "laplace": 8,
         "transpose": 8, "matmul": 12, "products": 19, "products_any": 19, "cholesky": 8}  # an element; 4 of others
SQUARES = {"scale_shift", "add_transposed", "sum_axis_0", "sum_axis_1", "heat", "transpose", "matmul"}


def parse_options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", help="bench_cpu")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--seconds", type=float, default=0.05, help="of each time")
    parser.add_argument("--json", type=pathlib.Path, help="where cells go")
    return parser.parse_args()


def one_round(program, seconds):
    options = [f"--benchmark_min_time={seconds}", "--benchmark_format=json", "--benchmark_enable_random_interleaving=true"]
    run = subprocess.run([program, *options], check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    times = {row["name"].removesuffix("/real_time"): row["real_time"] for row in json.loads(run.stdout)["benchmarks"]}
    run = subprocess.run([sys.executable, HERE / "python_peers.py", str(seconds)], check=True, stdout=subprocess.PIPE)
    return times | json.loads(run.stdout)


def cell_of(name, times):
    """Of nanoseconds."""
    case, impl, n = name.split("/")
    times = sorted(times)
    middle, n = statistics.median(times), int(n)
    side = math.isqrt(n)
    return {"suite": "cpu", "case": case, "type": "float", "n": n, **({"shape": f"{side}x{side}"} if case in SQUARES else {}),
            "bytes": BYTES.get(case, 4) * n, "impl": impl, "us": middle / 1e3, "least_us": times[0] / 1e3,
            "spread": (times[len(times) * 3 // 4] - times[len(times) // 4]) / middle}


def main():
    options = parse_options()
    run = results_file.begin("cpu") | {"rounds": options.rounds}
    samples = {}
    for _ in range(options.rounds):
        for name, time in one_round(options.program, options.seconds).items():
            samples.setdefault(name, []).append(time)
    cells = [cell_of(name, times) for name, times in samples.items()]

    print(f"{options.rounds} rounds; microseconds, median and least; x: the best peer's time over Foldwise's")
    for row in rows_of(cells):
        best = row.best_peer()
        print(f"\n{row.case}, {row.size} elements:" + (f" {1 / row.ratio():.2f} x" if best and row.us(OWN) else ""))
        for cell in sorted(row.cells.values(), key=lambda cell: cell["us"]):
            print(f"  {cell['impl']:22} {cell['us']:12.2f} {cell['least_us']:12.2f}")
    if options.json:
        results_file.write(options.json, run, cells)


if __name__ == "__main__":
    main()
