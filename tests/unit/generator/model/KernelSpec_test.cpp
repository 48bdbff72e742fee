// tests/unit/generator/model/KernelSpec_test.cpp: the model's values, and their JSON.
#include "model/KernelSpec.hpp"

#include "samples.hpp"

#include <gtest/gtest.h>
#include <llvm/Support/FormatVariadic.h>

using namespace foldwise;
namespace json = llvm::json;

static std::string print(const json::Value& value) { return llvm::formatv("{0:2}", value).str(); }

static std::string errorOf(llvm::StringRef text) {
    llvm::Expected<std::vector<UnitSpec>> units = parseUnitSpecs(text);
    return units ? "no error" : llvm::toString(units.takeError());
}

/// What is said about the full unit after `change` has spoilt it.
static std::string errorAfter(llvm::function_ref<void(json::Object& unit)> change) {
    json::Value units = toJSON(std::vector{fullUnit()});
    change(*units.getAsArray()->front().getAsObject());
    return errorOf(print(units));
}

static json::Object& kernelIn(json::Object& unit) { return *unit.getArray("kernels")->front().getAsObject(); }
static json::Object& inputIn(json::Object& unit) {
    return *kernelIn(unit).getArray("signatures")->front().getAsObject()->getArray("inputs")->front().getAsObject();
}

TEST(KernelSpec, QualifiedNameJoinsItsNamespaces) {
    KernelSpec kernel;
    kernel.name = "f";
    EXPECT_EQ(kernel.qualifiedName(), "f");
    kernel.namespaces = {"a", "b"};
    EXPECT_EQ(kernel.qualifiedName(), "a::b::f");
    kernel.namespaces = {"a", "inline v1"};
    EXPECT_EQ(kernel.qualifiedName(), "a::v1::f");
}

TEST(KernelSpec, ComparesEveryField) {
    const UnitSpec unit = fullUnit();
    EXPECT_EQ(unit, fullUnit());
    const auto differs = [&](auto change) {
        UnitSpec other = fullUnit();
        change(other);
        return other != unit;
    };
    EXPECT_TRUE(differs([](UnitSpec& u) { u.source = "other.cpp"; }));
    EXPECT_TRUE(differs([](UnitSpec& u) { u.includes.clear(); }));
    EXPECT_TRUE(differs([](UnitSpec& u) { u.declarations[0].text += " "; }));
    EXPECT_TRUE(differs([](UnitSpec& u) { u.declarations[0].marks.push_back({1}); }));
    EXPECT_TRUE(differs([](UnitSpec& u) { u.declarations[0].marks[0].kind = MarkKind::Declaration; }));
    EXPECT_TRUE(differs([](UnitSpec& u) { u.headerIncludes.clear(); }));
    EXPECT_TRUE(differs([](UnitSpec& u) { u.headerDeclarations.clear(); }));
    EXPECT_TRUE(differs([](UnitSpec& u) { ++u.kernels[0].place.line; }));
    EXPECT_TRUE(differs([](UnitSpec& u) { u.kernels[0].isExported = true; }));
    EXPECT_TRUE(differs([](UnitSpec& u) { u.kernels[0].as<VectorizeSpec>().body.marks.clear(); }));
    EXPECT_TRUE(differs([](UnitSpec& u) { u.kernels[0].as<VectorizeSpec>().signatures[0].converts = false; }));
    EXPECT_TRUE(differs([](UnitSpec& u) { u.kernels[0].as<VectorizeSpec>().signatures[1].indexRank = 1; }));
    EXPECT_TRUE(differs(
        [](UnitSpec& u) { u.kernels[0].as<VectorizeSpec>().signatures[0].operations.add(Operation::Convert); }));
    EXPECT_TRUE(
        differs([](UnitSpec& u) { ++u.kernels[0].as<VectorizeSpec>().signatures[0].operations.repeated[0].times; }));
    EXPECT_TRUE(differs([](UnitSpec& u) { u.kernels[0].carried.clear(); }));
    EXPECT_TRUE(differs([](UnitSpec& u) { u.kernels[0].library[0].source = LibrarySource::Cuda; }));
    EXPECT_TRUE(differs([](UnitSpec& u) { u.kernels[1].pattern = VectorizeSpec(); }));
    EXPECT_TRUE(differs([](UnitSpec& u) { u.kernels[1].as<ReduceSpec>().parts.map.reset(); }));
    EXPECT_TRUE(differs([](UnitSpec& u) { u.kernels[1].as<ReduceSpec>().parts.identity = IdentityKind::Lowest; }));
    EXPECT_TRUE(differs(
        [](UnitSpec& u) { u.kernels[1].as<ReduceSpec>().signatures[0].fold.operation = CombineOperator::Product; }));
    EXPECT_TRUE(differs([](UnitSpec& u) { u.kernels[5].as<BlocksSpec>().signatures[0].threads = 512; }));
    EXPECT_TRUE(differs([](UnitSpec& u) { u.kernels[5].as<BlocksSpec>().signatures[0].shared[0].extents.pop_back(); }));
    EXPECT_TRUE(
        differs([](UnitSpec& u) { u.kernels[5].as<BlocksSpec>().signatures[0].parameters[0].isWritten = true; }));
    EXPECT_TRUE(differs([](UnitSpec& u) { u.kernels[3].as<ScanSpec>().parts.finish.reset(); }));
    EXPECT_TRUE(differs([](UnitSpec& u) { u.kernels[3].as<ScanSpec>().signatures[0].indexRank = 2; }));
    EXPECT_TRUE(differs(
        [](UnitSpec& u) { u.kernels[0].as<VectorizeSpec>().signatures[0].inputs[0].type.kind = TypeKind::Integer; }));
    EXPECT_TRUE(
        differs([](UnitSpec& u) { u.kernels[2].as<ForallSpec>().signatures[0].parameters[0].access = Access::None; }));
    EXPECT_TRUE(differs([](UnitSpec& u) { u.kernels[2].as<ForallSpec>().signatures[0].parameters[1].follows = {0}; }));
    for (bool ForallParameter::*one : {&ForallParameter::ownRows, &ForallParameter::isHandedOn,
                                       &ForallParameter::hasDataPlaces, &ForallParameter::isInLoops})
        EXPECT_TRUE(
            differs([&](UnitSpec& u) { u.kernels[2].as<ForallSpec>().signatures[0].parameters[1].*one = true; }));
}

TEST(KernelSpec, ReadsBackWhatItPrints) {
    llvm::Expected<std::vector<UnitSpec>> units = parseUnitSpecs(print(toJSON(std::vector{fullUnit(), UnitSpec()})));
    ASSERT_TRUE(static_cast<bool>(units)) << llvm::toString(units.takeError());
    EXPECT_EQ(*units, (std::vector{fullUnit(), UnitSpec()}));
}

TEST(KernelSpec, PrintsEveryKindOfType) {
    for (TypeKind kind : {TypeKind::Boolean, TypeKind::Integer, TypeKind::Floating, TypeKind::Complex,
                          TypeKind::Enumeration, TypeKind::Structure, TypeKind::Tuple}) {
        UnitSpec unit = fullUnit();
        unit.kernels[0].as<VectorizeSpec>().signatures[0].inputs[0].type.kind = kind;
        llvm::Expected<std::vector<UnitSpec>> units = parseUnitSpecs(print(toJSON(std::vector{unit})));
        ASSERT_TRUE(static_cast<bool>(units)) << llvm::toString(units.takeError());
        EXPECT_EQ(units->front(), unit);
    }
}

TEST(KernelSpec, PrintsEveryOperationAndIdentity) {
    for (CombineOperator operation :
         {CombineOperator::Other, CombineOperator::Sum, CombineOperator::Product, CombineOperator::BitAnd,
          CombineOperator::BitOr, CombineOperator::BitXor, CombineOperator::Minimum, CombineOperator::Maximum,
          CombineOperator::LogicalAnd, CombineOperator::LogicalOr}) {
        for (IdentityKind identity :
             {IdentityKind::None, IdentityKind::Value, IdentityKind::Lowest, IdentityKind::Highest}) {
            UnitSpec unit = fullUnit();
            unit.kernels[1].as<ReduceSpec>().signatures[0].fold.operation = operation;
            unit.kernels[1].as<ReduceSpec>().parts.identity = identity;
            llvm::Expected<std::vector<UnitSpec>> units = parseUnitSpecs(print(toJSON(std::vector{unit})));
            ASSERT_TRUE(static_cast<bool>(units)) << llvm::toString(units.takeError());
            EXPECT_EQ(units->front(), unit);
        }
    }
}

TEST(KernelSpec, EveryFieldIsNeeded) {
    // Walks down every array and takes away one key after the other.
    const auto walk = [](auto&& self, json::Value& root, json::Value& at, std::string path) -> void {
        if (json::Array* array = at.getAsArray()) {
            for (std::size_t i = 0; i < array->size(); ++i)
                self(self, root, (*array)[i], path + "[" + std::to_string(i) + "]");
        } else if (json::Object* object = at.getAsObject()) {
            std::vector<std::string> keys;
            for (const auto& [key, value] : *object) keys.push_back(key.str());
            for (const std::string& key : keys) {
                json::Value value = std::move(*object->get(key));
                object->erase(key);
                EXPECT_EQ(errorOf(print(root)), "missing value at units" + path + "." + key);
                (*object)[key] = std::move(value);
                self(self, root, *object->get(key), path + "." + key);
            }
        }
    };
    json::Value units = toJSON(std::vector{fullUnit()});
    walk(walk, units, units, "");
}

TEST(KernelSpec, AWrongTypeIsNamedWithItsPath) {
    EXPECT_EQ(errorAfter([](json::Object& unit) { unit["source"] = 1; }), "expected string at units[0].source");
    EXPECT_EQ(errorAfter([](json::Object& unit) { unit["includes"] = "x"; }), "expected array at units[0].includes");
    EXPECT_EQ(errorAfter([](json::Object& unit) { unit["kernels"] = json::Array{1}; }),
              "expected object at units[0].kernels[0]");
    EXPECT_EQ(errorAfter([](json::Object& unit) { (*kernelIn(unit).getObject("place"))["line"] = "7"; }),
              "expected unsigned integer at units[0].kernels[0].place.line");
    EXPECT_EQ(errorAfter([](json::Object& unit) { (*kernelIn(unit).getObject("place"))["line"] = -7; }),
              "expected unsigned integer at units[0].kernels[0].place.line");
    EXPECT_EQ(errorAfter([](json::Object& unit) {
                  (*kernelIn(unit).getArray("signatures")->front().getAsObject())["converts"] = "yes";
              }),
              "expected boolean at units[0].kernels[0].signatures[0].converts");
}

TEST(KernelSpec, AnUnknownKindIsNamedWithItsPath) {
    const std::string expected = "expected the kind of a type, such as floating at "
                                 "units[0].kernels[0].signatures[0].inputs[0].type.kind";
    EXPECT_EQ(errorAfter([](json::Object& unit) { (*inputIn(unit).getObject("type"))["kind"] = "imaginary"; }),
              expected);
    EXPECT_EQ(errorAfter([](json::Object& unit) { (*inputIn(unit).getObject("type"))["kind"] = 1; }), expected);
}

TEST(KernelSpec, AnUnknownNameIsRefusedForEachEnumeration) {
    EXPECT_EQ(errorAfter([](json::Object& unit) {
                  (*kernelIn(unit).getArray("carried")->front().getAsObject())["kind"] = "macro";
              }),
              "expected function, type or constant at units[0].kernels[0].carried[0].kind");
    EXPECT_EQ(errorAfter([](json::Object& unit) {
                  (*kernelIn(unit).getArray("library")->front().getAsObject())["source"] = "thrust";
              }),
              "expected cuda, foldwise or standard at units[0].kernels[0].library[0].source");
    EXPECT_EQ(errorAfter([](json::Object& unit) {
                  json::Object& tasks = *(*unit.getArray("kernels"))[2].getAsObject();
                  json::Object& signature = *tasks.getArray("signatures")->front().getAsObject();
                  (*signature.getArray("parameters")->front().getAsObject())["access"] = "execute";
              }),
              "expected none, read, write or read_write at "
              "units[0].kernels[2].signatures[0].parameters[0].access");
}

TEST(KernelSpec, AKernelHasWhatItsPatternHas) {
    EXPECT_EQ(errorAfter([](json::Object& unit) { kernelIn(unit)["pattern"] = "sort"; }),
              "expected a pattern, such as vectorize at units[0].kernels[0].pattern");
    EXPECT_EQ(errorAfter([](json::Object& unit) { kernelIn(unit)["pattern"] = "reduce"; }),
              "missing value at units[0].kernels[0].parts");
    EXPECT_EQ(errorAfter([](json::Object& unit) { kernelIn(unit)["pattern"] = "forall"; }),
              "missing value at units[0].kernels[0].loops_body");
}

TEST(KernelSpec, TextThatIsNoSpecIsAnError) {
    EXPECT_NE(errorOf("{").find("Expected"), std::string::npos);
    EXPECT_EQ(errorOf("{}"), "expected array when parsing units");
    EXPECT_EQ(errorOf("[]"), "no error");
}
