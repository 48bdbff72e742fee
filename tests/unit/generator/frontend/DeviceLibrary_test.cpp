// tests/unit/generator/frontend/DeviceLibrary_test.cpp: the rows of the table, and which of them hold for an overload.
#include "frontend/DeviceLibrary.hpp"

#include <gtest/gtest.h>

#include <set>

using namespace foldwise;
using enum ParameterKind;

/// The header for a function, "CUDA" if it needs none, "none" if there is no row.
static std::string find(llvm::StringRef name, llvm::ArrayRef<ParameterKind> parameters) {
    const DeviceEntity* entity = findDeviceEntity(name, parameters);
    return !entity ? "none" : entity->header.empty() ? "CUDA" : entity->header.str();
}

TEST(DeviceLibrary, MathFunctionsHaveAllTheirNames) {
    for (const char* name : {"std::sqrt", "sqrt", "sqrtf", "std::sqrtf"})
        EXPECT_EQ(find(name, {Floating}), "CUDA") << name;
    EXPECT_EQ(find("std::sqrtl", {LongDouble}), "none");
    EXPECT_EQ(find("std::beta", {Floating, Floating}), "none");
}

TEST(DeviceLibrary, IntegersArePromoted) {
    EXPECT_EQ(find("std::pow", {Floating, Integer}), "CUDA");
    EXPECT_EQ(find("std::remquo", {Floating, Floating, IntegerPointer}), "CUDA");
    EXPECT_EQ(find("std::remquo", {Integer, Floating, IntegerPointer}), "cmath.hpp");
}

TEST(DeviceLibrary, LongDoubleIsTheHosts) {
    EXPECT_EQ(find("std::sqrt", {LongDouble}), "none");
    EXPECT_EQ(find("std::frexp", {LongDouble, IntegerPointer}), "none");
    EXPECT_EQ(find("std::isless", {LongDouble, Floating}), "none");
    EXPECT_EQ(find("std::operator\"\"i", {LongDouble}), "complex.hpp");
}

TEST(DeviceLibrary, TheNumberOfParametersCounts) {
    EXPECT_EQ(find("std::hypot", {Floating, Floating}), "CUDA");
    EXPECT_EQ(find("std::hypot", {Floating, Floating, Floating}), "cmath.hpp");
}

TEST(DeviceLibrary, ComplexNumbersHaveTheirOwn) {
    EXPECT_EQ(find("std::abs", {Floating}), "CUDA");
    EXPECT_EQ(find("std::abs", {Complex}), "complex.hpp");
    EXPECT_EQ(find("std::abs", {Other}), "none");
    EXPECT_EQ(find("std::operator*", {Floating, Complex}), "complex.hpp");
    EXPECT_EQ(find("std::operator*", {Other, Other}), "none");
}

TEST(DeviceLibrary, WholeRangesAreComparedByIntegersOnly) {
    EXPECT_EQ(find("std::__memcmp", {IntegerPointer, IntegerPointer, Integer}), "CUDA");
    EXPECT_EQ(find("std::__memcmp", {Other, Other, Integer}), "none");
}

TEST(DeviceLibrary, VectorsAreMadeByCudasFunctions) {
    EXPECT_EQ(find("make_float3", {Floating, Floating, Floating}), "CUDA");
    EXPECT_EQ(find("make_ulonglong2", {Integer, Integer}), "CUDA");
    EXPECT_EQ(find("make_float5", {Floating}), "none");
}

TEST(DeviceLibrary, CompilersFunctions) {
    EXPECT_EQ(find("__builtin_clz", {Integer}), "CUDA");
    EXPECT_EQ(find("__builtin_ctz", {Integer}), "CUDA");
    EXPECT_EQ(find("__builtin_trap", {}), "none");
    EXPECT_EQ(find("__builtin_constant_p", {Integer}), "none");
}

TEST(DeviceLibrary, NoRowStandsTwice) {
    std::set<std::pair<std::string, DeviceEntity::Parameters>> rows;
    for (const DeviceEntity& entity : deviceEntities())
        EXPECT_TRUE(rows.emplace(entity.name.str(), entity.parameters).second) << entity.name.str();
}
