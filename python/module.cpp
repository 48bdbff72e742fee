// python/module.cpp: the module. FOLDWISE_PYTHON_MODULE is its name, FOLDWISE_PYTHON_GRADIENTS what the build has named
// as gradients, and with FOLDWISE_PYTHON_JAX its functions are targets of XLA.
#include "module.hpp"

#define FOLDWISE_TEXT_OF(name) #name
#define FOLDWISE_TEXT(name) FOLDWISE_TEXT_OF(name)
#define FOLDWISE_JOINED_OF(a, b) a##b
#define FOLDWISE_JOINED(a, b) FOLDWISE_JOINED_OF(a, b)

static int execute(PyObject* module) {
#ifdef FOLDWISE_PYTHON_JAX
    const foldwise::python::jax_step for_jax = foldwise::python::make_jax_targets;
#else
    const foldwise::python::jax_step for_jax = nullptr;
#endif
    return foldwise::python::fill(module, FOLDWISE_PYTHON_GRADIENTS, for_jax);
}

PyMODINIT_FUNC FOLDWISE_JOINED(PyInit_, FOLDWISE_PYTHON_MODULE)() {
    static PyModuleDef_Slot slots[] = {{Py_mod_exec, reinterpret_cast<void*>(execute)},
#ifdef Py_GIL_DISABLED
                                       {Py_mod_gil, Py_MOD_GIL_NOT_USED},
#endif
                                       {0, nullptr}};
    static PyModuleDef definition = {.m_base = PyModuleDef_HEAD_INIT,
                                     .m_name = FOLDWISE_TEXT(FOLDWISE_PYTHON_MODULE),
                                     .m_doc = "Functions of Foldwise's kernels.",
                                     .m_size = 0,
                                     .m_methods = nullptr,
                                     .m_slots = slots,
                                     .m_traverse = nullptr,
                                     .m_clear = nullptr,
                                     .m_free = nullptr};
    return PyModuleDef_Init(&definition);
}
