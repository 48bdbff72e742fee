// generator/emit/KernelView.cpp: signatures and folds; they repeat what is around them, which templates do not see.
#include "KernelView.hpp"

#include "../model/Instances.hpp"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringExtras.h>

namespace foldwise {

namespace json = llvm::json;

namespace {

std::string text(unsigned number) { return std::to_string(number); }

/// The namespaces of a kernel, as they qualify a name: "a::b::".
std::string prefixOf(const KernelSpec& kernel) {
    return llvm::StringRef(kernel.qualifiedName()).drop_back(kernel.name.size()).str();
}

/// `index` counts among the inputs or among the outputs, `number` among all operands.
json::Object operandView(const Operand& operand, const OperandNames& names, std::size_t index, std::size_t number,
                         const Signature& signature, const SignaturePlan& plan) {
    return json::Object{{"name", names.local},
                        {"parameter", names.parameter},
                        {"type", operand.type.text()},
                        {"size", text(operand.type.size)},
                        {"alignment", text(operand.type.alignment)},
                        {"index", text(static_cast<unsigned>(index))},
                        {"number", text(static_cast<unsigned>(number))},
                        {"separator", index == 0 ? "" : ", "},
                        {"converts", signature.converts},
                        {"width", text(plan.cuda.width)}};
}

json::Array commentView(llvm::StringRef comment) {
    json::Array lines;
    if (comment.trim().empty()) return lines;
    for (llvm::StringRef line : llvm::split(comment.trim(), '\n')) {
        line = line.trim("\\ \t\r");  // a backslash at the end would draw the next line into the comment
        lines.push_back(json::Object{{"line", line.empty() ? std::string() : (" " + line).str()}});
    }
    return lines;
}

/// What a call that allocates its results returns.
std::string resultsType(const Signature& signature) {
    std::string types;
    for (const Operand& output : signature.outputs) {
        if (!types.empty()) types += ", ";
        types += "foldwise::array<" + output.type.text() + ">";
    }
    return signature.isTuple ? "std::tuple<" + types + ">" : types;
}

bool haveSameTypes(const std::vector<Operand>& a, const std::vector<Operand>& b) {
    return llvm::equal(a, b, [](const Operand& x, const Operand& y) { return x.type.name == y.type.name; });
}

/// Whether scalars alone may fit another signature too; with the same outputs, or with any.
bool hasRival(const KernelSpec& kernel, const Signature& signature, bool ofTheSameOutputs) {
    return llvm::any_of(kernel.signatures, [&](const Signature& other) {
        return &other != &signature && other.inputs.size() == signature.inputs.size() &&
               (!ofTheSameOutputs || haveSameTypes(other.outputs, signature.outputs));
    });
}

/// A value that becomes one of another type.
std::string converted(bool converts, const std::string& type, const std::string& value) {
    return converts ? "static_cast<" + type + ">(" + value + ")" : value;
}

/// The identity of a signature, as an expression.
std::string identityText(const KernelSpec& kernel, const Fold& fold, const std::string& function) {
    const ElementType& type = fold.accumulator;
    const bool isLowest = kernel.reduction->identity == IdentityKind::Lowest;
    if (kernel.reduction->identity == IdentityKind::Value)
        return "static_cast<" + type.text() + ">(" + function + "())";
    if (type.kind != TypeKind::Floating)
        return "std::numeric_limits<" + type.text() + ">::" + (isLowest ? "lowest()" : "max()");
    const bool is16Bit = type.size == 2;  // foldwise::half and bfloat16, which are made from float
    const std::string infinity =
        std::string(isLowest ? "-" : "") + "std::numeric_limits<" + (is16Bit ? "float" : type.text()) + ">::infinity()";
    return converted(is16Bit, type.text(), infinity);
}

/// What combines accumulators a and b.
std::string combinedText(const Fold& fold, const std::string& combine) {
    const std::string& accumulator = fold.accumulator.text();
    if (fold.wrapsIn.empty()) return converted(fold.combineConverts, accumulator, combine + "(a, b)");
    const bool isOwn = fold.wrapsIn == fold.accumulator.name;
    const std::string function = fold.operation == FoldOperator::Sum ? "wrapping_sum" : "wrapping_product";
    const auto argument = [&](const char* name) { return converted(!isOwn, fold.wrapsIn, name); };
    const std::string call = "foldwise::detail::" + function + "(" + argument("a") + ", " + argument("b") + ")";
    return converted(!isOwn, accumulator, call);
}

/// The name of a function beside the kernel, as it can be called from anywhere.
std::string globalName(const KernelSpec& kernel, const std::string& function) {
    return "::FOLDWISE_BACKEND::" + prefixOf(kernel) + function;
}

/// What is called for a body that bears the name `function`, unless it has one of the user's.
std::string called(const KernelSpec& kernel, const Body& body, const std::string& function) {
    if (!body.callee.empty()) return body.callee;
    return globalName(kernel, function) + (body.makesObject ? "()" : "");
}

/// What all patterns have.
json::Object kernelView(const KernelSpec& kernel, const Signature& signature, const SignaturePlan& plan,
                        const Backends& backends) {
    return json::Object{{"kernel", kernel.name},
                        {"qualified_kernel", kernel.qualifiedName()},
                        {"prefix", prefixOf(kernel)},
                        {"comment", commentView(kernel.comment)},
                        {"text", signature.text},
                        {"symbol", plan.symbol},
                        {"index_rank", text(signature.indexRank)},
                        {"threads", text(plan.cuda.threads)},
                        {"without_fma", signature.mayFuse ? "_WITHOUT_FMA" : ""},
                        {"cuda", backends.cuda},
                        {"cpu", backends.cpu},
                        {"simulator", backends.simulator}};
}

json::Object with(json::Object view, json::Object more) {
    for (auto& [key, value] : more) view[key] = std::move(value);
    return view;
}

/// The instances of a kernel, in the order of the runtime's table.
json::Array instancesView(const KernelSpec& kernel, const Signature& signature, const SignaturePlan& plan) {
    json::Array instances;
    for (const Instance& one : instancesOf(kernel.pattern, signature))
        instances.push_back(json::Object{{"instance", one.name}, {"exists", one.exists}, {"symbol", plan.symbol}});
    return instances;
}

/// What those have that go through elements.
json::Object elementsView(const KernelSpec& kernel, const Signature& signature, const SignaturePlan& plan,
                          const Backends& backends) {
    json::Array inputs;
    for (std::size_t i = 0; i < signature.inputs.size(); ++i)
        inputs.push_back(operandView(signature.inputs[i], plan.inputs[i], i, i, signature, plan));
    return with(kernelView(kernel, signature, plan, backends),
                json::Object{{"takes_index", signature.indexRank > 0},
                             {"instances", instancesView(kernel, signature, plan)},
                             {"input_count", text(static_cast<unsigned>(inputs.size()))},
                             {"inputs", std::move(inputs)},
                             {"result", signature.outputs.front().type.text()},
                             {"bytes_read", text(plan.bytesRead)},
                             {"width", text(plan.cuda.width)}});
}

}  // namespace

json::Object vectorizeView(const KernelSpec& kernel, const Signature& signature, const SignaturePlan& plan,
                           const Backends& backends) {
    const bool hasInputs = !signature.inputs.empty();
    json::Array outputs;
    for (std::size_t i = 0; i < signature.outputs.size(); ++i)
        outputs.push_back(
            operandView(signature.outputs[i], plan.outputs[i], i, signature.inputs.size() + i, signature, plan));
    return with(elementsView(kernel, signature, plan, backends),
                json::Object{{"call", "::" + kernel.qualifiedName()},
                             {"lambda", called(kernel, kernel.body, kernel.name)},
                             {"has_inputs", hasInputs},
                             {"has_rival", hasInputs && hasRival(kernel, signature, false)},
                             {"has_rival_outputs", hasInputs && hasRival(kernel, signature, true)},
                             {"takes_shape", !hasInputs || signature.indexRank > 0},
                             {"output_count", text(static_cast<unsigned>(outputs.size()))},
                             {"outputs", std::move(outputs)},
                             {"results", resultsType(signature)},
                             {"output", plan.outputs.front().local},
                             {"is_tuple", signature.isTuple},
                             {"converts", signature.converts},
                             {"bytes_written", text(plan.bytesWritten)}});
}

json::Object reduceView(const KernelSpec& kernel, const Signature& signature, const SignaturePlan& plan,
                        const FoldNames& names, const Backends& backends, llvm::StringRef attributes) {
    std::string arguments = signature.indexRank > 0 ? "at" : "";
    for (const OperandNames& input : plan.inputs) arguments += (arguments.empty() ? "" : ", ") + input.local;
    const Fold& fold = *signature.fold;
    const std::string& accumulator = fold.accumulator.text();
    const ElementType& result = signature.outputs.front().type;
    const std::string mapped =
        kernel.reduction->map ? called(kernel, *kernel.reduction->map, names.map) + "(" + arguments + ")" : arguments;
    const std::string finished =
        kernel.reduction->finish ? called(kernel, *kernel.reduction->finish, names.finish) + "(folded)" : "folded";
    return with(
        elementsView(kernel, signature, plan, backends),
        json::Object{
            {"accumulator", accumulator},
            {"operand_count", text(static_cast<unsigned>(signature.inputs.size()) + (signature.indexRank > 0 ? 1 : 0))},
            {"accumulator_size", text(fold.accumulator.size)},
            {"result_size", text(result.size)},
            {"result_alignment", text(result.alignment)},
            {"output", plan.outputs.front().parameter},
            {"commutes", fold.commutes ? "true" : "false"},
            {"has_identity", fold.hasIdentity ? "true" : "false"},
            {"identifies", fold.hasIdentity},
            {"identity", fold.hasIdentity ? identityText(kernel, fold, globalName(kernel, names.identity)) : ""},
            {"mapped", converted(fold.mapConverts, accumulator, mapped)},
            {"combined", combinedText(fold, called(kernel, kernel.body, names.combine))},
            {"finished", converted(fold.finishConverts, result.text(), finished)},
            {"attributes", attributes}});
}

namespace {

/// "const double" of a view that is read only.
std::string elementOf(const TaskParameter& parameter) {
    return (parameter.isConst ? "const " : "") + parameter.type.text();
}

/// "{1, 0}"
std::string followed(const TaskParameter& parameter) {
    std::string axes;
    llvm::ListSeparator comma;
    for (const std::uint32_t axis : parameter.follows) axes += (llvm::StringRef(comma) + text(axis)).str();
    return "{" + axes + "}";
}

bool reads(Access access) { return access == Access::Read || access == Access::ReadWrite; }
bool writes(Access access) { return access == Access::Write || access == Access::ReadWrite; }

json::Object parameterView(const TaskParameter& parameter, const OperandNames& names, const SignaturePlan& plan,
                           std::size_t number) {
    return json::Object{{"name", names.local},
                        {"parameter", names.parameter},
                        {"symbol", plan.symbol},
                        {"is_view", parameter.rank > 0},
                        {"element", elementOf(parameter)},
                        {"rank", text(parameter.rank)},
                        {"type", parameter.type.text()},
                        {"size", text(parameter.type.size)},
                        {"alignment", text(parameter.type.alignment)},
                        {"number", text(static_cast<unsigned>(number))},
                        {"separator", number == 0 ? "" : ", "},
                        {"reads", reads(parameter.access) ? "true" : "false"},
                        {"writes", writes(parameter.access) ? "true" : "false"},
                        {"owns_rows", parameter.ownRows},
                        {"is_covered", !parameter.follows.empty()},
                        {"follows", followed(parameter)}};
}

/// "Reads in; writes out; reads and writes bins."
std::string accessText(const Signature& signature, const SignaturePlan& plan) {
    std::string all;
    const auto add = [&](llvm::StringRef verb, Access access) {
        std::string names;
        for (std::size_t i = 0; i < plan.parameters.size(); ++i) {
            const TaskParameter& parameter = signature.parameters[i];
            if (parameter.rank == 0 || parameter.access != access) continue;
            names += (names.empty() ? "" : ", ") + plan.parameters[i].parameter;
        }
        if (!names.empty()) all += (all.empty() ? "" : "; ") + verb.str() + " " + names;
    };
    add("reads", Access::Read);
    add("writes", Access::Write);
    add("reads and writes", Access::ReadWrite);
    add("asks the extents of", Access::None);
    return all.empty() ? "touches no view" : all;
}

}  // namespace

json::Object forallView(const KernelSpec& kernel, const Signature& signature, const SignaturePlan& plan,
                        const Backends& backends) {
    json::Array parameters;
    for (std::size_t i = 0; i < signature.parameters.size(); ++i)
        parameters.push_back(parameterView(signature.parameters[i], plan.parameters[i], plan, i));
    const bool hasViews = llvm::any_of(signature.parameters, [](const TaskParameter& one) { return one.rank > 0; });
    return with(kernelView(kernel, signature, plan, backends),
                json::Object{{"lambda", called(kernel, kernel.body, kernel.name)},
                             {"instances", instancesView(kernel, signature, plan)},
                             {"access", accessText(signature, plan)},
                             {"has_parameters", !parameters.empty()},
                             {"has_views", hasViews},
                             {"parameter_count", text(static_cast<unsigned>(parameters.size()))},
                             {"parameters", std::move(parameters)}});
}

bool usesLimits(const KernelSpec& kernel) {
    return kernel.reduction &&
           (kernel.reduction->identity == IdentityKind::Lowest || kernel.reduction->identity == IdentityKind::Highest);
}

}  // namespace foldwise
