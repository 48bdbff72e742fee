# tests/simulator/lit.cfg.py: kernels compiled for the simulator, with and without sanitizers; FileCheck reads what is said.
import os

import lit.formats

config.name = "simulator"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".cpp"]
config.test_source_root = os.path.dirname(__file__)
config.available_features.update(config.features.split(";"))
config.excludes = ["Inputs"]
config.environment["PATH"] = os.pathsep.join([config.llvm_tools, config.environment.get("PATH", "")])
for sanitizer in ("ASAN", "LSAN", "TSAN", "UBSAN"):
    config.environment.pop(f"{sanitizer}_OPTIONS", None)

build = (f"{config.compiler} -std=c++20 -g -O1 -Wall -Wextra -Wpedantic -Wconversion -Werror -I{config.include} %s "
         f"{config.libraries} -fopenmp -pthread -o %t")
config.substitutions += [
    ("%build", build),
    ("%generate", f"{config.foldwise} --backend=simulator"),
    ("%include", config.include),
    ("%libraries", f"{config.libraries} -fopenmp"),
    ("%run-thread", f"{config.fixed_addresses} %t.thread"),
]
