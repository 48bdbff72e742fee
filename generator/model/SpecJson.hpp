// generator/model/SpecJson.hpp: helpers that write and read the JSON of the model.
#pragma once

#include "Body.hpp"
#include "ElementType.hpp"
#include "Fold.hpp"

#include <llvm/Support/JSON.h>

#include <concepts>
#include <optional>
#include <type_traits>
#include <utility>

namespace foldwise::spec_json {

namespace json = llvm::json;

/// The fields of a struct, listed once for both directions: `visit(key, member)` says whether to go on.
template <class T> struct Fields;

template <> struct Fields<Place> {
    static bool each(auto& place, auto&& visit) { return visit("file", place.file) && visit("line", place.line); }
};

template <> struct Fields<ElementType> {
    static bool each(auto& type, auto&& visit) {
        return visit("name", type.name) && visit("identifier", type.identifier) && visit("kind", type.kind) &&
               visit("size", type.size) && visit("alignment", type.alignment) && visit("alias", type.alias) &&
               visit("fields", type.fields);
    }
};

template <> struct Fields<Operand> {
    static bool each(auto& operand, auto&& visit) {
        return visit("name", operand.name) && visit("type", operand.type) && visit("rank", operand.rank) &&
               visit("as_float", operand.asFloat);
    }
};

template <> struct Fields<Mark> {
    static bool each(auto& mark, auto&& visit) {
        return visit("offset", mark.offset) && visit("kind", mark.kind) && visit("number", mark.number);
    }
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
               visit("block", body.block) && visit("marks", body.marks) &&
               visit("parameter_marks", body.parameterMarks) && visit("result_marks", body.resultMarks) &&
               visit("pragmas", body.pragmas) && visit("callee", body.callee) &&
               visit("makes_object", body.makesObject);
    }
};

template <> struct Fields<Signature> {
    static bool each(auto& signature, auto&& visit) {
        return visit("text", signature.text) && visit("index_rank", signature.indexRank) &&
               visit("operations", signature.operations) && visit("may_fuse", signature.mayFuse);
    }
};

template <> struct Fields<FoldSignature> {
    static bool each(auto& signature, auto&& visit) {
        return Fields<Signature>::each(signature, visit) && visit("inputs", signature.inputs) &&
               visit("output", signature.output) && visit("fold", signature.fold) &&
               visit("place_axes", signature.placeAxes) && visit("place_count", signature.placeCount);
    }
};

/// Whether the header that declares a type declares its toJSON and fromJSON, too.
template <class T>
concept HasJson = requires(const T& value) {
    { toJSON(value) } -> std::same_as<json::Value>;
};

template <class T>
concept HasFields = !HasJson<T> && requires {
    sizeof(Fields<T>);
};

/// The names that an enumeration's values have in JSON, and what is said of other ones.
template <class T> struct Names;

template <> struct Names<TypeKind> {
    static constexpr llvm::StringLiteral expected = "expected the kind of a type, such as floating";
    static constexpr std::pair<TypeKind, llvm::StringLiteral> all[] = {
        {TypeKind::Boolean, "boolean"}, {TypeKind::Integer, "integer"},         {TypeKind::Floating, "floating"},
        {TypeKind::Complex, "complex"}, {TypeKind::Enumeration, "enumeration"}, {TypeKind::Structure, "structure"},
        {TypeKind::Tuple, "tuple"}};
};

template <> struct Names<MarkKind> {
    static constexpr llvm::StringLiteral expected = "expected the kind of a mark, such as declaration";
    static constexpr std::pair<MarkKind, llvm::StringLiteral> all[] = {
        {MarkKind::Declaration, "declaration"},
        {MarkKind::CallbackTemplate, "callback_template"},
        {MarkKind::Callback, "callback"},
        {MarkKind::Checked, "checked"},
        {MarkKind::Assigned, "assigned"},
        {MarkKind::Operator, "operator"},
        {MarkKind::BlockCall, "block_call"},
        {MarkKind::UnrolledLoop, "unrolled_loop"},
        {MarkKind::Conversion, "conversion"},
        {MarkKind::ConversionEnd, "conversion_end"},
        {MarkKind::Sum, "sum"},
        {MarkKind::SumEnd, "sum_end"},
        {MarkKind::TrueInside, "true_inside"},
        {MarkKind::FalseInside, "false_inside"},
        {MarkKind::InsideEnd, "inside_end"},
        {MarkKind::HalfType, "half_type"},
        {MarkKind::HalfTypeEnd, "half_type_end"},
        {MarkKind::ShortCircuit, "short_circuit"},
        {MarkKind::ShortCircuits, "short_circuits"},
        {MarkKind::ShortCircuitsEnd, "short_circuits_end"},
        {MarkKind::BitField, "bit field"}};
};

template <class T> llvm::StringRef nameOf(T value) {
    for (const auto& [candidate, name] : Names<T>::all)
        if (candidate == value) return name;
    llvm_unreachable("every value has a name");
}

inline json::Value write(const std::string& text) { return text; }
inline json::Value write(std::uint32_t number) { return number; }
inline json::Value write(bool flag) { return flag; }
inline json::Value write(std::uint64_t number) { return number; }
template <class T>
requires std::is_enum_v<T> json::Value write(T value) { return nameOf(value); }
template <HasJson T> json::Value write(const T& value) { return toJSON(value); }
template <HasFields T> json::Value write(const T& value);
template <class T> json::Value write(const std::optional<T>& value) { return value ? write(*value) : nullptr; }
template <class T> json::Value write(const std::vector<T>& values) {
    json::Array array;
    for (const T& value : values) array.push_back(write(value));
    return array;
}
/// A struct with a list of fields, as an object.
template <class T> json::Object writeFields(const T& value) {
    json::Object object;
    Fields<T>::each(value, [&](llvm::StringRef key, const auto& member) {
        object[key] = write(member);
        return true;
    });
    return object;
}
template <HasFields T> json::Value write(const T& value) { return writeFields(value); }

inline bool read(const json::Value& value, std::string& text, json::Path path) { return fromJSON(value, text, path); }
inline bool read(const json::Value& value, std::uint32_t& number, json::Path path) {
    const std::optional<std::int64_t> found = value.getAsInteger();
    if (!found || !std::in_range<std::uint32_t>(*found)) {
        path.report("expected unsigned integer");
        return false;
    }
    number = static_cast<std::uint32_t>(*found);
    return true;
}
inline bool read(const json::Value& value, std::uint64_t& number, json::Path path) {
    const std::optional<std::uint64_t> found = value.getAsUINT64();
    if (!found) {
        path.report("expected unsigned integer");
        return false;
    }
    number = *found;
    return true;
}
inline bool read(const json::Value& value, bool& flag, json::Path path) { return fromJSON(value, flag, path); }
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
template <HasJson T> bool read(const json::Value& value, T& out, json::Path path) { return fromJSON(value, out, path); }
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
template <class T> bool readFields(const json::Value& value, T& out, json::Path path) {
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

template <HasFields T> bool read(const json::Value& value, T& out, json::Path path) {
    return readFields(value, out, path);
}

}  // namespace foldwise::spec_json
