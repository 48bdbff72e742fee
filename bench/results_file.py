"""What all programs that write a run have in common: what it ran on, and the file."""
import datetime
import json
import os
import pathlib
import platform
import subprocess

HERE = pathlib.Path(__file__).resolve().parent


def output_of(*command):
    """What it prints, or nothing if there is no such program."""
    try:
        return subprocess.run(command, capture_output=True, text=True, timeout=20).stdout.strip()
    except (OSError, subprocess.TimeoutExpired):
        return ""


def commit():
    """Of the sources, which a gathered folder has in a file."""
    file = HERE / "commit"
    return file.read_text().strip() if file.exists() else output_of("git", "-C", str(HERE), "describe", "--always", "--dirty")


def begin(kind):
    """What is known of a run before it begins; `kind` is gpu, cpu or build."""
    cpu = next((line.split(":")[1].strip() for line in output_of("cat", "/proc/cpuinfo").splitlines()
                if line.startswith("model name")), platform.machine())
    return {"kind": kind, "date": datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"),
            "commit": commit(), "cpu": cpu, "cpu_cores": len(os.sched_getaffinity(0)),
            "python": platform.python_version(), "system": platform.platform()}


def write(file, run, cells):
    """One cell a line; the file is whole at any time."""
    head = json.dumps(run, indent=1)
    lines = ",\n".join("  " + json.dumps(cell) for cell in cells)
    partial = file.with_name(file.name + ".partial")
    partial.write_text(head.removesuffix("\n}") + ',\n "cells": [\n' + lines + "\n ]\n}\n")
    partial.replace(file)


def read_lines(file):
    """What was written before the end; the last line may be half a line."""
    records = []
    for line in file.read_text().splitlines() if file.exists() else ():
        try:
            records.append(json.loads(line))
        except ValueError:
            break
    return records
