// python/kernel.hpp: a function of the module, as an object that Python calls, and the parts that its calls are made
// of.
#pragma once

#include "arguments.hpp"
#include "library.hpp"

#include <foldwise/python/functions.hpp>

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace foldwise::python {

/// Returns the name in Python of what has this name in C++: keywords of Python end in an underscore, as is usual there.
std::string python_name(const std::string& name);

/// In place of a parameter's place where there is none.
constexpr auto no_place = static_cast<std::size_t>(-1);

/// The state of a function's Python object, beside the table that describes the function.
struct kernel {
    kernel(const function& what, const char* of_module);

    const function& table;
    std::string name;  ///< The name in Python.
    std::string module;
    /// The signatures that can be called, in the order in which they are tried.
    std::vector<const signature*> ordered;
    std::vector<const signature*> looped;  ///< The signatures that NumPy's universal function has.
    /// The names of all parameters of a call: the operands', the core dimensions that a call may name, and keywords.
    /// Those of the first two end in an underscore where they would be a keyword of the call's or of Python's.
    std::vector<std::string> parameters;
    std::vector<std::string> defaults;  ///< The default of each parameter as Python source; empty if it is required.
    std::vector<bool> are_options;      ///< Whether each parameter is a keyword that functions of its pattern have.
    /// The place among the parameters of each core dimension; no_place for those that inputs have, and for those of
    /// which the layout says the size.
    std::vector<std::size_t> places_of_dimensions;
    /// How many parameters, the first ones, have no default, and how many may be given by their place.
    std::size_t required = 0, positional = 0;
    std::vector<const function*> folds;    ///< The module's reductions by this elementwise function; see link_folds().
    std::vector<const function*> scans;    ///< The module's scans by this elementwise function.
    object ufunc;                          ///< NumPy's object of an elementwise function, made when it is needed.
    std::vector<object> ufunc_signatures;  ///< "ff->f", in the order of `looped`.
    object gradient;                       ///< The function that computes the gradient, if there is one.
    object torch_operator;                 ///< PyTorch's operator, which knows the gradient.
    object floating_errors;                ///< NumPy's object that reports divisions by zero and the like.
    done_once ufunc_made, floating_errors_made;
    /// For calls without a search, as quick.cpp makes them: the last call's types, and the signature that they chose.
    std::atomic<std::uint64_t> last_choice = 0;

    const signature& first() const { return *ordered.front(); }
    std::size_t inputs() const { return static_cast<std::size_t>(first().inputs); }
    std::size_t outputs() const { return first().operands.size() - inputs(); }
    /// Whether calls begin with a number of tasks.
    bool is_of_tasks() const { return first().pattern == patterns::forall || first().pattern == patterns::blocks; }
    /// The place of a keyword that functions of its pattern have; no_place if it has none of that name.
    std::size_t place_of_option(std::string_view option) const;
    bool takes(std::string_view option) const { return place_of_option(option) != no_place; }

  private:
    /// Fills `parameters`, `defaults` and `are_options`, and what counts them: of inputs, then of outputs that have
    /// names of their own, then keywords that may be given by their place, then the other keywords.
    void add_parameters();
    /// Has a parameter added for each core dimension of which a call may say the size, and fills
    /// `places_of_dimensions`.
    void add_dimensions(const std::function<void(std::string, const char*)>& add);
};

/// The arguments of a call, in the order of the function's parameters; null where a call gives none. They are borrowed
/// from the caller, who keeps them and the function as long as this object exists.
class arguments {
  public:
    arguments(const kernel& kernel, const call& call)
        : kernel_(kernel), given_(sorted(call, kernel.parameters, kernel.required, kernel.positional)) {}

    std::span<PyObject* const> all() const { return given_; }
    /// The inputs.
    std::span<PyObject* const> inputs() const { return all().first(kernel_.inputs()); }
    /// The keyword of that name; null if it is not given.
    PyObject* option(const char* name) const;
    /// The arrays that a call names for its results, by position or as `out`: null for those that it makes.
    std::vector<PyObject*> outputs() const;
    /// The library of the inputs, the outputs and the options of these names; TypeError if they are of several.
    const library& common_library(std::initializer_list<const char*> options = {}) const;

  private:
    const kernel& kernel_;
    std::vector<PyObject*> given_;
};

/// Calls of each pattern. They throw python_error and Foldwise's exceptions.
object call_elementwise(kernel& kernel, const call& call);
object call_fold(kernel& kernel, const call& call);
object call_scan(kernel& kernel, const call& call);
object call_scatter(kernel& kernel, const call& call);
object call_tasks(kernel& kernel, const call& call);
object call_generalized(kernel& kernel, const call& call);
object call_stencil(kernel& kernel, const call& call);

/// Elementwise calls without NumPy's universal function.
object call_directly(kernel& kernel, const library& library, const call& call);
/// Folds that are not finished, and those of their accumulators.
object call_partial(kernel& kernel, const call& call);
object call_from_partials(kernel& kernel, const call& call);

/// The core dimensions of a signature of `guvectorize` as text: "(m,n),(n,p)->(m,p)".
std::string layout_text(const signature& signature);

/// What a function's __doc__ is: a call, the user's comment, the types and the parameters.
std::string documentation_of(const kernel& kernel);
/// What a function's __signature__ is: an inspect.Signature with its parameters and their defaults.
object signature_of(const kernel& kernel);
/// All that a function's entry in the module's stub file (.pyi) is made of, as dictionaries and lists; stubs.py reads
/// it.
object description_of(const kernel& kernel);

/// NumPy's universal function of an elementwise kernel.
const object& ufunc_of(kernel& kernel);

/// A universal function of one loop, which computes a number of type double from one.
using loop_function = void (*)(char**, const std::intptr_t*, const std::intptr_t*, void*);
object make_simple_ufunc(loop_function* loop, void** data, char* types, const char* name);

/// Returns what `call` returns, which calls a universal function or one of its methods; throws what kernels have thrown
/// in its loops.
object looped(const std::function<PyObject*()>& call);

/// "(float32, float32) -> float32", for messages; of a record NumPy's dtype, with its members. Of tasks all parameters.
std::string types_of(const signature& signature);
/// "; casting='same_kind' casts them": how a result of one type gets into an output of another; nothing if casting=
/// is the way and no rule allows it.
std::string casting_hint(const kernel& kernel, element_type from, element_type to);

/// An argument that no signature takes: its name, what it is, and whether it is one of the library's arrays.
struct refused_argument {
    std::string name;
    const object& value;
    argument_type type;
    bool is_array;
};

/// ": x.astype(np.int32)": how arguments would fit a signature, with as few casts as possible, precision alone being
/// lost if that is possible. Nothing is said of a cast from complex numbers, of one to booleans, and of arrays that are
/// written.
std::string cast_texts(std::span<const signature* const> possible, std::span<const refused_argument> arguments);

/// TypeError if an argument is an array of records and no signature's struct has its members: names the first one that
/// is missing, too many, in another place of the order, or of a type that does not go to the struct's.
void refuse_members(const kernel& kernel, std::size_t operand, const object& given);
/// ValueError if an array of records that is written has the struct's members in another layout.
void refuse_layout(const kernel& kernel, const signature& signature, std::size_t operand, const object& given);

/// The signature for these arguments; TypeError if there is none. Sequences among them become arrays, and with
/// castings::unsafe Python's numbers become what elements of a narrower kind take.
const signature& chosen(const kernel& kernel, const library& library, std::vector<object>& arguments,
                        std::vector<argument_type>& types, element_type result, castings casting = castings::usual);

/// An element type by what Python calls it: a name, a type or a dtype; `other` for None.
element_type to_element_type(PyObject* argument);

/// The shape that these broadcast to; ValueError if they do not.
shape broadcast(std::span<const shape> shapes);

/// The condition of `where=`; TypeError if it is not one of booleans.
object condition_of(const library& library, PyObject* where);

/// One element: of a Python number or, of a record's type, of what NumPy makes a record of.
class scalar {
  public:
    scalar(PyObject* given, element_type type);
    scalar(const scalar&) = delete;
    scalar& operator=(const scalar&) = delete;

    const void* address() const { return record_.owner ? record_.ref.data : number_.bytes; }
    operand_ref ref() const { return {const_cast<void*>(address()), {}, {}, true}; }

  private:
    value number_ = {};
    array record_;
};

/// The inputs of a call as operands: arrays, and Python numbers, which stay where they are while this exists.
class inputs {
  public:
    inputs(const library& library, const signature& signature, const std::vector<object>& arguments,
           const std::vector<argument_type>& types);

    const std::vector<operand_ref>& refs() const { return refs_; }
    /// The operands with those that are read element by element broadcast to a shape; ValueError if that is not
    /// possible.
    std::vector<operand_ref> broadcast_to(const shape& extents) const;
    /// The shape that they broadcast to.
    const shape& extents() const { return extents_; }
    /// Whether there are arrays among them that are read element by element.
    bool has_elements() const;
    /// An array among them, or null.
    const array* any() const { return arrays_.empty() ? nullptr : &arrays_.front(); }

  private:
    std::vector<array> arrays_;
    std::vector<std::unique_ptr<scalar>> values_;
    std::vector<operand_ref> refs_;
    shape extents_;
};

/// What an output is beside its shape and type.
struct output_options {
    bool keeps = false;  ///< Whether the kernel may leave elements as they are, or reads them.
    castings casting = castings::usual;
    const python::kernel* function = nullptr;  ///< For messages: what the call is of.
};

/// An output of a call: the caller's array, or one that the caller's is assigned from, or a new one.
class output {
  public:
    output(const library& library, PyObject* given, const shape& extents, element_type type, const inputs& inputs,
           output_options options = {});

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
    output_options options_;
    shape extents_;
    element_type type_;
    PyObject* like_;
    array target_;
};

/// Has a call launched, and once more with outputs that share no memory with the inputs if the kernel needs that.
void run(std::span<output> outputs, const std::function<void()>& call);

/// The results of a call: one, or a tuple.
object results_of(std::span<output> outputs, const object& where = {});

/// The function of the module that a Python object is, or null if it is none.
kernel* kernel_of(PyObject* object);

/// Creates the Python object of a function; the first call creates the type of these objects, too.
object make_kernel(const function& what, const char* module);
/// Tells an elementwise function which of the module's functions are reductions and scans by its operation.
void link_folds(const object& kernel, std::span<const function> functions);
/// Whether a function of the module is an elementwise one that NumPy can have as a universal function.
bool is_elementwise(const object& kernel);

}  // namespace foldwise::python
