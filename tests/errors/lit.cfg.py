# tests/errors/lit.cfg.py: each spec says with Clang's -verify comments what the tool tells its author.
import os
import pathlib

import lit.formats

config.name = "errors"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".kernels.cpp"]
config.test_source_root = os.path.dirname(__file__)
config.environment["PATH"] = os.pathsep.join([config.llvm_tools, config.environment.get("PATH", "")])
# What most specs include is precompiled for the generator's unit tests, and used here if it is as new as the headers are.
# Specs that are about headers set this to nothing.
headers = pathlib.Path(config.include).rglob("*.hpp")
if os.path.exists(config.precompiled):
    built = os.path.getmtime(config.precompiled)
    if all(header.stat().st_mtime <= built for header in headers):
        config.environment["PRECOMPILED"] = config.precompiled
config.substitutions += [
    ("%refused", f"{config.test_source_root}/refuse {config.foldwise} {config.include} %s %t.out"),
    ("%warned", f"{config.test_source_root}/warn {config.foldwise} {config.include} %s %t.out"),
    ("%foldwise", config.foldwise),
    ("%include", f"-I{config.include}"),
]
