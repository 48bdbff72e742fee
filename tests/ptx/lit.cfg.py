# tests/ptx/lit.cfg.py: specs through the generator and nvcc; FileCheck reads what comes out.
import os

import lit.formats

config.name = "ptx"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".cpp", ".test"]
config.excludes = ["Inputs"]
config.test_source_root = os.path.dirname(__file__)
config.environment["PATH"] = os.pathsep.join([config.llvm_tools, config.environment.get("PATH", "")])

nvcc = (f"{config.nvcc} -std=c++20 --expt-relaxed-constexpr -I{config.include} -Xcompiler=-Wall,-Wextra "
        "-Werror=all-warnings")
config.substitutions += [
    ("%nvcc_with_ptx", f"{nvcc} -cubin --keep --keep-dir %t.out"),  # leaves NAME.kernels.ptx there, too
    ("%generate", f"{config.foldwise} --backend=cuda --out-dir=%t.out"),
    ("%nvcc", nvcc),
    ("%host", f"{config.compiler} -std=c++20 -I{config.include}"),
    ("%include", f"-I{config.include}"),
    ("%kernel", f"{config.python} {config.test_source_root}/kernel.py"),
    ("%waits", f"{config.python} {config.test_source_root}/waits.py"),
    ("%header_macros",
     f"{config.python} {config.test_source_root}/header_macros.py {config.specs}/generator/frontend/HeaderMacros.inc"),
    ("%specs", config.specs),
]
