// tests/unit/generator/emit/View_test.cpp: what templates see, and that templates/README.md documents all of it.
#include "emit/View.hpp"

#include "samples.hpp"

#include <gtest/gtest.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/MemoryBuffer.h>

#include <set>

using namespace foldwise;
namespace json = llvm::json;

/// "unit.spaces.kernels": where a key is, from the view down. Arrays are gone through element by element.
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

static json::Value fullView() {
    return unitView(fullUnit(), {.cuda = true, .cpu = true, .simulator = true}, "__device__ ");
}

TEST(View, EveryKeyIsDocumentedAndEveryDocumentedKeyExists) {
    std::set<std::string> keys;
    collectKeys(fullView(), "unit", keys);
    EXPECT_EQ(documentedKeys(), keys) << "templates/README.md and the view differ";
}

TEST(View, HoldsOnlyStringsBooleansArraysAndObjects) {
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
    walk(walk, fullView());
}

static const json::Object& at(const json::Object& object, llvm::StringRef key, std::size_t index) {
    return *(*object.getArray(key))[index].getAsObject();
}

TEST(View, MarksFunctionsWithTheAttributes) {
    const json::Value view = fullView();
    const json::Object& item = at(at(*view.getAsObject(), "blocks", 0), "items", 0);
    EXPECT_EQ(item.getString("text"), "FOLDWISE_CALLBACK float twice(float x) { return 2 * x; }");
    const json::Object& body = at(at(*view.getAsObject(), "blocks", 0), "items", 1);
    EXPECT_EQ(body.getString("attributes"), "__device__ ");
    EXPECT_EQ(body.getString("block"), "{ struct S { __device__ int f() { return 1; } }; return x < y; }");
}

TEST(View, GroupsWhatStandsInARowInOneNamespace) {
    UnitSpec unit = fullUnit();
    unit.declarations.front().namespaces = {"stats", "v1"};
    unit.declarations.push_back(unit.declarations.front());
    const json::Value view = unitView(unit, {}, "");
    const json::Array& blocks = *view.getAsObject()->getArray("blocks");
    ASSERT_EQ(blocks.size(), 3u);
    EXPECT_EQ(blocks[0].getAsObject()->getString("name"), "stats::v1");
    EXPECT_EQ(blocks[0].getAsObject()->getArray("items")->size(), 2u);
    EXPECT_EQ(blocks[1].getAsObject()->getString("name"), "stats");
    EXPECT_EQ(blocks[2].getAsObject()->getBoolean("named"), false);
}

TEST(View, CodeBesideAnInlineNamespaceGoesIntoIt) {
    const json::Value view = unitView(fullUnit(), {}, "");
    const json::Array& blocks = *view.getAsObject()->getArray("blocks");
    ASSERT_EQ(blocks.size(), 2u);
    EXPECT_EQ(blocks[0].getAsObject()->getString("name"), "stats::inline v1");
    EXPECT_EQ(blocks[0].getAsObject()->getArray("items")->size(), 6u);  // a function, a lambda, a reduction's four
}

TEST(View, CommentLinesAreSafeBehindSlashes) {
    UnitSpec unit = fullUnit();
    unit.kernels[0].comment = "first \\\n\n  second";
    const json::Value view = unitView(unit, {}, "");
    const json::Object& kernel = at(at(*view.getAsObject(), "spaces", 0), "kernels", 0);
    const json::Array& lines = *at(kernel, "signatures", 0).getArray("comment");
    ASSERT_EQ(lines.size(), 3u);
    EXPECT_EQ(lines[0].getAsObject()->getString("line"), " first");
    EXPECT_EQ(lines[1].getAsObject()->getString("line"), "");
    EXPECT_EQ(lines[2].getAsObject()->getString("line"), " second");
}

TEST(View, IncludesAreSortedAndHoldWhatTemplatesUse) {
    UnitSpec unit = fullUnit();
    unit.includes = {"<type_traits>", "<cmath>"};
    const json::Value view = unitView(unit, {}, "");
    std::vector<std::string> directives;
    for (const json::Value& include : *view.getAsObject()->getArray("includes"))
        directives.push_back(include.getAsObject()->getString("directive")->str());
    EXPECT_EQ(directives, (std::vector<std::string>{"<cmath>", "<cstdint>", "<type_traits>"}));
}

TEST(View, DeviceCodeIncludesWhatStandsForAStandardHeaderFirst) {
    UnitSpec unit = fullUnit();
    unit.includes = {"<array>", "<complex>", "<foldwise/device/complex.hpp>"};
    const auto directives = [&](const char* attributes) {
        const json::Value view = unitView(unit, {}, attributes);
        std::vector<std::string> found;
        for (const json::Value& include : *view.getAsObject()->getArray("includes"))
            found.push_back(include.getAsObject()->getString("directive")->str());
        return found;
    };
    EXPECT_EQ(directives("__device__ "),
              (std::vector<std::string>{"<foldwise/device/complex.hpp>", "<array>", "<cstdint>"}));
    EXPECT_EQ(directives(""), (std::vector<std::string>{"<array>", "<complex>", "<cstdint>"}));
}
