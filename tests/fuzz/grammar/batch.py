"""Files of several specs, and what the harness needs to call their kernels."""
import os

HEADERS = ("algorithm", "array", "bit", "cmath", "complex", "concepts", "cstddef", "cstdint", "limits", "numbers",
           "numeric", "optional", "span", "tuple", "type_traits", "utility")


def spec_file(specs):
    """The text of one spec file that holds all of these specs, each in its namespace."""
    includes = "".join(f"#include <{header}>\n" for header in HEADERS)
    return f"#include <foldwise/spec.hpp>\n\n{includes}\n" + "\n".join(spec.source() for spec in specs)


def write(specs, folder, seed):
    """Writes batch.kernels.cpp, its host calls and the program's table into `folder`."""
    texts = {"batch.kernels.cpp": spec_file(specs), "host.cpp": _host(specs), "main.cpp": _main(specs, seed)}
    for name, text in texts.items():
        with open(os.path.join(folder, name), "w") as file:
            file.write(text)


def _host(specs):
    """The specs as a host compiler sees them: one function for each signature, for one element or a whole fold."""
    lines = ['#include "batch.kernels.cpp"', ""]
    for spec in specs:
        lines.append(f"namespace {spec.namespace} {{")
        for number, signature in enumerate(spec.kernels):
            call = {"vectorize": _element_on_host, "forall": _tasks_on_host, "reduce": _fold_on_host,
                    "scan": _scan_on_host, "scatter": _scatter_on_host, "stencil": _stencil_on_host,
                    "guvectorize": _rows_on_host, "blocks": _blocks_on_host}[signature.pattern]
            lines += [f"void on_host_{number}([[maybe_unused]] void* const* operands, "
                      "[[maybe_unused]] const std::int64_t* place) {",
                      *("    " + line for line in call(f"{spec.namespace}::{signature.kernel}", signature)), "}"]
        lines += ["}", ""]
    return "\n".join(lines)


def _index(signature):
    place = ", ".join(f"place[{axis}]" for axis in range(signature.axes))
    return [f"foldwise::index<{signature.axes}>({place})"] if signature.axes else []


def _element_on_host(kernel, signature):
    arguments = _index(signature) + [f"*static_cast<const {t.name}*>(operands[{i}])"
                                     for i, t in enumerate(signature.inputs)]
    lines = [f"const auto result = {kernel}({', '.join(arguments)});"]
    for i, type_ in enumerate(signature.outputs):
        part = f"std::get<{i}>(result)" if signature.is_tuple else "result"
        at = len(signature.inputs) + i
        lines.append(f"*static_cast<{type_.name}*>(operands[{at}]) = static_cast<{type_.name}>({part});")
    return lines


def _tasks_on_host(kernel, signature):
    """One task after the other."""
    places = [f"at_{axis}" for axis in range(signature.axes)]
    arguments = [f"foldwise::index<{signature.axes}>({', '.join(places)})"]
    arguments += [_value(signature, i) if given == "value" else f"array_{i}" for i, given in enumerate(signature.given)]
    arguments += [f"array_{i}" for i in range(len(signature.inputs), len(signature.inputs + signature.outputs))]
    loops = [f"for (std::int64_t {place} = 0; {place} < place[{axis}]; ++{place})" for axis, place in enumerate(places)]
    return _arrays_on_host(signature) + loops + [f"    {kernel}({', '.join(arguments)});"]


def _ranges(signature):
    """All elements of the inputs: place[0] is their number."""
    return [f"std::span<const {t.name}>(static_cast<const {t.name}*>(operands[{i}]), "
            "static_cast<std::size_t>(place[0]))" for i, t in enumerate(signature.inputs)]


def _fold_on_host(kernel, signature):
    arguments = _ranges(signature)
    result = f"*static_cast<{signature.outputs[0].name}*>(operands[{len(signature.inputs)}])"
    return [f"{result} = {kernel}({', '.join(arguments)});"]


def _scan_on_host(kernel, signature):
    results = (f"std::span<{signature.outputs[0].name}>(static_cast<{signature.outputs[0].name}*>"
               f"(operands[{len(signature.inputs)}]), static_cast<std::size_t>(place[0]))")
    return [f"{kernel}({', '.join(_ranges(signature) + [results])});"]


def _scatter_on_host(kernel, signature):
    """As many bins as there are elements."""
    result = signature.outputs[0].name
    bins = f"foldwise::view<{result}, 1>(static_cast<{result}*>(operands[{len(signature.inputs)}]), place, &step)"
    return ["const std::int64_t step = 1;", f"{kernel}({', '.join(_ranges(signature) + [bins])});"]


def _arrays_on_host(signature):
    """Views of all arrays, named array_0 and so on, inputs first: place holds the extents."""
    lines = [f"std::int64_t steps[{signature.axes}];",
             f"for (std::int64_t axis = {signature.axes} - 1, step = 1; axis >= 0; step *= place[axis--]) steps[axis] = step;"]
    for i, type_ in enumerate(signature.inputs + signature.outputs):
        element = f"const {type_.name}" if i < len(signature.inputs) else type_.name
        lines.append(f"[[maybe_unused]] const foldwise::view<{element}, {signature.axes}> "
                     f"array_{i}(static_cast<{element}*>(operands[{i}]), place, steps);")
    return lines


def _value(signature, i):
    return f"*static_cast<const {signature.inputs[i].name}*>(operands[{i}])"


def _blocks_on_host(kernel, signature):
    extents = ", ".join(f"place[{axis}]" for axis in range(signature.axes))
    arguments = [_value(signature, i) if given == "value" else f"array_{i}" for i, given in enumerate(signature.given)]
    arguments += [f"array_{i}" for i in range(len(signature.inputs), len(signature.inputs + signature.outputs))]
    return _arrays_on_host(signature) + [f"{kernel}({', '.join([f'foldwise::index<{signature.axes}>({extents})', *arguments])});"]


def _stencil_on_host(kernel, signature):
    """Each element whose window is inside, where others are skipped; otherwise all."""
    places = [f"at_{axis}" for axis in range(signature.axes)]
    at = f"foldwise::index<{signature.axes}>({', '.join(places)})"
    reach = signature.reach or ((0, 0),) * signature.axes
    lines = _arrays_on_host(signature)
    for axis, (low, high) in enumerate(reach):
        lines.append(f"for (std::int64_t at_{axis} = {-low}; at_{axis} < place[{axis}] - {high}; ++at_{axis})")
    arguments = []
    for i, (type_, given) in enumerate(zip(signature.inputs, signature.given)):
        arguments.append({"around": f"foldwise::around<const {type_.name}, {signature.axes}>(array_{i}, {at}, {kernel}.edge)",
                          "element": f"array_{i}[{at}]", "value": _value(signature, i)}[given])
    body = [f"const auto result = {kernel}({', '.join(arguments)});"]
    for i, type_ in enumerate(signature.outputs):
        part = f"std::get<{i}>(result)" if signature.is_tuple else "result"
        body.append(f"array_{len(signature.inputs) + i}[{at}] = static_cast<{type_.name}>({part});")
    return [*lines[:-1], lines[-1] + " {", *("    " + line for line in body), "}"]


def _rows_on_host(kernel, signature):
    """One row after the other."""
    arguments = []
    for i, type_ in enumerate(signature.inputs):
        data = f"static_cast<const {type_.name}*>(operands[{i}])"
        arguments.append(f"*{data}" if signature.given[i] == "value" else
                         f"foldwise::view<const {type_.name}, 1>({data} + row * place[1], place + 1, &step)")
    for i, type_ in enumerate(signature.outputs, len(signature.inputs)):
        data = f"static_cast<{type_.name}*>(operands[{i}])"
        arguments.append(f"foldwise::view<{type_.name}, 1>({data} + row * place[1], place + 1, &step)"
                         if signature.makes_rows else f"{data}[row]")
    return ["[[maybe_unused]] const std::int64_t step = 1;",
            f"for (std::int64_t row = 0; row < place[0]; ++row) {kernel}({', '.join(arguments)});"]


def _main(specs, seed):
    """Descriptions of the specs' types, calls of the generated functions, and main()."""
    lines = ['#include "generated/batch.kernels.launch.cpp"', "", '#include "harness.hpp"', ""]
    lines += [f"#include <{header}>" for header in HEADERS] + [""]
    for spec in specs:
        for type_ in spec.enums:
            field = f"fuzz::kind::enumeration, at, sizeof({spec.namespace}::{type_.name}), {len(type_.enumerators)}"
            lines += _description(spec, type_, f"fields.push_back({{{field}}});")
        for type_ in spec.structs:
            name = f"{spec.namespace}::{type_.name}"
            parts = [f"fuzz::fields_of<decltype({name}::{m})>::append(fields, at + offsetof({name}, {m}));"
                     for m, _ in type_.members]
            lines += _description(spec, type_, *parts)
    table = []
    for spec in specs:
        lines.append(f"namespace {spec.namespace} {{")
        for number, signature in enumerate(spec.kernels):
            described = [", ".join(f"fuzz::describe<{t.name}>()" for t in types)
                         for types in (signature.inputs, signature.outputs)]
            text = f"{signature.kernel}({', '.join(t.name for t in signature.inputs)})"
            lines += [f"void on_host_{number}(void* const*, const std::int64_t*);",
                      f"fuzz::signature signature_{number}() {{",
                      f'    return {{{spec.number}, "{text}",',
                      f"            {{{described[0]}}}, {{{described[1]}}}, {signature.axes}, {_form(signature)},",
                      f"            [](const fuzz::call& c) {{ {_call(spec, signature)} }}, on_host_{number}}};", "}"]
            table.append(f"{spec.namespace}::signature_{number}()")
        lines += ["}", ""]
    lines += ["int main() {", f"    return fuzz::check({{{', '.join(table)}}}, {seed}) == 0 ? 0 : 1;", "}", ""]
    return "\n".join(lines)


def _call(spec, signature):
    function, operands = f"{spec.namespace}::{signature.kernel}", _operands_of_call(signature)
    call = f"{function}({', '.join(operands + ['c.executor'])});"
    if signature.pattern != "reduce":
        return call
    segments = ", ".join(operands + ["foldwise::segments(c.offsets)", "c.executor"])
    return f"if (c.offsets.empty()) {call} else {function}({segments});"


# How a call is given what a kernel takes.
_GIVEN = {"array": "elements<const {}>", "around": "elements<const {}>", "row": "elements<const {}>",
          "element": "input<{}>", "value": "value<const {}>"}


def _operands_of_call(signature):
    first = len(signature.inputs)
    inputs = [f"c.{_GIVEN[given].format(t.name)}({i})"
              for i, (t, given) in enumerate(zip(signature.inputs, signature.given))]
    inputs = inputs or [f"c.input<{t.name}>({i})" for i, t in enumerate(signature.inputs)]
    outputs = [f"c.output<{t.name}>({i})" for i, t in enumerate(signature.outputs, first)]
    if signature.pattern in ("forall", "blocks"):
        return ["c.shape"] + inputs + [f"c.elements<{t.name}>({i})" for i, t in enumerate(signature.outputs, first)]
    return inputs + outputs


def _form(signature):
    """What the harness may give as inputs, and what the host's function does at once."""
    by_value = ", ".join("true" if given == "value" else "false" for given in signature.given)
    rows = "fuzz::whole_rows" if signature.makes_rows else "fuzz::whole_rows_folded"
    return {"vectorize": "fuzz::elementwise()", "forall": f"fuzz::whole_arrays({{{by_value}}})",
            "reduce": f"fuzz::whole_fold({'true' if signature.has_position else 'false'})", "scan": "fuzz::whole_scan()", "scatter": "fuzz::whole_scan()",
            "stencil": f"fuzz::whole_arrays({{{by_value}}})", "blocks": f"fuzz::whole_arrays({{{by_value}}})",
            "guvectorize": f"{rows}({{{by_value}}})"}[signature.pattern]


def _is_operand(spec, type_):
    """Whether the generated header declares this struct: as an operand's type, or as part of one."""
    def mentions(other):
        return other == type_ or (other.element is not None and mentions(other.element)) or any(
            mentions(member) for _, member in other.members)
    return any(mentions(t) for signature in spec.kernels for t in signature.inputs + signature.outputs)


def _description(spec, type_, *appends):
    if not _is_operand(spec, type_):
        return []
    return [f"template <> struct fuzz::fields_of<{spec.namespace}::{type_.name}> {{",
            "    static void append(std::vector<fuzz::field>& fields, std::size_t at) {",
            *("        " + line for line in appends), "    }", "};"]
