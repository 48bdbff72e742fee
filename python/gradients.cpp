// python/gradients.cpp: checks gradients when the module is imported, so that no call fails because of them.
#include "gradients.hpp"

#include <algorithm>
#include <sstream>

namespace foldwise::python {

namespace {

/// The types of a signature, as messages write them: "(float64, float64) -> (float64)".
std::string types_of(std::span<const element_type> inputs, std::span<const element_type> outputs) {
    const auto list = [](std::span<const element_type> types) {
        std::string text = "(";
        for (const element_type type : types) text += (text.size() > 1 ? ", " : "") + std::string(name_of(type));
        return text + ")";
    };
    return list(inputs) + " -> " + list(outputs);
}

bool has_signature(const kernel& of, std::span<const element_type> inputs, std::span<const element_type> outputs) {
    return std::ranges::any_of(of.ordered, [&](const signature* one) {
        const std::span operands(one->operands);
        const auto first = static_cast<std::size_t>(one->inputs);
        return std::ranges::equal(operands.first(first), inputs, {}, &operand_type::type) &&
               std::ranges::equal(operands.subspan(first), outputs, {}, &operand_type::type);
    });
}

kernel& elementwise_function(const object& module, const std::string& pair, const std::string& name) {
    const object found = module.attribute_if_any(python_name(name).c_str());
    kernel* of = found ? kernel_of(found.get()) : nullptr;
    if (!of) fail(PyExc_ImportError, "GRADIENTS " + pair + ": the module has no function " + name);
    if (of->ordered.empty() || of->first().pattern != patterns::vectorize)
        fail(PyExc_ImportError, "GRADIENTS " + pair + ": " + name + " is no elementwise function that Python can call");
    return *of;
}

/// Each signature with floats among its results needs one of the gradient's, with exactly its types.
void check(const std::string& pair, const kernel& function, const kernel& gradient) {
    bool has_any = false;
    for (const signature* one : function.ordered) {
        std::vector<element_type> taken, returned;
        for (std::size_t i = 0; i < one->operands.size(); ++i) taken.push_back(one->operands[i].type);
        const std::span outputs = std::span<const element_type>(taken).subspan(function.inputs());
        for (const element_type type : std::span(taken).first(function.inputs()))
            if (is_differentiable(type)) returned.push_back(type);
        if (returned.empty() || !std::ranges::all_of(outputs, is_differentiable)) continue;
        has_any = true;
        if (!has_signature(gradient, taken, returned))
            fail(PyExc_ImportError, "GRADIENTS " + pair + ": " + gradient.name + " has no signature " +
                                        types_of(taken, returned) +
                                        ": the inputs, a gradient for each output -> a gradient for each input that "
                                        "is a float or complex");
    }
    if (!has_any) fail(PyExc_ImportError, "GRADIENTS " + pair + ": " + function.name + " has no signature of floats");
}

}  // namespace

void set_gradients(const object& module, const char* pairs) {
    std::istringstream words(pairs);
    for (std::string pair; words >> pair;) {
        const auto equals = pair.find('=');
        kernel& function = elementwise_function(module, pair, pair.substr(0, equals));
        kernel& gradient = elementwise_function(module, pair, pair.substr(equals + 1));
        check(pair, function, gradient);
        function.gradient = module.attribute(gradient.name.c_str());
    }
}

}  // namespace foldwise::python
