// tests/unit/generator/emit/UnitKeys_test.cpp: what templates see, and that templates/README.md documents all of it.
#include "emit/UnitKeys.hpp"
#include "model/Instances.hpp"

#include "samples.hpp"

#include <gtest/gtest.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/MemoryBuffer.h>

#include <algorithm>
#include <iterator>
#include <set>

using namespace foldwise;
namespace json = llvm::json;

/// "unit.spaces.kernels": where a key is, from the unit down. Arrays are gone through element by element.
static void collectKeys(const json::Value& value, const std::string& section, std::set<std::string>& keys) {
    if (const json::Array* array = value.getAsArray()) {
        for (const json::Value& element : *array) collectKeys(element, section, keys);
    } else if (const json::Object* object = value.getAsObject()) {
        for (const auto& [key, member] : *object) {
            keys.insert(section + "." + key.str());
            collectKeys(member, section + "." + key.str(), keys);
        }
    }
}

/// The keys of the README's tables: a heading "### `unit.blocks`" and below it rows "| `key` | ... |".
static std::set<std::string> documentedKeys() {
    auto readme = llvm::MemoryBuffer::getFile(FOLDWISE_TEMPLATES_DIR "/README.md");
    std::set<std::string> keys;
    if (!readme) return keys;
    std::string section;
    for (llvm::StringRef line : llvm::split((*readme)->getBuffer(), '\n')) {
        if (line.consume_front("### `"))
            section = line.split('`').first.str();
        else if (line.starts_with("#"))
            section.clear();
        else if (line.consume_front("| `") && !section.empty())
            keys.insert(section + "." + line.split('`').first.str());
    }
    return keys;
}

static json::Value fullKeys() {
    return unitKeys(fullUnit(), {.cuda = true, .cpu = true, .simulator = true}, "__device__ ");
}

TEST(UnitKeys, EveryKeyIsDocumentedAndEveryDocumentedKeyExists) {
    std::set<std::string> keys;
    collectKeys(fullKeys(), "unit", keys);
    std::vector<std::string> differing;
    std::ranges::set_symmetric_difference(documentedKeys(), keys, std::back_inserter(differing));
    EXPECT_EQ(differing, std::vector<std::string>()) << "templates/README.md and the keys differ";
}

TEST(UnitKeys, EveryInstanceIsInTheTableOfItsPattern) {
    auto readme = llvm::MemoryBuffer::getFile(FOLDWISE_TEMPLATES_DIR "/README.md");
    ASSERT_TRUE(readme);
    for (const KernelSpec& kernel : fullUnit().kernels) {
        const std::string heading = "\n### " + keywordOf(patternOf(kernel)).str() + "\n";
        const llvm::StringRef section = (*readme)->getBuffer().split(heading).second.split("\n#").first;
        std::string found;
        for (llvm::StringRef line : llvm::split(section, '\n'))
            if (line.consume_front("| `")) found += line.split('`').first.str() + " ";
        forEachSignature(kernel, [&](const auto& signature) {
            std::string expected;
            for (const Instance& instance : instancesOf(signature)) expected += instance.name.str() + " ";
            EXPECT_EQ(found, expected) << "templates/README.md and the runtime's tables differ";
        });
    }
}

TEST(UnitKeys, HoldsOnlyStringsBooleansArraysAndObjects) {
    const auto walk = [](auto&& self, const json::Value& value) -> void {
        if (const json::Array* array = value.getAsArray()) {
            for (const json::Value& element : *array) {
                EXPECT_TRUE(element.getAsObject()) << "arrays hold objects";
                self(self, element);
            }
        } else if (const json::Object* object = value.getAsObject()) {
            for (const auto& [key, member] : *object) self(self, member);
        } else {
            EXPECT_TRUE(value.getAsString() || value.getAsBoolean());
        }
    };
    walk(walk, fullKeys());
}

static const json::Object& at(const json::Object& object, llvm::StringRef key, std::size_t index) {
    return *(*object.getArray(key))[index].getAsObject();
}

TEST(UnitKeys, MarksFunctionsWithTheAttributes) {
    const json::Value keys = fullKeys();
    const json::Object& item = at(at(*keys.getAsObject(), "blocks", 0), "items", 0);
    EXPECT_EQ(item.getString("text"), "FOLDWISE_CALLBACK float twice(float x) { return 2 * x; }");
    const json::Object& body = at(at(*keys.getAsObject(), "blocks", 0), "items", 1);
    EXPECT_EQ(body.getString("attributes"), "__device__ ");
    EXPECT_EQ(body.getString("block"), "{ struct S { __device__ int f() { return 1; } }; return x < y; }");
}

TEST(UnitKeys, GroupsWhatStandsInARowInOneNamespace) {
    UnitSpec unit = fullUnit();
    unit.declarations.front().namespaces = {"stats", "v1"};
    unit.declarations.push_back(unit.declarations.front());
    const json::Value keys = unitKeys(unit, {}, "");
    const json::Array& blocks = *keys.getAsObject()->getArray("blocks");
    ASSERT_EQ(blocks.size(), 3u);
    EXPECT_EQ(blocks[0].getAsObject()->getString("name"), "stats::v1");
    EXPECT_EQ(blocks[0].getAsObject()->getArray("items")->size(), 2u);
    EXPECT_EQ(blocks[1].getAsObject()->getString("name"), "stats");
    EXPECT_EQ(blocks[2].getAsObject()->getBoolean("named"), false);
}

TEST(UnitKeys, CodeBesideAnInlineNamespaceGoesIntoIt) {
    const json::Value keys = unitKeys(fullUnit(), {}, "");
    const json::Array& blocks = *keys.getAsObject()->getArray("blocks");
    ASSERT_EQ(blocks.size(), 2u);
    EXPECT_EQ(blocks[0].getAsObject()->getString("name"), "stats::inline v1");
    EXPECT_EQ(blocks[0].getAsObject()->getArray("items")->size(),
              20u);  // a function, five lambdas, one of them three times, and four parts each of a reduction, a scan, a
                     // scatter
}

/// What is written of a kernel's function, or "none".
static std::string writtenOf(const std::string& name, const json::Value& keys) {
    for (const json::Value& block : *keys.getAsObject()->getArray("blocks"))
        for (const json::Value& item : *block.getAsObject()->getArray("items"))
            if (item.getAsObject()->getString("name") == llvm::StringRef(name))
                return item.getAsObject()->getString("block")->str();
    return "none";
}

TEST(UnitKeys, ConditionsAtEdgesAreKnownInATextOfTheirOwnForTheCpu) {
    UnitSpec unit = fullUnit();
    for (KernelSpec& kernel : unit.kernels) {
        if (kernel.name != "turn") continue;
        Body& body = kernel.as<ForallSpec>().body;
        body.block = "{ if (i < 1 || k != n) f(); }";
        body.marks = {{6, MarkKind::FalseInside},
                      {12, MarkKind::InsideEnd},
                      {15, MarkKind::TrueInside},
                      {21, MarkKind::InsideEnd}};
    }
    const json::Value cpu = unitKeys(unit, {.cpu = true}, ""), gpu = unitKeys(unit, {.cuda = true}, "__device__ ");
    const json::Value checked = unitKeys(unit, {.cpu = true, .checked = true}, "");
    EXPECT_EQ(writtenOf("turn_inside_edges", cpu),
              "{ if (::foldwise::cpu::known<false>(i < 1) || ::foldwise::cpu::known<true>(k != n)) f(); }");
    EXPECT_EQ(writtenOf("turn", cpu), "{ if (i < 1 || k != n) f(); }");
    EXPECT_EQ(writtenOf("turn", gpu), "{ if (i < 1 || k != n) f(); }");
    EXPECT_EQ(writtenOf("turn_inside_edges", gpu), "none");
    EXPECT_EQ(writtenOf("turn_inside_edges", checked), "none");
}

TEST(UnitKeys, CommentLinesAreSafeBehindSlashes) {
    UnitSpec unit = fullUnit();
    unit.kernels[0].comment = "first \\\n\n  second";
    const json::Value keys = unitKeys(unit, {}, "");
    const json::Object& kernel = at(at(*keys.getAsObject(), "spaces", 0), "kernels", 0);
    const json::Array& lines = *at(kernel, "vectorize", 0).getArray("comment");
    ASSERT_EQ(lines.size(), 3u);
    EXPECT_EQ(lines[0].getAsObject()->getString("line"), " first");
    EXPECT_EQ(lines[1].getAsObject()->getString("line"), "");
    EXPECT_EQ(lines[2].getAsObject()->getString("line"), " second");
}

TEST(UnitKeys, IncludesAreSortedAndHoldWhatTemplatesUse) {
    UnitSpec unit = fullUnit();
    unit.includes = {"<type_traits>", "<cmath>"};
    const json::Value keys = unitKeys(unit, {}, "");
    std::vector<std::string> directives;
    for (const json::Value& include : *keys.getAsObject()->getArray("includes"))
        directives.push_back(include.getAsObject()->getString("directive")->str());
    EXPECT_EQ(directives, (std::vector<std::string>{"<cmath>", "<cstdint>", "<type_traits>"}));
}

TEST(UnitKeys, DeviceCodeIncludesWhatStandsForAStandardHeaderFirst) {
    UnitSpec unit = fullUnit();
    unit.includes = {"<array>", "<complex>", "<foldwise/device/complex.hpp>"};
    const auto directives = [&](const char* attributes) {
        const json::Value keys = unitKeys(unit, {}, attributes);
        std::vector<std::string> found;
        for (const json::Value& include : *keys.getAsObject()->getArray("includes"))
            found.push_back(include.getAsObject()->getString("directive")->str());
        return found;
    };
    EXPECT_EQ(directives("__device__ "),
              (std::vector<std::string>{"<foldwise/device/complex.hpp>", "<array>", "<cstdint>"}));
    EXPECT_EQ(directives(""), (std::vector<std::string>{"<array>", "<complex>", "<cstdint>"}));
}

/// The keys of the only signature of a forall kernel.
static json::Object forallKeys(const KernelSpec& kernel) {
    UnitSpec unit;
    unit.kernels = {kernel};
    const json::Value keys = unitKeys(unit, {}, "");
    return at(at(at(*keys.getAsObject(), "spaces", 0), "kernels", 0), "forall", 0);
}

TEST(UnitKeys, SaysWhatTasksDoWithEachView) {
    ForallParameter read = writtenView("x", floatType(), 1), both = read, asked = read, value = read;
    read.access = Access::Read;
    both.name = "bins", both.access = Access::ReadWrite;
    asked.name = "like", asked.access = Access::None;
    value.name = "n", value.rank = 0, value.access = Access::Read;
    EXPECT_EQ(forallKeys(forallKernel(1, {})).getString("access"), "touches no view");
    EXPECT_EQ(forallKeys(forallKernel(1, {value})).getString("access"), "touches no view");
    EXPECT_EQ(
        forallKeys(forallKernel(1, {asked, read, writtenView("out", floatType(), 1), both, value})).getString("access"),
        "reads x; writes out; reads and writes bins; asks the extents of like");
    const json::Object keys = forallKeys(forallKernel(1, {read, both, asked, value}));
    const auto flags = [&](std::size_t i) {
        const json::Object& one = at(keys, "parameters", i);
        return (*one.getString("reads") + " " + *one.getString("writes")).str();
    };
    EXPECT_EQ(flags(0), "true false");
    EXPECT_EQ(flags(1), "true true");
    EXPECT_EQ(flags(2), "false false");
    EXPECT_EQ(at(keys, "parameters", 2).getBoolean("is_view"), true);
    EXPECT_EQ(at(keys, "parameters", 3).getBoolean("is_view"), false);
}

TEST(UnitKeys, ViewsHaveTheirElementsTypeAndAxes) {
    ForallParameter read = writtenView("x", floatType(), 3);
    read.isConst = true, read.access = Access::Read, read.follows = {};
    const json::Object keys = forallKeys(forallKernel(2, {read, writtenView("out", int8Type(), 2)}));
    EXPECT_EQ(keys.getString("lambda"), "::FOLDWISE_BACKEND::stats::turn");
    EXPECT_EQ(keys.getString("parameter_count"), "2");
    const json::Object& first = at(keys, "parameters", 0);
    EXPECT_EQ(first.getString("element"), "const float");
    EXPECT_EQ(first.getString("type"), "float");
    EXPECT_EQ(first.getString("rank"), "3");
    EXPECT_EQ(first.getString("size"), "4");
    EXPECT_EQ(first.getBoolean("follows_index"), false);
    const json::Object& second = at(keys, "parameters", 1);
    EXPECT_EQ(second.getString("element"), "std::int8_t");
    EXPECT_EQ(second.getString("number"), "1");
    EXPECT_EQ(second.getString("separator"), ", ");
    EXPECT_EQ(second.getBoolean("follows_index"), true);
    EXPECT_EQ(second.getString("follows"), "{1, 0}");
}

TEST(UnitKeys, KnowsWhichPatternsAreThere) {
    const auto has = [](UnitSpec unit) {
        const json::Value keys = unitKeys(unit, {}, "");
        std::string found;
        for (const char* key : {"has_vectorize", "has_reduce", "has_forall"})
            found += *keys.getAsObject()->getBoolean(key) ? '1' : '0';
        return found;
    };
    UnitSpec unit = fullUnit();
    EXPECT_EQ(has(unit), "111");
    unit.kernels = {forallKernel(1, {})};
    EXPECT_EQ(has(unit), "001");
    unit.kernels = {reduceKernel({reduceSignature(floatType(), floatType(), floatType())})};
    EXPECT_EQ(has(unit), "010");
    unit.kernels = {vectorizeKernel({vectorizeSignature({floatType()}, floatType())})};
    EXPECT_EQ(has(unit), "100");
}

TEST(UnitKeys, NamesOfFilesAreSafeBetweenQuotationMarks) {
    UnitSpec unit = fullUnit();
    unit.declarations.front().place.file = "a \"b\"/c\\d.hpp";
    unit.kernels.front().as<VectorizeSpec>().body.place.file = "e\\\"f.cpp";
    const json::Value keys = unitKeys(unit, {}, "");
    const json::Object& block = at(*keys.getAsObject(), "blocks", 0);
    EXPECT_EQ(at(block, "items", 0).getString("file"), "a \\\"b\\\"/c\\\\d.hpp");
    EXPECT_EQ(at(block, "items", 1).getString("file"), "e\\\\\\\"f.cpp");
}

TEST(UnitKeys, EachClassAmongTheTypesHasALayout) {
    UnitSpec unit = fullUnit();
    const ElementType tag{"stats::tag<'\"'>", "tag", TypeKind::Structure, 16, 8};
    const ElementType colour{"stats::colour", "colour", TypeKind::Enumeration, 1, 1};
    const ElementType complex{"std::complex<float>", "complex_float", TypeKind::Complex, 8, 4};
    unit.kernels[0].as<VectorizeSpec>().signatures[0].outputs[0].type = colour;
    unit.kernels[1].as<ReduceSpec>().signatures[0].fold.accumulator = tag;
    unit.kernels[2].as<ForallSpec>().signatures[0].parameters[0].type = complex;
    unit.kernels[2].as<ForallSpec>().signatures[0].parameters[1].type = colour;
    const json::Value keys = unitKeys(unit, {}, "");
    std::vector<std::string> found;
    for (const json::Value& layout : *keys.getAsObject()->getArray("layouts")) {
        const json::Object& one = *layout.getAsObject();
        found.push_back((*one.getString("type") + " " + *one.getString("size") + " " + *one.getString("alignment") +
                         ": " + *one.getString("message"))
                            .str());
    }
    EXPECT_EQ(found,
              (std::vector<std::string>{
                  "stats::colour 1 1: stats::colour: in stats.kernels.cpp it has 1 byte, aligned to 1",
                  "stats::tag<'\"'> 16 8: stats::tag<'\\\"'>: in stats.kernels.cpp it has 16 bytes, aligned to 8",
                  "std::complex<float> 8 4: std::complex<float>: in stats.kernels.cpp it has 8 bytes, aligned to 4",
                  "stats::Point 8 1: stats::Point: in stats.kernels.cpp it has 8 bytes, aligned to 1"}));
}

TEST(UnitKeys, KernelsThatCombineAlikeHaveOneOperation) {
    KernelSpec add = vectorizeKernel({vectorizeSignature({floatType(), floatType()}, floatType())});
    KernelSpec sum = reduceKernel({reduceSignature(floatType(), floatType(), floatType())});
    const auto operations = [&](const std::string& block, bool makesObject) {
        UnitSpec unit = fullUnit();
        for (Body* body : {&add.as<VectorizeSpec>().body, &sum.as<ReduceSpec>().parts.combine}) {
            *body = {};
            body->block = block;
            body->makesObject = makesObject;
        }
        unit.kernels = {add, sum};
        const json::Value keys = unitKeys(unit, {}, "");
        std::vector<std::string> found;
        for (const json::Value& space : *keys.getAsObject()->getArray("spaces"))
            for (const json::Value& kernel : *space.getAsObject()->getArray("kernels"))
                found.push_back(kernel.getAsObject()->getString("operation")->str());
        return found;
    };
    sum.as<ReduceSpec>().parts.map.reset();
    sum.as<ReduceSpec>().parts.finish.reset();
    const std::string plus = "{ return std::plus<>{}; }";
    EXPECT_EQ(operations(plus, true), (std::vector{plus, plus}));
    // Other names mean the same only in one namespace of one file.
    const std::vector<std::string> own = operations("{ return op(a, b); }", false);
    EXPECT_EQ(own[0], "dir/stats.kernels.cpp stats { return op(a, b); }");
    EXPECT_EQ(own[1], own[0]);
    sum.namespaces = {"other"};
    EXPECT_NE(operations("{ return op(a, b); }", false)[0], operations("{ return op(a, b); }", false)[1]);
    sum.as<ReduceSpec>().parts.finish = Body();
    EXPECT_EQ(operations(plus, true)[1], "");
}
