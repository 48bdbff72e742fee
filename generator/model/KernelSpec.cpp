// generator/model/KernelSpec.cpp: the model's way to JSON and back.
#include "KernelSpec.hpp"

#include <type_traits>
#include <utility>

namespace foldwise {

namespace json = llvm::json;

std::string KernelSpec::qualifiedName() const {
    std::string qualified;
    for (llvm::StringRef space : namespaces) {
        space.consume_front("inline ");
        qualified += (space + "::").str();
    }
    return qualified + name;
}

std::string typeText(const TaskParameter& parameter) {
    if (parameter.rank == 0) return parameter.type.text();
    return "view<" + std::string(parameter.isConst ? "const " : "") + parameter.type.text() + ", " +
           std::to_string(parameter.rank) + ">";
}

namespace {

// One list of fields for each struct serves both directions: `visit(key, member)` says whether to go on.
template <class T> struct Fields;

template <> struct Fields<Place> {
    static bool each(auto& place, auto&& visit) { return visit("file", place.file) && visit("line", place.line); }
};

template <> struct Fields<ElementType> {
    static bool each(auto& type, auto&& visit) {
        return visit("name", type.name) && visit("identifier", type.identifier) && visit("kind", type.kind) &&
               visit("size", type.size) && visit("alignment", type.alignment) && visit("alias", type.alias);
    }
};

template <> struct Fields<Operand> {
    static bool each(auto& operand, auto&& visit) { return visit("name", operand.name) && visit("type", operand.type); }
};

template <> struct Fields<TaskParameter> {
    static bool each(auto& parameter, auto&& visit) {
        return visit("name", parameter.name) && visit("type", parameter.type) && visit("rank", parameter.rank) &&
               visit("is_const", parameter.isConst) && visit("access", parameter.access) &&
               visit("follows", parameter.follows) && visit("own_rows", parameter.ownRows);
    }
};

template <> struct Fields<OperationCount> {
    static bool each(auto& counted, auto&& visit) {
        return visit("operation", counted.operation) && visit("count", counted.count);
    }
};

template <> struct Fields<Operations> {
    static bool each(auto& operations, auto&& visit) {
        return visit("counts", operations.counts) && visit("repeated", operations.repeated);
    }
};

template <> struct Fields<Repetition> {
    static bool each(auto& repetition, auto&& visit) {
        return visit("kind", repetition.kind) && visit("place", repetition.place) && visit("times", repetition.times) &&
               visit("each", repetition.each);
    }
};

template <> struct Fields<Fold> {
    static bool each(auto& fold, auto&& visit) {
        return visit("accumulator", fold.accumulator) && visit("operation", fold.operation) &&
               visit("commutes", fold.commutes) && visit("has_identity", fold.hasIdentity) &&
               visit("wraps_in", fold.wrapsIn) && visit("map_converts", fold.mapConverts) &&
               visit("combine_converts", fold.combineConverts) && visit("finish_converts", fold.finishConverts);
    }
};

template <> struct Fields<Signature> {
    static bool each(auto& signature, auto&& visit) {
        return visit("text", signature.text) && visit("inputs", signature.inputs) &&
               visit("outputs", signature.outputs) && visit("index_rank", signature.indexRank) &&
               visit("is_tuple", signature.isTuple) && visit("converts", signature.converts) &&
               visit("operations", signature.operations) && visit("may_fuse", signature.mayFuse) &&
               visit("fold", signature.fold) && visit("parameters", signature.parameters);
    }
};

template <> struct Fields<Mark> {
    static bool each(auto& mark, auto&& visit) { return visit("offset", mark.offset) && visit("kind", mark.kind); }
};

template <> struct Fields<SurroundingPragmas> {
    static bool each(auto& pragmas, auto&& visit) {
        return visit("before", pragmas.before) && visit("behind", pragmas.behind);
    }
};

template <> struct Fields<Body> {
    static bool each(auto& body, auto&& visit) {
        return visit("place", body.place) && visit("template_parameters", body.templateParameters) &&
               visit("parameters", body.parameters) && visit("result_type", body.resultType) &&
               visit("block", body.block) && visit("marks", body.marks) && visit("pragmas", body.pragmas) &&
               visit("callee", body.callee) && visit("makes_object", body.makesObject);
    }
};

template <> struct Fields<Carried> {
    static bool each(auto& carried, auto&& visit) {
        return visit("kind", carried.kind) && visit("name", carried.name) && visit("place", carried.place);
    }
};

template <> struct Fields<LibraryUse> {
    static bool each(auto& use, auto&& visit) { return visit("name", use.name) && visit("source", use.source); }
};

template <> struct Fields<Reduction> {
    static bool each(auto& reduction, auto&& visit) {
        return visit("map", reduction.map) && visit("finish", reduction.finish) &&
               visit("identity", reduction.identity) && visit("identity_value", reduction.identityValue);
    }
};

template <> struct Fields<KernelSpec> {
    static bool each(auto& kernel, auto&& visit) {
        return visit("pattern", kernel.pattern) && visit("namespaces", kernel.namespaces) &&
               visit("name", kernel.name) && visit("comment", kernel.comment) && visit("place", kernel.place) &&
               visit("body", kernel.body) && visit("reduction", kernel.reduction) &&
               visit("signatures", kernel.signatures) && visit("carried", kernel.carried) &&
               visit("library", kernel.library);
    }
};

template <> struct Fields<Declaration> {
    static bool each(auto& declaration, auto&& visit) {
        return visit("namespaces", declaration.namespaces) && visit("name", declaration.name) &&
               visit("place", declaration.place) && visit("text", declaration.text) &&
               visit("marks", declaration.marks) && visit("pragmas", declaration.pragmas) &&
               visit("in_system_header", declaration.inSystemHeader);
    }
};

template <> struct Fields<UnitSpec> {
    static bool each(auto& unit, auto&& visit) {
        return visit("source", unit.source) && visit("includes", unit.includes) &&
               visit("declarations", unit.declarations) && visit("header_includes", unit.headerIncludes) &&
               visit("header_declarations", unit.headerDeclarations) && visit("kernels", unit.kernels);
    }
};

template <class T>
concept HasFields = requires {
    sizeof(Fields<T>);
};

/// The names that an enumeration's values have in JSON, and what is said of other ones.
template <class T> struct Names;

template <> struct Names<TypeKind> {
    static constexpr llvm::StringLiteral expected = "expected the kind of a type, such as floating";
    static constexpr std::pair<TypeKind, llvm::StringLiteral> all[] = {
        {TypeKind::Boolean, "boolean"}, {TypeKind::Integer, "integer"},         {TypeKind::Floating, "floating"},
        {TypeKind::Complex, "complex"}, {TypeKind::Enumeration, "enumeration"}, {TypeKind::Structure, "structure"}};
};

template <> struct Names<Operation> {
    static constexpr llvm::StringLiteral expected = "expected a class of operations, such as float32_add";
    static constexpr std::pair<Operation, llvm::StringLiteral> all[] = {
#define FOLDWISE_OPERATION(name, key, ...) {Operation::name, key},
#include "Operations.def"
    };
};

template <> struct Names<RepetitionKind> {
    static constexpr llvm::StringLiteral expected = "expected loop or recursion";
    static constexpr std::pair<RepetitionKind, llvm::StringLiteral> all[] = {{RepetitionKind::Loop, "loop"},
                                                                             {RepetitionKind::Recursion, "recursion"}};
};

template <> struct Names<CarriedKind> {
    static constexpr llvm::StringLiteral expected = "expected function, type or constant";
    static constexpr std::pair<CarriedKind, llvm::StringLiteral> all[] = {
        {CarriedKind::Function, "function"}, {CarriedKind::Type, "type"}, {CarriedKind::Constant, "constant"}};
};

template <> struct Names<LibrarySource> {
    static constexpr llvm::StringLiteral expected = "expected cuda, foldwise or standard";
    static constexpr std::pair<LibrarySource, llvm::StringLiteral> all[] = {
        {LibrarySource::Cuda, "cuda"}, {LibrarySource::Foldwise, "foldwise"}, {LibrarySource::Standard, "standard"}};
};

template <> struct Names<FoldOperator> {
    static constexpr llvm::StringLiteral expected = "expected an operation, such as sum";
    static constexpr std::pair<FoldOperator, llvm::StringLiteral> all[] = {{FoldOperator::Other, "other"},
                                                                           {FoldOperator::Sum, "sum"},
                                                                           {FoldOperator::Product, "product"},
                                                                           {FoldOperator::BitAnd, "bit_and"},
                                                                           {FoldOperator::BitOr, "bit_or"},
                                                                           {FoldOperator::BitXor, "bit_xor"},
                                                                           {FoldOperator::Minimum, "minimum"},
                                                                           {FoldOperator::Maximum, "maximum"},
                                                                           {FoldOperator::LogicalAnd, "logical_and"},
                                                                           {FoldOperator::LogicalOr, "logical_or"}};
};

template <> struct Names<MarkKind> {
    static constexpr llvm::StringLiteral expected = "expected the kind of a mark, such as declaration";
    static constexpr std::pair<MarkKind, llvm::StringLiteral> all[] = {
        {MarkKind::Declaration, "declaration"}, {MarkKind::CallbackTemplate, "callback_template"},
        {MarkKind::Callback, "callback"},       {MarkKind::Checked, "checked"},
        {MarkKind::Assigned, "assigned"},       {MarkKind::Operator, "operator"},
        {MarkKind::BitField, "bit field"}};
};

template <> struct Names<Access> {
    static constexpr llvm::StringLiteral expected = "expected none, read, write or read_write";
    static constexpr std::pair<Access, llvm::StringLiteral> all[] = {
        {Access::None, "none"}, {Access::Read, "read"}, {Access::Write, "write"}, {Access::ReadWrite, "read_write"}};
};

template <> struct Names<Pattern> {
    static constexpr llvm::StringLiteral expected = "expected a pattern, such as vectorize";
    static constexpr std::pair<Pattern, llvm::StringLiteral> all[] = {
        {Pattern::Vectorize, "vectorize"}, {Pattern::Reduce, "reduce"}, {Pattern::Forall, "forall"}};
};

template <> struct Names<IdentityKind> {
    static constexpr llvm::StringLiteral expected = "expected the kind of an identity, such as value";
    static constexpr std::pair<IdentityKind, llvm::StringLiteral> all[] = {{IdentityKind::None, "none"},
                                                                           {IdentityKind::Value, "value"},
                                                                           {IdentityKind::Lowest, "lowest"},
                                                                           {IdentityKind::Highest, "highest"}};
};

template <class T> llvm::StringRef nameOf(T value) {
    for (const auto& [candidate, name] : Names<T>::all)
        if (candidate == value) return name;
    llvm_unreachable("every value has a name");
}

json::Value write(const std::string& text) { return text; }
json::Value write(std::uint32_t number) { return number; }
json::Value write(bool flag) { return flag; }
json::Value write(std::uint64_t number) { return number; }
template <class T>
requires std::is_enum_v<T> json::Value write(T value) { return nameOf(value); }
template <HasFields T> json::Value write(const T& value);
template <class T> json::Value write(const std::optional<T>& value) { return value ? write(*value) : nullptr; }
template <class T> json::Value write(const std::vector<T>& values) {
    json::Array array;
    for (const T& value : values) array.push_back(write(value));
    return array;
}
template <HasFields T> json::Value write(const T& value) {
    json::Object object;
    Fields<T>::each(value, [&](llvm::StringRef key, const auto& member) {
        object[key] = write(member);
        return true;
    });
    return object;
}

bool read(const json::Value& value, std::string& text, json::Path path) { return fromJSON(value, text, path); }
bool read(const json::Value& value, std::uint32_t& number, json::Path path) {
    const std::optional<std::int64_t> found = value.getAsInteger();
    if (!found || !std::in_range<std::uint32_t>(*found)) {
        path.report("expected unsigned integer");
        return false;
    }
    number = static_cast<std::uint32_t>(*found);
    return true;
}
bool read(const json::Value& value, std::uint64_t& number, json::Path path) {
    const std::optional<std::uint64_t> found = value.getAsUINT64();
    if (!found) {
        path.report("expected unsigned integer");
        return false;
    }
    number = *found;
    return true;
}
bool read(const json::Value& value, bool& flag, json::Path path) { return fromJSON(value, flag, path); }
template <class T>
requires std::is_enum_v<T>
bool read(const json::Value& value, T& out, json::Path path) {
    for (const auto& [candidate, name] : Names<T>::all)
        if (value.getAsString() == name) {
            out = candidate;
            return true;
        }
    path.report(Names<T>::expected);
    return false;
}
template <HasFields T> bool read(const json::Value& value, T& out, json::Path path);
template <class T> bool read(const json::Value& value, std::optional<T>& out, json::Path path) {
    out.reset();
    return value.kind() == json::Value::Null || read(value, out.emplace(), path);
}
template <class T> bool read(const json::Value& value, std::vector<T>& values, json::Path path) {
    const json::Array* array = value.getAsArray();
    if (!array) {
        path.report("expected array");
        return false;
    }
    values.resize(array->size());
    for (std::size_t i = 0; i < array->size(); ++i)
        if (!read((*array)[i], values[i], path.index(static_cast<unsigned>(i)))) return false;
    return true;
}
template <HasFields T> bool read(const json::Value& value, T& out, json::Path path) {
    const json::Object* object = value.getAsObject();
    if (!object) {
        path.report("expected object");
        return false;
    }
    return Fields<T>::each(out, [&](llvm::StringRef key, auto& member) {
        if (const json::Value* found = object->get(key)) return read(*found, member, path.field(key));
        path.field(key).report("missing value");
        return false;
    });
}

}  // namespace

llvm::StringRef textOf(Pattern pattern) { return nameOf(pattern); }
llvm::StringRef textOf(Access access) { return nameOf(access); }

json::Value toJSON(const Operations& operations) { return write(operations); }
json::Value toJSON(const KernelSpec& kernel) { return write(kernel); }
json::Value toJSON(const UnitSpec& unit) { return write(unit); }
json::Value toJSON(const std::vector<UnitSpec>& units) { return write(units); }

llvm::Expected<std::vector<UnitSpec>> parseUnitSpecs(llvm::StringRef text) {
    llvm::Expected<json::Value> value = json::parse(text);
    if (!value) return value.takeError();
    std::vector<UnitSpec> units;
    json::Path::Root root("units");
    if (!read(*value, units, root)) return root.getError();
    return units;
}

}  // namespace foldwise
