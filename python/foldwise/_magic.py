"""%%foldwise, for IPython and Jupyter."""

from IPython.core.magic_arguments import argument, magic_arguments, parse_argstring

from ._inline import inline


@magic_arguments("%%foldwise")
@argument("--name", default="spec", help="what messages call the cell; the module is put into this variable, too")
@argument("--backends", help="of cpu, cuda and simulator, with commas between them")
@argument("--checked", action="store_true", help="check every index, division, shift and assert")
@argument("--vector-math", action="store_true", help="functions of <cmath> for whole vectors on the CPU")
@argument("--fast-math", action="store_true", help="approximations of division, roots and functions of <cmath>")
@argument("--reproducible", action="store_true", help="reductions round the same on every GPU")
@argument("--verbose", action="store_true", help="print all that CMake and compilers say")
@argument("-I", dest="include_folders", action="append", default=[], help="a folder with headers")
@argument("options", nargs="*", help="options of the generator, behind --: -Werror, -Wno-recursion")
def foldwise(line, cell):
    """Build the spec in this cell, and put its functions into the notebook's variables."""


def register(shell) -> None:
    """Makes `%%foldwise` known to a shell."""

    def run(line: str, cell: str) -> None:
        arguments = parse_argstring(foldwise, line)
        module = inline(
            cell,
            name=arguments.name,
            backends=arguments.backends.split(",") if arguments.backends else None,
            options=arguments.options,
            include_folders=arguments.include_folders,
            checked=arguments.checked,
            vector_math=arguments.vector_math,
            fast_math=arguments.fast_math,
            reproducible=arguments.reproducible,
            verbose=arguments.verbose,
        )
        functions = {name: value for name, value in vars(module).items() if not name.startswith("_")}
        shell.push(functions)
        if arguments.name != "spec":
            shell.push({arguments.name: module})

    run.__doc__ = foldwise.__doc__
    shell.register_magic_function(run, magic_kind="cell", magic_name="foldwise")
