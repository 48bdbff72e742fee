// python/types.hpp: names element types, and chooses the signature of a call by casts that keep values.
#pragma once

#include <foldwise/python/functions.hpp>

#include <span>
#include <string>
#include <string_view>

namespace foldwise::python {

/// NumPy's and PyTorch's name of a type: "float32".
const char* name_of(element_type type);

/// All types that have a name.
std::vector<element_type> known_types();

/// The type of that name; `other` if there is none.
element_type type_of_name(std::string_view name);

/// NumPy's character of a type, as in "ff->f"; of bfloat16, that of ml_dtypes.
char character_of(element_type type);

/// The number of a type in NumPy's C API; -1 of those that NumPy itself does not have.
int number_of(element_type type);
element_type type_of_number(long number);

/// Whether a cast keeps every value, in NumPy's sense: int64 goes safely to float64.
bool casts_safely(element_type from, element_type to);

/// Whether a cast is to the same kind or a wider one, so that precision alone is lost: int64 goes to float32.
bool casts_within_kind(element_type from, element_type to);

/// The records among the elements of the module's functions, in the order in which they were noted.
const std::vector<element_type>& known_records();
void note_record(element_type type);

/// Which casts a call makes, in NumPy's words. The usual ones are safe casts; to a type that the call asks for, inputs
/// of the same kind are cast too.
enum class castings : std::uint8_t { usual, no, safe, same_kind, unsafe };

/// Whether a cast is among them; the usual ones are safe.
bool is_cast(element_type from, element_type to, castings allowed);

/// What is known of an argument of a call when its signature is chosen.
struct argument_type {
    element_type type;
    bool is_weak = false;  ///< Whether it is a Python number, whose kind alone matters.
};

/// Whether an argument can stand for operands of a type.
bool is_accepted(const argument_type& argument, element_type to, castings allowed = castings::usual);

/// Returns the first signature to whose inputs the arguments can be cast and which, if `result` is not `other`, has
/// results of that type; null if there is none. Python numbers alone count as what NumPy makes of them.
const signature* choose(std::span<const signature* const> ordered, std::span<const argument_type> arguments,
                        element_type result, castings allowed = castings::usual);

/// Whether elements are integers, with or without a sign; bools are not.
bool is_integer(element_type type);

/// Whether elements are numbers that JAX has only if it is told so: of 64 bits, or complex ones of 128.
bool is_wide(element_type type);

/// The order in which signatures are tried: by the inputs' kinds and sizes, so that the first that fits is the
/// narrowest.
std::vector<const signature*> in_order(const std::vector<signature>& signatures);

}  // namespace foldwise::python
