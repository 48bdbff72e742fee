# tests/golden/lit.cfg.py: a folder for each feature, with a spec and the files that are expected of it.
import os

import lit.formats

config.name = "golden"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".kernels.cpp", ".test"]
config.excludes = ["Inputs", "expected"]
config.test_source_root = os.path.dirname(__file__)
config.environment["PATH"] = os.pathsep.join([config.llvm_tools, config.environment.get("PATH", "")])
config.substitutions += [
    ("%golden", f"{config.test_source_root}/compare {config.foldwise} %s %t"),
    ("%generate", f"{config.test_source_root}/generate {config.foldwise}"),
    ("%foldwise", config.foldwise),
    ("%include", f"-I{config.include}"),
    ("%specs", config.test_source_root),
    ("%source", config.source),
    ("%build", config.build),
    ("%version", config.version),
    ("%cxx", config.cxx),
    ("%clang", config.clang),
    ("%python", config.python),
]
