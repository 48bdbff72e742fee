// python/kernel.hpp: a function of the module, as an object that Python calls.
#pragma once

#include "arguments.hpp"
#include "library.hpp"

#include <foldwise/python/functions.hpp>

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace foldwise::python {

/// What a function's object knows beside its table.
struct kernel {
    kernel(const function& what, const char* of_module);

    const function& table;
    std::string name;  ///< Without namespaces.
    std::string module;
    std::vector<const signature*> ordered;  ///< Those that can be called, as they are tried.
    std::vector<std::string> parameters;    ///< The names of all parameters of a call.
    std::size_t required = 0, positional = 0;
    object ufunc;                          ///< NumPy's object of an elementwise function, made when it is needed.
    std::vector<object> ufunc_signatures;  ///< "ff->f", in the order of `ordered`.

    const signature& first() const { return *ordered.front(); }
    std::size_t inputs() const { return static_cast<std::size_t>(first().inputs); }
    std::size_t outputs() const { return first().operands.size() - inputs(); }
    /// The parameter after the operands that bears a name.
    std::size_t place_of(const char* parameter) const;
};

/// Calls of each pattern. They throw python_error and Foldwise's exceptions.
object call_elementwise(kernel& kernel, const call& call);
object call_fold(kernel& kernel, const call& call);
object call_scan(kernel& kernel, const call& call);
object call_tasks(kernel& kernel, const call& call);

/// NumPy's universal function of an elementwise kernel.
const object& ufunc_of(kernel& kernel);

/// Returns what `call` returns, which calls such a function or one of its methods; throws what kernels have thrown in
/// it.
object looped(const std::function<PyObject*()>& call);

/// The signature for these arguments, which sequences among them become arrays for; TypeError if there is none.
const signature& chosen(const kernel& kernel, const library& library, std::vector<object>& arguments,
                        std::vector<argument_type>& types, element_type result);

/// An element type by what Python calls it: a name, a type or a dtype; `other` for None.
element_type to_element_type(PyObject* argument);

/// The shape that these broadcast to; ValueError if they do not.
shape broadcast(std::span<const shape> shapes);

/// The inputs of a call as operands: arrays, and Python numbers, which stay where they are while this exists.
class inputs {
  public:
    inputs(const library& library, const signature& signature, const std::vector<object>& arguments,
           const std::vector<argument_type>& types);

    const std::vector<operand_ref>& refs() const { return refs_; }
    /// The shape that they broadcast to.
    const shape& extents() const { return extents_; }
    /// An array among them, or null.
    const array* any() const { return arrays_.empty() ? nullptr : &arrays_.front(); }

  private:
    std::vector<array> arrays_;
    std::vector<std::unique_ptr<value>> values_;
    std::vector<operand_ref> refs_;
    shape extents_;
};

/// An output of a call: the caller's array, or one that the caller's is assigned from, or a new one.
class output {
  public:
    output(const library& library, PyObject* given, const shape& extents, element_type type, const inputs& inputs);

    /// The operand that the kernel writes.
    const operand_ref& ref() const { return target_.ref; }
    const array& target() const { return target_; }
    bool is_direct() const { return given_ && target_.owner.get() == given_; }
    /// Has the kernel write to an array that shares no memory with the inputs.
    void detach();
    /// Returns what the call returns.
    object finished(const object& where = {});

  private:
    const library& library_;
    PyObject* given_;
    shape extents_;
    element_type type_;
    PyObject* like_;
    array target_;
};

/// Runs a call, and once more with outputs that share no memory with the inputs if the kernel needs that.
void run(std::span<output> outputs, const std::function<void()>& call);

/// Creates the type of such objects, and one for each function.
object make_kernel(const function& what, const char* module);

}  // namespace foldwise::python
