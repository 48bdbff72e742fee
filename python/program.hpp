// python/program.hpp: parts of the module that are written in Python, since they call Python's libraries.
#pragma once

#include "object.hpp"

namespace foldwise::python {

/// Runs a program and returns its global names, a dictionary. `file` stands for it in tracebacks.
inline object run_program(const char* text, const char* file) {
    const object code = object::take(Py_CompileString(text, file, Py_file_input));
    object names = object::take(PyDict_New());
    if (PyDict_SetItemString(names.get(), "__builtins__", PyEval_GetBuiltins()) < 0 ||
        PyDict_SetItemString(names.get(), "__name__", make_text("foldwise").get()) < 0)
        throw python_error();
    object::take(PyEval_EvalCode(code.get(), names.get(), names.get()));
    return names;
}

}  // namespace foldwise::python
