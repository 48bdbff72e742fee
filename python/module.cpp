// python/module.cpp: the module. FOLDWISE_PYTHON_MODULE is its name, FOLDWISE_PYTHON_GRADIENTS what the build has named
// as gradients, and with FOLDWISE_PYTHON_JAX its functions are targets of XLA; the functions are what emitted tables
// have added when the library was loaded. No array library and no GPU is touched before the first call.
#include "dlpack.hpp"
#include "gradients.hpp"
#include "jax.hpp"
#include "kernel.hpp"
#include "torch.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace foldwise::python {

/// The tables, in the order in which files were linked.
static std::vector<function>& functions() {
    static std::vector<function> all;
    return all;
}

bool add(std::initializer_list<function> added) {
    functions().insert(functions().end(), added);
    return true;
}

/// "stats::rel_diff of stats.kernels.cpp"
static std::string text_of(const function& one) { return std::string(one.name) + " of " + one.source; }

static int fill(PyObject* module) {
    PyObject* done = guarded([&] {
        const std::string name = object::share(module).attribute("__name__").text();
        std::vector<object> made_functions;
        for (const function& one : functions()) {
            const object made = make_kernel(one, name.c_str());
            const std::string attribute = made.attribute("__name__").text();
            const auto is_called = [&](const object& one) { return one.attribute("__name__").text() == attribute; };
            const auto other = std::ranges::find_if(made_functions, is_called);
            if (other != made_functions.end()) {
                const function& earlier = functions()[static_cast<std::size_t>(other - made_functions.begin())];
                fail(PyExc_ImportError,
                     name + " has two functions that are called " + attribute + ", " + text_of(earlier) + " and " +
                         text_of(one) +
                         ": functions have the kernels' names without their namespaces, so give one of "
                         "them another name");
            }
            if (PyObject_HasAttrString(module, attribute.c_str()))
                fail(PyExc_ImportError, name + " cannot have a function that is called " + attribute +
                                            ", which Python's modules have themselves");
            if (PyObject_SetAttrString(module, attribute.c_str(), made.get()) < 0) throw python_error();
            link_folds(made, functions());
            if (is_elementwise(made)) become_torch_operator(name, made);
            made_functions.push_back(made);
        }
        set_gradients(object::share(module), FOLDWISE_PYTHON_GRADIENTS);
        if (is_torch_imported()) exchanging_library(Py_None);
#ifdef FOLDWISE_PYTHON_JAX
        become_jax_targets(name, made_functions);
        make_jax_targets_if_imported();
#endif
        return object::share(Py_None);
    });
    Py_XDECREF(done);
    return done ? 0 : -1;
}

}  // namespace foldwise::python

#define FOLDWISE_TEXT_OF(name) #name
#define FOLDWISE_TEXT(name) FOLDWISE_TEXT_OF(name)
#define FOLDWISE_JOINED_OF(a, b) a##b
#define FOLDWISE_JOINED(a, b) FOLDWISE_JOINED_OF(a, b)

PyMODINIT_FUNC FOLDWISE_JOINED(PyInit_, FOLDWISE_PYTHON_MODULE)() {
    static PyModuleDef_Slot slots[] = {{Py_mod_exec, reinterpret_cast<void*>(foldwise::python::fill)},
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
