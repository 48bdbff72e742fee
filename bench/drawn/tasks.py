"""Workloads of one task per index: shapes, and what is common to the kinds of task_kinds.py."""
import probabilities as p
from elementwise import cpp_element, spec_text, struct_lines
from task_cpu import render_cpu
from task_kinds import KINDS
from workload import Workload, cpp_view


def draw_task(draw, seed, number, size):
    kind = draw.weighted(p.TASKS)
    task = KINDS[kind](draw, size)
    return render(seed, number, kind, task)


def render(seed, number, kind, task):
    name = f"case{number:03d}"
    types = ", ".join(f"{one.type}[{one.members}]" if one.members else one.type for one in task.operands)
    description = f"{task.what}, {'x'.join(map(str, task.tasks))} tasks, ({types})"
    parameters = ", ".join([f"foldwise::index<{len(task.tasks)}> at", *(parameter(one) for one in task.operands)])
    spec = spec_text(name, description, [*struct_lines(task.operands),
                                         f"auto work = foldwise::forall([]({parameters}) {{",
                                         *(f"    {line}" for line in task.body), "});"])
    views = ", ".join(cpp_view(at, one, f"{name}::numbers" if one.struct else cpp_element(one))
                      for at, one in enumerate(task.operands))
    tasks = f"foldwise::shape{{{', '.join(map(str, task.tasks))}}}"
    given = ", ".join(one.name for one in task.operands if one.role != "out")

    def function(lines):
        return "\n".join([f"def work({given}):", *(f"    {line}" for line in lines), ""])
    missing, cupy_source = dict(task.missing), ""
    if task.cupy:
        cupy_source = "\n".join(["def make(cupy):", f"    {task.cupy_kernel}", f"    def work({given}):",
                                 *(f"        {line}" for line in task.cupy), "    return work", ""])
    numpy_source, numba_source, none_on_cpu = render_cpu(kind, task, given)
    features = {f"task {kind}", *(f"task of {one.type}" for one in task.operands), *task.features}
    type_name = task.operands[0].type + "s" * bool(task.operands[0].members)
    return Workload(seed, number, "task", kind, type_name, description, task.operands, spec,
                    f"{name}::work({tasks}, {views}, at.executor());", function(task.torch), task.reference,
                    compile_source=function(task.compiled) if task.compiled else "", cupy_source=cupy_source,
                    numpy_source=numpy_source, numba_source=numba_source, missing=missing | none_on_cpu,
                    features=features, moved=task.moved)


def parameter(one):
    const = "const " if one.role == "in" else ""
    return f"foldwise::view<{const}{cpp_element(one)}, {len(one.shape)}> {one.name}"
