// python/fill.cpp: gives a module its functions, which emitted tables have added when the library was loaded. No array
// library and no GPU is touched before the first call.
#include "dlpack.hpp"
#include "gradients.hpp"
#include "kernel.hpp"
#include "module.hpp"
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

int fill(PyObject* module, const char* gradients, jax_step for_jax) {
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
        set_gradients(object::share(module), gradients);
        if (is_torch_imported()) exchanging_library(Py_None);
        if (for_jax) for_jax(name.c_str(), made_functions.data(), static_cast<Py_ssize_t>(made_functions.size()));
        return object::share(Py_None);
    });
    Py_XDECREF(done);
    return done ? 0 : -1;
}

}  // namespace foldwise::python
