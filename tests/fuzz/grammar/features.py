"""The names of all that the grammar can produce. A run counts them, so that one sees that none is dead."""

_CALLED = """
constant.array constant.c_array declaration.local_struct function.consteval function.declared_first
function.default_arguments function.free function.literal_operator function.overloads function.reference_parameter
lambda.generic lambda.in_lambda lambda.plain macro.definition macro.function namespace.alias
namespace.argument_dependent namespace.inline namespace.of_std namespace.qualified namespace.unnamed
namespace.using_declaration namespace.using_directive struct.comparison struct.conversion struct.free_operator
struct.method struct.operator struct.static_method template.abbreviated template.alias template.class
template.curious_base template.function template.pack template.value
""".split()

_PRESENT = """
array.braces
blocks.axes_1 blocks.axes_2 blocks.axes_3 blocks.fold blocks.loop blocks.scan
complex.arithmetic complex.construction complex.functions complex.parts
constant.by_lambda constant.scalar constant.variable_template
conversion.float_to_int conversion.int_to_float conversion.to_16_bits conversion.usual_arithmetic conversion.written
declaration.auto declaration.c_array declaration.constexpr declaration.pointer declaration.reference
declaration.structured_binding declaration.typed
enum.declared enum.enumerator enum.from_number enum.switch enum.to_number enum.using_enum
fold.bits fold.commutative fold.extreme fold.finish fold.in_order fold.index fold.places fold.reduce fold.scan
fold.scatter fold.sum
function.auto function.constexpr function.defined_after_kernel
guvectorize.row guvectorize.value
kernel.16_bits kernel.auto kernel.by_macro kernel.capture kernel.comment kernel.converting kernel.function_name
kernel.generic kernel.lambda_variable kernel.object kernel.generic_auto
kernel.generic_const_auto kernel.generic_template kernel.generic_typename kernel.index_1 kernel.index_2 kernel.index_3
kernel.index_binding kernel.nested_namespace kernel.pair kernel.result_type kernel.tuple kernel.typed
kernel.unnamed_namespace kernel.variable_form kernel.without_inputs
literal.float literal.int
macro.constant
operator.16_bits operator.bitwise operator.comma operator.comparison operator.conditional operator.division
operator.float operator.int operator.logical operator.negation operator.not operator.shift operator.sizeof
overflow.smaller_operands overflow.unsigned overflow.wider
preprocessor.conditional
statement.assignment statement.break_or_continue statement.compound_assignment statement.do statement.early_return
statement.for statement.if statement.if_constexpr statement.if_with_initializer statement.increment statement.pragma
statement.range_for statement.switch statement.while
std.abs std.algorithm std.algorithm_on_array std.bit std.bit_cast std.clamp std.classification std.exact_math std.fma
std.initializer_list std.limits std.math std.math_of_two std.numbers std.numeric std.optional std.rotate std.tuple
std.utility
stencil.axes_1 stencil.axes_2 stencil.axes_3 stencil.constant stencil.index stencil.mirror stencil.nearest
stencil.radius stencil.skip stencil.symmetric stencil.wrap
struct.alignas struct.array_member struct.braces struct.declared struct.nested struct.static_member
tasks.coordinates tasks.early_return tasks.generic tasks.index_1 tasks.index_2 tasks.index_3 tasks.loop tasks.value
template.concept template.deduction_guide template.specialization
type.array type.bool type.char type.char16_t type.double type.enum type.float type.foldwise::bfloat16
type.foldwise::half type.std::complex<double> type.std::complex<float> type.std::int16_t
type.std::int32_t type.std::int64_t type.std::int8_t type.std::uint16_t type.std::uint32_t type.std::uint64_t
type.std::uint8_t type.struct
""".split() + ["type.long long"]

# `call.X`: something that X declares is called, so it has to come along.
FEATURES = frozenset(_PRESENT + _CALLED + ["call." + name for name in _CALLED])
