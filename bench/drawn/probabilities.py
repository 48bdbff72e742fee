"""What is drawn how often: all of the distribution is here.

A number is a weight among those of its table. Nothing is drawn because Foldwise is good or bad at it: the tables state
what programs contain, before anything was measured with them.
"""

FAMILIES = {"elementwise": 40, "fold": 35, "task": 25}

# Bytes that have to be read or written at least: log-uniform. Workloads of tests are capped.
BYTES = (1e3, 1e9)

# ---- Elementwise -----------------------------------------------------------------------------------------------------

ELEMENTS = {"float": 30, "double": 12, "half": 12, "bfloat16": 10, "int32": 9, "int64": 5, "uint8": 7, "int8": 4,
            "bool": 3, "cfloat": 4, "struct": 4}
SAME_TYPE = 0.6  # that an input has the type of the first one
INPUTS = {1: 30, 2: 35, 3: 20, 4: 10, 5: 5}
OUTPUTS = {1: 70, 2: 20, 3: 10}
OTHER_OUTPUT = 0.35  # that an output is converted to a type drawn for it
STRUCT_NUMBERS = {2: 40, 3: 30, 4: 30}
STRUCT_BASES = {"float": 70, "double": 15, "int32": 15}
SCALARS = {0: 60, 1: 25, 2: 15}
OPERATIONS = (1, 30)  # log-uniform
# What kinds of operations an expression has; each is a table of weights of kinds.
MIXES = {
    "cheap": (40, {"arithmetic": 85, "branching": 10, "transcendental": 5}),
    "transcendental": (25, {"arithmetic": 50, "transcendental": 45, "branching": 5}),
    "integer": (15, {"integer": 75, "arithmetic": 15, "branching": 10}),
    "branching": (20, {"arithmetic": 45, "branching": 45, "transcendental": 10}),
}
SHAPES = {1: 45, 2: 35, 3: 15, 4: 5}  # axes of elementwise work
LAYOUTS = {"full": 62, "row": 10, "column": 8, "transposed": 8, "slice": 12}  # of an input, where there are axes for it

# ---- Folds -----------------------------------------------------------------------------------------------------------

FOLDS = {"sum": 16, "product": 4, "minimum": 5, "maximum": 5, "mapped_sum": 18, "count": 6, "norm": 8,
         "place": 9, "mean_variance": 8, "logsumexp": 7, "minmax": 5, "weighted_mean": 5, "moments": 6,
         "changes": 3, "first": 3, "variation": 4}
FOLD_ELEMENTS = {"float": 40, "double": 13, "half": 12, "bfloat16": 10, "int32": 9, "int64": 4, "uint8": 7, "int8": 5}
WHOLE = 0.4  # that all axes are folded; otherwise some of them
FOLD_AXES = {1: 10, 2: 50, 3: 28, 4: 12}  # of an input that is folded along some axes
ROWS = (2, 1e7)  # elements that are folded into one result: log-uniform
FOLD_LAYOUTS = {"full": 85, "slice": 15}

# ---- Tasks -----------------------------------------------------------------------------------------------------------

TASKS = {"stencil": 26, "gather": 9, "gather_rows": 8, "scatter": 7, "scatter_rows": 6, "permutation": 12,
         "atomic_few": 8, "atomic_many": 8, "neighbours": 6, "polynomial": 4, "filter": 6, "triangle": 6}
TASK_FLOATS = {"float": 60, "double": 25, "half": 15}
TASK_ELEMENTS = {"float": 45, "double": 15, "half": 10, "int32": 12, "int64": 6, "uint8": 7, "struct": 5}
STENCIL_AXES = {1: 25, 2: 45, 3: 30}
STENCIL_RADIUS = {1: 65, 2: 35}
STENCIL_BOX = 0.35  # all neighbours of the box; otherwise those along the axes
