// tests/unit/generator/frontend/Types_test.cpp: C++'s arithmetic types as the model's.
#include "parsed.hpp"

#include <gtest/gtest.h>

using namespace foldwise;

/// The type of the one input of a kernel whose operand is written as `type`.
static ElementType typeOf(const std::string& type) {
    const Parsed parsed = parse("#include <cstddef>\nusing real = float;\nauto f = foldwise::vectorize([](" + type +
                                " x) { return x; });");
    return parsed.ok ? parsed.unit.kernels[0].as<VectorizeSpec>().signatures[0].inputs[0].type
                     : ElementType{parsed.messages, "", {}, 0, 0};
}

TEST(Types, IntegersHaveTheNamesOfTheirWidths) {
    EXPECT_EQ(typeOf("signed char"), (ElementType{"std::int8_t", "int8", TypeKind::Integer, 1, 1}));
    EXPECT_EQ(typeOf("unsigned short"), (ElementType{"std::uint16_t", "uint16", TypeKind::Integer, 2, 2}));
    EXPECT_EQ(typeOf("int"), (ElementType{"std::int32_t", "int32", TypeKind::Integer, 4, 4}));
    EXPECT_EQ(typeOf("std::size_t"), (ElementType{"std::uint64_t", "uint64", TypeKind::Integer, 8, 8}));
}

TEST(Types, TypesThatAreMoreThanANumberKeepTheirNames) {
    EXPECT_EQ(typeOf("char").name, "char");
    EXPECT_EQ(typeOf("wchar_t").name, "wchar_t");
    EXPECT_EQ(typeOf("char16_t").name, "char16_t");
    EXPECT_EQ(typeOf("long").name, "std::int64_t");
    EXPECT_EQ(typeOf("long long").name, "long long");
}

TEST(Types, FloatingPointAndBool) {
    EXPECT_EQ(typeOf("float"), (ElementType{"float", "float", TypeKind::Floating, 4, 4}));
    EXPECT_EQ(typeOf("double"), (ElementType{"double", "double", TypeKind::Floating, 8, 8}));
    EXPECT_EQ(typeOf("bool"), (ElementType{"bool", "bool", TypeKind::Boolean, 1, 1}));
}

TEST(Types, AliasesReferencesAndConstAreLookedThrough) {
    EXPECT_EQ(typeOf("real").name, "float");
    EXPECT_EQ(typeOf("const real&").name, "float");
    EXPECT_EQ(typeOf("const int").name, "std::int32_t");
}

/// The fields of a struct with these members.
static std::vector<std::string> fieldsOf(const std::string& members) {
    const Parsed parsed = parse("#include <array>\nstruct point { " + members +
                                " };\nauto f = foldwise::vectorize([](point x) { return x; });");
    return parsed.ok ? parsed.unit.kernels[0].as<VectorizeSpec>().signatures[0].inputs[0].type.fields
                     : std::vector<std::string>{parsed.messages};
}

TEST(Types, FieldsAreTheMembersThatOthersCanName) {
    using names = std::vector<std::string>;
    EXPECT_EQ(fieldsOf("int n; float mean, squares;"), (names{"n", "mean", "squares"}));
    EXPECT_EQ(fieldsOf("struct { float v; long at; } least; bool any;"), (names{"least.v", "least.at", "any"}));
    EXPECT_EQ(fieldsOf("float low[2]; std::array<int, 3> at; foldwise::half h;"), (names{"low", "at", "h"}));
    EXPECT_EQ(fieldsOf("int n; private: int hidden;"), names{});
    EXPECT_EQ(fieldsOf("int n : 3; int m;"), names{});
    EXPECT_EQ(fieldsOf("int n; union { int a; float b; } either;"), names{});
    EXPECT_EQ(fieldsOf("int n; union { int a; float b; };"), names{});
}
